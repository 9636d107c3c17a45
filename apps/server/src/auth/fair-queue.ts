import { DatabaseUnavailable } from '../db/unavailable.ts';
import { CallError } from '../http/http-errors.ts';

/** Work that waits its turn, such that nobody's many starve another's one. */
export interface FairQueue {
  /**
   * Does `work` when it is its turn: the keys that wait take turns, and of one key one thing is done at a time, in order. Throws NOT_READY
   * when too much waits already, at once, or when the turn has not come in time, or when the database was found to be away: whoever
   * waits has waited as long as the one who found it, and is not asked to wait once more.
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How much waits for its turn. */
  waiting(this: void): number;
}

/** How much a queue takes on. */
export interface FairQueueLimits {
  /** How much is done at once. */
  readonly atOnce: number;
  /** How long anything may wait for its turn, in milliseconds. */
  readonly waitMs: number;
  /** How much of one key, and how much altogether, may wait. */
  readonly perKey: number;
  readonly total: number;
}

interface Waiter {
  readonly begin: () => void;
  readonly giveUp: () => void;
  readonly timer: NodeJS.Timeout;
}

/** Makes a queue. */
export function createFairQueue({ atOnce, waitMs, perKey, total }: FairQueueLimits): FairQueue {
  /** Who waits, by key, in the order in which the keys are next. */
  const lines = new Map<string, Waiter[]>();
  const busy = new Set<string>();
  let waiting = 0;

  function begin(): void {
    for (const [key, line] of lines) {
      if (busy.size >= atOnce) return;
      if (busy.has(key)) continue;
      const { begin: first, timer } = line.shift()!;
      waiting--;
      lines.delete(key);
      if (line.length > 0) lines.set(key, line);
      clearTimeout(timer);
      busy.add(key);
      first();
    }
  }

  function turn(key: string): Promise<void> {
    const line = lines.get(key) ?? [];
    if (waiting >= total || line.length >= perKey) throw tooBusy(waitMs);
    return new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        line.splice(line.indexOf(waiter), 1);
        waiting--;
        if (line.length === 0) lines.delete(key);
        reject(tooBusy(waitMs));
      };
      const waiter: Waiter = { begin: resolve, giveUp, timer: setTimeout(giveUp, waitMs) };
      line.push(waiter);
      waiting++;
      lines.set(key, line);
      begin();
    });
  }

  function sendAway(): void {
    for (const { giveUp, timer } of [...lines.values()].flat()) {
      clearTimeout(timer);
      giveUp();
    }
  }

  return {
    waiting: () => waiting,
    async run(key, work) {
      await turn(key);
      try {
        return await work();
      } catch (error) {
        if (error instanceof DatabaseUnavailable && !error.refused) sendAway();
        throw error;
      } finally {
        busy.delete(key);
        begin();
      }
    },
  };
}

function tooBusy(waitMs: number): CallError {
  return new CallError('NOT_READY', {
    message: 'Too many passwords are being checked just now. Please try again in a moment.',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
