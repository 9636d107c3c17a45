import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { BetStatus } from '@drawhouse/contract/reports/bet-list';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { allOf, sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Cut } from '../../platform/lists/list-source.ts';
import {
  inSubtreeEver,
  inNetworks,
  wholeNetworks,
  type Predicate,
  type Networks,
} from '../../platform/db/visibility-predicate.ts';
import {
  ALL_PARTS,
  mayHoldTickets,
  ticketsOfDraw,
  drawsPlayed,
  nearestTickets,
  drawsOutsideRollups,
  type DrawKind,
  type TicketKey,
  type TicketScope,
} from '../../tickets/read/played-draws.sql.ts';
import { paidWins } from '../../tickets/tickets.sql.ts';
import { UNFINISHED } from '../../config/draw-states.ts';
import { networkOrColumnSql, singleNetwork } from '../../platform/db/cross-network-sql.ts';
import { leastIdAt, timeOfId } from '../../platform/db/sql/uuids.ts';
import type { Period } from '../../platform/time/clock.ts';

/** Tickets scanned from one end of a network before choosing another strategy. */
const SCANNED_ROWS = 1_000;
/** Larger limits are file exports, which scan `SCANS` as many tickets as requested. */
const PAGE_MOST = 501;
const SCANS = 50;
/** Up to this many players are looked up individually per draw. */
const FEW_PLAYERS = 200;
/** Extra draws to read, because some may turn out without matching tickets. */
const MAY_BE_WITHOUT = 8;

/** Includes deleted accounts in the actor's subtree, because history keeps their names. */
export async function findScope(on: Queryable, actor: Actor, id: string): Promise<BetScope | undefined> {
  const [row] = await on.query<{
    id: string;
    username: string;
    role: Role;
    networks: readonly number[];
  }>(sql`select a.id, a.role, a.username, case when a.role <> 'superadmin' then array[a.network_id]
          else array(select n.id from networks n join accounts admin on admin.id = n.admin_id
            where admin.chain @> array[a.id]) end as networks
        from accounts a where a.id = ${id} and ${inSubtreeEver('a', actor)}`);
  if (!row) return undefined;
  const { role, networks, ...account } = row;
  return role === 'superadmin' || role === 'admin'
    ? { ...account, role, networks: wholeNetworks(networks) }
    : { ...account, role, networks };
}

export function mayBeSeen({ scope }: BetFilter, actor: Actor): Predicate {
  return ownsNetworks(scope) ? inNetworks('t', scope.networks) : inSubtreeEver('a', actor);
}

export function isWished(wish: BetFilter): Sql {
  const { scope, gameId, draw, status } = wish;
  // If account and draw are of different networks, no ticket matches.
  const network = draw?.networkId ?? singleNetwork(scope.networks);
  return allOf([
    ...(draw ? [sql`t.draw_id = ${draw.id}`] : []),
    inTime(wish),
    ...(ownsNetworks(scope)
      ? []
      : [scope.role === 'user' ? sql`a.id = ${scope.id}` : sql`a.chain @> array[${scope.id}]::uuid[]`]),
    ...(gameId === undefined ? [] : [sql`d.game_id = ${gameId}`]),
    ...(status === undefined ? [] : [hasStatus(status, networkOrColumnSql(network, 't.network_id'))]),
  ]);
}

/** Looks draw and win up by key, whatever the planner estimates. */
function hasStatus(status: BetStatus, network: Sql): Sql {
  const drawStatus = sql`(select status from draws where network_id = ${network} and id = t.draw_id)`;
  const won = sql`exists (select from ${paidWins(network)} w
    where network_id = ${network} and draw_id = t.draw_id and ticket_id = t.id offset 0)`;
  switch (status) {
    case 'won':
      return sql`${won} and ${drawStatus} = 'settled'`;
    case 'lost':
      return sql`${drawStatus} = 'settled' and not ${won}`;
    case 'open':
      return sql`${drawStatus} in ${sql.raw(UNFINISHED)}`;
    case 'void':
      return sql`${drawStatus} = 'void'`;
  }
}

const PARTS: Readonly<Record<BetStatus, readonly DrawKind[]>> = {
  won: ['told', 'late'],
  lost: ['told', 'late'],
  open: ['unfinished'],
  void: ['void'],
};
const partsOf = ({ status }: BetFilter): readonly DrawKind[] => (status === undefined ? ALL_PARTS : PARTS[status]);

/**
 * Strategy by layout: whole networks by key, one game draw by draw, few players through the rollups' draws. Tickets of
 * one draw by that draw. Other subtrees scan the newest tickets if dense, else use the rollups' draws.
 */
export async function betsFrom(on: Queryable, wish: BetFilter, cut: Cut): Promise<Sql> {
  if (wish.draw) {
    const ofDraw = sql`(select * from tickets where network_id = ${wish.draw.networkId} and draw_id = ${wish.draw.id} offset 0) t
      ${PLAYER_OF} ${drawOf(wish.draw.networkId)}`;
    const isOf = sql`${isWished(wish)} and ${cut.where}`;
    return cut.isOrdered ? standingOn(await on.query<TicketKey>(cutOf(ofDraw, { ...cut, where: isOf }))) : ofDraw;
  }
  return cut.isOrdered ? standingOn(await keysOf(on, wish, cut)) : counted(on, wish, cut);
}

export function standingOn(keys: readonly TicketKey[]): Sql {
  const networks = keys.map((key) => key.network_id);
  const one = singleNetwork([...new Set(networks)]);
  const [ofKey, ofTicket] = [networkOrColumnSql(one, 'k.network_id'), networkOrColumnSql(one, 't.network_id')];
  return sql`unnest(${networks}::int[], ${keys.map((key) => key.id)}::uuid[]) as k (network_id, id)
    cross join lateral (select * from tickets where network_id = ${ofKey} and id = k.id offset 0) as t
    cross join lateral (select * from accounts where id = t.account_id offset 0) as a
    cross join lateral (select * from draws where network_id = ${ofTicket} and id = t.draw_id offset 0) as d
    cross join lateral (select * from games where id = d.game_id offset 0) as g
    left join lateral (select win, corrected_at from ${paidWins(ofTicket)} w
      where network_id = ${ofTicket} and draw_id = t.draw_id and ticket_id = t.id offset 0) as w on true
    left join lateral (select settled_at, manual_claims from draw_settlements
      where network_id = ${ofTicket} and draw_id = t.draw_id offset 0) as s on true
    left join lateral (select claimed_at from ticket_claims where network_id = ${ofTicket} and ticket_id = t.id offset 0) as c on true`;
}

async function keysOf(on: Queryable, wish: BetFilter, cut: Cut): Promise<readonly TicketKey[]> {
  const { scope, gameId } = wish;
  const ofCut = (from: Sql): Promise<readonly TicketKey[]> => on.query<TicketKey>(cutOf(from, cut));
  if (scope.role === 'user') return keysByDraw(on, wish, cut, [scope.id]);
  if (ownsNetworks(scope) && hasFewDraws(wish)) return ofCut(byFewDraws(wish, cut));
  if (ownsNetworks(scope) && gameId === undefined) return ofCut(byNetworks(wish, cut));
  const isFile = cut.limit > PAGE_MOST;
  if (isFile && ownsNetworks(scope)) return ofCut(byDraws(wish, cut));
  const ofFile = isFile ? await fewPlayers(on, scope) : undefined;
  if (ofFile) return keysByDraw(on, wish, cut, ofFile);
  if (scope.networks.length === 1) {
    const found = await ofCut(along(wish, cut, isFile ? SCANS * cut.limit : SCANNED_ROWS));
    if (found.length === cut.limit) return found;
  }
  if (ownsNetworks(scope)) return ofCut(byDraws(wish, cut));
  const few = isFile ? undefined : await fewPlayers(on, scope);
  if (few || (await hasFewOutsideRollups(on, wish, cut))) return keysByDraw(on, wish, cut, few);
  return keysByDraw(on, wish, cut, await playersOf(on, scope));
}

const cutOf = (from: Sql, { where, order, limit }: Cut): Sql =>
  sql`select t.network_id, t.id from ${from} where ${where} ${order} limit ${limit}`;

function along(wish: BetFilter, cut: Cut, most: number): Sql {
  const network = wish.scope.networks[0]!;
  return sql`(select t.* from tickets t where t.network_id = ${network} and ${inTime(wish)} and ${cut.beyond} ${cut.order} limit ${most}) t
    ${ownsNetworks(wish.scope) ? sql`` : PLAYER_OF} ${wish.gameId === undefined ? sql`` : drawOf(network)}`;
}

const eachOf = ({ scope }: BetFilter): Sql => networkOrColumnSql(singleNetwork(scope.networks), 'n.id');

const byNetworks = (wish: BetFilter, cut: Cut): Sql =>
  sql`unnest(${wish.scope.networks}::int[]) as n (id) cross join lateral (
    select t.network_id, t.id, t.draw_id from tickets t
    where t.network_id = ${eachOf(wish)} and ${cut.where} ${cut.order} limit ${cut.limit}) t`;

/**
 * Reads one game, skipping draws without tickets. A network's draws of a game never overlap and ids encode time, so
 * order by draw and id equals order by id. Draws with tickets bought ahead are few and read separately.
 */
function byDraws(wish: BetFilter, cut: Cut): Sql {
  const direction = sql.raw(cut.isDescending ? 'desc' : 'asc');
  // Every draw has a ticket, except the open one and those at the period's ends. Not every draw has one won or lost.
  const most = wish.status === undefined ? sql`limit ${cut.limit + MAY_BE_WITHOUT}` : sql``;
  const tickets = ticketsOfDraw(networkOrColumnSql(singleNetwork(wish.scope.networks), 'd.network_id'));
  return sql`unnest(${wish.scope.networks}::int[]) as n (id) cross join lateral (
    (select t.network_id, t.id, t.draw_id, d.game_id
    from (select * from draws d where d.network_id = ${eachOf(wish)} and ${hadTickets(wish, cut)} and d.bets_from is null
          order by d.opens_at ${direction} ${most}) as d ${tickets}
    where ${cut.where} order by d.opens_at ${direction}, t.id ${direction} limit ${cut.limit})
    union all (select t.network_id, t.id, t.draw_id, d.game_id
    from (select * from draws d where d.network_id = ${eachOf(wish)} and ${hadTickets(wish, cut)} and d.bets_from is not null offset 0)
      as d ${tickets}
    where ${cut.where} ${cut.order} limit ${cut.limit})) t
    cross join lateral (select t.game_id) as d`;
}

/** Open and void draws are few: their own indexes find them. */
const hasFewDraws = ({ status }: BetFilter): boolean => status === 'open' || status === 'void';

function byFewDraws(wish: BetFilter, cut: Cut | undefined): Sql {
  const { scope, gameId } = wish;
  const of = { networkId: eachOf(wish), gameId, ...timeLeft(wish, cut) };
  return sql`unnest(${scope.networks}::int[]) as n (id)
    cross join lateral (${drawsOutsideRollups(of, partsOf(wish))}) as d
    ${ticketsOfDraw(networkOrColumnSql(singleNetwork(scope.networks), 'd.network_id'))}`;
}

async function counted(on: Queryable, wish: BetFilter, cut: Cut): Promise<Sql> {
  const { scope, gameId } = wish;
  if (ownsNetworks(scope) && hasFewDraws(wish)) return byFewDraws(wish, undefined);
  if (ownsNetworks(scope))
    return gameId === undefined
      ? sql`tickets t`
      : sql`unnest(${scope.networks}::int[]) as n (id)
          cross join lateral (select * from draws d where d.network_id = ${eachOf(wish)} and ${hadTickets(wish)} offset 0) as d
          ${ticketsOfDraw(networkOrColumnSql(singleNetwork(scope.networks), 'd.network_id'))}`;
  if (scope.role === 'user') return allPlayed(wish, [scope.id]);
  const few = await fewPlayers(on, scope);
  if (few) return allPlayed(wish, few);
  const quick = await jumpToCount(on, wish);
  if (quick) return quick;
  return allPlayed(wish, (await isDense(on, wish, cut)) ? undefined : await playersOf(on, scope));
}

function hadTickets(wish: BetFilter, cut?: Cut): Sql {
  const { from, until } = timeLeft(wish, cut);
  return sql`d.game_id = ${wish.gameId} and d.ticket_count is distinct from 0 and not d.tickets_cleared and d.draws_at >= ${from}
    and ${mayHoldTickets({ from, until })}`;
}

/** Leaves out deleted players; undefined if too many. Reads top-down, so never more than needed. */
async function fewPlayers(on: Queryable, scope: BetScope): Promise<readonly string[] | undefined> {
  const levels = ROLES.indexOf('user') - ROLES.indexOf(scope.role) - 1;
  const below = Array.from({ length: levels }).reduce<Sql>(
    (above) =>
      sql`(select a.id from ${above} as up cross join lateral
            (select id from accounts where parent_id = up.id and deleted_at is null offset 0) as a)`,
    sql`(select ${scope.id}::uuid as id)`,
  );
  const found = await on.query(sql`select from ${below} as up cross join lateral
        (select id from accounts where parent_id = up.id and deleted_at is null offset 0) as a limit ${FEW_PLAYERS + 1}`);
  return found.length > FEW_PLAYERS ? undefined : playersOf(on, scope);
}

/** Includes deleted players, who keep their tickets. */
async function playersOf(on: Queryable, { id }: BetScope): Promise<readonly string[]> {
  const found = await on.query<{ id: string }>(
    sql`select a.id from accounts a where a.chain @> array[${id}]::uuid[] and a.role = 'user'`,
  );
  return found.map((player) => player.id);
}

type BetScope = { readonly id: string; readonly username: string } & (
  | { readonly role: NetworkOwner; readonly networks: Networks }
  | { readonly role: Exclude<Role, NetworkOwner>; readonly networks: readonly number[] }
);
type NetworkOwner = 'superadmin' | 'admin';

/** Period bounds apply to times in ticket ids. */
export interface BetFilter extends Period {
  readonly scope: BetScope;
  readonly gameId: string | undefined;
  readonly draw?: { readonly id: string; readonly networkId: number };
  readonly status?: BetStatus | undefined;
  readonly timeZone: string;
}

const ownsNetworks = (scope: BetScope): scope is Extract<BetScope, { role: NetworkOwner }> =>
  scope.role === 'superadmin' || scope.role === 'admin';

const inTime = ({ from, until }: BetFilter): Sql => sql`t.id >= ${leastIdAt(from)} and t.id < ${leastIdAt(until)}`;

function timeLeft({ from, until }: BetFilter, cut: Pick<Cut, 'to' | 'isDescending'> | undefined): Period {
  if (cut?.to === undefined) return { from, until };
  const at = timeOfId(cut.to);
  return cut.isDescending
    ? { from, until: new Date(Math.min(until.getTime(), at.getTime() + 1)) }
    : { from: new Date(Math.max(from.getTime(), at.getTime())), until };
}

// `offset 0` forces key lookups in this order; planner estimates for subtrees and games are far off.

const drawOf = (networkId: number): Sql =>
  sql`cross join lateral (select game_id from draws where network_id = ${networkId}::int and id = t.draw_id offset 0) as d`;
const PLAYER_OF: Sql = sql`cross join lateral (select id, chain from accounts where id = t.account_id offset 0) as a`;

/*
 * Tickets of a player or a subtree in draws where they played. Known players are looked up by account; otherwise each
 * draw is scanned.
 */

/** Above this many tickets in draws not yet in the rollups, looks up all players first. */
const MAX_COUNTED = 20_000;
const COUNTED_DRAWS = 1_000;
const COUNTED_TICKETS = 20_000;
const DRAW_TICKETS_MOST = 5_000;

function playOf({ scope, gameId, timeZone, ...period }: BetFilter, cut: Cut | undefined): TicketScope {
  const time = timeLeft({ scope, gameId, timeZone, ...period }, cut);
  return { networkId: scope.networks[0]!, accountId: scope.id, gameId, timeZone, ...time };
}

const networkOf = ({ scope }: BetFilter): Sql => sql`${scope.networks[0]!}::int`;
const joined = (wish: BetFilter, players: readonly string[] | undefined): Sql =>
  sql`${ticketsOfDraw(networkOf(wish), players)} ${PLAYER_OF}`;

async function keysByDraw(
  on: Queryable,
  wish: BetFilter,
  cut: Cut,
  players: readonly string[] | undefined,
): Promise<readonly TicketKey[]> {
  const { where, limit, isDescending } = cut;
  return on.query<TicketKey>(
    await nearestTickets(on, playOf(wish, cut), {
      parts: partsOf(wish),
      join: joined(wish, players),
      where,
      limit,
      isDescending,
    }),
  );
}

/** Undefined if another way is faster. */
async function jumpToCount(on: Queryable, wish: BetFilter): Promise<Sql | undefined> {
  const [row] = await on.query<{
    draws: bigint;
    tickets: bigint;
  }>(sql`select count(*) as draws, coalesce(sum(ticket_count), 0)::bigint as tickets
        from (select d.ticket_count from (${drawsPlayed(playOf(wish, undefined), ['told'])}) d limit ${COUNTED_DRAWS + 1}) as found`);
  if (row!.draws > COUNTED_DRAWS || row!.tickets > COUNTED_TICKETS) return undefined;
  return (await hasFewOutsideRollups(on, wish, undefined)) ? allPlayed(wish, undefined) : undefined;
}

/** Scanning the next tickets finds enough matches without knowing the players. */
async function isDense(on: Queryable, wish: BetFilter, { where, limit }: Cut): Promise<boolean> {
  const found = await on.query(sql`select from (select t.*, d.game_id
      from (${drawsPlayed(playOf(wish, undefined), ['told'])}) d ${ticketsOfDraw(networkOf(wish))} limit ${DRAW_TICKETS_MOST}) t
        ${PLAYER_OF} cross join lateral (select t.game_id) as d where ${where} limit ${limit}`);
  return found.length === limit;
}

const allPlayed = (wish: BetFilter, players: readonly string[] | undefined): Sql =>
  sql`(${drawsPlayed(playOf(wish, undefined), partsOf(wish))}) d ${joined(wish, players)}`;

/** Draws missing from the rollups have few tickets. */
async function hasFewOutsideRollups(on: Queryable, wish: BetFilter, cut: Cut | undefined): Promise<boolean> {
  const [row] = await on.query<{ count: bigint }>(sql`select count(*) as count from (
          select from (${drawsOutsideRollups(playOf(wish, cut))}) d
          cross join lateral (select from tickets where network_id = ${networkOf(wish)} and draw_id = d.id offset 0) t
            limit ${MAX_COUNTED + 1}
        ) as found`);
  return row!.count <= MAX_COUNTED;
}
