import type { DrawResult } from '@drawhouse/contract/draws/draws';
import { expect, test } from 'vitest';
import { momentText, newestDraw, newsSince } from './resultNews.ts';

const DRAWN = Date.parse('2026-03-10T10:00:00.000Z');
const result = (drawId: string): DrawResult => ({
  drawId,
  drawno: '7',
  result: { drawno: '7' },
  booster: 2,
  source: 'declared',
  number: 12,
  drawsAt: new Date(DRAWN).toISOString(),
  outside: null,
  correctedAt: null,
});
const panel = (afterMs: number, ...drawIds: string[]) => ({
  serverTime: new Date(DRAWN + afterMs).toISOString(),
  lastData: { data: drawIds.map(result) },
});

test('a result is news if new and close to its draw', () => {
  expect(newestDraw(panel(0))).toBeNull();
  expect(newestDraw(panel(0, 'b', 'a'))).toBe('b');
  expect(newsSince(panel(500, 'b', 'a'), 'a')).toEqual(result('b'));
  expect(newsSince(panel(500, 'a'), null)).toEqual(result('a'));
  expect(newsSince(panel(500, 'b', 'a'), 'b')).toBeNull();
  expect(newsSince(panel(500), null)).toBeNull();
  expect(newsSince(panel(16_000, 'b', 'a'), 'a')).toBeNull();
  expect(newsSince(panel(-30_000, 'b', 'a'), 'a')).toEqual(result('b'));
});

test('is announced in one sentence, with its outcome once known', () => {
  expect(momentText(result('a'), undefined)).toBe('Draw 12: 7 2 X, declared.');
  const sums = {
    ...result('a'),
    success: true as const,
    players: 1,
    tickets: 2,
    staked: 10,
    paid: 180,
    left: -170,
    declared: null,
  };
  expect(momentText(result('a'), sums)).toBe('Draw 12: 7 2 X, declared. Paid 180.00, kept −170.00.');
});
