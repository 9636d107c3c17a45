import { ExactPoints, hundredthsIn, pointsText } from '@drawhouse/contract/core/hundredths';
import { hundredthsOf, sumPoints } from '@drawhouse/contract/core/primitives';
import { formatTexts } from '../libTexts.ts';

const MINUS = '\u2212';

const pointsFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const countFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const DAY = { day: '2-digit', month: 'short', year: 'numeric' } as const;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dateTimeFormat = new Intl.DateTimeFormat('en-GB', {
  ...DAY,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const secondFormat = new Intl.DateTimeFormat('en-GB', {
  ...DAY,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const dayFormat = new Intl.DateTimeFormat('en-GB', DAY);
const weekdayFormat = new Intl.DateTimeFormat('en-GB', { ...DAY, weekday: 'short', timeZone: 'UTC' });
const calendarDayFormat = new Intl.DateTimeFormat('en-GB', { ...DAY, timeZone: 'UTC' });
const sheetFormat = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
const exactFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const RELATIVE_UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

const KILOBYTE = ['kilobyte', 1000] as const;
const BYTE_UNITS = [['gigabyte', 1e9], ['megabyte', 1e6], KILOBYTE] as const;
/** Older times are dates. */
const RECENT_MS = 7 * 24 * 3600 * 1000;

/** Uses a real minus sign and no negative zero. */
export function formatPoints(points: number): string {
  if ((points as unknown) instanceof ExactPoints) return pointsText(hundredthsIn(points));
  return withMinus(pointsFormat, points);
}

export function formatCount(count: number): string {
  return withMinus(countFormat, count);
}

/** Returns `1–25 of 100`. Without `from`, the number of rows. */
export function formatShown(from: number | null, count: number, all: string): string {
  if (count === 0) return all === '0' ? formatTexts.noEntries : `0 of ${all}`;
  if (from === null) return `${formatCount(count)} of ${all}`;
  const to = from + count - 1;
  return `${from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`} of ${all}`;
}

/** Less than a kilobyte counts as one. */
export function formatBytes(bytes: number): string {
  const [unit, size] = BYTE_UNITS.find(([, least]) => bytes >= least) ?? KILOBYTE;
  return new Intl.NumberFormat('en-US', {
    style: 'unit',
    unit,
    maximumFractionDigits: unit === 'kilobyte' ? 0 : 1,
  }).format(Math.max(bytes / size, Math.min(bytes, 1)));
}

export function formatDateTime(iso: string): string {
  return dateTimeFormat.format(new Date(iso));
}

/** Use this for lists with several rows a minute. */
export function formatSecond(iso: string): string {
  return secondFormat.format(new Date(iso));
}

export function withTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, formatSecond);
}

export function formatDay(iso: string): string {
  return dayFormat.format(new Date(iso));
}

export function formatCalendarDay(day: string): string {
  return calendarDayFormat.format(new Date(`${day}T00:00:00Z`));
}

export function formatWeekday(day: string): string {
  return weekdayFormat.format(new Date(`${day}T00:00:00Z`)).replace(',', '');
}

/** Accepts `20 Nov 2025`, `20/11/2025`, `20.11.2025` or `2025-11-20`. Null if incomplete or invalid. */
export function readCalendarDay(text: string): string | null {
  const parts = text
    .trim()
    .toLowerCase()
    .split(/[\s./,-]+/);
  const [day = '', month = '', year = ''] = /^\d{4}$/.test(parts[0] ?? '') ? parts.toReversed() : parts;
  const named = MONTHS.findIndex((name) => month.length >= 3 && month.startsWith(name)) + 1;
  const number = named > 0 ? String(named) : month;
  if (parts.length !== 3 || !/^\d{1,2}$/.test(day) || !/^\d{1,2}$/.test(number) || !/^\d{4}$/.test(year)) return null;
  const found = `${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = new Date(`${found}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(found) ? found : null;
}

export function formatExactTime(iso: string): string {
  return exactFormat.format(new Date(iso));
}

/** Sortable as text: `2025-11-20 22:33:07`. */
export function formatSheetTime(iso: string): string {
  return sheetFormat.format(new Date(iso));
}

/** Returns `3 minutes ago`, `yesterday`, `in 2 hours`. */
export function relativeTime(iso: string, now: number = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  const [unit, size] = RELATIVE_UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relativeFormat.format(Math.trunc(seconds / size), unit);
}

/** True if a relative time says more than the date. */
export function isRecent(iso: string, now: number = Date.now()): boolean {
  return Math.abs(Date.parse(iso) - now) < RECENT_MS;
}

export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `Asia/Kolkata (GMT+5:30)`. The offset depends on `at`. */
export function timeZoneName(at: Date = new Date(), timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' });
  const offset = format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value;
  const place = format.resolvedOptions().timeZone;
  return offset === undefined || offset === place ? place : `${place} (${offset})`;
}

function withMinus(format: Intl.NumberFormat, value: number): string {
  const text = format.format(Math.abs(value));
  const isZero = !/[1-9]/.test(text);
  return value < 0 && !isZero ? `${MINUS}${text}` : text;
}

const PLAIN = /^\d{1,15}(\.\d{1,2})?$/;

/** Every three digits, or Indian: `100,000` and `1,00,000`. */
const GROUPED = /^(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})(?=\.|$)/;

/** Accepts at most two decimals and optional grouping. */
export function parsePoints(text: string): number | null {
  const plain = text.trim().replace(GROUPED, (grouped) => grouped.replaceAll(',', ''));
  if (!PLAIN.test(plain)) return null;
  const value = Number(plain);
  return hundredthsOf(value) === null ? null : value;
}

export function addPoints(a: number, b: number): number {
  return sumPoints([a, b]);
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts naturally, as the server does: `kid2` before `kid10`. */
export function compareNames(a: string, b: string): number {
  return names.compare(a, b);
}

export function hasAllWords(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
