import { CONFIRMED_FOR_MINUTES } from '@drawhouse/contract/frame/route';
import type { Route } from '@drawhouse/contract/frame/route';
import { wantsConfirmation } from '@drawhouse/contract/frame/route-errors';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import type { BoundRoute, Call } from '../http/handler.ts';

const CONFIRMED_FOR_MS = CONFIRMED_FOR_MINUTES * 60_000;

/** Notes that the password of a session was given now. False where the session has ended meanwhile. */
export async function notePasswordGiven(on: Queryable, { sessionId }: Call<Actor>, at: Date): Promise<boolean> {
  const noted = await on.query('update sessions set password_at = $2 where token_hash = $1 returning 1', [
    Buffer.from(sessionId, 'hex'),
    at,
  ]);
  return noted.length > 0;
}

/**
 * A route that refuses what is sensitive (`sensitive` in its contract) by CONFIRM_PASSWORD, before its handler does anything, unless the
 * password of the session was given within the last minutes. Asked of the database each time, so that all servers agree.
 */
export function wantRecentPassword({ db, clock }: Services, bound: BoundRoute<Actor>): BoundRoute<Actor> {
  const { route, find, handler } = bound;
  if (!wantsConfirmation(route)) return bound;
  return {
    ...bound,
    async handler(input, call) {
      if (isSensitive(route, input) && !(await wasGivenLately(db, call, clock.now()))) {
        // Whoever may not do it at all is told that, and no more than anybody else.
        await find?.(input, call);
        throw new CallError('CONFIRM_PASSWORD');
      }
      return handler(input, call);
    },
  };
}

function isSensitive({ sensitive }: Route, { body }: { body?: unknown }): boolean {
  if (!Array.isArray(sensitive)) return sensitive === true;
  return sensitive.some((field) => (body as Readonly<Record<string, unknown>>)[field] !== undefined);
}

async function wasGivenLately(db: Services['db'], { sessionId }: Call<Actor>, now: Date): Promise<boolean> {
  // Not much later than now either: a clock that has gone back since makes no password more recent, another server's may be ahead a little.
  const given = await db.query('select from sessions where token_hash = $1 and password_at between $2 and $3', [
    Buffer.from(sessionId, 'hex'),
    new Date(now.getTime() - CONFIRMED_FOR_MS),
    new Date(now.getTime() + CONFIRMED_FOR_MS),
  ]);
  return given.length > 0;
}
