import { afterEach, expect, it } from 'vitest';
import { setDayZone } from '../format/serverDays.ts';
import { minuteCursor, minuteIn, minuteOf, readMinute } from './minuteCursor.ts';

afterEach(() => setDayZone(undefined));

it('reads minutes of a day', () => {
  expect(['3:49', '03:49', '0349', '3.49', ' 23:59 '].map(readMinute)).toEqual([
    '03:49',
    '03:49',
    '03:49',
    '03:49',
    '23:59',
  ]);
  expect(['', '24:00', '3:60', '49', '3:4', 'aarav 03:49'].map(readMinute)).toEqual(Array(6).fill(null));
});

it('finds a minute of the device in a day of the server', () => {
  setDayZone('Asia/Kolkata');
  const at = (minute: string, zone: string) => minuteIn('2026-11-29', minute, zone).toISOString();
  expect(at('03:49', 'Asia/Kolkata')).toBe('2026-11-28T22:19:00.000Z');
  expect(at('22:19', 'UTC')).toBe('2026-11-28T22:19:00.000Z');
  expect(at('03:49', 'UTC')).toBe('2026-11-29T03:49:00.000Z');
});

it('a cursor follows the rows of its minute and no later ones', () => {
  const start = new Date('2026-11-29T03:49:00.000Z');
  const cursor = minuteCursor(start);
  const keyAt = (iso: string) => {
    const hex = Date.parse(iso).toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-ffffffffffff`;
  };
  expect(keyAt('2026-11-29T03:49:59.999Z') < cursor).toBe(true);
  expect(keyAt('2026-11-29T03:50:00.000Z') > cursor).toBe(true);
  expect(minuteOf(cursor, 'UTC')).toBe('03:49');
  expect(minuteOf(cursor, 'Asia/Kolkata')).toBe('09:19');
  expect(minuteOf(keyAt('2026-11-29T03:49:59.999Z'), 'UTC')).toBeNull();
  expect(minuteOf(undefined, 'UTC')).toBeNull();
});
