import { addDays, dayOf, instantAt, wallClock } from '@drawhouse/rules/time/zone-days';
import { instantsOf, type Day } from '../format/periods.ts';

const MINUTE_MS = 60_000;
/** No row has this end. */
const TAIL = '-7000-8000-000000000000';

export function readMinute(text: string): string | null {
  const [, hour = '', minute = ''] = /^([01]?\d|2[0-3])[:.]?([0-5]\d)$/.exec(text.trim()) ?? [];
  return hour === '' ? null : `${hour.padStart(2, '0')}:${minute}`;
}

/** Finds the minute of the device's clock within a day of the server. */
export function minuteIn(day: Day, minute: string, timeZone: string): Date {
  const start = new Date(instantsOf({ from: day, to: day }).startDate);
  const deviceDay = dayOf(start, timeZone);
  const at = (on: Day): Date => instantAt(Date.parse(`${on}T${minute}:00Z`), wallClock(timeZone));
  const first = at(deviceDay);
  return first < start ? at(addDays(deviceDay, 1)) : first;
}

/** Works for UUIDv7 keys, which begin with their time. `before` it, a minute's newest row is first. */
export function minuteCursor(start: Date): string {
  const hex = (start.getTime() + MINUTE_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${TAIL}`;
}

/** Uses the device's clock. */
export function minuteOf(cursor: string | undefined, timeZone: string): string | null {
  if (cursor?.endsWith(TAIL) !== true) return null;
  const start = Number.parseInt(cursor.slice(0, 13).replace('-', ''), 16) - MINUTE_MS;
  return new Date(wallClock(timeZone)(new Date(start))).toISOString().slice(11, 16);
}
