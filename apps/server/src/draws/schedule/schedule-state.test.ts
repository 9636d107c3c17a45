import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PairRow } from '../../games/games.sql.ts';
import type { DueDraw } from './due-draws.sql.ts';
import {
  beginStep,
  isPassedOver,
  newSchedule,
  newTries,
  nextStepMs,
  nextAttempt,
  recordLockConflict,
  passOver,
  passOverPair,
} from './schedule-state.ts';

const SECOND = new Date('2026-03-01T12:00:00.000Z').getTime();
const draw = (id: string, draw_status: DueDraw['draw_status'] = 'open') => ({ id, draw_status }) as DueDraw;
const pair = (network_id: number, game_id: string) => ({ network_id, game_id }) as unknown as PairRow;

describe('the next scheduled step', () => {
  const untilNext = (atMs: number, dueInMs?: number, wasBusy = false): number => {
    const now = new Date(SECOND + atMs);
    return nextStepMs({ wasBusy }, now, dueInMs === undefined ? undefined : new Date(now.getTime() + dueInMs));
  };

  it('runs with the next due draw, at the latest at the next full second', () => {
    expect(untilNext(0)).toBe(1_000);
    expect(untilNext(999)).toBe(1);
    expect(untilNext(300, 200)).toBe(200);
    expect(untilNext(300, 60_000)).toBe(700);
  });

  it('runs once soon after another session had locked a draw', () => {
    const state = newSchedule();
    recordLockConflict(state);
    expect(nextStepMs(state, new Date(SECOND), undefined)).toBe(50);
    expect(untilNext(300, 20, true)).toBe(20);
    beginStep(state);
    expect(nextStepMs(state, new Date(SECOND), undefined)).toBe(1_000);
  });

  it('is never late for draws, openings at a full second, or locked draws', () => {
    const ms = fc.integer({ min: 0, max: 3_000 });
    fc.assert(
      fc.property(
        ms,
        fc.option(fc.integer({ min: -500, max: 3_000 }), { nil: undefined }),
        fc.boolean(),
        (at, due, busy) => {
          const wait = untilNext(at, due, busy);
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(Math.floor((at + wait) / 1_000) - Math.floor(at / 1_000)).toBeLessThanOrEqual(1);
          expect(wait).toBeLessThanOrEqual(
            Math.min(1_000 - (at % 1_000), Math.max(0, due ?? Infinity), busy ? 50 : Infinity),
          );
        },
      ),
    );
  });
});

describe('attempts within a step', () => {
  it('are limited: three per draw together with others, one alone', () => {
    const tries = newTries();
    const ways = Array.from({ length: 6 }, () => nextAttempt(tries, draw('a')));
    expect(ways).toEqual(['together', 'together', 'together', 'alone', 'none', 'none']);
    expect(nextAttempt(tries, draw('a', 'closed'))).toBe('together');
    expect(nextAttempt(tries, draw('b'))).toBe('together');
  });

  it('are not repeated for a failed draw until the next step', () => {
    const state = newSchedule();
    const tries = beginStep(state);
    passOver(tries, draw('a'));
    passOverPair(tries, pair(1, 'x'));
    expect(nextAttempt(tries, draw('a'))).toBe('none');
    expect([pair(1, 'x'), pair(2, 'x'), pair(1, 'y')].map((each) => isPassedOver(tries, each))).toEqual([
      true,
      false,
      false,
    ]);
    const next = beginStep(state);
    expect(nextAttempt(next, draw('a'))).toBe('together');
    expect(isPassedOver(next, pair(1, 'x'))).toBe(false);
  });
});
