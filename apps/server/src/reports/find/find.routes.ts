import { find, FIND_MOST, type Found, type FoundAccount, type FoundDraw } from '@drawhouse/contract/reports/find';
import { ticketName } from '@drawhouse/contract/tickets/tickets';
import type { Actor } from '../../accounts/authority.ts';
import { DRAW_NUMBER } from '../../draws/draws.sql.ts';
import { INTERVAL } from '../../games/games.sql.ts';
import { isClockNumber } from '@drawhouse/rules/time/draw-name';
import { networkOrColumnSql, singleNetwork } from '../../platform/db/cross-network-sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import { containing, sql } from '../../platform/db/sql/sql.ts';
import { uuidsIn } from '../../platform/db/sql/uuids.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { handle, type BoundRoute } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { findScope } from '../bet-list/bet-list.sql.ts';
import { readTicketDetails } from '../bet-list/ticket-page.ts';
import { findTransaction, toTransaction } from '../transactions/transaction-page.ts';

export function findRoutes(services: Services): BoundRoute<Actor>[] {
  const { db } = services;
  return [
    handle(find, async ({ query: { text } }, { actor }) => {
      const [id] = uuidsIn([text.toLowerCase()]);
      const networks = (await findScope(db, actor, actor.id))?.networks ?? [];
      // Tickets and draws belong to reports, which a login may lack.
      const seesReports = actor.permissions.includes('reports');
      const [accounts, tickets, draws, transfer] = await Promise.all([
        findAccounts(db, actor, text, id),
        seesReports ? findTicket(services, actor, text) : [],
        seesReports ? findDraws(db, networks, text, id) : [],
        id === undefined ? undefined : findTransaction(db, actor, { id, now: services.clock.now() }),
      ]);
      return { accounts, tickets, draws, transactions: transfer ? [toTransaction(actor, undefined, transfer)] : [] };
    }),
  ];
}

const SHORTEST_UNIQUE_ID = 3;

/** Equal names and unique ids first, then names that start with the text. */
async function findAccounts(on: Queryable, actor: Actor, text: string, id?: string): Promise<FoundAccount[]> {
  const name = text.toLowerCase();
  const start = containing(name)!.slice(1);
  const code = text.length < SHORTEST_UNIQUE_ID ? null : containing(text.toUpperCase())!.slice(1);
  const rank = sql`case when lower(a.username) = ${name} then 0 when lower(a.username) like ${start} then 1 else 2 end`;
  const first = (matches: typeof rank): typeof rank =>
    sql`(select a.id, ${rank} as rank from accounts a where ${inSubtree('a', actor)} and a.id <> ${actor.id} and ${matches}
      order by ${rank}, length(a.username), lower(a.username) limit ${FIND_MOST})`;
  return on.query<FoundAccount & object>(sql`
    select a.id as _id, a.username, a.unique_id as "uniqueId", a.role, a.active as "userStatus", p.username as reference
    from (
      select id, min(rank) as rank from (
        ${first(sql`lower(a.username) like ${containing(name)}`)}
        union all ${first(sql`a.unique_id like ${code}`)}
        union all ${first(sql`a.id = ${id ?? null}::uuid`)}
      ) as each_way group by id
    ) as found join accounts a on a.id = found.id join accounts p on p.id = a.parent_id
    order by (a.unique_id = ${text.toUpperCase()}) desc, found.rank, length(a.username), lower(a.username) limit ${FIND_MOST}`);
}

const BARE_NUMBER = /^[0-9a-tv-z]{12}$/i;

/** Accepts a number without its hyphens. */
async function findTicket(services: Services, actor: Actor, text: string): Promise<Found['tickets']> {
  const hyphenated = BARE_NUMBER.test(text) ? text.replace(/^(.{4})(.{4})/, '$1-$2-') : text;
  const name = ticketName.safeParse(hyphenated).data;
  if (name === undefined) return [];
  const { db, clock, timeZone } = services;
  try {
    const { ticket } = await readTicketDetails(db, actor, { name, gameKey: undefined, now: clock.now(), timeZone });
    const { _id, ticketId, gameName, username, placedAt, playpoints, status, winpoints } = ticket;
    return [{ _id, ticketId, gameName, username, placedAt, playpoints, status, winpoints }];
  } catch (error) {
    if (error instanceof CallError && error.code === 'NOT_FOUND') return [];
    throw error;
  }
}

const DRAW_NUMBER_TEXT = /^\d{3,12}$/;

interface FoundDrawRow {
  id: string;
  number: bigint;
  game_key: string;
  game_name: string;
  admin: string;
  draws_at: Date;
  status: FoundDraw['status'];
  result_label: string | null;
}

/**
 * Accepts an id, or a number with any words of the game's or admin's name. A number gives the opening by the game's
 * interval, or a date and clock time.
 */
async function findDraws(
  on: Queryable,
  networks: readonly number[],
  text: string,
  id: string | undefined,
): Promise<FoundDraw[]> {
  const words = text.split(/\s+/);
  const number = words.find((word) => DRAW_NUMBER_TEXT.test(word));
  if (id === undefined && number === undefined) return [];
  const names = words.filter((word) => word !== number).map((word) => containing(word));
  const network = networkOrColumnSql(singleNetwork(networks), 'n.id');
  const opening = sql`to_timestamp(case when ${sql.raw(INTERVAL)} <= extract(epoch from now()) * 2 / greatest(${number ?? null}::float8, 1)
    then ${number ?? null}::float8 * ${sql.raw(INTERVAL)} end)`;
  const isClock = isClockNumber(Number(number));
  const found = isClock ? sql`d.clock_number = ${number}` : sql`d.opens_at = ${opening}`;
  const key =
    id === undefined
      ? sql`network_games ng on ng.network_id = ${network} join games g on g.id = ng.game_id
          join draws d on d.network_id = ${network} and d.game_id = g.id and ${found}`
      : sql`draws d on d.network_id = ${network} and d.id = ${id} join games g on g.id = d.game_id`;
  const rows = await on.query<FoundDrawRow>(sql`
    select d.id, ${sql.raw(DRAW_NUMBER)} as number, g.game_key, g.name as game_name, admin.username as admin, d.draws_at,
           d.status, d.result_label
    from unnest(${networks}::int[]) as n (id) join networks of on of.id = n.id join accounts admin on admin.id = of.admin_id
    join ${key}
    where ${id === undefined ? sql`(g.name || ' ' || admin.username) ilike all(${names}::text[])` : sql`true`}
    order by d.draws_at desc, lower(g.name), lower(admin.username) limit ${FIND_MOST}`);
  return rows.map((row) => ({
    _id: row.id,
    number: Number(row.number),
    gameId: row.game_key,
    gameName: row.game_name,
    admin: row.admin,
    drawsAt: row.draws_at.toISOString(),
    status: row.status,
    drawno: row.result_label,
  }));
}
