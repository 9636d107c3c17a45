import type { Socket } from 'node:net';
import pg from 'pg';
import { sql, columnTypes, type Readable, type Row, type Sql } from './sql/sql.ts';
import { listenTo, type ChannelHandler, type Listener, type ListenerTimes } from './connection/listener.ts';
import { FILE_TIMEOUTS, CALL_TIMEOUTS, REPORT_TIMEOUTS, timeoutsOf, type Timeouts } from './connection/timeouts.ts';
import { lowerConnectionPriority, cancelOnAbort } from './connection/backend-process.ts';
import { ClusterClient } from './connection/cluster-client.ts';
import { createWriteWatch } from './connection/watch-writes.ts';
import { DatabaseUnavailable, explained, isRefusal } from './connection/unavailable.ts';

/** Named statements are prepared once per connection. */
export interface Queryable {
  query<R extends object & Readable<R> = Row>(
    statement: Sql | string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<R[]>;
}

/** First argument of every function that writes. */
export interface Tx extends Queryable {
  readonly isTransaction: true;
  /**
   * Sends a statement without result. Pipelined transactions do not await it; its failure fails the commit behind it.
   */
  send(statement: Sql | string, values?: readonly unknown[], name?: string): Promise<void>;
  /** Runs after commit only: live events, answers, timers. */
  onCommit(effect: () => void): void;
}

export interface Reader extends Queryable {
  snapshot<T>(read: (on: Queryable) => Promise<T>): Promise<T>;
}

export interface StoppableReader extends Reader {
  /** On abort, PostgreSQL cancels the statement and the caller gets the signal's reason. */
  until(signal: AbortSignal): Reader;
}

export interface Database extends Reader {
  /**
   * READ COMMITTED. Retries up to three times after deadlock or serialization failure, so side effects belong in
   * `onCommit`. `patience` is for work that grows with a draw's tickets.
   */
  transaction<T>(act: (tx: Tx) => Promise<T>, patience?: Timeouts): Promise<T>;
  /**
   * Uses a dedicated connection. Statements that are not awaited travel with `begin`, final `Tx.send` calls with
   * `commit`, so a batch takes two round trips.
   */
  pipelined<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  snapshots<T>(connections: number, read: (on: readonly Queryable[]) => Promise<T>): Promise<T>;
  readonly patient: StoppableReader;
  readonly reports: StoppableReader;
  /** False on a full disk or in read-only mode. */
  takesWrites(): Promise<boolean>;
  listen(channel: string, handler: ChannelHandler): Listener;
  pools(this: void): readonly PoolUse[];
  close(): Promise<void>;
}

export interface PoolUse {
  readonly pool: 'calls' | 'files' | 'reports' | 'bets';
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

const PATIENT_CONNECTIONS = 3;
const REPORT_CONNECTIONS = 6;
/** Bets and the schedule have their own, so neither waits for the other. */
export const PIPELINES = 6;
export const SCHEDULE_PIPELINES = 3;
const REPEATABLE_ERRORS = new Set(['40001', '40P01']);
const MAX_TRIES = 3;

/** PostgreSQL's function that warns after a canceled wait for a standby. The commit may be lost at a failover. */
const UNREPLICATED = 'SyncRepWaitForLSN';
const unreplicated = new WeakSet<pg.ClientBase>();

export interface ConnectOptions {
  readonly onError: (error: Error) => void;
  readonly poolSize?: number;
  readonly patience?: Timeouts;
  readonly listening?: ListenerTimes;
  readonly readOnly?: boolean;
  /** Without parallel workers; see {@link lowerConnectionPriority}. */
  readonly isLowPriority?: boolean;
}

/** Reads the address per new connection, because it may change after an outage. */
export function connect(address: string | (() => string), options: ConnectOptions): Database {
  let closing = false;
  const currentAddress = typeof address === 'string' ? () => address : address;
  const open = (max: number, patience: Timeouts, pipeline = false): pg.Pool => {
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
    pool.on('error', (error) => void (closing || options.onError(error)));
    // A connection between owners has no error listener; its next use reports the failure.
    pool.on('connect', (client) => {
      client.on('error', () => {});
      client.on('notice', ({ routine }) => routine === UNREPLICATED && unreplicated.add(client));
      if (options.isLowPriority) lowerConnectionPriority(client);
    });
    return pool;
  };
  const pool = open(options.poolSize ?? 10, options.patience ?? CALL_TIMEOUTS);
  const patientPool = open(PATIENT_CONNECTIONS, FILE_TIMEOUTS);
  const reportPool = open(REPORT_CONNECTIONS, options.patience ?? REPORT_TIMEOUTS);
  const pipelinePool = open(PIPELINES + SCHEDULE_PIPELINES, options.patience ?? CALL_TIMEOUTS, true);
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
    listen: (channel, handler) => listenTo(currentAddress, channel, handler, options.listening),
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

/** Parallel workers do not inherit their connection's priority. */
function startOptions({ readOnly, isLowPriority }: ConnectOptions): string | undefined {
  const set = [readOnly && 'default_transaction_read_only=on', isLowPriority && 'max_parallel_workers_per_gather=0'];
  return set.flatMap((one) => (one ? `-c ${one}` : [])).join(' ') || undefined;
}

function clientAt(address: () => string): new () => pg.ClientBase {
  return class extends ClusterClient {
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
        const [{ id } = { id: '' }] = await first.query<{ id: string }>(sql`select pg_export_snapshot() as id`);
        const join = (joined: readonly Queryable[]): ReturnType<typeof read> =>
          joined.length >= connections
            ? read(joined)
            : attempt(pool, async (next) => {
                await holdSnapshot(next);
                await next.query(sql`set transaction snapshot '${sql.raw(id)}'`);
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
    return await cancelOnAbort(signal, client, () => run<R>(client, statement, values, name));
  } catch (error) {
    if (error instanceof DatabaseUnavailable && !error.refused) broken = error;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function holdSnapshot(tx: Tx): Promise<void> {
  await tx.query(sql`set transaction isolation level repeatable read, read only`);
}

/** If the database is down, sends nothing more: closing the connection rolls back. */
async function attempt<T>(
  pool: pg.Pool,
  act: (tx: Tx) => Promise<T>,
  {
    patience,
    pipelined = false,
    signal,
  }: { patience?: Timeouts | undefined; pipelined?: boolean; signal?: AbortSignal } = {},
): Promise<T> {
  const client = await pool.connect().catch(rethrow);
  const effects: (() => void)[] = [];
  const sent: Promise<unknown>[] = [];
  let broken: Error | undefined;
  /** Later statements fail only as a consequence. */
  let first: { readonly error: unknown } | undefined;
  const say = async <R extends object>(
    statement: Sql | string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<R[]> => {
    if (broken) throw broken;
    if (pipelined) inOnePacket(client);
    try {
      return await cancelOnAbort(signal, client, () => run<R>(client, statement, values, name, patience?.answerMs));
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
      // Reported at commit.
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
      // PostgreSQL's own refusals have a known outcome.
      const refusal = isRefusal(error);
      if (!refusal) broken = error as Error;
      throw explained(error, !refusal);
    });
    // If the connection breaks here, the commit's outcome is unknown.
    const [end, ...ahead] = await Promise.allSettled([committed, begun, ...sent]);
    for (const outcome of [end, ...ahead]) if (outcome.status === 'rejected') throw outcome.reason;
    if (unreplicated.has(client)) {
      broken = new Error('Connection terminated: a commit stopped waiting for its standby');
      throw explained(broken, true);
    }
    const { command } = (end as PromiseFulfilledResult<pg.QueryResult>).value;
    // PostgreSQL answers ROLLBACK if a statement had failed.
    if (command === 'ROLLBACK') throw new Error('A statement failed and its error was ignored, so nothing was done.');
    for (const effect of effects) effect();
    return result;
  } catch (error) {
    if (!broken) await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError));
    throw first && isFollowUpError(error) ? first.error : error;
  } finally {
    client.release(broken);
  }
}

function isFollowUpError(error: unknown): boolean {
  return ['25P02', '26000'].includes((error as { code?: string } | undefined)?.code ?? '');
}

function inOnePacket(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

function localTimeouts({ lockMs, statementMs }: Timeouts): string {
  return `set local lock_timeout = ${lockMs}; set local statement_timeout = ${statementMs}`;
}

async function run<R extends object>(
  on: pg.Pool | pg.PoolClient,
  statement: Sql | string,
  values?: readonly unknown[],
  name?: string,
  answerMs?: number,
): Promise<R[]> {
  const query = typeof statement === 'string' ? { text: statement, values: values as unknown[], name } : statement;
  // pg's types lack `query_timeout` per statement.
  const timeout = answerMs && { query_timeout: answerMs };
  const config = { text: query.text, values: query.values, name: query.name, ...timeout };
  const result = await on.query<R & pg.QueryResultRow>(config).catch(rethrow);
  return result.rows;
}

function rethrow(error: unknown): never {
  throw explained(error);
}
