import pg from 'pg';

const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? BigInt : pg.types.getTypeParser(oid, format),
};

/** A row as the driver gives it: bigint for int8, Date for timestamptz, Buffer for bytea, parsed JSON for jsonb. */
export type Row = Record<string, unknown>;

/** Whatever can run a statement. With a `name` the statement is prepared once per connection. */
export interface Queryable {
  query<R extends object = Row>(text: string, values?: readonly unknown[], name?: string): Promise<R[]>;
}

/** An open transaction. It is the first argument of everything that changes the database. */
export interface Tx extends Queryable {
  readonly isTransaction: true;
  /** Runs `effect` after the commit, and not at all when the transaction fails: live events, answers, timers. */
  onCommit(effect: () => void): void;
}

/** The database: single statements that read, and transactions. */
export interface Database extends Queryable {
  /**
   * Runs `act` in one transaction at READ COMMITTED: commits when it returns, rolls back when it throws. Repeats it up to three
   * times when PostgreSQL reports a deadlock or a serialization failure, so `act` must have no effect outside but `onCommit`.
   */
  transaction<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /** Reads on one snapshot of the whole: beside a busy server nothing moves between two statements of `read`. */
  snapshot<T>(read: (on: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const REPEATABLE_ERRORS = new Set(['40001', '40P01']);
const MAX_TRIES = 3;

/**
 * Connects to PostgreSQL by a pool. `onError` hears of connections that break while idle; the pool replaces them.
 */
export function connect(
  connectionString: string,
  options: { onError: (error: Error) => void; poolSize?: number },
): Database {
  const pool = new pg.Pool({ connectionString, max: options.poolSize ?? 10, types, application_name: 'drawhouse' });
  let closing = false;
  const onError = (error: Error): void => {
    // Once closing, PostgreSQL may well be gone before the last connection.
    if (!closing) options.onError(error);
  };
  pool.on('error', onError);
  // Between two of its owners nobody listens to a connection; that it broke then shows at its next use.
  pool.on('connect', (client) => client.on('error', () => {}));

  async function attempt<T>(act: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const effects: (() => void)[] = [];
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await act({
        isTransaction: true,
        query: (text, values, name) => run(client, text, values, name),
        onCommit: (effect) => void effects.push(effect),
      });
      await client.query('commit');
      for (const effect of effects) effect();
      return result;
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    query: (text, values, name) => run(pool, text, values, name),
    async transaction(act) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(act);
        } catch (error) {
          if (tries >= MAX_TRIES || !REPEATABLE_ERRORS.has((error as { code?: string }).code ?? '')) throw error;
        }
      }
    },
    snapshot: (read) =>
      attempt(async (tx) => {
        await tx.query('set transaction isolation level repeatable read, read only');
        return read(tx);
      }),
    close() {
      closing = true;
      return pool.end();
    },
  };
}

async function run<R extends object>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values?: readonly unknown[],
  name?: string,
): Promise<R[]> {
  const result = await on.query<R & pg.QueryResultRow>({ text, values: values as unknown[], name });
  return result.rows;
}
