import { expect, it } from 'vitest';
import { addDays, dayOf, dayStart, dayWords, haveSameDays, instantAt, wallClock } from './zone-days.ts';

it.each([
  ['Asia/Kolkata', '2026-11-28', '2026-11-27T18:30:00.000Z', '2026-11-28T18:30:00.000Z'],
  ['America/New_York', '2026-11-28', '2026-11-28T05:00:00.000Z', '2026-11-29T05:00:00.000Z'],
  // Midnight skipped: 24:00 to 01:00.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
  ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z', '2024-04-26T21:00:00.000Z'],
  ['Asia/Beirut', '2024-03-31', '2024-03-30T22:00:00.000Z', '2024-03-31T21:00:00.000Z'],
  ['America/Santiago', '2025-09-07', '2025-09-07T04:00:00.000Z', '2025-09-08T03:00:00.000Z'],
  // Midnight repeated: 01:00 back to 00:00.
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', '2026-10-26T01:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['Asia/Amman', '2021-10-29', '2021-10-28T21:00:00.000Z', '2021-10-29T22:00:00.000Z'],
  // Last hour repeated: 24:00 back to 23:00.
  ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00.000Z', '2018-02-19T03:00:00.000Z'],
  ['Asia/Beirut', '2024-10-27', '2024-10-26T22:00:00.000Z', '2024-10-27T22:00:00.000Z'],
  // Half an hour, not at midnight.
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', '2026-10-04T13:00:00.000Z'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', '2011-12-31T10:00:00.000Z'],
])('%s: %s begins at %s and ends at %s', (timeZone, day, start, end) => {
  expect(dayStart(day, timeZone).toISOString()).toBe(start);
  expect(dayStart(addDays(day, 1), timeZone).toISOString()).toBe(end);
  if (start === end) return;
  expect(dayOf(start, timeZone)).toBe(day);
  expect(dayOf(Date.parse(start) - 1, timeZone) < day).toBe(true);
  expect(dayOf(Date.parse(end) - 1, timeZone)).toBe(day);
});

it('finds no day before a repeated midnight', () => {
  // Between Havana's two midnights.
  expect(dayOf('2026-11-01T04:30:00.000Z', 'America/Havana')).toBe('2026-11-01');
  expect(dayStart('2026-11-01', 'America/Havana').getTime()).toBeLessThan(Date.parse('2026-11-01T04:30:00.000Z'));
});

it('skips missing times and takes the first of repeated ones', () => {
  const at = (wall: string, timeZone: string) => instantAt(Date.parse(wall), wallClock(timeZone)).toISOString();
  expect(at('2026-03-29T02:30Z', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z');
  expect(at('2026-10-25T02:30Z', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
  expect(at('2026-11-01T01:30Z', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
});

it('matches two names of one zone', () => {
  const now = Date.parse('2026-01-15T00:00Z');
  expect(haveSameDays('Asia/Kolkata', 'Asia/Calcutta', now)).toBe(true);
  expect(haveSameDays('Africa/Lagos', 'Europe/Berlin', now)).toBe(false);
  expect(haveSameDays('Asia/Kolkata', 'UTC', now)).toBe(false);
});

it('counts days across months and leap years', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
});

it("formats a zone's day for sentences", () => {
  const at = new Date('2026-01-31T20:00:00Z');
  expect([dayWords(at, 'UTC'), dayWords(at, 'Asia/Kolkata')]).toEqual(['31 Jan 2026', '01 Feb 2026']);
});
