import pg from 'pg';

/** int8 as bigint, timestamptz as Date, bytea as Buffer, jsonb parsed. */
export type Row = Record<string, unknown>;

declare const vouched: unique symbol;
/** Types created only by checked code. Never read from the database: {@link Readable}. */
export interface Vouched {
  readonly [vouched]: true;
}

export type Readable<R> = { [K in keyof R]: [Extract<R[K], Vouched>] extends [never] ? R[K] : never };

const INT8 = 20;
const TIMESTAMPTZ = 1184;
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, format);
    return oid === INT8 ? BigInt : oid === TIMESTAMPTZ ? readTime : pg.types.getTypeParser(oid, format);
  },
};

const parseTime = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date | number;
const LAST_MS = 8.64e15;

/** Clamps times beyond Date's range, including infinity. Only manual changes create those. */
function readTime(text: string): Date {
  const time = parseTime(text);
  if (typeof time === 'object' && !Number.isNaN(time.getTime())) return time;
  return new Date(text.startsWith('-') || text.endsWith('BC') ? -LAST_MS : LAST_MS);
}
