import type { Logger } from 'pino';
import type { Clock } from './clock.ts';

/** Something that is done again and again. */
export interface Recurrence {
  readonly name: string;
  /** At most so often; 0 is with every step. */
  readonly everyMs: number;
  /** Does it once. Where it gives true it leaves a rest, which goes with the next steps, so that no draw waits. */
  readonly run: () => Promise<boolean | void>;
  /**
   * Of what may take long: no step waits for it, and one that fails is tried again with the next. What the log says then. Without it a step waits, and fails with it.
   */
  readonly aside?: string;
}

/** What is done again and again. */
export interface Recurring {
  /** Does what is due, and does not wait for what may take long. */
  step(): Promise<void>;
  /** Does all that is due, and waits for that. */
  all(): Promise<void>;
  /** Waits until nothing is under way any more. */
  stop(): Promise<void>;
}

/** Makes it of all that recurs, in the order in which it is done. */
export function createRecurring(clock: Clock, logger: Logger, recurrences: readonly Recurrence[]): Recurring {
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

function createTimer(clock: Clock, logger: Logger, { name, everyMs, run, aside }: Recurrence): Recurring {
  let nextMs = 0;
  let underWay: Promise<void> | undefined;

  /** Gives whether there is a rest. */
  async function runDue(): Promise<boolean> {
    const nowMs = clock.now().getTime();
    // A clock that was ahead has put the next time too far away.
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
    underWay = undefined;
  }

  return {
    async step() {
      if (aside === undefined) await runDue();
      else underWay ??= runAside();
    },
    async all() {
      if (aside === undefined) await runDue();
      else while (await runDue());
    },
    async stop() {
      await underWay;
    },
  };
}
