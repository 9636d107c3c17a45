import { betList, loadGames, loadUsers, ticketDetails, USERS_MOST } from '@drawhouse/contract/reports/bet-list';
import { ticketPage } from '@drawhouse/contract/reports/object-pages';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { clearedNote } from '../../activity/log-source.ts';
import { type Actor, notInSubtree } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { containing, naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import type { Services } from '../../platform/services.ts';
import { allOutcomeImages } from '../../games/catalogue/game-images.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { type BoundRoute, type Call, handle } from '../../platform/http/handler.ts';
import { readReport } from '../../platform/lists/read-report.ts';
import { serveList } from '../../platform/lists/serve-list.ts';
import type { ListRequest } from '../../platform/lists/list-source.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import type { Period } from '../../platform/time/clock.ts';
import { type BetFilter, betsFrom, findScope, isWished, mayBeSeen } from './bet-list.sql.ts';
import { betOf, type BetRow, toBetTicket, undoneNote } from './bet-rows.ts';
import { aboutPeriod, periodOrToday, serverDay } from '../server-day.ts';
import { readTicketDetails, readTicketPage } from './ticket-page.ts';
import { networkOrColumnSql, singleNetwork } from '../../platform/db/cross-network-sql.ts';
import { REPORT_TEXTS } from '../reports-texts.ts';

export function betListRoutes(services: Services): BoundRoute<Actor>[] {
  const { db, clock } = services;
  return [
    ...serveList(services, betList, async (request: ListRequest<typeof betList, Actor>) => {
      const { actor, on } = request;
      const { wish, game, interval } = await wishOf(request);
      const images = await allOutcomeImages(on);
      const { from, until, timeZone } = wish;
      const cleared = await clearedNote(on, {
        networkIds: wish.scope.networks,
        models: ['ticket'],
        from,
        until,
        timeZone,
      });
      // Undone tickets have no status, so the note counts all of the period.
      const undone = await undoneNote(on, { ...wish, status: undefined }, actor);
      return {
        from: (cut) => betsFrom(on, wish, cut),
        authority: mayBeSeen(wish, actor),
        where: isWished(wish),
        key: sql`t.id`,
        select: betOf(singleNetwork(wish.scope.networks)),
        // Ids encode the times.
        filters: { period: null, drawId: null, status: null },
        of: () => ({
          ...interval,
          ...(wish.scope.id !== actor.id && {
            [wish.scope.role === 'user' ? 'Player' : 'Players below']: wish.scope.username,
          }),
          ...(game && { Game: game.name }),
          ...(cleared !== null && { Cleared: cleared }),
          ...(undone !== null && { Undone: undone }),
        }),
        extra: () => ({ role: wish.scope.role, cleared, undone }),
        toRow: (row: BetRow) => toBetTicket(row, images.get(row.game_id)),
      };
    }),
    handle(loadUsers, async ({ query }, { actor }) => {
      const pattern = containing(query.search);
      return {
        data: await db.query<{ _id: string; username: string }>(sql`select a.id as _id, a.username from accounts a
              where a.role = 'user' and ${inSubtree('a', actor)} and (${pattern}::text is null or a.username ilike ${pattern})
              order by lower(a.username) collate natural_order, a.id limit ${query.pageSize ?? USERS_MOST}`),
      };
    }),
    handle(loadGames, async (_input, { actor }) => {
      const networks = (await findScope(db, actor, actor.id))?.networks ?? [];
      const network = networkOrColumnSql(singleNetwork(networks), 'n.id');
      return {
        data: await db.query<{
          gameId: string;
          gameName: string;
        }>(sql`select g.game_key as "gameId", g.name as "gameName" from games g where exists (
                select from unnest(${networks}::int[]) as n (id)
                where exists (select from network_games ng where ng.network_id = ${network} and ng.game_id = g.id)
                  or exists (select from draws d where d.network_id = ${network} and d.game_id = g.id))
              order by ${naturalOrder(sql`g.name`)}, g.game_key`),
      };
    }),
    handle(ticketPage, ({ params }, call: Call<Actor>) => {
      const asked = { name: params.ticketId, now: clock.now(), timeZone: services.timeZone };
      return readReport(services, call, (on) => readTicketPage(on, call.actor, asked));
    }),
    handle(ticketDetails, async ({ query }, { actor }) => ({
      message: REPORT_TEXTS.ticketFetched,
      ...(await readTicketDetails(db, actor, {
        name: query.ticketId,
        gameKey: query.gameId,
        now: clock.now(),
        timeZone: services.timeZone,
      })),
    })),
  ];
}

interface Wished {
  readonly wish: BetFilter;
  readonly game: { readonly id: string; readonly name: string } | undefined;
  readonly interval: { Interval?: string };
}

async function wishOf(request: ListRequest<typeof betList, Actor>): Promise<Wished> {
  const { actor, query, on } = request;
  const scope = await findScope(on, actor, query.userId ?? actor.id);
  if (!scope) throw notInSubtree('userId');
  const game = query.gameId === undefined ? undefined : await requireGame(on, query.gameId);
  const draw = query.drawId === undefined ? undefined : await wishedDraw(on, scope.networks, query.drawId);
  const hasDays = [query.tdate, query.startDate, query.endDate].some((day) => day !== undefined);
  const ofDays = (): Period & { readonly day?: string } =>
    query.tdate === undefined ? periodOrToday(request) : serverDay(request, query.tdate);
  const time: ReturnType<typeof ofDays> = draw && !hasDays ? draw.period : ofDays();
  const { from, until } = time;
  const { timeZone } = request;
  return {
    wish: { scope, gameId: game?.id, ...(draw && { draw }), from, until, timeZone, status: query.status },
    game,
    interval: aboutPeriod(time, timeZone),
  };
}

interface WishedDraw extends NonNullable<BetFilter['draw']> {
  readonly period: Period;
}

async function wishedDraw(on: Queryable, networks: readonly number[], id: string): Promise<WishedDraw> {
  const [draw] = await on.query<{ networkId: number; from: Date; until: Date }>(
    sql`select d.network_id as "networkId", coalesce(d.bets_from, d.opens_at) - interval '1 day' as "from",
      d.draws_at + interval '1 day' as until
      from unnest(${networks}::int[]) as n (id)
      join draws d on d.network_id = ${networkOrColumnSql(singleNetwork(networks), 'n.id')} and d.id = ${id}`,
  );
  if (!draw) return { id, networkId: ROOT_NETWORK, period: { from: new Date(0), until: new Date(0) } };
  const { networkId, ...period } = draw;
  return { id, networkId, period };
}

async function requireGame(on: Queryable, gameKey: string): Promise<{ id: string; name: string }> {
  const [game] = await on.query<{ id: string; name: string }>(
    sql`select id, name from games where game_key = ${gameKey}`,
  );
  if (!game) throw new CallError('NOT_FOUND', { fields: { gameId: REPORT_TEXTS.noGame } });
  return game;
}
