import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boosterOdds } from '../fair/booster.ts';
import type { GameRules, Result } from './game-rules.ts';
import { MOMENT_SCALE, returnBand, sideOfBand, winMoments } from './moments.ts';
import { rulesOf, SAMPLED_BETS, stakesOf } from '../../test/sampled-bets.ts';
import { paidBy } from './wins.ts';

/** Results are equally likely. Groups without bets contribute only their first number, since all are equivalent. */
function everyResult(rules: GameRules, stakes: ReadonlyMap<string, bigint>): Result[] {
  const isStaked = (values: GameRules['choices'][number]): boolean =>
    values.some((outcomes) =>
      outcomes.some((outcome) => rules.outcomeBets(outcome).some(({ key }) => stakes.has(key))),
    );
  const sizes: number[] = [];
  rules.draw((n) => {
    sizes.push(n);
    return 0;
  });
  const taken = rules.choices.map((values, index) => (isStaked(values) ? sizes[index]! : 1));
  const all = taken.reduce((product, size) => product * size, 1);
  return Array.from({ length: all }, (_, place) => {
    let rest = place;
    let index = 0;
    return rules.draw(() => {
      const size = taken[index++]!;
      const value = rest % size;
      rest = Math.floor(rest / size);
      return value;
    });
  });
}

describe('the moments of a win', () => {
  it.each(Object.keys(SAMPLED_BETS))('of %s match all results and boosters', (gameId) => {
    const rules = rulesOf(gameId);
    // Arbitrary weights, so terms don't cancel by chance.
    const weights =
      rules.maxBooster === 2
        ? [700_000_000, 300_000_000]
        : boosterOdds({ baseReturn: 0.9, winPercentage: 150, max: 20 });
    const stakes = stakesOf(gameId);
    if (gameId === 'lottery4d') stakes.delete('5999');
    if (gameId === 'acqOpdpL') for (const key of stakes.keys()) if (key.startsWith('K60')) stakes.delete(key);
    const results = everyResult(rules, stakes);
    let sum = 0n;
    let squares = 0n;
    for (const result of results) {
      const pays = paidBy(rules, (key) => stakes.get(key) ?? 0n, result, 1);
      sum += pays;
      squares += pays * pays;
    }
    const count = BigInt(results.length) * 1_000_000_000n;
    const power = (n: number): bigint =>
      weights.reduce((total, weight, index) => total + BigInt(weight) * BigInt(index + 1) ** BigInt(n), 0n);
    const [first, second] = [sum * power(1), squares * power(2)];
    const half = (value: bigint, by: bigint): bigint => (2n * value + by) / (2n * by);
    expect(sum).toBeGreaterThan(0n);
    expect(winMoments(rules, stakes, weights)).toEqual({
      expected: half(first * MOMENT_SCALE, count),
      variance: half((second * count - first * first) * MOMENT_SCALE, count * count),
    });
  });

  it("add up over a draw's groups", () => {
    const rules = rulesOf('lottery4d');
    const weights = [1_000_000_000, 0];
    const alone = Object.entries(SAMPLED_BETS.lottery4d!).filter(([key]) => key !== '1043');
    const together = winMoments(rules, new Map(alone), weights);
    const parts = alone.map(([key, stake]) => winMoments(rules, new Map([[key, stake]]), weights));
    expect(together.expected).toBe(parts.reduce((sum, part) => sum + part.expected, 0n));
    expect(together.variance).toBe(parts.reduce((sum, part) => sum + part.variance, 0n));
  });

  it('are zero without stakes; a constant win has no variance', () => {
    const rules = rulesOf('funtargetbingo');
    const always1 = boosterOdds({ baseReturn: 0.9, winPercentage: null, max: 20 });
    expect(winMoments(rules, new Map(), always1)).toEqual({ expected: 0n, variance: 0n });
    const all = new Map(rules.outcomes.map(({ drawno }) => [drawno, 100n]));
    expect(winMoments(rules, all, always1)).toEqual({ expected: 900n * MOMENT_SCALE, variance: 0n });
  });

  it('expect theoretical return × mean booster for every bet', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(SAMPLED_BETS)),
        fc.double({ min: 1, max: 2, noNaN: true }),
        (gameId, mean) => {
          const rules = rulesOf(gameId);
          const weights = boosterOdds({ baseReturn: 1, winPercentage: 100 * mean, max: rules.maxBooster });
          for (const outcome of [...rules.outcomes.slice(0, 3), ...(rules.cardTypes ?? []), ...(rules.colors ?? [])])
            for (const { key, head } of rules.outcomeBets(outcome)) {
              const { expected } = winMoments(rules, new Map([[key, 100n]]), weights);
              const theory = rules.returns.find(({ bet }) => bet === head)!.return * mean;
              expect(Number(expected) / 1e8).toBeCloseTo(theory, 5);
            }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('the 99 % band', () => {
  it('is null without stakes and never negative', () => {
    expect(returnBand({ stake: 0n, win: 0n, expected: 0n, variance: 0n })).toBeNull();
    const few = { stake: 100n, win: 70n, expected: 90n * MOMENT_SCALE, variance: 10_000n * MOMENT_SCALE };
    expect(returnBand(few)).toEqual({ actual: 0.7, expected: 0.9, low: 0, high: expect.closeTo(3.476, 10) });
    const many = {
      stake: 100_000n,
      win: 91_000n,
      expected: 90_000n * MOMENT_SCALE,
      variance: 10n ** 6n * MOMENT_SCALE,
    };
    expect(returnBand(many)).toEqual({
      actual: 0.91,
      expected: 0.9,
      low: expect.closeTo(0.87424, 10),
      high: expect.closeTo(0.92576, 10),
    });
  });

  it('detects values above and below it, up to the last digit', () => {
    const band = { low: 0.8, high: 1 };
    expect(sideOfBand({ ...band, actual: 1.001 })).toBe('above');
    expect(sideOfBand({ ...band, actual: 0.799 })).toBe('below');
    expect(sideOfBand({ ...band, actual: 1 + Number.EPSILON })).toBe('within');
  });
});
