import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  DELAY_P99_MS,
  judge,
  WATCHED,
  lastingTrend,
  lowestPoints,
  trendOf,
  type Sample,
  type Point,
} from './verdict.ts';

const MINUTES = 20;
const SAMPLES = 400;
const MEBIBYTE = 1024 * 1024;
const noise = (index: number): number => Math.sin(index * 12.9898) * Math.cos(index * 78.233);

/** Healthy, with periodic collections; `change` overrides fields. */
const soak = (change: (hours: number, index: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: SAMPLES }, (_, index) => {
    const minute = (MINUTES * index) / (SAMPLES - 1);
    return {
      minute,
      memory: (190 + 6 * noise(index)) * MEBIBYTE,
      heap: (50 + (index % 20)) * MEBIBYTE,
      heapRetained: index % 8 === 0 ? (48 + 2 * noise(index)) * MEBIBYTE : undefined,
      externalRetained: index % 8 === 0 ? (2 + noise(index)) * MEBIBYTE : undefined,
      handles: 60 + Math.round(20 * noise(index)),
      sockets: 30 + Math.round(10 * noise(index)),
      files: 70 + Math.round(20 * noise(index)),
      connections: 8 + Math.round(2 * noise(index)),
      delayP99Ms: 5,
      delayMaxMs: 60,
      totalDelayP99Ms: 8,
      ...change(minute / 60, index),
    };
  });
const failed = (samples: readonly Sample[]): string[] =>
  judge(samples)
    .filter(({ ok }) => !ok)
    .map(({ text }) => text.split(':')[0]!);

describe('judge', () => {
  it('passes a server whose memory fluctuates', () => expect(failed(soak(() => ({})))).toEqual([]));

  it('passes memory that levels off', () => {
    const levelling = soak((hours) => ({ memory: (250 - 100 * Math.exp(-30 * hours)) * MEBIBYTE }));
    expect(failed(levelling)).toEqual([]);
  });

  it('detects growth of 2 KiB per bet under noise', () => {
    const leakMiB = (hours: number): number => (hours * 3600 * 6 * 2) / 1024;
    const leaking = soak((hours, index) => ({
      heapRetained: index % 8 === 0 ? (48 + 2 * noise(index) + leakMiB(hours)) * MEBIBYTE : undefined,
      memory: (190 + 6 * noise(index) + leakMiB(hours)) * MEBIBYTE,
    }));
    expect(failed(leaking)).toEqual(['heap held']);
    const more = soak((hours, index) => ({ memory: (190 + 6 * noise(index) + 3 * leakMiB(hours)) * MEBIBYTE }));
    expect(failed(more)).toEqual(['memory']);
  });

  it('detects one leaked handle, socket and file per minute', () => {
    const leaking = soak((hours, index) => {
      const left = Math.floor(hours * 60) + Math.round(20 * noise(index));
      return { handles: 60 + left, sockets: 30 + left, files: 70 + left };
    });
    expect(failed(leaking)).toEqual(['handles', 'sockets', 'open files']);
  });

  it('detects leaked connections', () =>
    expect(failed(soak((hours) => ({ connections: 8 + Math.floor(hours * 60 * 0.5) })))).toEqual([
      'database connections',
    ]));

  it('detects excessive memory and a late event loop', () => {
    const { most } = WATCHED[0]!;
    expect(failed(soak(() => ({ memory: (most! + 1) * MEBIBYTE })))).toEqual(['memory']);
    expect(failed(soak(() => ({ totalDelayP99Ms: DELAY_P99_MS + 1 })))).toEqual(['event-loop delay']);
  });

  it('needs enough readings and tolerates figures the system does not report', () => {
    expect(failed(soak(() => ({})).slice(0, 9))).toContain('memory');
    expect(failed(soak((_hours, index) => ({ heapRetained: index === 0 ? MEBIBYTE : undefined })))).toEqual([
      'heap held',
    ]);
    expect(failed(soak(() => ({ files: undefined })))).toEqual([]);
  });
});

const HOURS = 0.5;
const curve = (count: number, of: (hours: number, index: number) => number): Point[] =>
  Array.from({ length: count }, (_, index) => {
    const hours = (HOURS * index) / (count - 1);
    return { hours, value: of(hours, index) };
  });

describe('trendOf', () => {
  it('finds the slope of a line and its lower bound', () => {
    const { perHour, atLeast } = trendOf(curve(30, (hours) => 200 + 12 * hours));
    expect(perHour).toBeCloseTo(12, 6);
    expect(atLeast).toBeCloseTo(12, 6);
  });

  it('ignores a few outliers', () => {
    const { perHour } = trendOf(curve(30, (hours, index) => 12 * hours + (index % 10 === 9 ? 500 : 0)));
    expect(perHour).toBeGreaterThan(8);
    expect(perHour).toBeLessThan(20);
  });

  it('never claims a rise in pure noise', () => {
    const even = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(even, (half) => {
        const values = [...half, ...half.toReversed()];
        const { perHour, atLeast } = trendOf(curve(values.length, (_hours, index) => values[index]!));
        expect(perHour).toBeCloseTo(0, 6);
        expect(atLeast).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('shifts and scales with its points', () => {
    const some = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 8, maxLength: 25 });
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 9 }), (values, factor) => {
        const points = curve(values.length, (_hours, index) => values[index]!);
        const moved = points.map(({ hours, value }) => ({ hours: hours + 7, value: value * factor + 100 }));
        expect(trendOf(moved).perHour).toBeCloseTo(trendOf(points).perHour * factor, 3);
        expect(trendOf(moved).atLeast).toBeCloseTo(trendOf(points).atLeast * factor, 3);
      }),
    );
  });

  it('claims nothing from too few points', () => {
    expect(trendOf([])).toEqual({ perHour: 0, atLeast: Number.NEGATIVE_INFINITY });
    expect(trendOf(curve(3, (hours) => hours)).atLeast).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('lastingTrend', () => {
  it('is zero for a curve that levels off after rising', () => {
    const levelling = curve(40, (hours) => 250 - 100 * Math.exp((-12 * hours) / HOURS));
    expect(trendOf(levelling).perHour).toBeGreaterThan(5);
    expect(lastingTrend(levelling).perHour).toBeLessThan(1);
  });

  it("equals a line's slope and ignores a step", () => {
    expect(lastingTrend(curve(40, (hours) => 30 * hours)).perHour).toBeCloseTo(30, 6);
    expect(lastingTrend(curve(40, (hours) => (hours < HOURS / 3 ? 200 : 240))).perHour).toBe(0);
  });
});

describe('lowestPoints', () => {
  it('keeps the minimum of each bucket with its time', () => {
    const points = [5, 3, 9, 8, 7, 6].map((value, index) => ({ hours: index, value }));
    expect(lowestPoints(points, 2)).toEqual([
      { hours: 1, value: 3 },
      { hours: 5, value: 6 },
    ]);
    expect(lowestPoints(points, 1)).toEqual([{ hours: 1, value: 3 }]);
  });

  it('handles one point and none', () => {
    expect(lowestPoints([], 5)).toEqual([]);
    expect(lowestPoints([{ hours: 2, value: 1 }], 5)).toEqual([{ hours: 2, value: 1 }]);
  });
});
