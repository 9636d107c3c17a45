import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql/sql.ts';

/** Pinned-setting name: prefix plus correction time. The value is the furthest wrong time. */
const NAME = 'clock-corrected ';
const IS_CORRECTION = `name like '${NAME}%'`;
/** The cast is inside `case`, so other settings are never parsed as times. */
const CORRECTIONS = `(select case when ${IS_CORRECTION} then substr(name, ${NAME.length + 1})::timestamptz end as since,
  case when ${IS_CORRECTION} then value::timestamptz end as until from pinned_settings)`;

export interface ClockCorrection {
  readonly since: Date;
  /** Furthest wrong time. */
  readonly until: Date;
}

export async function keepCorrection(tx: Tx, { since, until }: ClockCorrection): Promise<void> {
  await tx.query(
    sql`insert into pinned_settings (name, value) values (${`${NAME}${since.toISOString()}`}, ${until.toISOString()})`,
  );
}

export async function correctionOf(on: Queryable, at: Date): Promise<ClockCorrection | undefined> {
  const [row] = await on.query<{ since: Date; until: Date }>(
    sql`select since, until from ${sql.raw(CORRECTIONS)} as c where since < ${at} and until >= ${at} order by since desc limit 1`,
  );
  return row;
}

/**
 * SQL: draw `d` finished under a wrong clock but lies in the future. Its replacement does not open at a whole second.
 */
export function isOfWrongClock(now: string): string {
  return `(d.draws_at > ${now} and d.status in ('settled', 'void') and d.opens_at = date_trunc('second', d.opens_at)
    and exists (select from ${CORRECTIONS} as c where c.since < d.draws_at and c.until >= d.opens_at))`;
}
