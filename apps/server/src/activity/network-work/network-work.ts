import { CallError, databaseError } from '../../platform/http/http-errors.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Database, Queryable, Tx } from '../../platform/db/database.ts';
import { acquireNamedLock, isLockHeld, type HeldLock } from '../../platform/db/connection/hold-lock.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { closeBooks, requireStillClosed } from './closed-books.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { NetworkWorkState } from '@drawhouse/contract/network-work/network-work';
import { WORK_KINDS, type WorkKind } from '@drawhouse/contract/network-work/network-work-texts';
import { ACTIVITY_TEXTS } from '../activity-texts.ts';

const WRITE_EVERY_MS = 500;

export interface WorkOrder {
  readonly adminId: string;
  readonly kind: WorkKind;
  readonly by: string;
  /** Set if the network's books close. */
  readonly closes?: number | undefined;
}

export interface Work {
  /** Aborted on shutdown or loss of the network lock. */
  readonly signal: AbortSignal;
  progress(this: void, step: string, done: number, total: number): void;
}

export interface ClosingWork extends Work {
  /** Throws unless the books stayed closed throughout. */
  requireClosed(this: void, tx: Tx): Promise<void>;
}

export interface WorkState extends Omit<NetworkWorkState, 'startedAt' | 'finishedAt'> {
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** One task per network across all servers and commands. */
export interface NetworkWork {
  run<T>(order: WorkOrder, act: (work: ClosingWork) => Promise<T>): Promise<T>;
  latest(adminId: string): Promise<WorkState | undefined>;
  stop(): Promise<void>;
}

interface WorkParts {
  readonly db: Database;
  /** Each task needs a connection for its lock. */
  readonly connectionString: () => string;
  readonly clock: Clock;
}

export function createNetworkWork({ db, connectionString, clock }: WorkParts): NetworkWork {
  const stop = new AbortController();
  const running = new Set<Promise<unknown>>();
  const alone = async <T>(order: WorkOrder, act: (work: ClosingWork) => Promise<T>): Promise<T> => {
    const lock = await acquireNamedLock(connectionString(), lockName(order.adminId));
    if (!lock) throw await runningWorkError(db, order.adminId);
    try {
      const signal = AbortSignal.any([stop.signal, lock.lost]);
      return await recorded({ db, clock, lock, signal }, order, act);
    } finally {
      await lock.release();
    }
  };
  return {
    async run(order, act) {
      stop.signal.throwIfAborted();
      const done = alone(order, act);
      const settled = done.catch(() => {});
      running.add(settled);
      try {
        return await done;
      } finally {
        running.delete(settled);
      }
    },
    latest: (adminId) => latestWork(db, adminId),
    async stop() {
      stop.abort(new CallError('NOT_READY', { message: ACTIVITY_TEXTS.stopped }));
      await Promise.all(running);
    },
  };
}

export function isWorkRunning(on: Queryable, adminId: string): Promise<boolean> {
  return isLockHeld(on, lockName(adminId));
}

function lockName(adminId: string): string {
  return `network work ${adminId}`;
}

interface WorkMeans extends Pick<WorkParts, 'db' | 'clock'> {
  readonly lock: HeldLock;
  readonly signal: AbortSignal;
}

async function recorded<T>(
  { db, clock, lock, signal }: WorkMeans,
  { adminId, kind, by, closes }: WorkOrder,
  act: (work: ClosingWork) => Promise<T>,
): Promise<T> {
  const startedAt = clock.now();
  await db.query(
    sql`insert into network_work (admin_id, kind, username, started_at) values (${adminId}, ${kind}, ${by}, ${startedAt})
     on conflict (admin_id) do update set (kind, username, started_at, finished_at, step, done, total, failure, answer, ${REOPENED})
       = (excluded.kind, excluded.username, excluded.started_at, null, '', 0, 0, null, null, ${reopenedBy(startedAt)})`,
  );
  const writer = progressWriter(db, clock, adminId);
  const end = async (failure: string | null, answer: unknown): Promise<void> => {
    await writer.flush();
    const finishedAt = clock.now();
    await db.query(
      sql`update network_work set (finished_at, failure, answer, ${REOPENED})
         = (${finishedAt}, ${failure}, ${answer === undefined ? null : JSON.stringify(answer)}, ${reopenedBy(finishedAt)})
           where admin_id = ${adminId}`,
    );
  };
  const requireClosed = async (tx: Tx): Promise<void> => {
    if (closes !== undefined) await requireStillClosed(tx, lock, closes);
  };
  try {
    if (closes !== undefined) {
      writer.note(ACTIVITY_TEXTS.waiting, 0, 0);
      await closeBooks(db, lock, { adminId, networkId: closes });
    }
    const answer = await act({ signal, progress: writer.note, requireClosed });
    await end(null, answer);
    return answer;
  } catch (error) {
    // Without a database, the task will appear interrupted.
    await end(failureOf(error), undefined).catch(() => {});
    throw error;
  }
}

const REOPENED = sql`closed_network, reopened_at`;
const reopenedBy = (now: Date): Sql =>
  sql`null, case when network_work.closed_network is null then network_work.reopened_at else ${now} end`;

export function failureOf(error: unknown): string {
  if (error instanceof CallError) return error.message;
  return error instanceof DatabaseUnavailable ? databaseError(error).message : ACTIVITY_TEXTS.unforeseen;
}

/** Writes the latest value, one write at a time. */
function progressWriter(
  db: Database,
  clock: Clock,
  adminId: string,
): { note: Work['progress']; flush(): Promise<void> } {
  let latest: readonly [string, number, number] | undefined;
  let lastStep: string | undefined;
  let writtenAt = -Infinity;
  let writing: Promise<unknown> = Promise.resolve();
  let isWriting = false;
  const write = async (): Promise<void> => {
    const [step, done, total] = latest!;
    latest = undefined;
    writtenAt = clock.now().getTime();
    await db
      .query(
        sql`update network_work set step = ${step}, done = ${Math.round(done)}, total = ${Math.round(total)} where admin_id = ${adminId}`,
      )
      .catch(() => {});
  };
  return {
    note(step, done, total) {
      const isNewStep = lastStep !== step;
      lastStep = step;
      latest = [step, done, total];
      if (isWriting || (!isNewStep && clock.now().getTime() - writtenAt < WRITE_EVERY_MS)) return;
      isWriting = true;
      writing = write().finally(() => (isWriting = false));
    },
    async flush() {
      await writing;
      if (latest) await write();
    },
  };
}

export async function latestWork(on: Queryable, adminId: string): Promise<WorkState | undefined> {
  for (;;) {
    const row = await readRow(on, adminId);
    if (!row || row.finishedAt !== null || (await isLockHeld(on, lockName(adminId)))) return row;
    // A finishing task writes before unlocking, so an unchanged row means a crash.
    const again = await readRow(on, adminId);
    if (again?.startedAt.getTime() === row.startedAt.getTime() && again.finishedAt === null)
      return { ...again, finishedAt: again.startedAt, failure: ACTIVITY_TEXTS.interrupted };
  }
}

async function readRow(on: Queryable, adminId: string): Promise<WorkState | undefined> {
  const [row] = await on.query<Omit<WorkState, 'done' | 'total'> & { done: bigint; total: bigint }>(
    sql`select kind, username as by, started_at as "startedAt", finished_at as "finishedAt", step, done, total, failure, answer
     from network_work where admin_id = ${adminId}`,
  );
  return row && { ...row, done: Number(row.done), total: Number(row.total) };
}

async function runningWorkError(on: Queryable, adminId: string): Promise<CallError> {
  const state = await latestWork(on, adminId);
  const what = state ? ACTIVITY_TEXTS.workBy(WORK_KINDS[state.kind], state.by) : ACTIVITY_TEXTS.otherWork;
  return new CallError('WORK_UNDER_WAY', { message: ACTIVITY_TEXTS.tryLater(what) });
}

/**
 * Blocks a restore's replacement until commit. Returns false if the network is gone. Call first, so all later reads see
 * one network.
 */
export async function shareNetworkLock(tx: Tx, networkId: number): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(sql`select hold_network(${networkId}) as held`.named('network-hold'));
  return row!.held;
}

/** For changes outside commands. Throws NOT_READY if the network moves or is gone, as a row behind its fence would be lost. */
export function inNetwork<T>(db: Database, networkId: number, act: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    if (!(await shareNetworkLock(tx, networkId))) throw new CallError('NOT_READY');
    return act(tx);
  });
}

export async function lockNetworksExclusively(tx: Tx, networkIds: readonly number[]): Promise<void> {
  for (const id of networkIds.toSorted((a, b) => a - b)) await tx.query(sql`select close_network(${id})`);
}
