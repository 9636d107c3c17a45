import type { PanelChange } from '@drawhouse/contract/live/live';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MergedChange } from './applyPanelChange.ts';
import { paceChanges } from './paceChanges.ts';

let applied: MergedChange[] = [];
/** Of a render, which delays the next idle moment. */
let takesMs = 0;
const pace = paceChanges((change) => {
  applied.push(change);
  vi.advanceTimersByTime(takesMs);
});
const change = (seq: number, stakes: Record<string, number>, more: Partial<PanelChange> = {}): PanelChange => ({
  gameId: 'roulette',
  adminId: 'a1',
  seq,
  serverTime: '2026-11-20T10:00:00.000Z',
  drawId: 'd1',
  stakes,
  ...more,
});

beforeEach(() => {
  vi.useFakeTimers();
  applied = [];
  takesMs = 0;
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test('applies a change in the next idle moment', () => {
  pace.take(change(1, { 7: 5 }));
  expect(applied).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(applied).toEqual([change(1, { 7: 5 })]);
});

test('merges what arrives while a slow device rests', () => {
  takesMs = 100;
  pace.take(change(1, { 7: 5 }));
  vi.advanceTimersByTime(5);
  pace.take(change(2, { 7: 6, 8: 1 }, { totalsumdata: 7 }));
  pace.take(change(3, { 7: 9 }, { totalsumdata: 10 }));
  vi.advanceTimersByTime(150);
  expect(applied).toHaveLength(1);
  vi.advanceTimersByTime(100);
  expect(applied.slice(1)).toEqual([{ ...change(3, { 7: 9, 8: 1 }, { totalsumdata: 10 }), from: 2 }]);
});

test('applies a change of the draw at once, after the bets before it', () => {
  pace.take(change(1, { 7: 5 }));
  pace.take(change(2, {}, { drawId: 'd2', draw: null }));
  expect(applied.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('leaves a gap visible', () => {
  pace.take(change(1, { 7: 5 }));
  pace.take(change(3, { 7: 9 }));
  vi.runAllTimers();
  expect(applied.map(({ seq, from }) => [seq, from])).toEqual([
    [1, undefined],
    [3, undefined],
  ]);
});

test('drops what waits when the panel joins again', () => {
  pace.take(change(1, { 7: 5 }));
  pace.clear();
  vi.runAllTimers();
  expect(applied).toEqual([]);
});
