import type { RouteResult } from '@drawhouse/contract/core/route';
import type { AheadDraw } from '@drawhouse/contract/games/schedules';
import type { getTimer, nextDraw } from '@drawhouse/contract/draws/draws';
import type { DrawTimes } from '@drawhouse/rules/time/clock-slots';
import { nextToOpen, slotAfter } from '@drawhouse/rules/time/schedule';
import type { Queryable } from '../../platform/db/database.ts';
import { allPairs, cadenceOf, type PairRow, findCadence, listPairs } from '../../games/games.sql.ts';
import { lastOpened, currentDraw, runningTimes } from '../draws.sql.ts';
import { singleNetwork, crossNetworkComment, networkOrColumnSql } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Actor } from '../../accounts/authority.ts';
import type { Services } from '../../platform/services.ts';
import { noSuchGame, visiblePair } from '../../games/pairs/pairs.ts';

/**
 * Same order as the pairs; undefined if none is scheduled. Without a running draw: the current slot, unless too late to
 * bet.
 */
export async function nextDraws(
  on: Queryable,
  pairs: readonly PairRow[],
  now: Date,
): Promise<({ number: number; opensAt: Date } | undefined)[]> {
  const one = singleNetwork([...new Set(pairs.map((pair) => pair.network_id))]);
  const network = networkOrColumnSql(one, 'pair.network_id');
  const opened = await on.query<{ ends_at: Date | null }>(
    sql`select (select d.draws_at from draws d where d.network_id = ${network} and d.game_id = pair.game_id
             order by d.opens_at desc limit 1) as ends_at
     from unnest(${pairs.map((pair) => pair.network_id)}::int[], ${pairs.map((pair) => pair.game_id)}::uuid[])
       with ordinality as pair (network_id, game_id, nth) order by nth`.named(
      one === undefined ? 'draws-next' : 'draws-next-in-one',
    ),
  );
  return pairs.map((pair, index) => nextToOpen(now, cadenceOf(pair), opened[index]!.ends_at));
}

export async function drawEnds(
  on: Queryable,
  gameIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await on.query<{ game_id: string; ends_at: Date }>(
    sql`select game.id as game_id, max(d.draws_at) as ends_at
     from unnest(${gameIds}::uuid[]) as game (id) cross join networks n
     join draws d on d.network_id = n.id and d.id = ${lastOpened(sql`n.id`, sql`game.id`, now)}
     where d.draws_at > ${now} group by game.id ${sql.raw(crossNetworkComment('catalogue'))}`,
  );
  return new Map(rows.map((row) => [row.game_id, row.ends_at]));
}

/** Coming draws that exist because tickets of them were asked for, in any network. */
export async function drawsAhead(on: Queryable, now: Date): Promise<AheadDraw[]> {
  const rows = await on.query<{ gameId: string; gameName: string; opens_at: Date; draws_at: Date }>(
    sql`${allPairs()} select distinct g.id as "gameId", g.name as "gameName", d.opens_at, d.draws_at
     from pair join games g on g.id = pair.game_id
     join draws d on d.network_id = pair.network_id and d.game_id = pair.game_id
     where d.bets_from is not null and d.opens_at > ${now} and d.status = 'open'
     order by d.draws_at, g.name ${sql.raw(crossNetworkComment('catalogue'))}`,
  );
  return rows.map(({ opens_at: opensAt, draws_at: drawsAt, ...game }) => ({
    ...game,
    opensAt: opensAt.toISOString(),
    drawsAt: drawsAt.toISOString(),
  }));
}

/** Opening of the newest draw, a lower bound on the current time. */
export async function latestOpening(on: Queryable): Promise<Date | undefined> {
  const [row] = await on.query<{ at: Date | null }>(
    sql`${allPairs()} select max(last.at) as at from pair cross join lateral (
       select coalesce(d.bets_from, d.opens_at) as at from draws d where d.network_id = pair.network_id and d.game_id = pair.game_id
       order by d.opens_at desc limit 1) last ${sql.raw(crossNetworkComment('schedule'))}`,
  );
  return row?.at ?? undefined;
}

export async function ticketsAgainst(on: Queryable, pair: PairRow, now: Date): Promise<Date[]> {
  const rows = await on.query<{ draws_at: Date }>(
    sql`select d.draws_at from draws d where d.network_id = ${pair.network_id} and d.game_id = ${pair.game_id}
       and d.bets_from is not null and d.opens_at > ${now} and d.status = 'open'
       and exists (select from tickets t where t.network_id = ${pair.network_id} and t.draw_id = d.id) order by d.draws_at`,
  );
  const cadence = cadenceOf(pair);
  const stays = (at: Date): boolean =>
    slotAfter(new Date(at.getTime() - 1), cadence)?.drawsAt.getTime() === at.getTime();
  return rows.map(({ draws_at: at }) => at).filter((at) => !stays(at));
}

const MINUTE_MS = 60_000;

interface GameQuery {
  readonly gameId: string;
  readonly adminId?: string;
}

/** End of the running draw, else of the next. */
export async function readTimer(
  { db, clock }: Services,
  actor: Actor,
  query: GameQuery,
): Promise<RouteResult<typeof getTimer>> {
  const now = clock.now();
  const { opensAt, drawsAt, isDue = false } = await timesOf(db, actor, query, now);
  return {
    time: isDue ? 0 : Math.ceil((drawsAt.getTime() - now.getTime()) / 1000),
    format: drawsAt.getTime() - opensAt.getTime() >= MINUTE_MS ? 'minutes' : 'seconds',
    serverTime: now.toISOString(),
    opensAt: opensAt.toISOString(),
    drawsAt: drawsAt.toISOString(),
  };
}

/** Empty while the game is not open. */
export async function readNextDraw(
  { db, clock, timeZone }: Services,
  actor: Actor,
  query: GameQuery,
): Promise<RouteResult<typeof nextDraw>> {
  const pair = await visiblePair(db, actor, query);
  const { next } = await currentDraw(db, pair, clock.now());
  if (!next) return { nextrdraw: [] };
  const { number, opensAt, closesAt, drawsAt } = next;
  return {
    nextrdraw: [
      {
        draw_id: String(number),
        ...clockTimes(opensAt, closesAt, timeZone),
        opensAt: opensAt.toISOString(),
        closesAt: closesAt.toISOString(),
        drawsAt: drawsAt.toISOString(),
      },
    ],
  };
}

type ClockTimes = Pick<RouteResult<typeof nextDraw>['nextrdraw'][number], 'timeopen' | 'timeclose' | 'ampm'>;

/**
 * `ampm` belongs to the close. An opening in a different half-day or on a different day carries its own, since it would
 * otherwise read as later.
 */
export function clockTimes(opensAt: Date, closesAt: Date, timeZone: string): ClockTimes {
  const [opens, closes] = [onClock(opensAt, timeZone), onClock(closesAt, timeZone)];
  const { time, ampm, day } = opens;
  const timeopen = day !== closes.day ? `${day}, ${time} ${ampm}` : ampm !== closes.ampm ? `${time} ${ampm}` : time;
  return { timeopen, timeclose: closes.time, ampm: closes.ampm };
}

function onClock(instant: Date, timeZone: string): { day: string; time: string; ampm: string } {
  const day = instant.toLocaleDateString('en-US', { timeZone, month: 'short', day: 'numeric' });
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: true } as const;
  const [time, ampm] = instant.toLocaleTimeString('en-US', { timeZone, ...clock }).split(/\s/);
  return { day, time: time!, ampm: ampm! };
}

/**
 * `isDue`: the draw is overdue to open. For a superadmin without an admin, takes the earliest-ending draw below it. One
 * statement, because a draw may open between two.
 */
async function timesOf(
  on: Queryable,
  actor: Actor,
  query: GameQuery,
  now: Date,
): Promise<Pick<DrawTimes, 'opensAt' | 'drawsAt'> & { isDue?: boolean }> {
  const ofAll = actor.role === 'superadmin' && query.adminId === undefined;
  const pairs = ofAll
    ? (await listPairs(on, actor)).filter((pair) => pair.game_key === query.gameId)
    : [await visiblePair(on, actor, query)];
  const [pair] = pairs;
  const networkIds = pairs.map((each) => each.network_id);
  const [earliest] = pair && pairs.length > 1 ? await runningTimes(on, pair.game_id, networkIds, now) : [];
  const current = pair && !earliest ? await currentDraw(on, pair, now) : undefined;
  const running = earliest ?? current?.draw;
  if (running) return { opensAt: running.opens_at, drawsAt: running.draws_at };
  const cadence = pair ? cadenceOf(pair) : await findCadence(on, query.gameId);
  if (!cadence) throw noSuchGame();
  const next = current?.next;
  // An overdue draw, or a game without draws to come, shows no countdown.
  const draw = next ?? slotAfter(now, cadence) ?? { opensAt: now, drawsAt: now };
  return { ...draw, isDue: next !== undefined && next.opensAt <= now };
}
