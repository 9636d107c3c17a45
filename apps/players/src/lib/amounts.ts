import { ExactPoints, hundredthsIn, pointsText as exactText } from '@drawhouse/contract/frame/hundredths';
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

/** Points for people: thousands separated, two decimals, a real minus sign, never a negative zero. */
export function pointsText(points: number): string {
  if ((points as unknown) instanceof ExactPoints) return exactText(hundredthsIn(points));
  const text = pointsFormat.format(Math.abs(points));
  return points < 0 && /[1-9]/.test(text) ? `${MINUS}${text}` : text;
}

/** The same with a sign on what is more than nothing too: `+12.00`. */
export function signedPoints(points: number): string {
  return points > 0 ? `+${pointsText(points)}` : pointsText(points);
}

/** A whole number for people. */
export function countText(count: number): string {
  return wholeFormat.format(count);
}

/** How many bets, on one line: `1 bet`, `1,000 bets`. */
export function betsText(count: number): string {
  return `${countText(count)}\u00A0${count === 1 ? 'bet' : 'bets'}`;
}

/** The time of day in the reader's zone: `22:33`. */
function clockText(iso: string): string {
  return clockFormat.format(new Date(iso));
}

/** A day in the reader's zone: `20 Nov 2025`. */
export function dayText(iso: string): string {
  return dayFormat.format(new Date(iso));
}

/** A point in time in the reader's zone, of this year: `20 Nov, 22:33`. */
export function momentText(iso: string): string {
  return momentFormat.format(new Date(iso));
}

/** A point in time in the reader's zone, with its year: `20 Nov 2025, 22:33`. */
export function dateText(iso: string): string {
  return `${dayText(iso)}, ${clockText(iso)}`;
}

/** A span as a clock: `0:07`, `4:05`, `1:02:03`. Part of a second counts as a whole one. */
export function spanText(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(total / 3600), Math.floor(total / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`;
}

/** A span in words, to the minute: `under 1 min`, `5 min`, `2 h 5 min`. */
export function spanWords(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes === 0) return 'under 1 min';
  const hours = Math.floor(minutes / 60);
  return [hours > 0 && `${hours} h`, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(' ');
}
