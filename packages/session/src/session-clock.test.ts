import { describe, expect, it } from 'vitest';
import {
  deadlineOf,
  nextCheckMs,
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

describe('the session phase', () => {
  it('starts running, warns two minutes before the end, then expires', () => {
    expect(sessionPhase(DEADLINE, after(0))).toEqual({ phase: 'running', leftMs: 30 * MINUTE });
    expect(sessionPhase(DEADLINE, after(27.9)).phase).toBe('running');
    expect(sessionPhase(DEADLINE, after(28))).toEqual({ phase: 'warning', leftMs: WARN_BEFORE_MS });
    expect(sessionPhase(DEADLINE, after(29.99)).phase).toBe('warning');
    expect(sessionPhase(DEADLINE, after(30))).toEqual({ phase: 'ended', leftMs: 0 });
  });

  it('is uncertain after a sleep that only the wall clock noticed', () => {
    expect(sessionPhase(DEADLINE, after(600, 1)).phase).toBe('doubtful');
  });

  it('warns by the earlier of two clocks', () => {
    expect(sessionPhase(DEADLINE, after(29, 1))).toEqual({ phase: 'warning', leftMs: MINUTE });
  });

  it('does not extend when the wall clock is set back', () => {
    expect(sessionPhase(DEADLINE, after(-60, 28.5)).phase).toBe('warning');
    expect(sessionPhase(DEADLINE, after(-60, 31)).phase).toBe('doubtful');
  });

  it('is checked every second during the warning, at its start, and often enough to notice a sleep', () => {
    expect(nextCheckMs('running', 30 * MINUTE)).toBe(15_000);
    expect(nextCheckMs('running', WARN_BEFORE_MS + 700)).toBe(700);
    expect(nextCheckMs('warning', 61_250)).toBe(250);
    expect(nextCheckMs('warning', 61_000)).toBe(1000);
  });
});

describe('the session lifetime', () => {
  it("is the server's, on this machine's clock", () => {
    const fastClock = serverAhead('Sat, 31 Jan 2026 11:00:00 GMT', NOON);
    expect(fastClock).toBe(-60 * MINUTE + 500);
    const life = lifeOf(inMinutes(-30), fastClock, NOON, null);
    expect(life).toEqual({ expiresAt: NOON + 30 * MINUTE - 500, idleMs: 30 * MINUTE - 500, final: false });
  });

  it('ignores small clock differences and missing dates', () => {
    expect(serverAhead('Sat, 31 Jan 2026 12:00:03 GMT', NOON)).toBe(0);
    expect(serverAhead(null, NOON)).toBe(0);
    expect(serverAhead('yesterday', NOON)).toBe(0);
  });

  it('restarts with each use', () => {
    const life = lifeOf(inMinutes(30), 0, NOON, null);
    expect(lifeAfterUse(life, NOON + 10 * MINUTE).expiresAt).toBe(NOON + 40 * MINUTE);
  });

  it('stays at its maximum when the server grants less than one use', () => {
    const early = lifeOf(inMinutes(30), 0, NOON, null);
    const late = lifeOf(inMinutes(30), 0, NOON + 20 * MINUTE, early);
    expect(late).toEqual({ expiresAt: NOON + 30 * MINUTE, idleMs: 30 * MINUTE, final: true });
    expect(lifeAfterUse(late, NOON + 25 * MINUTE)).toBe(late);
  });

  it('is not final while an answer is pending', () => {
    const early = lifeOf(inMinutes(30), 0, NOON, null);
    expect(lifeOf(inMinutes(30), 0, NOON + 900, early).final).toBe(false);
  });
});
