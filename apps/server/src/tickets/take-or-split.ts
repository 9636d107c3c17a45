import { DatabaseUnavailable } from '../db/unavailable.ts';

/**
 * Takes a batch. Should it fail as a whole, it is halved until the bet that fails is alone, which `failed` then hears: no bet suffers for
 * another. Where the database is away, which it gives, or too slow, all that are left of a part have failed.
 */
export async function takeOrSplit<Bet>(
  batch: readonly Bet[],
  take: (part: readonly Bet[]) => Promise<void>,
  failed: (part: readonly Bet[], error: unknown) => void,
): Promise<boolean> {
  try {
    await take(batch);
    return false;
  } catch (error) {
    if (batch.length === 1 || error instanceof DatabaseUnavailable) {
      failed(batch, error);
      return error instanceof DatabaseUnavailable && !error.refused;
    }
    const middle = batch.length >> 1;
    const first = await takeOrSplit(batch.slice(0, middle), take, failed);
    return (await takeOrSplit(batch.slice(middle), take, failed)) || first;
  }
}
