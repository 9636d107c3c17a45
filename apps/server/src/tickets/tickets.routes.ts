import {
  getTimer,
  nextDraw,
  placeBet,
  playerGames,
  playerResults,
  playerState,
  playerTickets,
} from '@drawhouse/contract/player';
import { pointsOf } from '@drawhouse/contract/primitives';
import { rulesFor } from '@drawhouse/rules/rules';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { findDraw, lastResults, toDrawView } from '../draws/draws.sql.ts';
import { drawAt } from '../draws/schedule.ts';
import { findOperatedPair, findOwnPair, intervalOf, listPairs } from '../games/games.sql.ts';
import type { PairRow } from '../games/games.sql.ts';
import { CallError } from '../http/errors.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { balanceOf } from '../ledger/wallets.ts';
import type { BetLanes } from './bet-lanes.ts';
import { listTickets } from './tickets.sql.ts';

const RESULTS = 20;
const PAGE_ROWS = 25;

/** The player's calls, and the timers that staff and players share. */
export function ticketsRoutes(services: Services, lanes: BetLanes): BoundRoute<Actor>[] {
  const { db, clock } = services;
  return [
    handle(placeBet, async ({ body }, { actor, origin }) => ({
      message: 'Bet placed.',
      ...(await lanes.place({
        actor,
        origin,
        gameKey: body.gameId,
        drawId: body.drawId,
        requestId: body.requestId,
        lines: body.lines,
      })),
    })),
    handle(playerGames, async (_input, { actor }) => {
      const pairs = (await listPairs(db, actor)).filter((pair) => pair.running);
      return {
        data: pairs.map((pair) => ({
          _id: pair.game_id,
          gameId: pair.game_key,
          gameName: pair.name,
          family: pair.family,
          intervalSeconds: pair.interval_seconds,
        })),
      };
    }),
    handle(playerState, async ({ query }, { actor }) => {
      const pair = await findOwnPair(db, actor.networkId, query.gameId);
      if (!pair?.running)
        throw new CallError('GAME_UNAVAILABLE', { fields: { gameId: 'This game is not open to you' } });
      const now = clock.now();
      const rules = rulesFor({ gameId: pair.game_key, family: pair.family, digits: pair.digits });
      const draw = await findDraw(db, pair.network_id, pair.game_id, drawAt(now, pair.interval_seconds).number);
      return {
        gameId: pair.game_key,
        gameName: pair.name,
        family: pair.family,
        draw: draw ? toDrawView(draw) : null,
        serverTime: now.toISOString(),
        walletBalance: pointsOf(await balanceOf(db, actor.networkId, `credit:${actor.id}`)),
        unitPrice: pointsOf(pair.unit_price),
        heads: rules.heads.map((head) => ({
          head: head.name,
          label: head.label,
          pay: pointsOf(BigInt(head.payHundredths)),
        })),
        outcomes: rules.outcomes.map(({ drawno, label }) => ({ drawno, label })),
        results: await lastResults(db, pair.network_id, pair.game_id, RESULTS),
      };
    }),
    handle(playerTickets, async ({ query }, { actor }) => {
      const limit = query.pageSize ?? PAGE_ROWS;
      const { tickets, total } = await listTickets(
        db,
        { networkId: actor.networkId, accountId: actor.id },
        { gameKey: query.gameId, limit, offset: ((query.page ?? 1) - 1) * limit },
      );
      return { data: tickets, total };
    }),
    handle(playerResults, async ({ query }, { actor }: { actor: Actor }) => {
      const pair = await visiblePair(db, actor, query);
      return { data: await lastResults(db, pair.network_id, pair.game_id, RESULTS) };
    }),
    handle(getTimer, async ({ query }, { actor }: { actor: Actor }) => {
      const intervalSeconds = await timerInterval(db, actor, query);
      const now = clock.now();
      const { drawsAt } = drawAt(now, intervalSeconds);
      return {
        time: Math.ceil((drawsAt.getTime() - now.getTime()) / 1000),
        format: intervalSeconds >= 60 ? ('minutes' as const) : ('seconds' as const),
        serverTime: now.toISOString(),
        drawsAt: drawsAt.toISOString(),
      };
    }),
    handle(nextDraw, async ({ query }, { actor }: { actor: Actor }) => {
      const pair = await visiblePair(db, actor, query);
      const draw = await findDraw(db, pair.network_id, pair.game_id, drawAt(clock.now(), pair.interval_seconds).number);
      if (!draw) throw new CallError('NOT_FOUND', { message: 'No next draw found' });
      const clockTime = (time: Date): string =>
        time.toLocaleTimeString('en-US', {
          timeZone: services.timeZone,
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
    }),
  ];
}

/** The interval of a game. Its draws are at the same time for every admin, so a superadmin need not name one. */
async function timerInterval(
  on: Queryable,
  actor: Actor,
  query: { gameId: string; adminId?: string },
): Promise<number> {
  const interval =
    actor.role === 'superadmin' && query.adminId === undefined
      ? await intervalOf(on, query.gameId)
      : (await visiblePair(on, actor, query)).interval_seconds;
  if (interval === undefined) throw noSuchGame();
  return interval;
}

const noSuchGame = (): CallError => new CallError('NOT_FOUND', { message: 'There is no such game.' });

/** The pair that a call means: of the admin it names, where the caller operates it, else of the caller's own network. */
async function visiblePair(on: Queryable, actor: Actor, query: { gameId: string; adminId?: string }): Promise<PairRow> {
  const own = query.adminId === undefined || query.adminId === actor.chain[1];
  const pair = own
    ? await findOwnPair(on, actor.networkId, query.gameId)
    : await findOperatedPair(on, actor, query.gameId, query.adminId!);
  if (!pair) throw noSuchGame();
  return pair;
}
