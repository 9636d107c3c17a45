import { ExactPoints, hundredthsIn, pointsText as exactText } from '@drawhouse/contract/core/hundredths';
const MINUS = '\u2212';
const pointsFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const wholeFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric' });
const momentFormat = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Thousands separators, two decimals, real minus sign, no negative zero. */
export function pointsText(points: number): string {
  if ((points as unknown) instanceof ExactPoints) return exactText(hundredthsIn(points));
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

/** With a non-breaking space: `1 bet`, `1,000 bets`. */
export function betsText(count: number): string {
  return `${countText(count)}\u00A0${count === 1 ? 'bet' : 'bets'}`;
}

/** `22:33`, local. */
export function clockText(iso: string): string {
  return clockFormat.format(new Date(iso));
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
  return `${dayText(iso)}, ${clockText(iso)}`;
}

/** `0:07`, `4:05`, `1:02:03`. Rounds up. */
export function spanText(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(total / 3600), Math.floor(total / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`;
}

export function durationText(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes === 0) return 'under 1 min';
  const hours = Math.floor(minutes / 60);
  return [hours > 0 && `${hours} h`, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(' ');
}
