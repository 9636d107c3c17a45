import { DatabaseUnavailable } from '../db/unavailable.ts';
import { createSemaphore } from '../semaphore.ts';

/** How many draws of a network a transaction takes at once, and how many such transactions run beside each other. */
const CHUNK = 800;
const CHUNKS_AT_ONCE = 2;

/** Whether it is the database that is away. One that refuses a statement for its time or room is there: the next draw may fare better. */
export function isAway(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && !error.refused;
}

/** The error of a step, which names what failed. */
export function stepFailed(what: string, error: unknown): Error {
  return new Error(`${what}: ${(error as Error).message}`, { cause: error });
}

/**
 * Acts on many at once, those of one network each time, and of these a few hundred. Where some fail they are halved until what fails is
 * alone, which `failed` hears of, so that one holds up no other. Throws where it is the database that is away.
 */
export async function inChunks<T extends { readonly network_id: number }>(
  all: readonly T[],
  act: (networkId: number, some: readonly T[]) => Promise<void>,
  failed: (alone: readonly T[], error: unknown) => void,
): Promise<void> {
  const actOn = async (networkId: number, some: readonly T[]): Promise<void> => {
    try {
      await act(networkId, some);
    } catch (error) {
      if (isAway(error)) throw error;
      if (some.length === 1) {
        failed(some, error);
        return;
      }
      const middle = some.length >> 1;
      await actOn(networkId, some.slice(0, middle));
      await actOn(networkId, some.slice(middle));
    }
  };
  const turn = createSemaphore(CHUNKS_AT_ONCE).run;
  const waiting: Promise<void>[] = [];
  for (const [networkId, its] of Map.groupBy(all, (one) => one.network_id))
    for (let start = 0; start < its.length; start += CHUNK)
      waiting.push(turn(() => actOn(networkId, its.slice(start, start + CHUNK))));
  await Promise.all(waiting);
}
