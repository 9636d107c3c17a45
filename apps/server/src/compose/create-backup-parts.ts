import { keepWallKey } from '../players/public-wall.ts';
import type { AppOptions } from './app-options.ts';
import { auditStagedNetwork } from '../audit/audit.ts';
import { createArchive } from '../backup/take/archive/archive.ts';
import { createRestoring } from '../backup/restore/create-restoring.ts';
import type { BackupParts } from '../backup/take/own-backups.ts';
import { createTransferring } from '../backup/send/transfer-backup.ts';
import type { DrawMachine } from '../settlement/draw-machine.ts';
import { voidUnfinished } from '../settlement/void-unfinished.ts';
import type { NetworkWork } from '../activity/network-work/network-work.ts';
import type { Services } from '../platform/services.ts';

export function createBackupParts(
  services: Services,
  { machine, networkWork, options }: { machine: DrawMachine; networkWork: NetworkWork; options: AppOptions },
): BackupParts {
  return {
    restoring: createRestoring({
      services,
      settings: options.backup,
      disk: options.backupParts?.disk,
      voidUnfinished: (networkId, signal) => voidUnfinished(machine, networkId, signal),
      keepWallKey,
      audit: auditStagedNetwork,
    }),
    services,
    work: networkWork,
    settings: options.backup,
    archiveOf: createArchive,
    transferring: createTransferring(options.backup.transfer),
    ...options.backupParts,
  };
}
