import { sql } from 'kysely';
import type { Role } from '@drawhouse/contract/primitives';
import { everBelow } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import { allOf, run } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { leastIdAt } from '../db/uuid7.ts';
import { authority } from '../lists/source.ts';
import type { Authority, Cut } from '../lists/source.ts';

/** Whose tickets a Bet List has: those of an account and of everyone below it. */
export interface BetScope {
  readonly id: string;
  readonly role: Role;
  readonly username: string;
  /** The networks that they lie in. */
  readonly networks: readonly number[];
}

/** Which tickets of a scope. */
export interface BetWish {
  readonly scope: BetScope;
  /** The row id of a game. */
  readonly gameId: string | undefined;
  /** The instants from the first up to, not including, the second, by the times in the ids. */
  readonly from: Date;
  readonly until: Date;
}

/** The newest, or oldest, so many tickets are looked through for a page before it is looked for player by player or draw by draw. */
const LOOKED_THROUGH = 1_000;
/** A page has no more rows; what asks for more is a file or a count. */
const PAGE_MOST = 501;
/** So many players are asked one by one, where the draws of a game, or all tickets, are the other way. */
const FEW_PLAYERS = 200;
/** Of the draws of a game so many may have no ticket that is wished for, although they had some, or may have. */
const MAY_BE_WITHOUT = 8;
/** A draw takes no longer. */
const LONGEST_DRAW_MS = 86_400_000;

/** The account that a list is about, where it is the caller or below it; deleted ones too: history keeps their names. */
export async function findScope(on: Queryable, actor: Actor, id: string): Promise<BetScope | undefined> {
  const [row] = await run<BetScope>(
    on,
    sql`select a.id, a.role, a.username, case when a.role <> 'superadmin' then array[a.network_id]
          else array(select n.id from networks n join accounts admin on admin.id = n.admin_id where admin.chain @> array[a.id]) end as networks
        from accounts a where a.id = ${id} and ${everBelow('a', actor.id)}`,
  );
  return row;
}

/** What keeps the tickets `t` of players `a` that the caller may see, of a scope that it may see. */
export function mayBeSeen({ scope }: BetWish, actor: Actor): Authority {
  return ownsNetworks(scope) ? authority(sql`t.network_id = any(${scope.networks}::int[])`) : everBelow('a', actor.id);
}

/** What keeps the tickets `t` that are wished for, of players `a` and draws `d`. */
export function isWished(wish: BetWish): Sql {
  const { scope, gameId } = wish;
  return allOf([
    inTime(wish),
    ...(ownsNetworks(scope)
      ? []
      : [scope.role === 'user' ? sql`a.id = ${scope.id}` : sql`a.chain @> array[${scope.id}]::uuid[]`]),
    ...(gameId === undefined ? [] : [sql`d.game_id = ${gameId}`]),
  ]);
}

/**
 * FROM for tickets `t` with what stands on them, of one cut of the list. Which way the tickets are found depends on how they lie: those
 * of whole networks by their key; those of some players in it among the newest, if they are many, else player by player; those of one game
 * among the newest, if they are many, else draw by draw. Each step is a look by a key that no plan can turn around (`offset 0`): what the
 * planner thinks of a subtree or of a game is far off.
 */
export async function betsFrom(on: Queryable, wish: BetWish, cut: Cut): Promise<Sql> {
  if (!cut.isOrdered) return (await isBestByPlayer(on, wish)) ? byPlayers(wish, cut) : counted(wish);
  const keys = await run<TicketKey>(
    on,
    cut.limit <= PAGE_MOST ? await pageKeys(on, wish, cut) : await pieceKeys(on, wish, cut),
  );
  return standingOn(keys);
}

/** FROM for the tickets `t` of some keys, in any order, with what stands on each: player `a`, draw `d`, game `g`, win `w`, settlement `s`, claim `c`. */
export function standingOn(keys: readonly TicketKey[]): Sql {
  return sql`unnest(${keys.map((key) => key.network_id)}::int[], ${keys.map((key) => key.id)}::uuid[]) as k (network_id, id)
    cross join lateral (select * from tickets where network_id = k.network_id and id = k.id offset 0) as t
    cross join lateral (select * from accounts where id = t.account_id offset 0) as a
    cross join lateral (select * from draws where network_id = t.network_id and id = t.draw_id offset 0) as d
    cross join lateral (select * from games where id = d.game_id offset 0) as g
    left join lateral (select win from ticket_wins where network_id = t.network_id and draw_id = t.draw_id and ticket_id = t.id offset 0) as w on true
    left join lateral (select settled_at, manual_claims from draw_settlements
      where network_id = t.network_id and draw_id = t.draw_id offset 0) as s on true
    left join lateral (select claimed_at from ticket_claims where network_id = t.network_id and ticket_id = t.id offset 0) as c on true`;
}

/** What a ticket is found by. */
export interface TicketKey {
  readonly network_id: number;
  readonly id: string;
}

async function pageKeys(on: Queryable, wish: BetWish, cut: Cut): Promise<Sql> {
  const { scope, gameId } = wish;
  if (scope.role === 'user') return cutOf(byPlayers(wish, cut), cut);
  if (ownsNetworks(scope) && gameId === undefined) return cutOf(byNetworks(wish, cut), cut);
  if (scope.networks.length === 1) {
    const newest = cutOf(along(wish, cut, sql`limit ${LOOKED_THROUGH}`), cut);
    const found = await run<TicketKey>(on, newest);
    if (found.length === cut.limit)
      return sql`select ${scope.networks[0]}::int as network_id, id from unnest(${found.map(({ id }) => id)}::uuid[]) as found (id)`;
  }
  return cutOf((await isBestByPlayer(on, wish)) ? byPlayers(wish, cut) : byDraws(wish, cut), cut);
}

async function pieceKeys(on: Queryable, wish: BetWish, cut: Cut): Promise<Sql> {
  const { scope, gameId } = wish;
  if (scope.role === 'user') return cutOf(byPlayers(wish, cut), cut);
  if (ownsNetworks(scope) && gameId === undefined) return cutOf(byNetworks(wish, cut), cut);
  if (!ownsNetworks(scope) && (await hasFewPlayers(on, scope))) return cutOf(byPlayers(wish, cut), cut);
  return cutOf(gameId === undefined ? along(wish, cut, sql``) : byDraws(wish, cut), cut);
}

const cutOf = (from: Sql, { where, order, limit }: Cut): Sql =>
  sql`select t.network_id, t.id from ${from} where ${where} ${order} limit ${limit}`;

/** Along the keys of the tickets of one network, whosever they are. */
const along = (wish: BetWish, cut: Cut, limit: Sql): Sql =>
  sql`(select t.* from tickets t where t.network_id = ${wish.scope.networks[0]} and ${inTime(wish)} and ${cut.beyond} ${cut.order} ${limit}) t
    ${playerOf(wish)} ${wish.gameId === undefined ? sql`` : DRAW_OF}`;

/** Network by network, along the keys of its tickets. */
const byNetworks = (wish: BetWish, cut: Cut): Sql =>
  sql`unnest(${wish.scope.networks}::int[]) as n (id) cross join lateral (
    select t.network_id, t.id from tickets t where t.network_id = n.id and ${cut.where} ${cut.order} limit ${cut.limit}) t`;

/** Player by player, along the keys of the tickets of each. */
const byPlayers = (wish: BetWish, cut: Cut): Sql =>
  sql`accounts a cross join lateral (
    select t.network_id, t.id, t.draw_id from tickets t ${wish.gameId === undefined ? sql`` : DRAW_OF}
    where t.network_id = a.network_id and t.account_id = a.id and ${cut.where} ${cut.order} limit ${cut.limit}) t
    ${wish.gameId === undefined ? sql`` : DRAW_OF}`;

/**
 * Draw by draw of one game, those without tickets passed over. The draws of a game of a network lie one behind the other, and a ticket is
 * of the one in whose time its id was made, so the order of draws, and in each of ids, is that of ids.
 */
function byDraws(wish: BetWish, cut: Cut): Sql {
  const direction = sql.raw(cut.goesOlder ? 'desc' : 'asc');
  // Each has a ticket, but for the one that is open and those at the ends of the time, whose tickets may lie beyond.
  const enough = ownsNetworks(wish.scope) ? sql`limit ${cut.limit + MAY_BE_WITHOUT}` : sql`offset 0`;
  return sql`unnest(${wish.scope.networks}::int[]) as n (id) cross join lateral (
    select t.network_id, t.id, t.account_id, d.game_id
    from (select * from draws d where d.network_id = n.id and ${hadTickets(wish, cut)} order by d.opens_at ${direction} ${enough}) as d
    ${TICKETS_OF} ${playerOf(wish)}
    where ${cut.where} order by d.opens_at ${direction}, t.id ${direction} limit ${cut.limit}) t
    cross join lateral (select t.game_id) as d ${playerOf(wish)}`;
}

/** What is only counted, in any order: all of networks, or of the draws of a game. */
function counted(wish: BetWish): Sql {
  if (wish.gameId === undefined) return sql`tickets t`;
  return sql`unnest(${wish.scope.networks}::int[]) as n (id)
    cross join lateral (select * from draws d where d.network_id = n.id and ${hadTickets(wish)} offset 0) as d ${TICKETS_OF} ${playerOf(wish)}`;
}

/** Which draws of the game can have a ticket that is wished for, by the index of those that have any. */
function hadTickets({ gameId, from, until }: BetWish, cut?: Cut): Sql {
  const [least, most] = [from.getTime(), until.getTime()];
  const at = cut?.to === undefined ? undefined : Number.parseInt(cut.to.slice(0, 8) + cut.to.slice(9, 13), 16);
  const first = at === undefined || cut!.goesOlder ? least : Math.max(least, at);
  const last = at === undefined || !cut!.goesOlder ? most : Math.min(most, at);
  return sql`d.game_id = ${gameId} and d.ticket_count is distinct from 0 and d.draws_at >= ${new Date(first)}
    and d.opens_at between ${new Date(first - LONGEST_DRAW_MS)} and ${new Date(last)}`;
}

const DRAW_OF = sql`cross join lateral (select game_id from draws where network_id = t.network_id and id = t.draw_id offset 0) as d`;
const TICKETS_OF = sql`cross join lateral (select * from tickets where network_id = d.network_id and draw_id = d.id offset 0) as t`;
const playerOf = ({ scope }: BetWish): Sql =>
  ownsNetworks(scope)
    ? sql``
    : sql`cross join lateral (select id, chain from accounts where id = t.account_id offset 0) as a`;

const inTime = ({ from, until }: BetWish): Sql => sql`t.id >= ${leastIdAt(from)} and t.id < ${leastIdAt(until)}`;

/** All tickets of its networks are below it. */
const ownsNetworks = ({ role }: BetScope): boolean => role === 'superadmin' || role === 'admin';

async function isBestByPlayer(on: Queryable, wish: BetWish): Promise<boolean> {
  const { scope, gameId } = wish;
  if (ownsNetworks(scope)) return false;
  return gameId === undefined || scope.role === 'user' || (await hasFewPlayers(on, scope)) || playsLess(on, wish);
}

async function hasFewPlayers(on: Queryable, { id }: BetScope): Promise<boolean> {
  const found = await run(
    on,
    sql`select from accounts a where a.chain @> array[${id}]::uuid[] and a.role = 'user' limit ${FEW_PLAYERS + 1}`,
  );
  return found.length <= FEW_PLAYERS;
}

/** Whether the players of a scope have staked less on all games than its whole network on the one, by the days of their time. */
async function playsLess(on: Queryable, { scope, gameId, from, until }: BetWish): Promise<boolean> {
  const [row] = await run<{ less: boolean }>(
    on,
    sql`select coalesce(sum(r.stake) filter (where r.account_id = ${scope.id}), 0)
             < coalesce(sum(r.stake) filter (where r.account_id <> ${scope.id} and r.game_id = ${gameId}), 0) as less
        from networks n join rollups r on r.network_id = n.id and r.account_id in (${scope.id}, n.admin_id) and r.grain = 'day'
          and r.starts_at >= ${new Date(from.getTime() - LONGEST_DRAW_MS)} and r.starts_at < ${until}
        where n.id = ${scope.networks[0]}`,
  );
  return row!.less;
}
