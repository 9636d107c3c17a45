// Of its own, and by names of its own: `lib/format`, which the pages of the back-office format with, would bring all that stands around them to a
// visitor's phone.

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const exactFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
const countFormat = new Intl.NumberFormat('en-US');
const pointsFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });
const chanceFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 });

/** A point in time in the reader's own time zone, to the second. */
export function formatTime(iso: string): string {
  return timeFormat.format(new Date(iso));
}

/** The same with weekday and time zone. */
export function formatFullTime(iso: string): string {
  return exactFormat.format(new Date(iso));
}

/** A whole number that is never below zero: thousands separated. */
export function formatPlainCount(count: number): string {
  return countFormat.format(count);
}

/** Points, or a pay per unit, never below zero: two decimals at least. */
export function formatPlainPoints(points: number): string {
  return pointsFormat.format(points);
}

/** A stake as a receipt has it, in hundredths as text, in points and to the digit. */
export function formatStake(hundredths: string): string {
  return pointsFormat.format(`${BigInt(hundredths)}E-2` as `${number}`);
}

/** Bytes in hex, in lower case. */
export function formatHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A chance as people read it: `2.7%`, and never `0%` where there is one. */
export function formatChance(chance: number): string {
  return chance > 0 && chance < 0.0001 ? '< 0.01%' : chanceFormat.format(chance);
}
