import { CallError } from '../http/errors.ts';

/** Work that waits its turn, such that nobody's many starve another's one. */
export interface FairQueue {
  /**
   * Does `work` when it is its turn: the keys that wait take turns, and of one key one thing is done at a time, in order. Throws NOT_READY
   * when too much waits already, at once, or when the turn has not come in time.
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
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
  readonly timer: NodeJS.Timeout;
}

/** Makes a queue. */
export function fairQueue({ atOnce, waitMs, perKey, total }: FairQueueLimits): FairQueue {
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
      const waiter: Waiter = { begin: resolve, timer: setTimeout(giveUp, waitMs) };
      line.push(waiter);
      waiting++;
      lines.set(key, line);
      begin();
    });
  }

  return {
    async run(key, work) {
      await turn(key);
      try {
        return await work();
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
