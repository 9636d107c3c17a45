import { describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatCalendarDay,
  formatPoints,
  formatShown,
  isRecent,
  readCalendarDay,
  relativeTime,
  timeZoneName,
  addPoints,
  formatSecond,
  parsePoints,
  withTimes,
} from './format.ts';
import * as fc from 'fast-check';

describe('formatPoints', () => {
  test.each([
    [0, '0.00'],
    [-0, '0.00'],
    [-0.001, '0.00'],
    [1234567.5, '1,234,567.50'],
    [-1234.5, '\u22121,234.50'],
    [12_345_678_901_234.56, '12,345,678,901,234.56'],
  ])('%d reads %s', (points, text) => {
    expect(formatPoints(points)).toBe(text);
  });
});

test('writes the ISO times of a text as pages write times', () => {
  const at = '2025-11-20T22:33:07Z';
  expect(withTimes(`Ticket 7 was placed at ${at}, its draw closed at 2025-11-20T22:33:07.000Z.`)).toBe(
    `Ticket 7 was placed at ${formatSecond(at)}, its draw closed at ${formatSecond(at)}.`,
  );
  expect(withTimes('3 of 2025-11-20')).toBe('3 of 2025-11-20');
});

describe('relativeTime', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z');
  test.each([
    ['2026-01-31T11:57:00.000Z', '3 minutes ago'],
    ['2026-01-31T14:00:00.000Z', 'in 2 hours'],
    ['2026-01-30T12:00:00.000Z', 'yesterday'],
    ['2026-01-31T12:00:00.000Z', 'now'],
  ])('%s is %s', (iso, text) => {
    expect(relativeTime(iso, now)).toBe(text);
  });
});

describe('formatBytes', () => {
  test.each([
    [0, '0 kB'],
    [40, '1 kB'],
    [12_345, '12 kB'],
    [3_440_000, '3.4 MB'],
    [1_500_000_000, '1.5 GB'],
  ])('%d reads %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('isRecent', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z');
  test.each([
    ['2026-01-31T11:57:00.000Z', true],
    ['2026-01-25T12:00:00.000Z', true],
    ['2026-01-24T12:00:00.000Z', false],
    ['2025-01-31T12:00:00.000Z', false],
  ])('%s: %s', (iso, recent) => {
    expect(isRecent(iso, now)).toBe(recent);
  });
});

describe('timeZoneName', () => {
  const summer = new Date('2026-07-01T12:00:00.000Z');
  test.each([
    ['Asia/Kolkata', 'GMT+5:30'],
    ['Europe/Berlin', 'GMT+2'],
    ['America/New_York', 'GMT-4'],
  ])('%s is %s away', (zone, offset) => {
    expect(timeZoneName(summer, zone)).toMatch(/ \(.+\)$/);
    expect(timeZoneName(summer, zone)).toContain(offset);
  });
});

describe('a day of the calendar', () => {
  test.each(['2025-11-20', '2024-02-29', '2026-09-01', '1999-12-31'])('%s is read as it is written', (day) => {
    expect(formatCalendarDay(day)).toMatch(/^\d{2} [A-Z][a-z]+ \d{4}$/);
    expect(readCalendarDay(formatCalendarDay(day))).toBe(day);
  });

  test.each([
    ['20 Nov 2025', '2025-11-20'],
    [' 1 september 2026 ', '2026-09-01'],
    ['3/4/2026', '2026-04-03'],
    ['03.04.2026', '2026-04-03'],
    ['2026-04-03', '2026-04-03'],
    ['30 Feb 2026', null],
    ['29 Feb 2025', null],
    ['13/13/2026', null],
    ['1/1/26', null],
    ['1 Ja 2026', null],
    ['20 Nov', null],
    ['', null],
  ])('%j is %s', (text, day) => {
    expect(readCalendarDay(text)).toBe(day);
  });
});

describe('the shown range of rows', () => {
  test.each([
    [1, 25, '100', '1–25 of 100'],
    [1_001, 25, '10,000+', '1,001–1,025 of 10,000+'],
    [100, 1, '100', '100 of 100'],
    [null, 25, '100', '25 of 100'],
    [1, 0, '0', 'No entries'],
    [null, 0, '100', '0 of 100'],
  ])('from %s, %s of %s, reads %j', (from, count, all, written) => {
    expect(formatShown(from, count, all)).toBe(written);
  });
});

describe('parsePoints', () => {
  test.each([
    ['12', 12],
    [' 12.50 ', 12.5],
    ['1,250.50', 1250.5],
    ['1,234,567', 1_234_567],
    ['1,00,000', 100_000],
    ['12,34,567.50', 1_234_567.5],
    ['0', 0],
  ])('takes %j', (text, points) => {
    expect(parsePoints(text)).toBe(points);
  });

  test.each([
    '',
    '1.005',
    '1e3',
    '-1',
    'NaN',
    'abc',
    '9007199254740993',
    '1,25',
    '1,2345',
    '1,00,00',
    '1,,000',
    '.5',
    '5.',
    '0x10',
    '１２',
  ])('refuses %j', (text) => {
    expect(parsePoints(text)).toBeNull();
  });
});

test('addPoints is exact to the hundredth', () => {
  const hundredths = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
  fc.assert(fc.property(hundredths, hundredths, (a, b) => addPoints(a / 100, b / 100) === (a + b) / 100));
});
