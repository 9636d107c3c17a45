import { describe, expect, test } from 'vitest';
import { formatCountdown, formatPoints, relativeTime } from './format.ts';

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

describe('formatCountdown', () => {
  test.each([
    [-5, '0:00'],
    [1, '0:01'],
    [7000, '0:07'],
    [245_000, '4:05'],
    [3_723_000, '1:02:03'],
  ])('%d ms reads %s', (milliseconds, text) => {
    expect(formatCountdown(milliseconds)).toBe(text);
  });
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
