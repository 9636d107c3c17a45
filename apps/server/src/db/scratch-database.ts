import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { LONG } from './patience.ts';
import { holdLock } from './hold-lock.ts';
import { DatabaseUnavailable } from './unavailable.ts';
import { withClient } from './with-client.ts';

/** What a name ends with: so many random bytes, in hex. */
const SUFFIX_BYTES = 6;
const SUFFIX = new RegExp(`^[0-9a-f]{${SUFFIX_BYTES * 2}}$`);

/** The role of an address may make no database, or has no way into one that it made: in PostgreSQL's words. */
export class NoScratchDatabase extends Error {}

/** A database of one's own for a while. */
export interface ScratchDatabase {
  /** No other database has it, nor had or will have. */
  readonly name: string;
  /** Its address for the role that made it, which owns it. */
  readonly url: string;
  /** The signal that was given; aborted too where the lock is lost by which others know that somebody works on it. */
  readonly signal: AbortSignal;
  /** Drops it before the end, where that is far off. */
  drop(this: void): Promise<void>;
}

/**
 * Makes an empty database for `act` beside that of an address, with its encoding, which only the role of that address may connect to; it is dropped
 * afterwards, whatever came. Throws {@link NoScratchDatabase} where the role may make none. One whose maker is killed stays:
 * {@link forgetScratch} drops it.
 */
export async function withScratchDatabase<T>(
  ownerUrl: string,
  signal: AbortSignal,
  act: (scratch: ScratchDatabase) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { prefix } = await look(ownerUrl);
  const name = `${prefix}${randomBytes(SUFFIX_BYTES).toString('hex')}`;
  const url = atDatabase(ownerUrl, name);
  // The lock first: so none is ever there without it, while its maker lives.
  const lock = await holdLock(ownerUrl, name);
  if (!lock) throw new Error(`Somebody else works on ${name}.`);
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
 * Drops what is left of databases whose makers were killed. `forget` is given the name of each, and those of `others` that were names of such a
 * database and on which nobody works: to remove what is called so elsewhere.
 */
export async function forgetScratch(
  ownerUrl: string,
  others: Iterable<string>,
  forget: (name: string) => Promise<void>,
): Promise<void> {
  const { prefix, found } = await look(ownerUrl);
  for (const name of new Set([...found, ...others])) {
    // Whatever else is called so is somebody else's.
    if (!name.startsWith(prefix) || !SUFFIX.test(name.slice(prefix.length))) continue;
    const lock = await holdLock(ownerUrl, name);
    if (!lock) continue;
    try {
      if (found.includes(name)) await drop(ownerUrl, name);
      await forget(name);
    } finally {
      await lock.release();
    }
  }
}

/**
 * What scratch databases of a database are called, and those that there are and the role may drop. Other installations may have theirs in the same
 * PostgreSQL.
 */
async function look(ownerUrl: string): Promise<{ prefix: string; found: readonly string[] }> {
  const [row] = await ask<{ prefix: string; found: string[] }>(
    ownerUrl,
    `with own as (select 'drawhouse_scratch_' || oid || '_' as prefix from pg_database where datname = current_database())
     select prefix, array(select datname::text from pg_database where starts_with(datname, prefix) and pg_has_role(datdba, 'usage')) as found
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
    // Whoever may make one may still not be let in.
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
  return withClient(url, LONG, async (client) => (await client.query<R>(sql)).rows);
}

/** The address of another database of the same server. */
function atDatabase(address: string, database: string): string {
  return address.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
}
