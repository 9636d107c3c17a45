import type { Logger } from 'pino';
import type { Clock } from './clock.ts';

export interface PeriodicTask {
  readonly name: string;
  /** Minimum interval; 0 runs with every step. */
  readonly everyMs: number;
  /** True means work remains, continued in later steps so draws never wait. */
  readonly run: () => Promise<boolean | void>;
  /**
   * Log message for failures of slow work. Steps do not wait for it and retry it. Without `aside`, steps wait and fail
   * together with it.
   */
  readonly aside?: string;
}

export interface TaskRunner {
  step(): Promise<void>;
  all(): Promise<void>;
  stop(): Promise<void>;
}

export function createTaskRunner(clock: Clock, logger: Logger, recurrences: readonly PeriodicTask[]): TaskRunner {
  const timers = recurrences.map((recurrence) => createTimer(clock, logger, recurrence));
  return {
    async step() {
      for (const timer of timers) await timer.step();
    },
    async all() {
      for (const timer of timers) await timer.all();
    },
    async stop() {
      for (const timer of timers) await timer.stop();
    },
  };
}

function createTimer(clock: Clock, logger: Logger, { name, everyMs, run, aside }: PeriodicTask): TaskRunner {
  let nextMs = 0;
  let running: Promise<void> | undefined;

  async function runDue(): Promise<boolean> {
    const nowMs = clock.now().getTime();
    // A clock correction can push the next time too far ahead.
    if (nowMs < nextMs && nextMs - nowMs <= everyMs) return false;
    nextMs = nowMs + everyMs;
    const isMore = (await run()) === true;
    if (isMore) nextMs = nowMs;
    return isMore;
  }

  async function runAside(): Promise<void> {
    try {
      await runDue();
    } catch (error) {
      nextMs = 0;
      logger.error({ error, name }, aside);
    }
    running = undefined;
  }

  return {
    async step() {
      if (aside === undefined) await runDue();
      else running ??= runAside();
    },
    async all() {
      if (aside === undefined) await runDue();
      else while (await runDue());
    },
    async stop() {
      await running;
    },
  };
}
