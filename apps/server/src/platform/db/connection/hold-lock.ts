import type { Queryable } from '../database.ts';
import { dedicatedClient, endOrCut, type DedicatedConnection } from './dedicated-connections.ts';
import { DatabaseUnavailable, explained, isLocked } from './unavailable.ts';
import { sql } from '../sql/sql.ts';

export interface HeldLock {
  /** Aborts with DatabaseUnavailable if connection and lock are lost. */
  readonly lost: AbortSignal;
  readonly pid: number;
  /**
   * Takes a second advisory lock on the same connection. Waits for all sharers. Throws DatabaseUnavailable on timeout.
   */
  takeAlso(space: number, key: number, waitMs: number): Promise<void>;
  release(): Promise<void>;
}

/** Undefined if held elsewhere after `withinMs`. */
export async function acquireNamedLock(
  connectionString: string,
  name: string,
  withinMs = 0,
): Promise<HeldLock | undefined> {
  const client = dedicatedClient(connectionString, 'drawhouse lock');
  const lost = new AbortController();
  let released = false;
  const lose = (error?: Error): void => {
    if (!released) lost.abort(explained(error ?? new DatabaseUnavailable(new Error('Connection terminated'))));
  };
  client.on('error', lose);
  client.on('end', () => lose());
  const release = async (): Promise<void> => {
    released = true;
    // Clients see a connection end before PostgreSQL releases its locks; unlock explicitly so the next caller succeeds.
    await endOrCut(client, async () => {
      await client.query('select pg_advisory_unlock_all()').catch(() => {});
      await client.end();
    });
  };
  try {
    await client.connect();
    const taken = withinMs > 0 ? await takeWithin(client, name, withinMs) : await tryToTake(client, name);
    const takeAlso = async (space: number, key: number, waitMs: number): Promise<void> => {
      try {
        await client.query(`set lock_timeout = ${waitMs}`);
        await client.query('select pg_advisory_lock($1::int, $2::int)', [space, key]);
      } catch (error) {
        throw explained(error);
      }
    };
    if (taken !== undefined) return { lost: lost.signal, pid: taken, takeAlso, release };
  } catch (error) {
    await release();
    throw explained(error);
  }
  await release();
  return undefined;
}

async function tryToTake(client: DedicatedConnection, name: string): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(
    'select pg_backend_pid() as pid where pg_try_advisory_lock(hashtextextended($1, 0))',
    [name],
  );
  return rows[0]?.pid;
}

async function takeWithin(client: DedicatedConnection, name: string, waitMs: number): Promise<number | undefined> {
  await client.query(`set lock_timeout = ${waitMs}`);
  try {
    const { rows } = await client.query<{ pid: number }>(
      'select pg_backend_pid() as pid, pg_advisory_lock(hashtextextended($1, 0))',
      [name],
    );
    return rows[0]!.pid;
  } catch (error) {
    if (isLocked(explained(error))) return undefined;
    throw error;
  }
}

export async function isLockHeld(on: Queryable, name: string): Promise<boolean> {
  const [row] = await on.query<{ held: boolean }>(
    sql`select exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32) | objid::bigint = hashtextextended(${name}, 0)) as held`,
  );
  return row!.held;
}
