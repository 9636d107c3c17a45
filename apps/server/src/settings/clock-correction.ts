import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** The name of a pinned setting: this and when the clock was corrected. Its value is until when the wrong clock had come. */
const NAME = 'clock-corrected ';
const IS_CORRECTION = `name like '${NAME}%'`;
/** The cast is inside of the case: no other setting is read as a time. */
const CORRECTIONS = `(select case when ${IS_CORRECTION} then substr(name, ${NAME.length + 1})::timestamptz end as since,
  case when ${IS_CORRECTION} then value::timestamptz end as until from pinned_settings)`;

/** A clock that was ahead, and was put right. */
export interface ClockCorrection {
  /** When it was put right, by the right time. */
  readonly since: Date;
  /** How far the wrong time had come. */
  readonly until: Date;
}

/** Keeps that a wrong clock was put right. */
export async function keepCorrection(tx: Tx, { since, until }: ClockCorrection): Promise<void> {
  await tx.query(
    sql`insert into pinned_settings (name, value) values (${`${NAME}${since.toISOString()}`}, ${until.toISOString()})`,
  );
}

/** The correction of a time that the wrong clock showed; undefined if there is none. */
export async function correctionOf(on: Queryable, at: Date): Promise<ClockCorrection | undefined> {
  const [row] = await on.query<{ since: Date; until: Date }>(
    sql`select since, until from ${sql.raw(CORRECTIONS)} as c where since < ${at} and until >= ${at} order by since desc limit 1`,
  );
  return row;
}

/**
 * SQL that is true of a draw `d` in the time of a wrong clock that is finished, though by the right one it is still to come at `now`. One that took the place of another does not
 * open at a whole second, and keeps it.
 */
export function isOfWrongClock(now: string): string {
  return `(d.draws_at > ${now} and d.status in ('settled', 'void') and d.opens_at = date_trunc('second', d.opens_at)
    and exists (select from ${CORRECTIONS} as c where c.since < d.draws_at and c.until >= d.opens_at))`;
}
