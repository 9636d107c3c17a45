import { isAway, stepFailed } from './draw-steps.ts';
import type { DueDraw } from './due-draws.sql.ts';

/** What failed since it was thrown last: one draw holds up no other. */
export interface StepFailures {
  add(this: void, error: Error): void;
  /** Throws what there is as one error, that the database is away before all else, and forgets it. */
  throwAll(): void;
}

/** Makes it, with nothing in it. */
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

/** Why a draw could not be moved on: it is named, unless the database was away. */
export function drawFailed(draw: DueDraw, error: unknown): Error {
  return isAway(error) ? (error as Error) : stepFailed(`draw ${draw.id} of network ${draw.network_id}`, error);
}
