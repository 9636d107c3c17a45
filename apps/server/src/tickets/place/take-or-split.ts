import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';

/**
 * Takes a batch. On failure halves it until the failing bet is alone and reports it to `failed`. If the database is
 * down or too slow, all remaining bets of that part fail. Returns true if the database is down.
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
