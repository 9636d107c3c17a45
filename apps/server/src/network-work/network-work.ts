import { WORK_KINDS } from '@drawhouse/contract/network-work/work';
import type { WorkKind } from '@drawhouse/contract/network-work/work';
import { CallError, notReady } from '../http/http-errors.ts';
import type { Clock } from '../clock.ts';
import type { Database, Queryable, Tx } from '../db/database.ts';
import { holdLock, isLockHeld } from '../db/hold-lock.ts';
import type { HeldLock } from '../db/hold-lock.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { closeBooks, requireStillClosed } from './closed-books.ts';
import { sql } from '../db/sql.ts';

/** Progress is written down at most so often. */
const WRITE_EVERY_MS = 500;
const UNFORESEEN = 'Something went wrong. The log of the server says what.';
const INTERRUPTED = 'The server was ended while this was under way. Please begin it again.';

/** What is to be done with which network, and by whom. */
export interface WorkOrder {
  readonly adminId: string;
  readonly kind: WorkKind;
  /** The username of whoever asked for it. */
  readonly by: string;
  /** The network whose books are closed meanwhile, by its number; left out if they stay open. */
  readonly closes?: number | undefined;
}

/** What work is given. */
export interface Work {
  /** Aborted when the server stops, and where the lock of the network is lost with its connection. */
  readonly signal: AbortSignal;
  /** Tells how far it has come: what is done now, in a few words, and how much of it. */
  progress(this: void, step: string, done: number, total: number): void;
}

/** Work that may have closed the books of its network. */
export interface ClosingWork extends Work {
  /** Throws if the books that this work has closed were not closed all the time until now. */
  requireClosed(this: void, tx: Tx): Promise<void>;
}

/** The latest work on a network. */
export interface WorkState {
  readonly kind: WorkKind;
  readonly by: string;
  readonly startedAt: Date;
  /** Null while it is under way. */
  readonly finishedAt: Date | null;
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** Why it came to nothing; null where it did not. */
  readonly failure: string | null;
  readonly answer: unknown;
}

/** Works on whole networks, one thing at a time for each, whichever server or command does it. */
export interface NetworkWork {
  /** Does `act` alone for its network and gives what it gives. Throws WORK_UNDER_WAY where something else is under way, and what `act` throws. */
  run<T>(order: WorkOrder, act: (work: ClosingWork) => Promise<T>): Promise<T>;
  /** The latest work on a network of any server; undefined where there was none. */
  latest(adminId: string): Promise<WorkState | undefined>;
  /** Ends what this server has under way, and waits for it. */
  stop(): Promise<void>;
}

/** What {@link createNetworkWork} needs. */
interface WorkParts {
  readonly db: Database;
  /** Where the database is now: each work holds its lock on a connection of its own. */
  readonly connectionString: () => string;
  readonly clock: Clock;
}

/** Makes it. */
export function createNetworkWork({ db, connectionString, clock }: WorkParts): NetworkWork {
  const stop = new AbortController();
  const running = new Set<Promise<unknown>>();
  const alone = async <T>(order: WorkOrder, act: (work: ClosingWork) => Promise<T>): Promise<T> => {
    const lock = await holdLock(connectionString(), lockName(order.adminId));
    if (!lock) throw await underWay(db, order.adminId);
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
      stop.abort(new CallError('NOT_READY', { message: 'The server was stopped.' }));
      await Promise.all(running);
    },
  };
}

function lockName(adminId: string): string {
  return `network work ${adminId}`;
}

/** The means of one piece of work. */
interface WorkMeans extends Pick<WorkParts, 'db' | 'clock'> {
  readonly lock: HeldLock;
  readonly signal: AbortSignal;
}

async function recorded<T>(
  { db, clock, lock, signal }: WorkMeans,
  { adminId, kind, by, closes }: WorkOrder,
  act: (work: ClosingWork) => Promise<T>,
): Promise<T> {
  await db.query(
    `insert into network_work (admin_id, kind, username, started_at) values ($1, $2, $3, $4)
     on conflict (admin_id) do update set (kind, username, started_at, finished_at, step, done, total, failure, answer, ${REOPENED})
       = (excluded.kind, excluded.username, excluded.started_at, null, '', 0, 0, null, null, ${reopenedBy('$4')})`,
    [adminId, kind, by, clock.now()],
  );
  const writer = progressWriter(db, clock, adminId);
  const end = async (failure: string | null, answer: unknown): Promise<void> => {
    await writer.flush();
    await db.query(
      `update network_work set (finished_at, failure, answer, ${REOPENED}) = ($2, $3, $4, ${reopenedBy('$2')}) where admin_id = $1`,
      [adminId, clock.now(), failure, answer === undefined ? null : JSON.stringify(answer)],
    );
  };
  const requireClosed = async (tx: Tx): Promise<void> => {
    if (closes !== undefined) await requireStillClosed(tx, lock, closes);
  };
  try {
    if (closes !== undefined) {
      writer.note('Waiting for bets and payments to end', 0, 0);
      await closeBooks(db, lock, { adminId, networkId: closes });
    }
    const answer = await act({ signal, progress: writer.note, requireClosed });
    await end(null, answer);
    return answer;
  } catch (error) {
    // Where the database is away, whoever asks finds it interrupted.
    await end(failureOf(error), undefined).catch(() => {});
    throw error;
  }
}

/** The columns that tell of closed books, and their values once these are open again. */
const REOPENED = 'closed_network, reopened_at';
const reopenedBy = (now: string): string =>
  `null, case when network_work.closed_network is null then network_work.reopened_at else ${now} end`;

/** What people read of an error: what nobody foresaw may tell of the database or the disk, and is for the log. */
export function failureOf(error: unknown): string {
  if (error instanceof CallError) return error.message;
  return error instanceof DatabaseUnavailable ? notReady(error).message : UNFORESEEN;
}

/** Writes progress down now and then, the latest alone, and never two at once. */
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
    const values = [adminId, step, Math.round(done), Math.round(total)];
    // Progress that is not told is no failure of the work.
    await db
      .query('update network_work set step = $2, done = $3, total = $4 where admin_id = $1', values)
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

/** The latest work on a network of any server; undefined where there was none. */
export async function latestWork(on: Queryable, adminId: string): Promise<WorkState | undefined> {
  for (;;) {
    const row = await readRow(on, adminId);
    if (!row || row.finishedAt !== null || (await isLockHeld(on, lockName(adminId)))) return row;
    // What ends gives up its lock after it has written so: a row that is still the same had nobody to end it.
    const again = await readRow(on, adminId);
    if (again?.startedAt.getTime() === row.startedAt.getTime() && again.finishedAt === null)
      return { ...again, finishedAt: again.startedAt, failure: INTERRUPTED };
  }
}

async function readRow(on: Queryable, adminId: string): Promise<WorkState | undefined> {
  const [row] = await on.query<Omit<WorkState, 'done' | 'total'> & { done: bigint; total: bigint }>(
    sql`select kind, username as by, started_at as "startedAt", finished_at as "finishedAt", step, done, total, failure, answer
     from network_work where admin_id = ${adminId}`,
  );
  return row && { ...row, done: Number(row.done), total: Number(row.total) };
}

/** The error for whoever comes while something else is under way. */
async function underWay(on: Queryable, adminId: string): Promise<CallError> {
  const state = await latestWork(on, adminId);
  const what = state ? `${WORK_KINDS[state.kind]} by ${state.by}` : 'Something else is under way with this network';
  return new CallError('WORK_UNDER_WAY', { message: `${what}. Please wait until it has ended.` });
}
