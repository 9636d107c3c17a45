import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { takeWithBisection } from './lanes/lane-batches.ts';

async function take(
  bets: readonly number[],
  errorOf: (part: readonly number[]) => Error | undefined,
): Promise<{ taken: number[]; failed: number[]; away: boolean }> {
  const [taken, failed]: [number[], number[]] = [[], []];
  const away = await takeWithBisection(
    bets,
    async (part) => {
      const error = errorOf(part);
      if (error) throw error;
      taken.push(...part);
    },
    (part) => failed.push(...part),
  );
  return { taken, failed, away };
}

describe('a failing batch', () => {
  it.each([[[3]], [[0, 7]], [[1, 2, 6]], [[]]])('because of %j takes all other bets, in order', async (bad) => {
    const bets = [0, 1, 2, 3, 4, 5, 6, 7];
    const error = (part: readonly number[]) => (part.some((one) => bad.includes(one)) ? new Error('bad') : undefined);
    expect(await take(bets, error)).toEqual({
      taken: bets.filter((one) => !bad.includes(one)),
      failed: bad,
      away: false,
    });
  });

  it('during an outage is not split', async () => {
    const away = new DatabaseUnavailable(new Error('connection lost'));
    expect(await take([0, 1, 2], () => away)).toEqual({ taken: [], failed: [0, 1, 2], away: true });
    const half = (part: readonly number[]): Error | undefined => {
      if (part.length > 2) return new Error('bad');
      return part.includes(0) ? undefined : away;
    };
    expect(await take([0, 1, 2, 3], half)).toEqual({ taken: [0, 1], failed: [2, 3], away: true });
  });
});
