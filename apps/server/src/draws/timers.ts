import type { getTimer, nextDraw } from '@drawhouse/contract/draws';
import type { RouteResult } from '@drawhouse/contract/route';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { intervalOf, listPairs } from '../games/games.sql.ts';
import { noSuchGame, visiblePair } from '../games/pairs.ts';
import { CallError } from '../http/errors.ts';
import { currentDraw, runningDraw, runningTimes } from './draws.sql.ts';
import { drawAt } from './schedule.ts';
import type { DrawTimes } from './schedule.ts';

const MINUTE_MS = 60_000;

/** Which game's draws are asked for; without an admin those of the caller's own network. */
interface GameQuery {
  readonly gameId: string;
  readonly adminId?: string;
}

/**
 * The time to a game's draw, by the clock of the server: the end of the running one, or where none runs, of the next. Throws NOT_FOUND for
 * a game that the caller does not see.
 */
export async function readTimer(
  { db, clock }: Services,
  actor: Actor,
  query: GameQuery,
): Promise<RouteResult<typeof getTimer>> {
  const now = clock.now();
  const { opensAt, drawsAt } = await timesOf(db, actor, query, now);
  return {
    time: Math.ceil((drawsAt.getTime() - now.getTime()) / 1000),
    format: drawsAt.getTime() - opensAt.getTime() >= MINUTE_MS ? 'minutes' : 'seconds',
    serverTime: now.toISOString(),
    opensAt: opensAt.toISOString(),
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

/** A superadmin need not name an admin: the draw that ends first is meant, of all below it, which seldom differ. */
async function timesOf(
  on: Queryable,
  actor: Actor,
  query: GameQuery,
  now: Date,
): Promise<Pick<DrawTimes, 'opensAt' | 'drawsAt'>> {
  const ofAll = actor.role === 'superadmin' && query.adminId === undefined;
  const pairs = ofAll
    ? (await listPairs(on, actor)).filter((pair) => pair.game_key === query.gameId)
    : [await visiblePair(on, actor, query)];
  const [pair] = pairs;
  const [running] = pair
    ? await runningTimes(
        on,
        pair.game_id,
        pairs.map((each) => each.network_id),
        now,
      )
    : [];
  if (running) return { opensAt: running.opens_at, drawsAt: running.draws_at };
  const interval = pair?.interval_seconds ?? (await intervalOf(on, query.gameId));
  if (interval === undefined) throw noSuchGame();
  const next = pair && (await currentDraw(on, pair, now)).nextOpensAt;
  return drawAt(next ?? now, interval);
}
