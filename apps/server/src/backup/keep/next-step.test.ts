import { describe, expect, it } from 'vitest';
import type { WorkState } from '../../activity/network-work/network-work.ts';
import { newFolderName, type BackupHistory } from './backup-folders.ts';
import type { Manifest } from '../take/archive/manifest.ts';
import { nextStep, SCHEDULE, type KnownBackup, type ScheduleState } from './next-step.ts';

const NOW = new Date('2026-03-10T10:00:00.000Z');
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);
const at = (hours: number): string => hoursAgo(hours).toISOString();
const CHECKED = { checkedAt: at(0), problems: [] };
const DONE = { ...CHECKED, drilledAt: at(0), transferredAt: at(0) };

function taken(hours: number, history: BackupHistory = {}, by = SCHEDULE): KnownBackup {
  const manifest = { by, takenAt: at(hours) } as Manifest;
  return { name: newFolderName(hoursAgo(hours)), folder: '', manifest, history };
}

function unfinished(hours: number): KnownBackup {
  return { name: newFolderName(hoursAgo(hours)), folder: '', manifest: undefined, history: {} };
}

function stateOf(backups: readonly KnownBackup[], change: Partial<ScheduleState> = {}): ScheduleState {
  const plan = { weekday: undefined, atMs: 5 * 3_600_000, keep: 3, keepDays: undefined };
  return {
    plan,
    now: NOW,
    lastTime: hoursAgo(5),
    backups,
    latest: undefined,
    failed: new Map(),
    drills: true,
    transfers: true,
    ...change,
  };
}

function failed(kind: WorkState['kind'], hours: number, by = SCHEDULE): WorkState {
  const when = hoursAgo(hours);
  return { kind, by, startedAt: when, finishedAt: when, step: '', done: 0, total: 0, failure: 'no', answer: null };
}

describe('a backup is due', () => {
  const next = (backups: readonly KnownBackup[], change?: Partial<ScheduleState>) => nextStep(stateOf(backups, change));

  it('if none was taken since the last time, by anyone', () => {
    expect(next([])).toEqual({ kind: 'backup' });
    expect(next([taken(6, DONE)])).toEqual({ kind: 'backup' });
    expect(next([taken(1, DONE, 'anna'), taken(6, DONE)])).toEqual({ kind: 'backup' });
    expect(next([unfinished(1)])).toEqual({ kind: 'backup' });
    expect(next([taken(5, DONE)])).toBeUndefined();
  });

  it('an hour after one was found damaged, but not a third time', () => {
    const damaged = { ...CHECKED, problems: ['broken'] };
    expect(next([taken(0.9, damaged)])).toBeUndefined();
    expect(next([taken(1, damaged)])).toEqual({ kind: 'backup' });
    expect(next([taken(1, damaged), taken(2, damaged)])).toBeUndefined();
    expect(next([taken(1, damaged), taken(2, damaged)], { lastTime: hoursAgo(0.5) })).toEqual({ kind: 'backup' });
  });

  it('an hour after a failure', () => {
    expect(next([], { latest: failed('backup', 0.9) })).toBeUndefined();
    expect(next([], { latest: failed('backup', 1) })).toEqual({ kind: 'backup' });
    expect(next([], { latest: failed('backup', 0.9, 'anna') })).toEqual({ kind: 'backup' });
    expect(next([], { latest: failed('transfer', 0.9) })).toEqual({ kind: 'backup' });
  });
});

describe('after a backup', () => {
  it('verifies it, tests it weekly, and transfers it, in this order', () => {
    const only = (history: BackupHistory, change?: Partial<ScheduleState>) => {
      const backup = taken(1, history);
      const step = nextStep(stateOf([backup], change));
      if (step && 'name' in step) expect(step.name).toBe(backup.name);
      return step?.kind;
    };
    expect(only({})).toBe('check');
    expect(only(CHECKED)).toBe('drill');
    expect(only({ ...CHECKED, drilledAt: at(0) })).toBe('transfer');
    expect(only(DONE)).toBeUndefined();
    expect(only({ ...DONE, drilledAt: at(7 * 24) })).toBe('drill');
    expect(only({ ...DONE, drilledAt: at(7 * 24 - 1) })).toBeUndefined();
    expect(only(CHECKED, { drills: false })).toBe('transfer');
    expect(only(CHECKED, { drills: false, transfers: false })).toBeUndefined();
    expect(only(CHECKED, { latest: failed('drill', 0.5) })).toBe('transfer');
  });

  it('a damaged one is neither tested nor transferred', () => {
    expect(nextStep(stateOf([taken(0.5, { ...CHECKED, problems: ['broken'] })]))).toBeUndefined();
  });

  it('no test is needed if another backup was tested', () => {
    const tried = taken(30, { drilledAt: at(30) }, 'anna');
    expect(nextStep(stateOf([taken(1, CHECKED), tried], { transfers: false }))).toBeUndefined();
  });
});

describe('deletion', () => {
  function deleted(backups: readonly KnownBackup[], plan: Partial<ScheduleState['plan']> = {}): number[] {
    const places: number[] = [];
    for (let left = [...backups]; ;) {
      const state = stateOf(left, { drills: false, transfers: false });
      const step = nextStep({ ...state, plan: { ...state.plan, ...plan } });
      if (step?.kind !== 'deletion') return places;
      places.push(backups.findIndex(({ name }) => name === step.name));
      left = left.filter(({ name }) => name !== step.name);
    }
  }

  it('removes the oldest beyond the number, or too old ones', () => {
    const backups = [1, 25, 49, 73, 97].map((hours) => taken(hours, CHECKED));
    expect(deleted(backups)).toEqual([4, 3]);
    expect(deleted(backups, { keep: 10 })).toEqual([]);
    expect(deleted(backups, { keep: 10, keepDays: 3 })).toEqual([4, 3]);
    expect(deleted(backups, { keep: 1, keepDays: 3 })).toEqual([4, 3, 2, 1]);
  });

  it('spares manual backups', () => {
    const backups = [taken(1, DONE), ...[25, 49, 73, 97].map((hours) => taken(hours, DONE, 'anna'))];
    expect(deleted(backups, { keep: 1, keepDays: 1 })).toEqual([]);
  });

  it('spares the last tested one until another is tested', () => {
    const tried = (hours: number) => ({ ...CHECKED, drilledAt: at(hours) });
    const backups = [taken(1, CHECKED), taken(25, CHECKED), taken(49, tried(49)), taken(73, tried(73))];
    expect(deleted(backups, { keep: 1, keepDays: 1 })).toEqual([3, 1]);
    expect(deleted([taken(1, tried(1)), ...backups.slice(1)], { keep: 1, keepDays: 1 })).toEqual([3, 2, 1]);
  });

  it('spares the last verified one, however old', () => {
    const old = [taken(100, CHECKED), taken(124, CHECKED)];
    const unsure = taken(0.5);
    expect(deleted(old, { keepDays: 1, keep: 1 })).toEqual([]);
    const state = { ...stateOf([unsure, ...old]), latest: failed('check', 0.5) };
    const plan = { ...state.plan, keep: 1, keepDays: 1 };
    expect(nextStep({ ...state, plan })).toEqual({ kind: 'deletion', name: old[1]!.name });
    expect(nextStep({ ...state, plan, backups: [unsure, old[0]!] })).toBeUndefined();
  });

  it('spares an unverified one while it may be the only good one', () => {
    const damaged = { ...CHECKED, problems: ['broken'] };
    const backups = [taken(0.5, damaged), taken(25, damaged), taken(49), taken(73)];
    expect(deleted(backups, { keep: 1, keepDays: 1 })).toEqual([]);
    expect(deleted([...backups, taken(97, DONE, 'anna')], { keep: 1, keepDays: 1 })).toEqual([3, 2, 1]);
  });

  it('does not count damaged ones', () => {
    const damaged = { ...CHECKED, problems: ['broken'] };
    const backups = [1, 25, 49, 73, 97].map((hours) => taken(hours, hours % 48 === 1 ? CHECKED : damaged));
    expect(deleted(backups, { keep: 3 })).toEqual([]);
    expect(deleted(backups, { keep: 2 })).toEqual([4, 3]);
  });

  it('removes unfinished ones after a day', () => {
    expect(deleted([taken(1, DONE), unfinished(20), unfinished(25)])).toEqual([2]);
  });

  it('spares backups of a clearing, regardless of age and number', () => {
    const before = (hours: number) => taken(hours, DONE, 'anna, before clearing');
    const backups = [taken(1, DONE), ...Array.from({ length: 9 }, (_, nth) => before(24 * 400 + nth))];
    expect(nextStep(stateOf(backups))).toBeUndefined();
  });
});
