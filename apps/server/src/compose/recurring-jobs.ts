import { expireRequests, requeueInterrupted } from '../approvals/requeue-or-expire.ts';
import { checkBalances } from '../audit/books/audit-balances.ts';
import { sumUpAttempts } from '../auth/attempts/attempts.ts';
import { purgeSessions } from '../auth/sessions/purge-sessions.ts';
import type { Presence } from '../auth/sessions/presence.ts';
import type { SessionCache } from '../auth/sessions/session-cache.ts';
import type { Refusals } from '../activity/refusals.ts';
import type { BackupSchedule } from '../backup/keep/backup-schedule.ts';
import { fenceOutdated, settleFences } from '../backup/move/settle-fences.ts';
import { sweepStagedNetworks } from '../backup/restore/stage-network.ts';
import { sweepMigrations } from '../backup/restore/migrate-backup.ts';
import type { BackupParts } from '../backup/take/own-backups.ts';
import type { CreditCourier } from '../credit/across/carry-credit.ts';
import type { FirstCellFollower } from './follow-first-cell.ts';
import { sumNextDue } from '../liability/sum-days.ts';
import { betForSimulatedPlayers, SIMULATED_BET_EVERY_MS } from '../first-steps/simulated-players.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { PeriodicTask } from '../platform/time/task-runner.ts';
import type { ServerWatch } from './watch-server.ts';
import type { Services } from '../platform/services.ts';
import type { DrawMachine } from '../settlement/draw-machine.ts';
import type { BetLanes } from '../tickets/place/lanes/bet-lanes.ts';
import { endBrokenOrders, runStandingOrders } from '../standing-orders/run-standing-orders.ts';
import { watchFloors } from '../standing-orders/watch-floors.ts';
import type { Weekday } from '@drawhouse/rules/records/week-balance';
import { claimLeftovers } from '../tickets/claim/claim-leftovers.ts';

const LAST_USES_EVERY_MS = 5_000;
/** A move whose command died keeps a network closed. */
const FENCES_EVERY_MS = 2_000;
const DELIVER_EVERY_MS = 2_000;
/** Changes of the first cell's catalogue and house arrive within this time. */
const FOLLOW_EVERY_MS = 5_000;
/** Slots are whole minutes. */
const STANDING_ORDERS_EVERY_MS = 15_000;
const CORRECTIONS_EVERY_MS = 5_000;
const SEALS_EVERY_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface RecurringParts {
  readonly services: Services;
  readonly refusals: Refusals;
  readonly sessions: SessionCache;
  readonly presence: Presence;
  readonly lanes: BetLanes;
  readonly machine: Pick<DrawMachine, 'continueCorrections'>;
  readonly backupParts: BackupParts;
  readonly schedule: BackupSchedule;
  readonly watching: ServerWatch;
  readonly firstWeekday: Weekday;
  readonly checkSeals?: (() => Promise<void>) | undefined;
  readonly cellUrl?: string | undefined;
  readonly follower: Pick<FirstCellFollower, 'follow'>;
  readonly courier: Pick<CreditCourier, 'deliverAll' | 'compareAll'>;
}

/**
 * Runs in order, also while a draw fails. The check for expired sockets must never wait for draws, so it has its own
 * timer (`live/sockets/open-sockets.ts`).
 */
export function periodicTasks({
  services,
  refusals,
  sessions,
  presence,
  lanes,
  machine,
  backupParts,
  schedule,
  watching,
  firstWeekday,
  checkSeals,
  cellUrl,
  follower,
  courier,
}: RecurringParts): PeriodicTask[] {
  return [
    { name: 'sum up attempts', everyMs: MINUTE_MS, run: () => sumUpAttempts(services) },
    {
      name: 'log refused calls',
      everyMs: 0,
      run: () => refusals.sumUp(),
      aside: 'refused calls could not be logged; retrying',
    },
    {
      name: 'sum days',
      everyMs: MINUTE_MS,
      run: () => sumNextDue(services, checkBalances),
      // Large days take seconds.
      aside: 'a day could not be summed; retrying',
    },
    ...cellTasks(services, { backupParts, cellUrl, follower }),
    {
      name: 'deliver credit',
      everyMs: DELIVER_EVERY_MS,
      run: () => courier.deliverAll(),
      aside: 'credit for other cells could not be read; retrying',
    },
    {
      name: 'compare credit',
      everyMs: MINUTE_MS,
      run: () => unlessAway(() => courier.compareAll()),
      aside: 'credit for other cells could not be read; retrying',
    },
    {
      name: 'delete replaced networks',
      everyMs: MINUTE_MS,
      async run() {
        // A running replication would refill a deleted copy.
        await settleFences(services, backupParts.work);
        await sweepStagedNetworks(services, backupParts.work);
      },
      aside: 'data replaced by a restore could not be deleted; retrying',
    },
    {
      name: 'delete updated backups',
      everyMs: HOUR_MS,
      run: () => sweepMigrations(services, backupParts.settings),
      aside: 'leftovers of an updated backup could not be deleted; retrying',
    },
    {
      name: 'back up',
      everyMs: MINUTE_MS,
      run: () => schedule.doNext(),
      aside: 'the scheduled backups could not be checked; retrying',
    },
    {
      name: 'check seals',
      everyMs: SEALS_EVERY_MS,
      run: async () => checkSeals?.(),
      aside: 'sealing could not be checked; retrying',
    },
    ...gameTasks(services, lanes, machine),
    ...standingOrderTasks(services, firstWeekday),
    ...approvalTasks(services),
    { name: 'claim wins of excluded players', everyMs: MINUTE_MS, run: () => claimLeftovers(services) },
    { name: 'write last uses of sessions', everyMs: LAST_USES_EVERY_MS, run: sessions.write },
    { name: 'write presence', everyMs: 0, run: () => presence.write() },
    { name: 'forget sessions', everyMs: HOUR_MS, run: () => purgeSessions(services) },
    ...(watching.watch?.recurrences ?? []),
  ];
}

function cellTasks(
  services: Services,
  { backupParts: { work }, cellUrl, follower }: Pick<RecurringParts, 'backupParts' | 'cellUrl' | 'follower'>,
): PeriodicTask[] {
  return [
    {
      name: 'settle moves',
      everyMs: FENCES_EVERY_MS,
      run: () => settleFences(services, work),
      aside: 'a move that was interrupted could not be settled; retrying',
    },
    {
      name: 'fence networks of other cells',
      everyMs: MINUTE_MS,
      run: () => unlessAway(() => fenceOutdated(services)),
      aside: 'networks that other cells have could not be closed; retrying',
    },
    {
      name: 'follow the first cell',
      everyMs: FOLLOW_EVERY_MS,
      run: () => follower.follow(),
      aside: 'games or house of the first cell could not be taken over; retrying',
    },
    {
      name: 'tell the directory of networks',
      everyMs: MINUTE_MS,
      run: () => unlessAway(async () => services.directory?.announce(services.db, cellUrl)),
      aside: 'the directory could not be told of networks; retrying',
    },
  ];
}

/** The directory may be away, and the next pass asks it again. */
async function unlessAway(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}

function gameTasks(services: Services, lanes: BetLanes, machine: RecurringParts['machine']): PeriodicTask[] {
  return [
    {
      name: 'bet for simulated players',
      everyMs: SIMULATED_BET_EVERY_MS,
      run: () => betForSimulatedPlayers(services, lanes),
      aside: 'simulated players could not bet; retrying',
    },
    {
      name: 'continue corrections',
      everyMs: CORRECTIONS_EVERY_MS,
      run: () => machine.continueCorrections(),
      aside: 'corrections could not be continued; retrying',
    },
  ];
}

function approvalTasks(services: Services): PeriodicTask[] {
  return [
    { name: 'requeue interrupted requests', everyMs: MINUTE_MS, run: () => requeueInterrupted(services) },
    { name: 'expire requests', everyMs: MINUTE_MS, run: () => expireRequests(services) },
  ];
}

function standingOrderTasks(services: Services, firstWeekday: Weekday): PeriodicTask[] {
  return [
    {
      name: 'run standing orders',
      everyMs: STANDING_ORDERS_EVERY_MS,
      run: () => runStandingOrders(services),
      aside: 'standing orders could not be run; retrying',
    },
    {
      name: 'watch floors',
      everyMs: STANDING_ORDERS_EVERY_MS,
      async run() {
        await endBrokenOrders(services);
        await watchFloors(services, firstWeekday);
      },
      aside: 'floors of standing orders could not be checked; retrying',
    },
  ];
}
