import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import { waitingByNetwork } from '../approvals/approvals.sql.ts';
import { networksOf } from '../accounts/accounts.sql.ts';
import type { Actor } from '../accounts/authority.ts';
import { backupNotices, type BackupSchedule } from '../backup/keep/backup-schedule.ts';
import type { AppOptions } from './app-options.ts';
import type { FirstCellFollower } from './follow-first-cell.ts';
import type { DrawMachine } from '../settlement/draw-machine.ts';
import type { ReadLiveTables } from '../live/panels/read-live-tables.ts';
import { createHealth } from '../operations/health/server-health.ts';
import { createNetworkAlerts, networkEvents, refusedSignIns } from '../operations/notices/network-alerts.ts';
import { createNoticeWatch, type NoticeWatch } from '../operations/notices/notice-watch.ts';
import { NOTICE_DETAILS } from '../operations/notices/notices-texts.ts';
import { orderNotices } from '../standing-orders/order-notices.ts';
import { disputeNotices } from '../weeks/dispute-notices.ts';
import { owedNotices } from '../weeks/read-owed.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';

const OWED_FOR_MS = 30_000;

export interface ServerWatch {
  /** Includes notices about an admin's network, and for a superadmin about the server. */
  find(this: void, actor: Actor): Promise<readonly FoundNotice[]>;
  readonly watch: NoticeWatch | undefined;
}

interface Watched {
  readonly machine: DrawMachine;
  readonly schedule: BackupSchedule;
  readonly liveTables: ReadLiveTables;
  readonly follower: Pick<FirstCellFollower, 'notices'>;
}

export function watchServer(
  services: Services,
  { machine, schedule, liveTables, follower }: Watched,
  {
    watched,
    notices,
    logger,
    firstWeekday = 'sunday',
  }: Pick<AppOptions, 'watched' | 'notices' | 'logger' | 'firstWeekday'>,
): ServerWatch {
  const { db, clock } = services;
  const health = watched && createHealth(services, watched);
  const alerts = createNetworkAlerts(services, liveTables);
  const ofServer = async (): Promise<FoundNotice[]> => [
    ...((await notices?.()) ?? []),
    ...machine.beacons.troubles().map((detail) => ({ code: 'BEACON_AWAY', detail }) as const),
    ...follower.notices(),
    ...(health?.notices() ?? []),
    ...((await watch?.notices()) ?? []),
  ];
  /** Sheets of many accounts are the most expensive part, and every open page asks. */
  const owed = new LRUCache<string, { readonly at: number; readonly found: readonly FoundNotice[] }>({ max: 1000 });
  const ofPairs = async (actor: Actor): Promise<FoundNotice[]> => {
    const at = clock.now();
    let last = owed.get(actor.id);
    if (!last || Math.abs(at.getTime() - last.at) >= OWED_FOR_MS) {
      last = {
        at: at.getTime(),
        found: await owedNotices(db, actor, { at, timeZone: services.timeZone, firstWeekday }),
      };
      owed.set(actor.id, last);
    }
    return [...last.found, ...(await disputeNotices(db, actor, at)), ...(await orderNotices(db, actor, at))];
  };
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
      const waiting = [...(await approvalNotices(db, actor, clock.now())), ...(await ofPairs(actor))];
      if (actor.role !== 'superadmin' && actor.role !== 'admin') return waiting;
      const isSuperadmin = actor.role === 'superadmin';
      const backups = await backupNotices(db, actor, schedule.troubles());
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

async function approvalNotices(on: Queryable, actor: Actor, now: Date): Promise<FoundNotice[]> {
  const waiting = await waitingByNetwork(on, actor, now);
  return waiting.map(({ admin, count, until }) => ({
    code: 'APPROVAL_WAITING',
    ...(admin !== null && { admin }),
    detail: NOTICE_DETAILS.waiting(count),
    until: until.toISOString(),
  }));
}
