import * as contract from '@drawhouse/contract/backup/backups';
import type { Actor } from '../accounts/authority.ts';
import { oneTimeAddress } from '../auth/passwords/require-elevation.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import type { WorkState } from '../activity/network-work/network-work.ts';
import {
  checkBackup,
  deleteBackup,
  downloadBackup,
  drillBackup,
  listOwnBackups,
  makeBackup,
  requireExportable,
  requireFinished,
  restoreBackup,
  transferBackup,
  undoRestore,
  type BackupCall,
  type BackupParts,
} from './take/own-backups.ts';

export function backupRoutes(parts: BackupParts): BoundRoute<Actor>[] {
  const { settings, work, restoring } = parts;
  return [
    handle(contract.listBackups, async (_input, call: BackupCall) => {
      const backups = await listOwnBackups(parts, call);
      const undoUntil = await restoring.undoUntil(call.actor);
      return {
        message: `${backups.length} ${backups.length === 1 ? 'backup' : 'backups'}`,
        folders: backups.map(({ name }) => name),
        backups,
        isEncrypted: settings.key !== undefined,
        canTransfer: parts.transferring !== undefined,
        undoUntil: undoUntil?.toISOString() ?? null,
      };
    }),
    handle(contract.backupProgress, async (_input, { actor }) => {
      const latest = await work.latest(actor.id);
      return { work: latest ? toWork(latest) : null };
    }),
    handle(contract.exportBackup, (_input, call) => makeBackup(parts, call)),
    handle(contract.checkBackup, ({ query }, call) => checkBackup(parts, call, query.folder)),
    handle(contract.backupLosses, async ({ query }, call) =>
      restoring.losses(call, await requireFinished(parts, call, query.folder), call.aborted),
    ),
    handle(contract.importBackup, ({ query }, call) => restoreBackup(parts, call, query.folder, query.renames ?? {})),
    handle(contract.undoRestore, (_input, call) => undoRestore(parts, call)),
    handle(contract.drillBackup, ({ body }, call) => drillBackup(parts, call, body.folder)),
    handle(contract.downloadBackup, async ({ query }, call) => ({
      ...(await downloadBackup(parts, call, query.folder)),
      rows: null,
    })),
    handle(contract.backupAddress, async ({ query }, call) => {
      await requireExportable(parts, call, query.folder);
      return { address: await oneTimeAddress(parts.services, call, contract.downloadBackup, query) };
    }),
    handle(contract.transferBackup, ({ query }, call) => transferBackup(parts, call, query.folder)),
    handle(contract.deleteBackup, ({ query }, call) => deleteBackup(parts, call, query.folder)),
  ];
}

function toWork({ startedAt, finishedAt, ...rest }: WorkState) {
  return { ...rest, startedAt: startedAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
}
