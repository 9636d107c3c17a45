import { DatabaseUnavailable } from '../db/unavailable.ts';
import { createSemaphore } from '../semaphore.ts';

/** How many draws a transaction takes at once, and how many such transactions run beside each other. */
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
 * Acts on many at once, a few hundred each time. Where some fail they are halved until what fails is alone, which `failed` hears of, so that
 * one holds up no other. Throws where it is the database that is away.
 */
export async function inChunks<T>(
  all: readonly T[],
  act: (some: readonly T[]) => Promise<void>,
  failed: (alone: readonly T[], error: unknown) => void,
): Promise<void> {
  const actOn = async (some: readonly T[]): Promise<void> => {
    try {
      await act(some);
    } catch (error) {
      if (isAway(error)) throw error;
      if (some.length === 1) {
        failed(some, error);
        return;
      }
      const middle = some.length >> 1;
      await actOn(some.slice(0, middle));
      await actOn(some.slice(middle));
    }
  };
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < all.length; start += CHUNK) chunks.push(all.slice(start, start + CHUNK));
  const turn = createSemaphore(CHUNKS_AT_ONCE).run;
  await Promise.all(chunks.map((some) => turn(() => actOn(some))));
}
