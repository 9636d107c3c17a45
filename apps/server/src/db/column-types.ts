import pg from 'pg';

const INT8 = 20;
const TIMESTAMPTZ = 1184;
/** How the values of columns are read: whole numbers of eight bytes as bigints, and each time as a Date, whatever it is. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, format);
    return oid === INT8 ? BigInt : oid === TIMESTAMPTZ ? readTime : pg.types.getTypeParser(oid, format);
  },
};

const parseTime = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date | number;
/** The last time that a Date can hold; the first is as long before 1970. */
const LAST_MS = 8.64e15;

/** A time as a Date. One that none can hold, infinity too, which only a change by hand can have made, becomes the last or first that one can. */
function readTime(text: string): Date {
  const time = parseTime(text);
  if (typeof time === 'object' && !Number.isNaN(time.getTime())) return time;
  return new Date(text.startsWith('-') || text.endsWith('BC') ? -LAST_MS : LAST_MS);
}
