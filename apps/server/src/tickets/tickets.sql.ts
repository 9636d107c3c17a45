import { UNFINISHED } from '../config/draw-states.ts';
import type { Ticket } from '@drawhouse/contract/tickets/tickets';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { GameRules } from '@drawhouse/rules/games/rules';
import type { Target } from '../accounts/change/lock-target.ts';
import { arrayOf, sql, type Sql } from '../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { linesOf, linesText, type StoredLine } from '@drawhouse/rules/games/ticket-lines';
import { ticketNumber } from './ticket-number.ts';
import { singleNetwork, networkOrColumnSql } from '../platform/db/cross-network-sql.ts';
import { UNDONE_FROM, UNDONE_TICKET } from './place/ticket-not-found.ts';

export interface TicketRow extends Pick<DrawRow, 'game_key' | 'family' | 'digits' | 'draw_status'> {
  id: string;
  draw_id: string;
  lines: string;
  stake: bigint;
  win: bigint | null;
  digest: Buffer;
  placed_at: Date;
  /** Null if nothing was won or the win is unclaimed. */
  claimed_at: Date | null;
  /** Set only for undone tickets. */
  undone_at?: Date;
}

export interface NewTicket {
  readonly id: string;
  readonly account_id: string;
  readonly request: string;
  readonly request_hash: string;
  readonly lines: readonly StoredLine[];
  readonly stake: bigint;
  /** Hex: separate byte buffers would take longer to allocate than to hash. */
  readonly digest: string;
  readonly ip: string | null;
  readonly api_key: number;
}

export interface NewTickets {
  readonly drawId: string;
  readonly unitPrice: bigint;
  readonly at: Date;
  readonly tickets: readonly NewTicket[];
}

/** Only manual edits make a stored line invalid; then throws. */
export function toTicket(row: TicketRow): Ticket {
  return showTicket(
    { ...row, digest: row.digest.toString('hex') },
    linesOf(row.lines),
    rulesOf({ ...row, pays: null }),
  );
}

export function showTicket(
  row: Omit<TicketRow, 'lines' | 'family' | 'digits' | 'digest'> & { readonly digest: string },
  lines: readonly StoredLine[],
  rules: GameRules,
): Ticket {
  return {
    _id: row.id,
    ticketId: ticketNumber(row.id),
    drawId: row.draw_id,
    gameId: row.game_key,
    lines: lines.map(({ key, qty }) => {
      const { drawno, head, series, subseries } = rules.betOf(key)!;
      return {
        drawno,
        ...(rules.heads.length > 1 && { head }),
        ...(series !== null && { series }),
        ...(subseries !== null && { subseries }),
        qty,
      };
    }),
    playpoints: pointsOf(row.stake),
    winpoints: row.win === null ? null : pointsOf(row.win),
    status: statusOf(row),
    undoneAt: row.undone_at?.toISOString() ?? null,
    placedAt: row.placed_at.toISOString(),
    claimedAt: row.claimed_at?.toISOString() ?? null,
    digest: row.digest,
  };
}

function statusOf({
  undone_at,
  draw_status,
  win,
}: Pick<TicketRow, 'undone_at' | 'draw_status' | 'win'>): Ticket['status'] {
  if (undone_at) return 'undone';
  if (draw_status === 'void') return 'void';
  return win === null ? 'open' : 'settled';
}

/**
 * `ticket_wins` with corrections. A corrected ticket has the amount it was paid in all, if any: what could not be taken
 * back stays its win. Joined with the key of one ticket or draw.
 */
export const paidWins = (network: Sql): Sql => sql`(
  select w.network_id, w.draw_id, w.ticket_id, w.win, w.paid_at, null::timestamptz as corrected_at from ticket_wins w
  where w.network_id = ${network} and not exists (select from ticket_corrections c
    where c.network_id = ${network} and c.draw_id = w.draw_id and c.ticket_id = w.ticket_id)
  union all select c.network_id, c.draw_id, c.ticket_id, c.paid, null, c.at from ticket_corrections c
  where c.network_id = ${network} and c.paid > 0 and not exists (select from ticket_corrections later
    where later.network_id = ${network} and later.draw_id = c.draw_id and later.ticket_id = c.ticket_id
      and later.nth > c.nth))`;

/** The win is final because the draw settled or this player was paid. */
const IS_PAID = `(d.status = 'settled' or p.account_id is not null)`;

/** Time when win `w` was paid; null while it waits for its claim. */
export const WON_AT = `coalesce(w.corrected_at, case when coalesce(s.manual_claims, b.manual_claims) then c.claimed_at
    else coalesce(w.paid_at, s.settled_at) end)`;

export const TICKET = `t.id, t.draw_id, g.game_key, g.family, g.digits, d.status as draw_status, t.lines, t.stake, t.digest, t.placed_at,
  case when ${IS_PAID} then coalesce(w.win, 0) end as win,
  case when w.win is not null then ${WON_AT} end as claimed_at`;
/**
 * Joins ticket `t`, draw `d`, game `g`, win `w`, settlement `s`, claim `c`. While a draw is paid in pieces: `b` and
 * player `p`.
 */
export const ticketFrom = (
  networkId: number,
): Sql => sql`tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id join games g on g.id = d.game_id
  left join ${paidWins(sql`${networkId}::int`)} w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
  left join draw_settlements s on s.network_id = t.network_id and s.draw_id = t.draw_id
  left join draw_settlings b on d.status = 'settling' and b.network_id = t.network_id and b.draw_id = t.draw_id
  left join player_settlements p on d.status = 'settling' and p.network_id = t.network_id and p.draw_id = t.draw_id
    and p.account_id = t.account_id
  left join ticket_claims c on c.network_id = t.network_id and c.ticket_id = t.id`;

/**
 * Finds by {@link requestOf}, including undone tickets. Each key is looked up separately: a set query planned on few
 * tickets scans the whole network.
 */
export async function findRequests(
  on: Queryable,
  networkId: number,
  requests: readonly string[],
): Promise<Map<string, TicketRow & { request_hash: string }>> {
  const found = await on.query<{ id: string; undone: boolean }>(
    sql`with asked as (select ${arrayOf(requests)}::uuid[] as requests)
     select t.id, false as undone from asked, unnest(requests) as asked_request
     cross join lateral (select id from tickets where network_id = ${networkId} and request = asked_request limit 1) t
     union all select t.id, true from asked, unnest(requests) as asked_request
     cross join lateral (select id from undone_tickets where network_id = ${networkId} and request = asked_request limit 1) t
     where exists (select from undone_tickets where network_id = ${networkId})`.named('tickets-requests'),
  );
  if (found.length === 0) return new Map();
  type Row = TicketRow & { request: string; request_hash: string };
  const undone = found.some((ticket) => ticket.undone)
    ? await on.query<Row>(
        sql`select ${sql.raw(UNDONE_TICKET)}, t.request, t.request_hash from ${sql.raw(UNDONE_FROM)}
          where t.network_id = ${networkId} and t.request = any(${arrayOf(requests)}::uuid[])`,
      )
    : [];
  const rows = await on.query<Row>(
    sql`select ${sql.raw(TICKET)}, t.request, t.request_hash from ${ticketFrom(networkId)}
      where t.network_id = ${networkId} and t.id = any(${arrayOf(found.map(({ id }) => id))}::uuid[])`,
  );
  return new Map([...undone, ...rows].map((row) => [row.request, row]));
}

export async function insertTickets(tx: Tx, networkId: number, { drawId, at, tickets }: NewTickets): Promise<void> {
  await tx.send(
    sql`insert into tickets (network_id, draw_id, placed_at, digest, id, account_id, request, request_hash, stake, api_key, ip, lines)
     select ${networkId}, ${drawId}, ${at},
       substr(${Buffer.from(tickets.map((ticket) => ticket.digest).join(''), 'hex')}::bytea, (nth - 1)::int * 32 + 1,
         32), id, account_id, request, request_hash, stake, api_key, ip, lines
     from unnest(${arrayOf(tickets.map((ticket) => ticket.id))}::uuid[],
       ${arrayOf(tickets.map((ticket) => ticket.account_id))}::uuid[],
         ${arrayOf(tickets.map((ticket) => ticket.request))}::uuid[],
           ${arrayOf(tickets.map((ticket) => ticket.request_hash))}::uuid[],
             ${arrayOf(tickets.map((ticket) => ticket.stake))}::bigint[],
               ${arrayOf(tickets.map((ticket) => ticket.api_key))}::smallint[],
                 ${arrayOf(tickets.map((ticket) => ticket.ip ?? 'null'))}::inet[],
                   ${tickets.map((ticket) => linesText(ticket.lines))}::text[])
       with ordinality as new (id, account_id, request, request_hash, stake, api_key, ip, lines, nth)`.named(
      'tickets-insert',
    ),
  );
}

/** Key order prevents deadlocks between batches. */
export async function addExposures(
  tx: Tx,
  networkId: number,
  { drawId, unitPrice, tickets }: NewTickets,
): Promise<void> {
  const units = new Map<string, number>();
  for (const { lines } of tickets) for (const { key, qty } of lines) units.set(key, (units.get(key) ?? 0) + qty);
  const keys = [...units.keys()].sort();
  await tx.send(
    sql`insert into exposures (network_id, draw_id, bet_key, stake) select ${networkId}, ${drawId}, *
      from unnest(${keys}::text[], ${arrayOf(keys.map((key) => BigInt(units.get(key)!) * unitPrice))}::bigint[])
     on conflict (network_id, draw_id, bet_key) do update set stake = exposures.stake + excluded.stake`.named(
      'exposures-add',
    ),
  );
}

/** Zeros omitted. */
export async function stakesByKey(
  tx: Tx,
  draw: { network_id: number; id: string },
  keys: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ bet_key: string; stake: bigint }>(
    sql`select bet_key, stake from exposures where network_id = ${draw.network_id} and draw_id = ${draw.id}
      and bet_key = any(${keys}::text[])`.named('exposures-on'),
  );
  return new Map(rows.map((row) => [row.bet_key, row.stake]));
}

/** Separate lookups, as in {@link findRequests}. */
export async function stakesByAccount(
  tx: Tx,
  draw: { network_id: number; id: string },
  accountIds: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ account_id: string; stake: bigint }>(
    sql`select asked.account_id, t.stake from unnest(${arrayOf(accountIds)}::uuid[]) as asked (account_id)
     cross join lateral (
       select sum(stake)::bigint as stake from tickets where network_id = ${draw.network_id} and draw_id = ${draw.id}
         and account_id = asked.account_id offset 0
     ) as t where t.stake is not null`.named('tickets-staked'),
  );
  return new Map(rows.map((row) => [row.account_id, row.stake]));
}

export async function allStakes(on: Queryable, draw: { network_id: number; id: string }): Promise<Map<string, bigint>> {
  const rows = await on.query<{ bet_key: string; stake: bigint }>(
    sql`select bet_key, stake from exposures where network_id = ${draw.network_id} and draw_id = ${draw.id} order by bet_key`.named(
      'exposures-of',
    ),
  );
  return new Map(rows.map((row) => [row.bet_key, row.stake]));
}

/**
 * Keyed by draw id; empty draws omitted. One text per draw: rows per bet key dominate the read time over hundreds of
 * draws.
 */
export async function stakesOfDraws(
  on: Queryable,
  draws: readonly { network_id: number; id: string }[],
): Promise<Map<string, Map<string, bigint>>> {
  if (draws.length === 0) return new Map();
  const networks = draws.map((draw) => draw.network_id);
  const one = singleNetwork([...new Set(networks)]);
  const rows = await on.query<{ draw_id: string; stakes: string }>(
    sql`select draw.id as draw_id, e.stakes
      from unnest(${arrayOf(networks)}::int[], ${arrayOf(draws.map((draw) => draw.id))}::uuid[]) as draw (network_id, id)
     cross join lateral (
       select string_agg(bet_key || ' ' || stake, ',') as stakes from exposures
       where network_id = ${networkOrColumnSql(one, 'draw.network_id')} and draw_id = draw.id
     ) e where e.stakes is not null`.named(one === undefined ? 'exposures-of-draws' : 'exposures-of-draws-in-one'),
  );
  return new Map(rows.map(({ draw_id, stakes }) => [draw_id, new Map(stakes.split(',').map(stakeOf))]));
}

/** Parses `key stake`. Bet keys contain neither spaces nor commas. */
function stakeOf(text: string): [key: string, stake: bigint] {
  const end = text.indexOf(' ');
  return [text.slice(0, end), BigInt(text.slice(end + 1))];
}

/** Finds by {@link requestOf}. These requests never get a ticket again. */
export async function findClearedRequests(
  on: Queryable,
  networkId: number,
  requests: readonly string[],
): Promise<ReadonlySet<string>> {
  if (requests.length === 0) return new Set();
  const requestIds = arrayOf(requests);
  const rows = await on.query<{ request: string }>(
    sql`select request from cleared_requests where network_id = ${networkId} and request = any(${requestIds}::uuid[])
     union all select id from undone_cleared where network_id = ${networkId} and id = any(${requestIds}::uuid[])`.named(
      'tickets-cleared-requests',
    ),
  );
  return new Set(rows.map((row) => row.request));
}

/** Takes a public draw. Valid during payout and after clearing. */
export async function drawTotals(
  on: Queryable,
  draw: { network_id: number; id: string },
): Promise<{ players: number; stake: bigint; win: bigint }> {
  const [sums] = await on.query<{ players: number; stake: bigint; win: bigint }>(
    sql`select coalesce(sum(players), 0)::int as players, coalesce(sum(stake), 0)::bigint as stake,
      coalesce(sum(win), 0)::bigint as win from (
       select players, stake, win from draw_settlings where network_id = ${draw.network_id} and draw_id = ${draw.id}
       union all
       select 1, stake, win from player_settlements where network_id = ${draw.network_id} and draw_id = ${draw.id}
         and not exists (select from draw_settlings where network_id = ${draw.network_id} and draw_id = ${draw.id})
       union all select 0, 0, moved from ticket_corrections where network_id = ${draw.network_id} and draw_id = ${draw.id}
       union all select players, stake, win from cleared_draws where network_id = ${draw.network_id}
         and draw_id = ${draw.id}) as parts`.named('draw-sums'),
  );
  return sums!;
}

export async function hasOpenTickets(
  on: Queryable,
  { id, network_id }: Pick<Target, 'id' | 'network_id'>,
): Promise<boolean> {
  const [ticket] = await on.query(
    sql`select from draws d cross join lateral (
       select from tickets where network_id = ${network_id} and draw_id = d.id and account_id = ${id} limit 1
     ) as t where d.network_id = ${network_id} and d.status in ${sql.raw(UNFINISHED)} limit 1`,
  );
  return ticket !== undefined;
}

/** Turnover exists (even with cleared tickets), or tickets on unsettled or void draws. */
export async function hasPlayed(
  on: Queryable,
  { id, network_id }: Pick<Target, 'id' | 'network_id'>,
): Promise<boolean> {
  const [played] = await on.query(
    sql`select from rollups where network_id = ${network_id} and account_id = ${id}
     union all select from (
       select d.id from draws d where d.network_id = ${network_id} and d.status in ${sql.raw(UNFINISHED)}
         and d.ticket_count is distinct from 0
       union all select d.id from draws d
         where d.network_id = ${network_id} and d.status = 'void' and d.ticket_count is distinct from 0 and not d.tickets_cleared
     ) as d cross join accounts a cross join lateral (
       select from tickets where network_id = ${network_id} and draw_id = d.id and account_id = a.id limit 1
     ) as t where a.chain @> array[${id}]::uuid[] and a.role = 'user' limit 1`,
  );
  return played !== undefined;
}
