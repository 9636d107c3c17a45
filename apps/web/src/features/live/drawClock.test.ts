import { describe, expect, test } from 'vitest';
import type { DrawView } from '@drawhouse/contract/draws/draws';
import {
  canDeclare,
  clockTarget,
  clockWords,
  countdownText,
  intervalSeconds,
  isEnding,
  isStale,
  phaseAt,
} from './drawClock.ts';

const draw: DrawView = {
  _id: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  number: 29_000_000,
  opensAt: '2026-11-20T10:00:00.000Z',
  closesAt: '2026-11-20T10:00:55.000Z',
  drawsAt: '2026-11-20T10:01:00.000Z',
  outside: null,
  status: 'open',
  commitment: 'ab'.repeat(32),
};
const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
const saved = {
  result: '7',
  outcome: { drawno: '7' },
  booster: 2,
  byId: draw._id,
  by: 'ada',
  at: '2026-11-20T10:00:20.000Z',
  confirmedBy: null,
  waits: false,
  sameAddress: false,
};

test.each([
  [9, 30, '9'],
  [60, 60, '01:00'],
  [59, 60, '00:59'],
  [0, 300, '00:00'],
  [3_725, 7_200, '1:02:05'],
  [3_725, 30, '1:02:05'],
])('%d s of an interval of %d s read %s', (seconds, interval, text) => {
  expect(countdownText(seconds, interval)).toBe(text);
});

test('the interval spans opening to draw', () => {
  expect(intervalSeconds(draw)).toBe(60);
});

describe('the phase', () => {
  test.each([
    [{ draw: null, saved: null }, '10:00:10.000', 'none'],
    [{ draw: { ...draw, status: 'closed' as const }, saved: { ...saved, waits: true } }, '10:00:30.000', 'waiting'],
    [
      {
        draw: { ...draw, status: 'closed' as const },
        saved: { ...saved, confirmedBy: 'bea' },
      },
      '10:00:30.000',
      'saved',
    ],
    [
      { draw: { ...draw, status: 'settled' as const }, saved, resultMode: 'two-person' as const },
      '10:01:01.000',
      'settled',
    ],
    [{ draw, saved: null }, '10:00:54.999', 'open'],
    [{ draw, saved: null }, '10:00:55.000', 'closed'],
    [{ draw: { ...draw, status: 'closed' as const }, saved: null }, '10:00:10.000', 'closed'],
    [{ draw: { ...draw, status: 'closed' as const }, saved }, '10:00:30.000', 'saved'],
    [{ draw: { ...draw, status: 'drawn' as const }, saved }, '10:01:01.000', 'drawn'],
    [{ draw: { ...draw, status: 'settled' as const }, saved: null }, '10:00:30.000', 'settled'],
    [{ draw: { ...draw, status: 'void' as const }, saved: null }, '10:00:30.000', 'void'],
  ])('%#', (panel, now, phase) => {
    expect(phaseAt(panel, at(now))).toBe(phase);
  });
  test('allows a choice until the draw is drawn', () => {
    expect(
      (['none', 'open', 'closed', 'waiting', 'saved', 'drawn', 'settled', 'void'] as const).filter(canDeclare),
    ).toEqual(['open', 'closed', 'waiting', 'saved']);
  });
});

test('a draw is ending from its last second until the next one appears', () => {
  const panel = { draw, saved: null, nextOpensAt: '2026-11-20T11:00:00.000Z' };
  expect(isEnding(panel, at('10:00:58.999'))).toBe(false);
  expect(isEnding(panel, at('10:00:59.000'))).toBe(true);
  expect(isEnding(panel, at('10:01:30.000'))).toBe(true);
  expect(isEnding({ ...panel, draw: { ...draw, status: 'settled' } }, at('10:01:30.000'))).toBe(false);
  expect(isEnding({ ...panel, draw: null, nextOpensAt: null }, at('10:01:30.000'))).toBe(false);
});

describe('staleness', () => {
  const panel = { draw, saved: null, nextOpensAt: '2026-11-20T11:00:00.000Z' };
  const over = { ...panel, draw: { ...draw, status: 'settled' as const } };

  test('is a draw more than 5 s overdue', () => {
    expect(isStale(panel, at('10:01:05.000'))).toBe(false);
    expect(isStale(panel, at('10:01:05.001'))).toBe(true);
  });
  test('excludes an ended draw until the next is overdue', () => {
    for (const ended of [over, { ...panel, draw: null }]) {
      expect(isStale(ended, at('10:59:00.000'))).toBe(false);
      expect(isStale(ended, at('11:00:05.001'))).toBe(true);
    }
  });
  test('excludes games that are not open', () => {
    expect(isStale({ ...panel, draw: null, nextOpensAt: null }, at('23:00:00.000'))).toBe(false);
  });
});

test('the clock counts to the next draw after an early end or without a draw', () => {
  const panel = { draw, nextOpensAt: '2026-11-20T11:00:00.000Z' };
  for (const phase of ['open', 'closed', 'waiting', 'saved'] as const) {
    expect(clockWords(phase).at).toBe('draws at');
    expect(clockTarget(panel, phase)).toBe(draw.drawsAt);
  }
  for (const phase of ['none', 'drawn', 'settled', 'void'] as const) {
    expect(clockWords(phase)).toEqual({ timer: 'Time to the next draw', at: 'next opens at' });
    expect(clockTarget(panel, phase)).toBe(panel.nextOpensAt);
  }
});
