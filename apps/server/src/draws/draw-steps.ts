import { SCHEDULE_PIPELINES } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { createSemaphore } from '../semaphore.ts';

/** About how many draws a transaction takes at once. */
const CHUNK = 1_200;
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

/** In parts of about the same size, each below {@link CHUNK}; where it ends amid a network, it takes the rest of that too. */
function chunksOf<T extends OfNetwork>(all: readonly T[]): (readonly T[])[] {
  const size = Math.ceil(all.length / Math.ceil(all.length / CHUNK));
  const chunks: (readonly T[])[] = [];
  for (let start = 0, end = 0; start < all.length; start = end) {
    const least = Math.min(start + size, all.length);
    // A transaction beside would wait for the log of the network; more than as many again would be too many.
    const most = Math.min(start + 2 * size, all.length);
    for (end = least; end < most && all[end]!.network_id === all[end - 1]!.network_id;) end++;
    chunks.push(all.slice(start, end));
  }
  return chunks;
}

/** What is of a network. */
interface OfNetwork {
  readonly network_id: number;
}

/**
 * Acts on many at once, a thousand or so each time. Where some fail they are halved until what fails is alone, which `failed` hears of, so that one
 * holds up no other. Throws where it is the database that is away; nothing is begun after that.
 */
export async function inChunks<T extends OfNetwork>(
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
  await Promise.all(chunksOf(all).map((some) => turns(() => unlessAway(some))));
}

/**
 * Acts on those of each network in a transaction, in the order of the networks: each statement is of one network, and those of all travel together where the
 * transaction is pipelined. Where one fails it throws when none says anything any more, as what is said after the end of a transaction would be done by itself.
 */
export async function eachNetwork<T extends OfNetwork, R>(
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
