import { createHash } from 'node:crypto';
import { sql } from '../db/sql.ts';
import type { Beacon } from '@drawhouse/rules/beacon-rounds';
import type { Queryable } from '../db/database.ts';

/** Keeps a value at its first use. Gives the value that is kept: the one given, or another that was there before. */
async function pin(db: Queryable, name: string, value: string): Promise<string> {
  await db.query(sql`insert into pinned_settings (name, value) values (${name}, ${value}) on conflict do nothing`);
  const [row] = await db.query<{ value: string }>(sql`select value from pinned_settings where name = ${name}`);
  return row!.value;
}

/**
 * The time zone of this database's rollups: the one of its first start. `wanted` is the setting, `usual` what a first start takes
 * without it. Throws when the setting asks for another: days that are summed already would no longer be days.
 */
export async function pinnedTimeZone(db: Queryable, wanted: string | undefined, usual: string): Promise<string> {
  const kept = await pin(db, 'time-zone', wanted ?? usual);
  if (wanted !== undefined && wanted !== kept)
    throw new Error(
      `The reports of this database are summed by the days of ${kept}. Set TIME_ZONE=${kept}, or leave it out.`,
    );
  return kept;
}

const SEED_KEY = 'seed-key-fingerprint';

function fingerprintOf(keyHex: string): string {
  return createHash('sha256').update(`drawhouse seed key ${keyHex.toLowerCase()}`).digest('hex');
}

/** Throws when the key is not the one that the seeds in this database are sealed with: no draw could be finished. */
export async function requireSameSeedKey(db: Queryable, keyHex: string): Promise<void> {
  const fingerprint = fingerprintOf(keyHex);
  if ((await pin(db, SEED_KEY, fingerprint)) !== fingerprint)
    throw new Error(
      'The seeds of this database are sealed with another key. Give the right SEED_KEY, SEED_KEY_FILE or SEED_KEY_COMMAND, or the seed.key it began with.',
    );
}

/** The times of a beacon's rounds, as they were read first: its key says nothing of them. */
export async function pinnedBeaconTimes(db: Queryable, shown: Beacon): Promise<Beacon> {
  const { publicKey, genesisTime, period } = shown;
  const [genesis, seconds] = (await pin(db, `beacon ${publicKey}`, `${genesisTime} ${period}`)).split(' ').map(Number);
  return { publicKey, genesisTime: genesis!, period: seconds! };
}

/** What the first start of a database has fixed; undefined where it has not been yet. Changes nothing. */
export interface Pinned {
  readonly timeZone: string | undefined;
  /** Whether its seeds are sealed with a key. */
  readonly hasSeedKey: boolean;
  /** Whether the seeds are sealed with this key. */
  isSeedKey(this: void, keyHex: string): boolean;
}

/** Reads what is fixed. */
export async function readPinned(db: Queryable): Promise<Pinned> {
  const rows = await db.query<{ name: string; value: string }>(sql`select name, value from pinned_settings`);
  const valueOf = (wanted: string): string | undefined => rows.find(({ name }) => name === wanted)?.value;
  const fingerprint = valueOf(SEED_KEY);
  return {
    timeZone: valueOf('time-zone'),
    hasSeedKey: fingerprint !== undefined,
    isSeedKey: (keyHex) => fingerprintOf(keyHex) === fingerprint,
  };
}
