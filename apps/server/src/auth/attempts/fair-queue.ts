import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { AUTH_TEXTS } from '../auth-texts.ts';

/** Round-robin across keys, so no key's backlog starves others. */
export interface FairQueue {
  /** One at a time per key, in order. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  waiting(this: void): number;
}

export interface FairQueueLimits {
  readonly atOnce: number;
  readonly waitMs: number;
  readonly perKey: number;
  readonly total: number;
}

interface Waiter {
  readonly begin: () => void;
  readonly giveUp: () => void;
  readonly timer: NodeJS.Timeout;
}

export function createFairQueue({ atOnce, waitMs, perKey, total }: FairQueueLimits): FairQueue {
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
    message: AUTH_TEXTS.tooManySignIns,
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
