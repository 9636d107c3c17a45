import { LANGUAGES, language } from '@drawhouse/session/language';

// `lib/format` would load back-office code onto a visitor's phone.

const { dates, numbers } = LANGUAGES[language];
const timeFormat = new Intl.DateTimeFormat(dates, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
const exactFormat = new Intl.DateTimeFormat(dates, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });
const countFormat = new Intl.NumberFormat(numbers);
const pointsFormat = new Intl.NumberFormat(numbers, { minimumFractionDigits: 2 });
const chanceFormat = new Intl.NumberFormat(numbers, { style: 'percent', maximumFractionDigits: 2 });

export function formatTime(iso: string): string {
  return timeFormat.format(new Date(iso));
}

export function formatFullTime(iso: string): string {
  return exactFormat.format(new Date(iso));
}

export function formatPlainCount(count: number): string {
  return countFormat.format(count);
}

export function formatPlainPoints(points: number): string {
  return pointsFormat.format(points);
}

export function formatStake(hundredths: string): string {
  return pointsFormat.format(`${BigInt(hundredths)}E-2` as `${number}`);
}

export function formatHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Never `0%` for a positive chance. */
export function formatChance(chance: number): string {
  return chance > 0 && chance < 0.0001 ? '< 0.01%' : chanceFormat.format(chance);
}
