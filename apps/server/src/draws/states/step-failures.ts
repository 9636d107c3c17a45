import { isAway, stepFailed } from './draw-steps.ts';
import type { DueDraw } from '../schedule/due-draws.sql.ts';

/** Collected failures, so one draw never blocks others. */
export interface StepFailures {
  add(this: void, error: Error): void;
  /** Throws all as one error, database outage first, and clears them. */
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
      const away = found.find(isAway);
      if (away) throw away;
      if (found.length > 1) throw new Error(`${found.length} steps failed, first ${first!.message}`, { cause: first });
      if (first) throw first;
    },
  };
}

/** Names the draw unless the database was down. */
export function drawFailed(draw: DueDraw, error: unknown): Error {
  return isAway(error) ? (error as Error) : stepFailed(`draw ${draw.id} of network ${draw.network_id}`, error);
}
