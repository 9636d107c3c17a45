import { describe, expect, it } from 'vitest';
import {
  deadlineOf,
  nextLookMs,
  serverAhead,
  sessionPhase,
  lifeAfterUse,
  lifeOf,
  WARN_BEFORE_MS,
} from './session-clock.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-01-31T12:00:00.000Z');
const START = { wall: NOON, steady: 1000 };
const DEADLINE = deadlineOf(NOON + 30 * MINUTE, START);
const after = (minutes: number, steadyMinutes = minutes) => ({
  wall: START.wall + minutes * MINUTE,
  steady: START.steady + steadyMinutes * MINUTE,
});
const inMinutes = (minutes: number) => new Date(NOON + minutes * MINUTE).toISOString();

describe('the phase of a session', () => {
  it('runs, warns two minutes before its end, and ends', () => {
    expect(sessionPhase(DEADLINE, after(0))).toEqual({ phase: 'running', leftMs: 30 * MINUTE });
    expect(sessionPhase(DEADLINE, after(27.9)).phase).toBe('running');
    expect(sessionPhase(DEADLINE, after(28))).toEqual({ phase: 'warning', leftMs: WARN_BEFORE_MS });
    expect(sessionPhase(DEADLINE, after(29.99)).phase).toBe('warning');
    expect(sessionPhase(DEADLINE, after(30))).toEqual({ phase: 'ended', leftMs: 0 });
  });

  it('is doubtful after a sleep, during which only the wall clock ran', () => {
    expect(sessionPhase(DEADLINE, after(600, 1)).phase).toBe('doubtful');
  });

  it('warns by the clock that says less', () => {
    expect(sessionPhase(DEADLINE, after(29, 1))).toEqual({ phase: 'warning', leftMs: MINUTE });
  });

  it('does not last longer when the wall clock is set back', () => {
    expect(sessionPhase(DEADLINE, after(-60, 28.5)).phase).toBe('warning');
    expect(sessionPhase(DEADLINE, after(-60, 31)).phase).toBe('doubtful');
  });

  it('is looked at every second of the warning, at its begin, and often enough to see a sleep', () => {
    expect(nextLookMs('running', 30 * MINUTE)).toBe(15_000);
    expect(nextLookMs('running', WARN_BEFORE_MS + 700)).toBe(700);
    expect(nextLookMs('warning', 61_250)).toBe(250);
    expect(nextLookMs('warning', 61_000)).toBe(1000);
  });
});

describe('the life of a session', () => {
  it('is what the server says, by the clock of this machine', () => {
    const fastClock = serverAhead('Sat, 31 Jan 2026 11:00:00 GMT', NOON);
    expect(fastClock).toBe(-60 * MINUTE + 500);
    const life = lifeOf(inMinutes(-30), fastClock, NOON, null);
    expect(life).toEqual({ expiresAt: NOON + 30 * MINUTE - 500, idleMs: 30 * MINUTE - 500, final: false });
  });

  it('takes clocks that nearly agree, and answers without a date, as they are', () => {
    expect(serverAhead('Sat, 31 Jan 2026 12:00:03 GMT', NOON)).toBe(0);
    expect(serverAhead(null, NOON)).toBe(0);
    expect(serverAhead('yesterday', NOON)).toBe(0);
  });

  it('begins again with each use', () => {
    const life = lifeOf(inMinutes(30), 0, NOON, null);
    expect(lifeAfterUse(life, NOON + 10 * MINUTE).expiresAt).toBe(NOON + 40 * MINUTE);
  });

  it('stays at the longest time once the server gives less than a use keeps', () => {
    const early = lifeOf(inMinutes(30), 0, NOON, null);
    const late = lifeOf(inMinutes(30), 0, NOON + 20 * MINUTE, early);
    expect(late).toEqual({ expiresAt: NOON + 30 * MINUTE, idleMs: 30 * MINUTE, final: true });
    expect(lifeAfterUse(late, NOON + 25 * MINUTE)).toBe(late);
  });

  it('is not final for the time that an answer takes', () => {
    const early = lifeOf(inMinutes(30), 0, NOON, null);
    expect(lifeOf(inMinutes(30), 0, NOON + 900, early).final).toBe(false);
  });
});
