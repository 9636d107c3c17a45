const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const DIGITS = 12;
/** A number has the lowest 28 bits of the milliseconds of its id, so after three days the same ones come again, … */
const PERIOD_MS = 2n ** 28n;
/** … and its last 32 bits, which are random. */
const RANDOM = 2n ** 32n;

/** The number that people read on a ticket: the time and the random end of its id in Crockford base 32. */
export function ticketNumber(id: string): string {
  let value = BigInt(`0x${id.replaceAll('-', '').slice(4, 12)}${id.slice(-8)}`);
  let text = '';
  for (; text.length < DIGITS; value /= 32n) text = CROCKFORD[Number(value % 32n)]! + text;
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
}

/** Where tickets of a number are to be looked for: their ids lie in one of the ranges, bounds included, and end with `end`. */
export interface NumberedIds {
  readonly low: string[];
  readonly high: string[];
  readonly end: string;
}

/**
 * The ids that tickets of a number can have, among those from the first to the last id of version 7. However it was typed: small letters,
 * blanks and hyphens, and the letters that Crockford takes for digits. Null where it is no such number.
 */
export function idsOfNumber(number: string, first: string, last: string): NumberedIds | null {
  const digits = number.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  if (digits.length !== DIGITS || [...digits].some((digit) => !CROCKFORD.includes(digit))) return null;
  const value = [...digits].reduce((sum, digit) => sum * 32n + BigInt(CROCKFORD.indexOf(digit)), 0n);
  const [from, until] = [millisecondOf(first), millisecondOf(last)];
  const ids = { low: [] as string[], high: [] as string[], end: (value % RANDOM).toString(16).padStart(8, '0') };
  for (let ms = from - (from % PERIOD_MS) + value / RANDOM; ms <= until; ms += PERIOD_MS) {
    const time = ms.toString(16).padStart(12, '0');
    ids.low.push(`${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`);
    ids.high.push(`${time.slice(0, 8)}-${time.slice(8)}-ffff-ffff-ffffffffffff`);
  }
  return ids;
}

const millisecondOf = (id: string): bigint => BigInt(`0x${id.replaceAll('-', '').slice(0, 12)}`);
