import type { Socket } from 'node:net';
import pg from 'pg';
import { columnTypes } from './column-types.ts';
import { listenTo } from './listener.ts';
import type { Hearing, Listener, ListenerTimes } from './listener.ts';
import { PATIENT, PROMPT, REPORT, timeoutsOf } from './patience.ts';
import type { Patience } from './patience.ts';
import type { Readable, Row } from './row.ts';
import { standBehind } from './stand-behind.ts';
import type { Sql } from './sql.ts';
import { stoppedBy } from './stop.ts';
import { createWriteWatch } from './takes-writes.ts';
import { DatabaseUnavailable, explained, isRefusal } from './unavailable.ts';

/** Whatever can run a statement of `sql`, or a text with its values. One with a name is prepared once per connection. */
export interface Queryable {
  query<R extends object & Readable<R> = Row>(
    statement: Sql | string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<R[]>;
}

/** An open transaction. It is the first argument of everything that changes the database. */
export interface Tx extends Queryable {
  readonly isTransaction: true;
  /**
   * Sends a statement that gives nothing back. In a pipelined transaction it is not waited for: where it fails, so does the commit,
   * which is sent right behind it.
   */
  send(statement: Sql | string, values?: readonly unknown[], name?: string): Promise<void>;
  /** Runs `effect` after the commit, and not at all when the transaction fails: live events, answers, timers. */
  onCommit(effect: () => void): void;
}

/** Whatever reads: single statements, and several on one snapshot. */
export interface Reader extends Queryable {
  /** Reads on one snapshot of the whole: beside a busy server nothing moves between two statements of `read`. */
  snapshot<T>(read: (on: Queryable) => Promise<T>): Promise<T>;
}

/** Reads that can be stopped. */
export interface StoppableReader extends Reader {
  /** The same until a signal: then PostgreSQL stops what runs, and whoever asked gets the reason of the signal. */
  until(signal: AbortSignal): Reader;
}

/** The database: single statements that read, and transactions. All throw DatabaseUnavailable when it is away or too slow. */
export interface Database extends Reader {
  /**
   * Runs `act` in one transaction at READ COMMITTED: commits when it returns, rolls back when it throws. Repeats it up to three
   * times when PostgreSQL reports a deadlock or a serialization failure, so `act` must have no effect outside but `onCommit`.
   * `patience` is for what grows with the tickets of a draw; otherwise each statement has that of the connection.
   */
  transaction<T>(act: (tx: Tx) => Promise<T>, patience?: Patience): Promise<T>;
  /**
   * The same on a few connections of its own that do not wait: statements that `act` makes without awaiting the ones before, and the
   * begin, travel together, as do what it sends last (`Tx.send`) and the commit. So it takes two round trips to judge and write.
   */
  pipelined<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /** A snapshot on several connections, for statements that run side by side. */
  snapshots<T>(connections: number, read: (on: readonly Queryable[]) => Promise<T>): Promise<T>;
  /** Reads for a file, which may take long: on a few connections of its own, with the time of {@link PATIENT}. */
  readonly patient: StoppableReader;
  /** Reads for a list or a report, which may take a while: on connections of its own, with the time of {@link REPORT}. */
  readonly reports: StoppableReader;
  /** Whether it takes writes: false on a full disk, and while it only reads. Rejects where it is away. */
  takesWrites(): Promise<boolean>;
  /** Listens to what transactions tell on a channel by `pg_notify`, on a connection of its own. */
  listen(channel: string, hearing: Hearing): Listener;
  /** How its connections are used now, on this server. */
  pools(this: void): readonly PoolUse[];
  close(): Promise<void>;
}

/** How the connections for a purpose are used. */
export interface PoolUse {
  readonly pool: 'calls' | 'files' | 'reports' | 'bets';
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  /** So many wait for one. */
  readonly waiting: number;
}

const PATIENT_CONNECTIONS = 3;
const REPORT_CONNECTIONS = 6;
/** So many pipelined transactions of bets at a time, and of the schedule: each has its connections, so that neither waits for the other. */
export const PIPELINES = 6;
export const SCHEDULE_PIPELINES = 3;
const REPEATABLE_ERRORS = new Set(['40001', '40P01']);
const MAX_TRIES = 3;

/** How to connect: `onError` hears of connections that break while idle; the pool replaces them. */
export interface ConnectOptions {
  readonly onError: (error: Error) => void;
  readonly poolSize?: number;
  readonly patience?: Patience;
  /** How long what listens trusts a line that says nothing; the usual where it is left out. */
  readonly listening?: ListenerTimes;
  /** Refuses whatever would write. */
  readonly readOnly?: boolean;
  /** Leaves the processors to whatever else wants them, see {@link standBehind}, and has no workers beside it, which would not. */
  readonly standsBehind?: boolean;
}

/** Connects to PostgreSQL by a pool. Each new connection asks for the address, which may change when PostgreSQL was away. */
export function connect(address: string | (() => string), options: ConnectOptions): Database {
  let closing = false;
  const currentAddress = typeof address === 'string' ? () => address : address;
  const open = (max: number, patience: Patience, pipeline = false): pg.Pool => {
    const pool = new pg.Pool({
      Client: clientAt(currentAddress),
      pipeline,
      max,
      types: columnTypes,
      application_name: 'drawhouse',
      keepAlive: true,
      ...timeoutsOf(patience),
      options: startOptions(options),
    });
    // Once closing, PostgreSQL may well be gone before the last connection.
    pool.on('error', (error) => void (closing || options.onError(error)));
    // Between two of its owners nobody listens to a connection; that it broke then shows at its next use.
    pool.on('connect', (client) => void (client.on('error', () => {}), options.standsBehind && standBehind(client)));
    return pool;
  };
  const pool = open(options.poolSize ?? 10, options.patience ?? PROMPT);
  const patientPool = open(PATIENT_CONNECTIONS, PATIENT);
  const reportPool = open(REPORT_CONNECTIONS, options.patience ?? REPORT);
  const pipelinePool = open(PIPELINES + SCHEDULE_PIPELINES, options.patience ?? PROMPT, true);
  const repeated = async <T>(tryOnce: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await tryOnce();
      } catch (error) {
        if (tries >= MAX_TRIES || !REPEATABLE_ERRORS.has((error as { code?: string }).code ?? '')) throw error;
      }
    }
  };
  const reader = readerOf(pool);
  const { watch, takesWrites } = createWriteWatch(reader);
  return {
    ...reader,
    query: (text, values, name) => watch(() => reader.query(text, values, name)),
    patient: stoppableReaderOf(patientPool),
    reports: stoppableReaderOf(reportPool),
    transaction: (act, patience) => watch(() => repeated(() => attempt(pool, act, { patience }))),
    pipelined: (act) => watch(() => repeated(() => attempt(pipelinePool, act, { pipelined: true }))),
    takesWrites,
    listen: (channel, hearing) => listenTo(currentAddress, channel, hearing, options.listening),
    pools: () => [
      useOf('calls', pool),
      useOf('files', patientPool),
      useOf('reports', reportPool),
      useOf('bets', pipelinePool),
    ],
    async close() {
      closing = true;
      await Promise.all([pool.end(), patientPool.end(), reportPool.end(), pipelinePool.end()]);
    },
  };
}

function useOf(name: PoolUse['pool'], { options, totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  return { pool: name, max: options.max, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** A worker that PostgreSQL adds to a statement has not the priority of its connection: where that stands behind, there are none. */
function startOptions({ readOnly, standsBehind }: ConnectOptions): string | undefined {
  const set = [readOnly && 'default_transaction_read_only=on', standsBehind && 'max_parallel_workers_per_gather=0'];
  return set.flatMap((one) => (one ? `-c ${one}` : [])).join(' ') || undefined;
}

function clientAt(address: () => string): new () => pg.ClientBase {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: address() });
    }
  };
}

function readerOf(pool: pg.Pool): Pick<Database, 'query' | 'snapshot' | 'snapshots'> {
  return {
    query: (text, values, name) => run(pool, text, values, name),
    snapshot: (read) => attempt(pool, async (tx) => (await holdSnapshot(tx), read(tx))),
    snapshots: (connections, read) =>
      attempt(pool, async (first) => {
        await holdSnapshot(first);
        const [{ id } = { id: '' }] = await first.query<{ id: string }>('select pg_export_snapshot() as id');
        const join = (joined: readonly Queryable[]): ReturnType<typeof read> =>
          joined.length >= connections
            ? read(joined)
            : attempt(pool, async (next) => {
                await holdSnapshot(next);
                await next.query(`set transaction snapshot '${id}'`);
                return join([...joined, next]);
              });
        return join([first]);
      }),
  };
}

function stoppableReaderOf(pool: pg.Pool): StoppableReader {
  return {
    ...readerOf(pool),
    until: (signal) => ({
      query: (text, values, name) => alone(pool, signal, text, values, name),
      snapshot: (read) => attempt(pool, async (tx) => (await holdSnapshot(tx), read(tx)), { signal }),
    }),
  };
}

/** A statement on a connection of the pool, which goes back to it, until a signal. */
async function alone<R extends object>(
  pool: pg.Pool,
  signal: AbortSignal,
  statement: Sql | string,
  values?: readonly unknown[],
  name?: string,
): Promise<R[]> {
  signal.throwIfAborted();
  const client = await pool.connect().catch(rethrow);
  let broken: Error | undefined;
  try {
    return await stoppedBy(signal, client, () => run<R>(client, statement, values, name));
  } catch (error) {
    if (error instanceof DatabaseUnavailable && !error.refused) broken = error;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function holdSnapshot(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only');
}

/** One try of a transaction. Where the database is away nothing more is said to it: the end of the connection rolls back. */
async function attempt<T>(
  pool: pg.Pool,
  act: (tx: Tx) => Promise<T>,
  {
    patience,
    pipelined = false,
    signal,
  }: { patience?: Patience | undefined; pipelined?: boolean; signal?: AbortSignal } = {},
): Promise<T> {
  const client = await pool.connect().catch(rethrow);
  const effects: (() => void)[] = [];
  const sent: Promise<unknown>[] = [];
  let broken: Error | undefined;
  /** What failed first: what is said after it fails for that alone. */
  let first: { readonly error: unknown } | undefined;
  const say = async <R extends object>(
    statement: Sql | string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<R[]> => {
    if (broken) throw broken;
    if (pipelined) inOnePacket(client);
    try {
      return await stoppedBy(signal, client, () => run<R>(client, statement, values, name, patience?.answerMs));
    } catch (error) {
      first ??= { error };
      if (error instanceof DatabaseUnavailable && !error.refused) broken = error;
      throw error;
    }
  };
  const tx: Tx = {
    isTransaction: true,
    query: say,
    async send(text, values, name) {
      const done = say(text, values, name);
      if (!pipelined) return void (await done);
      // That it fails is heard at the end.
      done.catch(() => {});
      sent.push(done);
    },
    onCommit: (effect) => void effects.push(effect),
  };
  try {
    const begun = say(patience ? `begin; ${localTimeouts(patience)}` : 'begin');
    if (pipelined) begun.catch(() => {});
    else await begun;
    const result = await act(tx);
    if (broken) throw broken;
    const committed = client.query('commit').catch((error: unknown) => {
      // What PostgreSQL itself refuses is known to have failed.
      const known = isRefusal(error);
      if (!known) broken = error as Error;
      throw explained(error, !known);
    });
    // Where the connection breaks now, also before the answer to what was sent ahead of it, nobody knows what became of the commit.
    const [end, ...ahead] = await Promise.allSettled([committed, begun, ...sent]);
    for (const outcome of [end, ...ahead]) if (outcome.status === 'rejected') throw outcome.reason;
    const { command } = (end as PromiseFulfilledResult<pg.QueryResult>).value;
    // So PostgreSQL answers the commit of a transaction in which a statement failed.
    if (command === 'ROLLBACK')
      throw new Error('A statement failed and its error was not passed on: nothing was done.');
    for (const effect of effects) effect();
    return result;
  } catch (error) {
    if (!broken) await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError));
    throw first && saysNoMore(error) ? first.error : error;
  } finally {
    client.release(broken);
  }
}

/** Whether PostgreSQL refuses a statement only for one that has failed before it in the same transaction, or was not prepared for that. */
function saysNoMore(error: unknown): boolean {
  return ['25P02', '26000'].includes((error as { code?: string } | undefined)?.code ?? '');
}

/** Lets what is said on a connection within this turn travel together. */
function inOnePacket(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

function localTimeouts({ lockMs, statementMs }: Patience): string {
  return `set local lock_timeout = ${lockMs}; set local statement_timeout = ${statementMs}`;
}

async function run<R extends object>(
  on: pg.Pool | pg.PoolClient,
  statement: Sql | string,
  values?: readonly unknown[],
  name?: string,
  answerMs?: number,
): Promise<R[]> {
  // The driver takes a timeout for one statement; its types don't say so.
  const told = typeof statement === 'string' ? { text: statement, values: values as unknown[], name } : statement.told;
  const config = { ...told, ...(answerMs && { query_timeout: answerMs }) };
  const result = await on.query<R & pg.QueryResultRow>(config).catch(rethrow);
  return result.rows;
}

function rethrow(error: unknown): never {
  throw explained(error);
}
