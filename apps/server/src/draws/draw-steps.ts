import { SCHEDULE_PIPELINES } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { createSemaphore } from '../semaphore.ts';

/** How many draws a transaction takes at once. */
const CHUNK = 800;
/** Lets so many transactions on many draws run at a time, whatever they do, as there are connections for them. */
export const createTurns = (): Turns => createSemaphore(SCHEDULE_PIPELINES).run;

/** Runs what it is given as soon as there is room. */
export type Turns = ReturnType<typeof createSemaphore>['run'];

/** Whether it is the database that is away. One that refuses a statement for its time or room is there: the next draw may fare better. */
export function isAway(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && !error.refused;
}

/** The error of a step, which names what failed. */
export function stepFailed(what: string, error: unknown): Error {
  return new Error(`${what}: ${(error as Error).message}`, { cause: error });
}

/**
 * Acts on many at once, a few hundred each time. Where some fail they are halved until what fails is alone, which `failed` hears of, so that one
 * holds up no other. Throws where it is the database that is away; nothing is begun after that.
 */
export async function inChunks<T>(
  turns: Turns,
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
  let away: unknown;
  const unlessAway = async (some: readonly T[]): Promise<void> => {
    if (away) throw away;
    try {
      await actOn(some);
    } catch (error) {
      away = error;
      throw error;
    }
  };
  const waiting: Promise<void>[] = [];
  for (let start = 0; start < all.length; start += CHUNK)
    waiting.push(turns(() => unlessAway(all.slice(start, start + CHUNK))));
  await Promise.all(waiting);
}

/**
 * Acts on those of each network in a transaction, in the order of the networks: each statement is of one network, and those of all travel together where the
 * transaction is pipelined. Where one fails it throws when none says anything any more, as what is said after the end of a transaction would be done by itself.
 */
export async function eachNetwork<T extends { readonly network_id: number }, R>(
  some: readonly T[],
  act: (networkId: number, its: readonly T[]) => Promise<R>,
): Promise<R[]> {
  const networks = [...Map.groupBy(some, (one) => one.network_id)].toSorted(([a], [b]) => a - b);
  const ended = await Promise.allSettled(networks.map(([networkId, its]) => act(networkId, its)));
  return ended.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}
