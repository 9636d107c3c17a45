import { LANGUAGES, language } from '@drawhouse/session/language';
import { ExactPoints, hundredthsIn, pointsText as exactText } from '@drawhouse/contract/core/hundredths';

const { numbers, dates } = LANGUAGES[language];
const MINUS = '\u2212';
const pointsFormat = new Intl.NumberFormat(numbers, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const wholeFormat = new Intl.NumberFormat(numbers, { maximumFractionDigits: 0 });
const decimalFormat = new Intl.NumberFormat(numbers, { maximumFractionDigits: 2 });
const percentFormat = new Intl.NumberFormat(numbers, { style: 'percent', maximumFractionDigits: 1 });
const smallFormat = new Intl.NumberFormat(numbers, { style: 'percent', maximumSignificantDigits: 2 });
const clockFormat = new Intl.DateTimeFormat(dates, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayFormat = new Intl.DateTimeFormat(dates, { day: '2-digit', month: 'short', year: 'numeric' });
const momentFormat = new Intl.DateTimeFormat(dates, {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

export function pointsText(points: number): string {
  if ((points as unknown) instanceof ExactPoints) return exactText(hundredthsIn(points), numbers);
  const text = pointsFormat.format(Math.abs(points));
  return points < 0 && /[1-9]/.test(text) ? `${MINUS}${text}` : text;
}

/** Adds a plus sign: `+12.00`. */
export function signedPoints(points: number): string {
  return points > 0 ? `+${pointsText(points)}` : pointsText(points);
}

export function countText(count: number): string {
  return wholeFormat.format(count);
}

/** At most two decimals, and none in whole numbers: `9`, `3.8`. */
export function decimalText(value: number): string {
  return decimalFormat.format(value);
}

/** `97.3%` for 0.973. Below 1 % two digits: `0.16%`. */
export function percentText(share: number): string {
  return (share < 0.01 ? smallFormat : percentFormat).format(share);
}

/** `22:33`, local; `20 Nov, 22:33` on another day. */
export function clockText(iso: string): string {
  const isToday = dayText(iso) === dayFormat.format(new Date());
  return isToday ? clockFormat.format(new Date(iso)) : momentText(iso);
}

/** `20 Nov 2025`, local. */
export function dayText(iso: string): string {
  return dayFormat.format(new Date(iso));
}

/** `20 Nov, 22:33`, local. */
export function momentText(iso: string): string {
  return momentFormat.format(new Date(iso));
}

/** `20 Nov 2025, 22:33`, local. */
export function dateText(iso: string): string {
  return `${dayText(iso)}, ${clockFormat.format(new Date(iso))}`;
}
