import type { getTimer, nextDraw } from '@drawhouse/contract/draws';
import type { RouteResult } from '@drawhouse/contract/route';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { intervalOf } from '../games/games.sql.ts';
import { noSuchGame, visiblePair } from '../games/pairs.ts';
import { CallError } from '../http/errors.ts';
import { runningDraw } from './draws.sql.ts';
import { drawAt } from './schedule.ts';

/** Which game's draws are asked for; without an admin those of the caller's own network. */
interface GameQuery {
  readonly gameId: string;
  readonly adminId?: string;
}

/** The time to a game's next draw, which runs by the clock of the server. Throws NOT_FOUND for a game that the caller does not see. */
export async function readTimer(
  { db, clock }: Services,
  actor: Actor,
  query: GameQuery,
): Promise<RouteResult<typeof getTimer>> {
  const intervalSeconds = await timerInterval(db, actor, query);
  const now = clock.now();
  const { drawsAt } = drawAt(now, intervalSeconds);
  return {
    time: Math.ceil((drawsAt.getTime() - now.getTime()) / 1000),
    format: intervalSeconds >= 60 ? 'minutes' : 'seconds',
    serverTime: now.toISOString(),
    drawsAt: drawsAt.toISOString(),
  };
}

/** The draw that runs, its times as a clock of the time zone shows them. Throws NOT_FOUND where there is none that the caller sees. */
export async function readNextDraw(
  { db, clock, timeZone }: Services,
  actor: Actor,
  query: GameQuery,
): Promise<RouteResult<typeof nextDraw>> {
  const draw = await runningDraw(db, await visiblePair(db, actor, query), clock.now());
  if (!draw) throw new CallError('NOT_FOUND', { message: 'No next draw found' });
  const clockTime = (time: Date): string =>
    time.toLocaleTimeString('en-US', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hour12: true,
    });
  const [timeclose, ampm] = clockTime(draw.closes_at).split(/\s/);
  return {
    nextrdraw: [
      {
        _id: draw.id,
        draw_id: String(draw.number),
        timeopen: clockTime(draw.opens_at).split(/\s/)[0]!,
        timeclose: timeclose!,
        ampm: ampm!,
        drawsAt: draw.draws_at.toISOString(),
      },
    ],
  };
}

/** The interval of a game. Its draws are at the same time for every admin, so a superadmin need not name one. */
async function timerInterval(on: Queryable, actor: Actor, query: GameQuery): Promise<number> {
  const interval =
    actor.role === 'superadmin' && query.adminId === undefined
      ? await intervalOf(on, query.gameId)
      : (await visiblePair(on, actor, query)).interval_seconds;
  if (interval === undefined) throw noSuchGame();
  return interval;
}
