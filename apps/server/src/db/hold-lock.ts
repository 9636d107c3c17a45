import type { Queryable } from './database.ts';
import { ownClient } from './own-connections.ts';
import { DatabaseUnavailable, explained } from './unavailable.ts';

/** A lock by a name that is held as long as a connection lives. */
export interface HeldLock {
  /** Aborted with DatabaseUnavailable where the connection breaks, and the lock is lost with it. */
  readonly lost: AbortSignal;
  /** The process of PostgreSQL that holds it. */
  readonly pid: number;
  /**
   * Takes another advisory lock, of two numbers, on the same connection: it waits for everyone who shares it, and lasts as long as this one. Throws
   * DatabaseUnavailable when they take too long.
   */
  takeAlso(space: number, key: number, waitMs: number): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the advisory lock of a name, which nobody else of this database can have until it is released or its holder is gone; undefined where
 * somebody has it. Throws DatabaseUnavailable where the database is away.
 */
export async function holdLock(connectionString: string, name: string): Promise<HeldLock | undefined> {
  const client = ownClient(connectionString, 'drawhouse lock');
  const lost = new AbortController();
  let released = false;
  const lose = (error?: Error): void => {
    if (!released) lost.abort(explained(error ?? new DatabaseUnavailable(new Error('Connection terminated'))));
  };
  client.on('error', lose);
  client.on('end', () => lose());
  const release = async (): Promise<void> => {
    released = true;
    // The end of a connection is heard before PostgreSQL has let go of what it held: whoever comes next would be refused.
    await client.query('select pg_advisory_unlock_all()').catch(() => {});
    await client.end().catch(() => {});
  };
  try {
    await client.connect();
    const { rows } = await client.query<{ taken: boolean; pid: number }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken, pg_backend_pid() as pid',
      [name],
    );
    const takeAlso = async (space: number, key: number, waitMs: number): Promise<void> => {
      try {
        await client.query(`set lock_timeout = ${waitMs}`);
        await client.query('select pg_advisory_lock($1::int, $2::int)', [space, key]);
      } catch (error) {
        throw explained(error);
      }
    };
    if (rows[0]!.taken) return { lost: lost.signal, pid: rows[0]!.pid, takeAlso, release };
  } catch (error) {
    await release();
    throw explained(error);
  }
  await release();
  return undefined;
}

/** Whether anybody holds the lock of a name. */
export async function isLockHeld(on: Queryable, name: string): Promise<boolean> {
  const [row] = await on.query<{ held: boolean }>(
    `select exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32) | objid::bigint = hashtextextended($1, 0)) as held`,
    [name],
  );
  return row!.held;
}
