import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { COMMAND_TIMEOUTS } from './connection/timeouts.ts';
import { acquireNamedLock } from './connection/hold-lock.ts';
import { DatabaseUnavailable } from './connection/unavailable.ts';
import { withClient } from './connection/dedicated-connections.ts';

const SUFFIX_BYTES = 6;
const SUFFIX = new RegExp(`^[0-9a-f]{${SUFFIX_BYTES * 2}}$`);

/** The role may not create or enter a database. The message is PostgreSQL's. */
export class NoScratchDatabase extends Error {}

export interface ScratchDatabase {
  readonly name: string;
  readonly url: string;
  /** Aborts with the given signal, or if the lock marking this database as in use is lost. */
  readonly signal: AbortSignal;
  drop(this: void): Promise<void>;
}

/**
 * The database is private, with equal encoding, and dropped afterwards. Throws {@link NoScratchDatabase} if not
 * permitted. After a kill, {@link sweepScratchDatabases} drops it.
 */
export async function withScratchDatabase<T>(
  ownerUrl: string,
  signal: AbortSignal,
  act: (scratch: ScratchDatabase) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { prefix } = await findScratch(ownerUrl);
  const name = `${prefix}${randomBytes(SUFFIX_BYTES).toString('hex')}`;
  const url = atDatabase(ownerUrl, name);
  // Lock before creation, so a database without lock has no live maker.
  const lock = await acquireNamedLock(ownerUrl, name);
  if (!lock) throw new Error(`${name} is in use by another process.`);
  const dropIt = (): Promise<void> => drop(ownerUrl, name);
  try {
    await create(ownerUrl, name, url);
    return await act({ name, url, signal: AbortSignal.any([signal, lock.lost]), drop: dropIt });
  } finally {
    await dropIt().catch(() => {});
    await lock.release();
  }
}

/**
 * Drops databases of killed makers. `forget` receives their names, plus unused scratch names among `others`, to clean
 * up elsewhere.
 */
export async function sweepScratchDatabases(
  ownerUrl: string,
  others: Iterable<string>,
  forget: (name: string) => Promise<void>,
): Promise<void> {
  const { prefix, found } = await findScratch(ownerUrl);
  for (const name of new Set([...found, ...others])) {
    if (!name.startsWith(prefix) || !SUFFIX.test(name.slice(prefix.length))) continue;
    const lock = await acquireNamedLock(ownerUrl, name);
    if (!lock) continue;
    try {
      if (found.includes(name)) await drop(ownerUrl, name);
      await forget(name);
    } finally {
      await lock.release();
    }
  }
}

/** Other installations may share the PostgreSQL server. */
async function findScratch(ownerUrl: string): Promise<{ prefix: string; found: readonly string[] }> {
  const [row] = await ask<{ prefix: string; found: string[] }>(
    ownerUrl,
    `with own as (select 'drawhouse_scratch_' || oid || '_' as prefix from pg_database where datname = current_database())
     select prefix, array(select datname::text from pg_database
       where starts_with(datname, prefix) and pg_has_role(datdba, 'usage')) as found
     from own`,
  );
  return row!;
}

async function create(ownerUrl: string, name: string, url: string): Promise<void> {
  try {
    const [own] = await ask<{ options: string }>(
      ownerUrl,
      `select format('encoding %L lc_collate %L lc_ctype %L', pg_encoding_to_char(encoding), datcollate, datctype) as options
       from pg_database where datname = current_database()`,
    );
    await ask(ownerUrl, `create database ${name} template template0 ${own!.options}`);
    await ask(ownerUrl, `revoke all on database ${name} from public`);
    // Permission to create does not imply permission to connect.
    await ask(url, 'select 1');
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    throw new NoScratchDatabase((error as Error).message, { cause: error });
  }
}

async function drop(ownerUrl: string, name: string): Promise<void> {
  await ask(ownerUrl, `drop database if exists ${name} with (force)`);
}

async function ask<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  return withClient(url, COMMAND_TIMEOUTS, async (client) => (await client.query<R>(sql)).rows);
}

export function atDatabase(address: string, database: string): string {
  return address.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
}
