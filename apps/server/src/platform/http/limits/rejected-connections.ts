import type { Logger } from 'pino';
import type { NewRequestId } from '../request/request-ids.ts';

export type RejectionReason =
  | 'address_full'
  | 'throttled'
  | 'foreign_origin'
  | 'malformed'
  | 'unknown'
  | 'flood'
  | 'unread';

/** Counts and logs connections refused before any call exists. Log lines are limited. */
export interface RejectedConnections {
  /** Returns the log id; undefined if summarized. */
  note(this: void, why: RejectionReason): string | undefined;
  counts(this: void): Iterable<readonly [why: RejectionReason, count: number]>;
  tell(this: void): void;
}

const EVERY_MS = 1_000;
/** Individual lines per interval; further ones are summarized. */
const LINES = 10;
const ONE = 'a connection was refused or cut';
const SEVERAL = 'connections were refused or cut';

export function createTurnedAway(logger: Pick<Logger, 'info'>, newRequestId: NewRequestId): RejectedConnections {
  const counts = new Map<RejectionReason, number>();
  const untold = new Map<RejectionReason, number>();
  let lines = 0;
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    lines = 0;
    for (const [reason, calls] of untold) logger.info({ reason, calls }, SEVERAL);
    untold.clear();
  }

  return {
    tell,
    counts: () => counts,
    note(reason) {
      const among = (all: Map<RejectionReason, number>): unknown => all.set(reason, (all.get(reason) ?? 0) + 1);
      among(counts);
      timer ??= setTimeout(tell, EVERY_MS).unref();
      if (lines === LINES) {
        among(untold);
        return undefined;
      }
      lines++;
      const requestId = newRequestId();
      logger.info({ requestId, reason }, ONE);
      return requestId;
    },
  };
}
