import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastingTrend, lowestPoints, trendOf } from './trend.ts';
import type { Point } from './trend.ts';

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
      fc.property(even, (noise) => {
        // Noise followed by its mirror image has no trend.
        const values = [...noise, ...noise.toReversed()];
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
