import { describe, expect, it } from 'vitest';
import { BAND, bandPlace, barHeights, stackOf } from './proportions.ts';

describe('the place of a return in its drawn band', () => {
  it('is at the ends and in the middle of the band', () => {
    expect(bandPlace(80, 80, 100)).toBeCloseTo(BAND.from);
    expect(bandPlace(90, 80, 100)).toBeCloseTo(0.5);
    expect(bandPlace(100, 80, 100)).toBeCloseTo(BAND.to);
  });

  it('leaves the band outside it, and stays on the drawing', () => {
    expect(bandPlace(79, 80, 100)).toBeLessThan(BAND.from);
    expect(bandPlace(101, 80, 100)).toBeGreaterThan(BAND.to);
    expect(bandPlace(0, 80, 100)).toBe(0.04);
    expect(bandPlace(5_000, 80, 100)).toBe(0.96);
  });

  it('is the middle of a band without width', () => {
    expect(bandPlace(95, 95, 95)).toBeCloseTo(0.5);
  });
});

describe('the stacked liability', () => {
  const parts = (...values: number[]) =>
    stackOf(values.map((value, nth) => ({ value, nth }))).map(({ nth, share, isBelow }) => [nth, share, isBelow]);

  it('divides the bar by what each part holds, and leaves empty parts out', () => {
    expect(parts(30, 0, 60, 10)).toEqual([
      [0, 0.3, false],
      [2, 0.6, false],
      [3, 0.1, false],
    ]);
  });

  it('puts parts below zero to the left, as a share of the credit', () => {
    expect(parts(75, 25, 0, -50)).toEqual([
      [3, 0.5, true],
      [0, 0.75, false],
      [1, 0.25, false],
    ]);
  });

  it('is not drawn without credit', () => {
    expect(parts(0, 0)).toEqual([]);
    expect(parts(0, -5)).toEqual([]);
  });
});

describe('the bars of the booster odds', () => {
  it('are parts of the highest', () => {
    expect(barHeights([800, 400, 0], { highest: 23, least: 1.5 })).toEqual([23, 11.5, 0]);
  });

  it('show the rarest booster', () => {
    expect(barHeights([999_999_999, 1], { highest: 23, least: 1.5 })).toEqual([23, 1.5]);
  });
});
