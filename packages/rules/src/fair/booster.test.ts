import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOSTER_WEIGHT_SUM, boosterMean, boosterOdds, isBoosterWeights, mostWinPercentage } from './booster.ts';

describe('the odds of the booster', () => {
  const oddsWithMean = (mean: number, max: number): number[] =>
    boosterOdds({ baseReturn: 0.01, winPercentage: mean, max });

  it('are integers with sum 10^9 and the wanted mean, for every reachable mean', () => {
    fc.assert(
      fc.property(fc.constantFrom(2, 20), fc.double({ min: 0, max: 1, noNaN: true }), (max, share) => {
        const mean = 1 + share * (max - 1);
        const weights = oddsWithMean(mean, max);
        expect(isBoosterWeights(weights, max)).toBe(true);
        expect(Math.abs(boosterMean(weights) - mean)).toBeLessThan(1e-6);
      }),
      { numRuns: 1000 },
    );
  });

  it('are maximum-entropy: adjacent weights have a constant ratio', () => {
    fc.assert(
      fc.property(fc.double({ min: 2, max: 19, noNaN: true }), (mean) => {
        const weights = oddsWithMean(mean, 20);
        const large = weights.flatMap((weight, index) => {
          const next = weights[index + 1];
          return next !== undefined && Math.min(weight, next) > 1e5 ? [next / weight] : [];
        });
        for (const ratio of large) expect(Math.abs(ratio / large[0]! - 1)).toBeLessThan(1e-4);
      }),
    );
  });

  it('follow from win percentage and base return', () => {
    const max = 20;
    expect(boosterMean(boosterOdds({ baseReturn: 0.9, winPercentage: 95, max }))).toBeCloseTo(95 / 90, 6);
    const certain = (booster: number, of: number): number[] =>
      Array.from({ length: of }, (_, index) => (index === booster - 1 ? BOOSTER_WEIGHT_SUM : 0));
    for (const winPercentage of [null, 0, 50, 90]) {
      expect(boosterOdds({ baseReturn: 0.9, winPercentage, max })).toEqual(certain(1, 20));
    }
    expect(boosterOdds({ baseReturn: 0.9, winPercentage: 180, max: 2 })).toEqual(certain(2, 2));
    expect(boosterOdds({ baseReturn: 0.9, winPercentage: 1e9, max })).toEqual(certain(20, 20));
    expect(boosterOdds({ baseReturn: 0.9, winPercentage: 135, max: 2 })).toEqual([500_000_000, 500_000_000]);
    expect(boosterOdds({ baseReturn: 1, winPercentage: 1050, max })).toEqual(Array(20).fill(50_000_000));
  });

  it('reject impossible means', () => {
    expect(() => boosterOdds({ baseReturn: 0, winPercentage: 90, max: 2 })).toThrow(RangeError);
    expect(() => boosterOdds({ baseReturn: NaN, winPercentage: 90, max: 2 })).toThrow(RangeError);
    expect(() => boosterOdds({ baseReturn: 0.9, winPercentage: -1, max: 2 })).toThrow(RangeError);
    expect(() => boosterOdds({ baseReturn: 0.9, winPercentage: 90, max: 0 })).toThrow(RangeError);
  });
});

describe('the highest win percentage', () => {
  it('is 100 × the highest booster × the base return, cut to two decimals', () => {
    expect(mostWinPercentage({ baseReturn: 0.9, max: 20 })).toBe(1800);
    expect(mostWinPercentage({ baseReturn: 10 / 12, max: 20 })).toBe(1666.66);
    expect(mostWinPercentage({ baseReturn: 36 / 37, max: 20 })).toBe(1945.94);
    expect(mostWinPercentage({ baseReturn: 1.68, max: 2 })).toBe(336);
    expect(mostWinPercentage({ baseReturn: 5, max: 2 })).toBe(1000);
  });
});
