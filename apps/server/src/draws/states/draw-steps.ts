import { SCHEDULE_PIPELINES } from '../../platform/db/database.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { createSemaphore } from '../../platform/time/semaphore.ts';
import type { DueDraw } from '../schedule/due-draws.sql.ts';

const CHUNK = 1_200;
/** Allows as many as the schedule's connections. */
export const createTransactionLimit = (): Turns => createSemaphore(SCHEDULE_PIPELINES).run;

export type Turns = ReturnType<typeof createSemaphore>['run'];

/** Not a refusal (timeout, full disk), because the next draw may succeed. */
function isDatabaseDown(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && !error.refused;
}

export function stepFailed(what: string, error: unknown): Error {
  return new Error(`${what}: ${(error as Error).message}`, { cause: error });
}

/** Similar sizes below {@link CHUNK}. A chunk that ends inside a network extends to its end, up to double size. */
function chunksOf<T extends OfNetwork>(all: readonly T[]): (readonly T[])[] {
  const size = Math.ceil(all.length / Math.ceil(all.length / CHUNK));
  const chunks: (readonly T[])[] = [];
  for (let start = 0, end = 0; start < all.length; start = end) {
    const least = Math.min(start + size, all.length);
    // Two chunks of one network would wait for the same log lock.
    const most = Math.min(start + 2 * size, all.length);
    for (end = least; end < most && all[end]!.network_id === all[end - 1]!.network_id;) end++;
    chunks.push(all.slice(start, end));
  }
  return chunks;
}

interface OfNetwork {
  readonly network_id: number;
}

/**
 * Halves a failing chunk until the failing item is alone, for `failed`. Throws if the database is down; no further
 * chunk starts then.
 */
export async function runInChunks<T extends OfNetwork>(
  turns: Turns,
  all: readonly T[],
  act: (some: readonly T[]) => Promise<void>,
  failed: (alone: readonly T[], error: unknown) => void,
): Promise<void> {
  const actOn = async (some: readonly T[]): Promise<void> => {
    try {
      await act(some);
    } catch (error) {
      if (isDatabaseDown(error)) throw error;
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
 * Pipelined, in network order. On failure waits for all before throwing: statements sent after the rollback would run
 * outside the transaction.
 */
export async function runPerNetwork<T extends OfNetwork, R>(
  some: readonly T[],
  act: (networkId: number, items: readonly T[]) => Promise<R>,
): Promise<R[]> {
  const networks = [...Map.groupBy(some, (one) => one.network_id)].toSorted(([a], [b]) => a - b);
  const ended = await Promise.allSettled(networks.map(([networkId, its]) => act(networkId, its)));
  return ended.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

interface StepFailures {
  add(this: void, error: Error): void;
  /** Throws all as one error, database outage first. */
  throwAll(): void;
}

export function createStepFailures(): StepFailures {
  let failures: Error[] = [];
  return {
    add: (error) => void failures.push(error),
    throwAll() {
      const found = failures;
      failures = [];
      const [first] = found;
      const away = found.find(isDatabaseDown);
      if (away) throw away;
      if (found.length > 1) throw new Error(`${found.length} steps failed, first ${first!.message}`, { cause: first });
      if (first) throw first;
    },
  };
}

/** Names the draw unless the database was down. */
export function drawFailed(draw: DueDraw, error: unknown): Error {
  return isDatabaseDown(error) ? (error as Error) : stepFailed(`draw ${draw.id} of network ${draw.network_id}`, error);
}
