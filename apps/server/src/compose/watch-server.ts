import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { AppOptions } from './app-options.ts';
import type { BackupSchedule } from '../backup/keep/backup-schedule.ts';
import type { DrawMachine } from '../settlement/draw-machine.ts';
import { createHealth } from '../operations/health/server-health.ts';
import { networkEvents } from '../operations/notices/network-events.ts';
import { createNoticeWatch } from '../operations/notices/notice-watch.ts';
import type { NoticeWatch } from '../operations/notices/notice-watch.ts';
import type { Services } from '../platform/services.ts';

export interface ServerWatch {
  notices(): Promise<FoundNotice[]>;
  withOthers(found: readonly FoundNotice[]): Promise<readonly FoundNotice[]>;
  readonly watch: NoticeWatch | undefined;
}

export function watchServer(
  services: Services,
  { machine, schedule }: { readonly machine: DrawMachine; readonly schedule: BackupSchedule },
  { watched, notices, logger }: Pick<AppOptions, 'watched' | 'notices' | 'logger'>,
): ServerWatch {
  const health = watched && createHealth(services, watched);
  const ofServer = async (): Promise<FoundNotice[]> => [
    ...((await notices?.()) ?? []),
    ...machine.beacons.troubles().map((detail) => ({ code: 'BEACON_AWAY', detail }) as const),
    ...(health?.notices() ?? []),
    ...((await watch?.notices()) ?? []),
  ];
  const watch =
    watched &&
    createNoticeWatch({
      services,
      logger,
      webhook: watched.webhook,
      async find() {
        await health?.look();
        const ofNetworks = [...schedule.troubles().values()];
        return [
          ...(await ofServer()),
          ...ofNetworks.map(({ username, ...trouble }) => ({ ...trouble, admin: username })),
          ...(await networkEvents(services.db, services.clock.now())),
        ];
      },
    });
  return {
    notices: ofServer,
    withOthers: async (found) => (watch ? watch.withOthers(found) : found),
    watch,
  };
}
