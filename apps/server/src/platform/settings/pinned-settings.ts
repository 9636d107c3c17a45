import { createHash } from 'node:crypto';
import { sql, type Sql } from '../db/sql/sql.ts';
import type { Beacon } from '@drawhouse/rules/fair/beacon-rounds';
import type { Queryable, Tx } from '../db/database.ts';

/** Stores the value on first use. Returns the stored value. */
async function pin(db: Queryable, name: string, value: string): Promise<string> {
  await db.query(sql`insert into pinned_settings (name, value) values (${name}, ${value}) on conflict do nothing`);
  const [row] = await db.query<{ value: string }>(sql`select value from pinned_settings where name = ${name}`);
  return row!.value;
}

/** Fixed at first start; default `usual`. Throws if the setting differs, because existing daily sums would be wrong. */
export async function pinnedTimeZone(db: Queryable, wanted: string | undefined, usual: string): Promise<string> {
  const pinned = await pin(db, 'time-zone', wanted ?? usual);
  if (wanted !== undefined && wanted !== pinned)
    throw new Error(`The reports of this database use days of ${pinned}. Set TIME_ZONE=${pinned}, or leave it out.`);
  return pinned;
}

const SEED_KEY = 'seed-key-fingerprint';

function fingerprintOf(keyHex: string): string {
  return createHash('sha256').update(`drawhouse seed key ${keyHex.toLowerCase()}`).digest('hex');
}

/** Another key could finish no draw of this database. */
export async function requireSameSeedKey(db: Queryable, keyHex: string): Promise<void> {
  const fingerprint = fingerprintOf(keyHex);
  if ((await pin(db, SEED_KEY, fingerprint)) !== fingerprint)
    throw new Error(
      'The seeds of this database are encrypted with another key. Set the right SEED_KEY, SEED_KEY_FILE or ' +
        'SEED_KEY_COMMAND, or put the original seed.key back.',
    );
}

/** Keeps a beacon's first-seen timing, which its key does not authenticate. */
export async function pinnedBeaconTimes(db: Queryable, shown: Beacon): Promise<Beacon> {
  const { publicKey, genesisTime, period } = shown;
  const [genesis, seconds] = (await pin(db, `beacon ${publicKey}`, `${genesisTime} ${period}`)).split(' ').map(Number);
  return { publicKey, genesisTime: genesis!, period: seconds! };
}

/** Set when this installation joins a group of cells. */
export interface PinnedCell {
  readonly name: string;
  /** Its networks have this number or a later one. */
  readonly firstNetwork: number;
}

const CELL = 'cell';

export async function pinCell(db: Queryable, { name, firstNetwork }: PinnedCell): Promise<void> {
  await pin(db, CELL, `${name} ${firstNetwork}`);
}

export async function pinnedCell(on: Queryable): Promise<PinnedCell | undefined> {
  const [row] = await on.query<{ value: string }>(sql`select value from pinned_settings where name = ${CELL}`);
  const [name, first] = row?.value.split(' ') ?? [];
  return name === undefined ? undefined : { name, firstNetwork: Number(first) };
}

export async function installationId(on: Queryable): Promise<string> {
  const [row] = await on.query<{ value: string }>(sql`select value from pinned_settings where name = 'installation'`);
  return row!.value;
}

/**
 * PostgreSQL's timeline if it is not the last noted one: the database was put back to an earlier moment, or a standby
 * took over.
 */
export async function newTimeline(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ timeline: string }>(
    sql`select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`,
  );
  const noted = await db.query(sql`select from pinned_settings where name = ${TIMELINE + row!.timeline}`);
  return noted.length > 0 ? undefined : row!.timeline;
}

/** Timelines never repeat. */
export async function noteTimeline(db: Queryable, timeline: string): Promise<void> {
  await pin(db, TIMELINE + timeline, 'seen');
}

const TIMELINE = 'timeline ';

/** Values fixed at first start, undefined before. */
export interface Pinned {
  readonly timeZone: string | undefined;
  readonly hasSeedKey: boolean;
  isSeedKey(this: void, keyHex: string): boolean;
}

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

/** Prefix plus correction time. The value is the furthest wrong time. */
const NAME = 'clock-corrected ';
const IS_CORRECTION = `name like '${NAME}%'`;
/** The cast is inside `case`, so other settings are never parsed as times. */
const CORRECTIONS = sql`(select case when ${sql.raw(IS_CORRECTION)} then substr(name, ${sql.lit(NAME.length + 1)})::timestamptz
  end as since,
  case when ${sql.raw(IS_CORRECTION)} then value::timestamptz end as until from pinned_settings)`;

interface ClockCorrection {
  readonly since: Date;
  readonly until: Date;
}

export async function keepCorrection(tx: Tx, { since, until }: ClockCorrection): Promise<void> {
  await tx.query(
    sql`insert into pinned_settings (name, value) values (${`${NAME}${since.toISOString()}`}, ${until.toISOString()})`,
  );
}

export async function correctionOf(on: Queryable, at: Date): Promise<ClockCorrection | undefined> {
  const [row] = await on.query<{ since: Date; until: Date }>(
    sql`select since, until from ${CORRECTIONS} as c where since < ${at} and until >= ${at} order by since desc limit 1`,
  );
  return row;
}

/** Draw `d` finished under a wrong clock but its time is in the future. Its replacement does not open at a whole second. */
export function isOfWrongClock(now: Date): Sql {
  return sql`(d.draws_at > ${now} and d.status in ('settled', 'void') and d.opens_at = date_trunc('second', d.opens_at)
    and exists (select from ${CORRECTIONS} as c where c.since < d.draws_at and c.until >= d.opens_at))`;
}
