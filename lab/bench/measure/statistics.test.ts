import { describe, expect, it } from 'vitest';
import { atLeast, chiSquareTail, chiSquareTest, logGamma, normalTails, runsTest, serialTest } from './statistics.ts';

describe('distributions', () => {
  it('match published tables', () => {
    expect(logGamma(5)).toBeCloseTo(Math.log(24), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 12);
    for (const [x, degrees, p] of [
      [3.841459, 1, 0.05],
      [6.634897, 1, 0.01],
      [18.307038, 10, 0.05],
      [23.209251, 10, 0.01],
      [15.308563, 36, 0.999],
      [58.619215, 36, 0.01],
      [135.806723, 99, 0.008389],
      [1105.917032, 999, 0.01],
    ] as const)
      expect(chiSquareTail(x, degrees)).toBeCloseTo(p, 3);
    for (const [z, p] of [
      [0, 1],
      [1, 0.317310508],
      [1.959963985, 0.05],
      [-2.575829304, 0.01],
      [4, 0.0000633425],
    ] as const)
      expect(normalTails(z)).toBeCloseTo(p, 8);
  });

  it('match closed forms', () => {
    // The tail is e^(−x/2) for two degrees of freedom, e^(−x/2)·(1 + x/2) for four.
    for (let x = 0.1; x < 60; x += 0.7) {
      expect(chiSquareTail(x, 2) / Math.exp(-x / 2)).toBeCloseTo(1, 10);
      expect(chiSquareTail(x, 4) / (Math.exp(-x / 2) * (1 + x / 2))).toBeCloseTo(1, 10);
    }
    expect(atLeast(1, 48, 0.01)).toBeCloseTo(1 - 0.99 ** 48, 12);
    expect(atLeast(2, 2, 0.5)).toBeCloseTo(0.25, 12);
    expect(atLeast(0, 9, 0.3)).toBe(1);
  });
});

describe('statistical tests', () => {
  it('match textbook examples', () => {
    // 60 throws of a die: 5, 8, 9, 8, 10, 20 against 10 each gives 13.4, five degrees of freedom, p = 0.0199.
    const die = chiSquareTest([5, 8, 9, 8, 10, 20], [1, 1, 1, 1, 1, 1]);
    expect(die).toMatchObject({ degrees: 5 });
    expect(die.statistic).toBeCloseTo(13.4, 10);
    expect(die.p).toBeCloseTo(0.0199, 4);
    // + + + + − − − + + + − − + + + + + + − − − −: 6 runs of 13 and 9, mean 11.636, variance 4.8.
    const signs = [0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
    const pairs = 2 * 13 * 9;
    const variance = (pairs * (pairs - 22)) / (22 ** 2 * 21);
    expect(runsTest(signs, 2).statistic).toBeCloseTo((6 - (1 + pairs / 22)) / Math.sqrt(variance), 12);
    // 0 1 2 have mean 1 and variance 2/3; both products are 0.
    expect(serialTest([0, 1, 2], 3).statistic).toBe(0);
    expect(serialTest([2, 2, 2], 3).statistic).toBeCloseTo(2 / ((2 / 3) * Math.SQRT2), 12);
  });

  it('merge classes with low expectations and reject impossible outcomes', () => {
    expect(chiSquareTest([50, 46, 3, 1], [50, 46, 3, 1])).toMatchObject({ statistic: 0, degrees: 1, p: 1 });
    expect(chiSquareTest([2, 3, 50, 45], [2, 3, 50, 45])).toMatchObject({ statistic: 0, degrees: 2, p: 1 });
    expect(chiSquareTest([100, 0], [1, 0])).toMatchObject({ degrees: 0, p: 1 });
    expect(chiSquareTest([99, 1], [1, 0]).p).toBe(0);
  });

  it('reject constant and alternating values', () => {
    const alternating = Array.from({ length: 1000 }, (_, index) => index % 2);
    expect(runsTest(alternating, 2).p).toBeLessThan(1e-10);
    expect(serialTest(alternating, 2).p).toBeLessThan(1e-10);
    expect(runsTest(Array<number>(100).fill(0), 2).p).toBe(0);
  });
});
