import { expect, it } from 'vitest';
import { boosterOdds } from '../fair/booster.ts';
import { generateDraw } from '../fair/fair.ts';
import { returnBand, winMoments } from './moments.ts';
import { baseReturn } from './rules.ts';
import { rulesOf, stakesOf } from '../../test/sampled-bets.ts';
import { paidBy } from './wins.ts';

function shareInBand(gameId: string, draws: number): number {
  const rules = rulesOf(gameId);
  const stakes = stakesOf(gameId);
  const weights = boosterOdds({
    baseReturn: baseReturn(rules),
    winPercentage: 130 * baseReturn(rules),
    max: rules.maxBooster,
  });
  const { expected, variance } = winMoments(rules, stakes, weights);
  const staked = [...stakes.values()].reduce((sum, stake) => sum + stake, 0n);
  const times = BigInt(draws);
  const summed = { stake: staked * times, expected: expected * times, variance: variance * times };
  const runs = 600;
  const inside = Array.from({ length: runs }, (_, run) => {
    let won = 0n;
    for (let draw = 0; draw < draws; draw++) {
      const seed = Buffer.alloc(32);
      seed.writeUInt32BE(run, 0);
      const { result, booster } = generateDraw({ rules, weights, seed, drawId: `draw-${draw}` });
      won += paidBy(rules, (key) => stakes.get(key) ?? 0n, result, booster);
    }
    const { actual, low, high } = returnBand({ ...summed, win: won })!;
    return actual >= low && actual <= high;
  });
  return inside.filter(Boolean).length / runs;
}

// For 600 runs, 99 % ± 1.2 % is within 3 standard deviations.
it.each(['funtargetbingo', 'andarbahar', 'acqOpdpL'])('99 of 100 runs of %s lie within its band', (gameId) => {
  const share = shareInBand(gameId, 150);
  expect(share).toBeGreaterThanOrEqual(0.978);
  expect(share).toBeLessThan(1);
});
