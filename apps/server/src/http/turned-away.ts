import type { Logger } from 'pino';
import type { NewRequestId } from './request-ids.ts';

/** Why a connection, or a request that is to lead to a live one, was refused or cut. */
export type TurnedAwayFor =
  /** Its address has as many as it may have. */
  | 'address_full'
  /** Its address asks too often. */
  | 'throttled'
  /** It comes from a page of another host. */
  | 'foreign_origin'
  /** It is no request for a live connection that is understood, or has several hosts. */
  | 'malformed'
  /** It goes on with a live connection that is not there, as after a restart of the server. */
  | 'unknown'
  /** Too much came on it. */
  | 'flood'
  /** It does not read what it is sent. */
  | 'unread';

/** What is turned away before there is a call that could be logged: counted, and told in lines of which there are only so many. */
export interface TurnedAway {
  /** Gives the id by which it is logged; undefined where so many come that it is logged with others. */
  note(this: void, why: TurnedAwayFor): string | undefined;
  counts(this: void): Iterable<readonly [why: TurnedAwayFor, count: number]>;
  /** Logs what was summed up, and begins anew. */
  tell(this: void): void;
}

const EVERY_MS = 1_000;
/** So many have lines of their own in that time. */
const LINES = 10;
const ONE = 'a connection was refused or cut';
const SEVERAL = 'connections were refused or cut';

/** Makes it, with nothing counted. Its lines are at `info`, as those of calls that fail are. */
export function createTurnedAway(logger: Pick<Logger, 'info'>, newRequestId: NewRequestId): TurnedAway {
  const counts = new Map<TurnedAwayFor, number>();
  const untold = new Map<TurnedAwayFor, number>();
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
      const among = (all: Map<TurnedAwayFor, number>): unknown => all.set(reason, (all.get(reason) ?? 0) + 1);
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
