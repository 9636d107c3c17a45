import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import { waitingByNetwork } from '../approvals/approvals.sql.ts';
import { networksOf } from '../accounts/accounts.sql.ts';
import type { Actor } from '../accounts/authority.ts';
import { backupNotices } from '../backup/keep/backup-schedule.ts';
import type { AppOptions } from './app-options.ts';
import type { BackupSchedule } from '../backup/keep/backup-schedule.ts';
import type { DrawMachine } from '../settlement/draw-machine.ts';
import type { ReadLiveTables } from '../live/panels/read-live-tables.ts';
import { createHealth } from '../operations/health/server-health.ts';
import { createNetworkAlerts } from '../operations/notices/network-alerts.ts';
import { networkEvents, refusedSignIns } from '../operations/notices/network-events.ts';
import { createNoticeWatch } from '../operations/notices/notice-watch.ts';
import type { NoticeWatch } from '../operations/notices/notice-watch.ts';
import { NOTICE_DETAILS } from '../operations/notices/notices-texts.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';

export interface ServerWatch {
  /** Current notices for a superadmin, or for an admin about its network. */
  find(this: void, actor: Actor): Promise<readonly FoundNotice[]>;
  readonly watch: NoticeWatch | undefined;
}

interface Watched {
  readonly machine: DrawMachine;
  readonly schedule: BackupSchedule;
  readonly liveTables: ReadLiveTables;
}

export function watchServer(
  services: Services,
  { machine, schedule, liveTables }: Watched,
  { watched, notices, logger }: Pick<AppOptions, 'watched' | 'notices' | 'logger'>,
): ServerWatch {
  const { db, clock } = services;
  const health = watched && createHealth(services, watched);
  const alerts = createNetworkAlerts(services, liveTables);
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
          ...(await networkEvents(db, clock.now())),
          ...(await alerts.find('all')),
        ];
      },
    });
  return {
    async find(actor) {
      const backups = await backupNotices(db, actor, schedule.troubles());
      const isSuperadmin = actor.role === 'superadmin';
      const waiting = await approvalNotices(db, actor, clock.now());
      const found = isSuperadmin
        ? [
            ...waiting,
            ...(await alerts.toConfirm(await networksOf(db, actor))),
            ...(await ofServer()),
            ...backups,
            ...(await networkEvents(db, clock.now(), actor)),
          ]
        : [
            ...waiting,
            ...(await refusedSignIns(db, actor.networkId, clock.now())),
            ...(await alerts.find(actor.networkId)),
            ...backups,
          ];
      return watch ? watch.withTimes(found, isSuperadmin) : found;
    },
    watch,
  };
}

/** Requests that the actor may decide, one notice per network. */
async function approvalNotices(on: Queryable, actor: Actor, now: Date): Promise<FoundNotice[]> {
  const waiting = await waitingByNetwork(on, actor, now);
  return waiting.map(({ admin, count, until }) => ({
    code: 'APPROVAL_WAITING',
    ...(admin !== null && { admin }),
    detail: NOTICE_DETAILS.waiting(count),
    until: until.toISOString(),
  }));
}
