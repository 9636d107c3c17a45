import { PAY_SCALE } from '@drawhouse/rules/game-rules';
import { rateAtOpening } from '../accounts/rate-at-opening.ts';
import type { Tx } from '../db/database.ts';
import { pieceOf, sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { lockEarned, nextCarried, remainderOf } from '../ledger/remainders.ts';

/** What a draw came to for players, in hundredths. */
export interface DrawSums {
  readonly players: bigint;
  readonly stake: bigint;
  readonly win: bigint;
  /** What the table pays the players: wins, and their own commissions. */
  readonly paid: bigint;
}

/** Those players of a draw whose accounts lie behind one and up to another, and when they are paid. */
export interface Piece {
  readonly after: string;
  readonly upTo: string;
  readonly at: Date;
}

/**
 * SQL for the tickets `t` of a draw ($1 network, $2 draw) that have won, with what: $3 winning keys, $4 pays, $5 booster, $6 scale of pays, $7 price. Most games have one
 * winning key, the lotteries up to 8, and most tickets have none of them: to look for each in the text of the lines is several times as quick as to take all lines apart. A
 * key may stand in several lines of a ticket: what is behind each of them begins with its quantity.
 */
const wonBy = (players: string): string => `
  select t.id, t.account_id, sum(split_part(l.rest, ' ', 1)::bigint * $7::bigint * w.pay * $5::bigint / $6::bigint) as win
  from tickets t join unnest($3::text[], $4::bigint[]) as w (key, pay) on strpos(' ' || t.lines, ' ' || w.key || '*') > 0
  cross join lateral string_to_table(' ' || t.lines, ' ' || w.key || '*') with ordinality as l (rest, nth)
  where t.network_id = $1 and t.draw_id = $2 and l.nth > 1 ${players} group by t.network_id, t.id`;

/** The levels that earn, with their place in the chain of a player, from 1. */
const EARNERS = [
  ['super', 3],
  ['dist', 4],
  ['retail', 5],
  ['player', 6],
] as const;

/** SQL for a fragment of each level, with commas between. */
const ofEach = (sqlOf: (level: string, depth: number) => string): string =>
  EARNERS.map(([level, depth]) => sqlOf(level, depth)).join(', ');

/**
 * Locks the commission wallets of all who earn by a draw, or by the stakes of some of its players, with `above` of those above them alone. To be
 * called before any other wallet, and any sum of the reports, is locked.
 */
export async function lockEarners(tx: Tx, draw: DrawRow, players: Sql = sql``, above = false): Promise<void> {
  const rate = pieceOf(rateAtOpening('a', { network: '$1', changes: '$2' }), draw.network_id, draw.rate_changes);
  await lockEarned(
    tx,
    draw.network_id,
    // Distinct as soon as possible: of a draw that has just been played the planner knows nothing.
    sql`select a.id from (
      select distinct up.id from (
        select distinct account_id from tickets where network_id = ${draw.network_id}::int and draw_id = ${draw.id}::uuid ${players}
      ) as p join accounts player on player.id = p.account_id cross join lateral unnest(player.chain[3:${sql.lit(above ? 5 : 6)}]) as up (id)
    ) as earner join accounts a on a.id = earner.id where ${rate} > 0`,
  );
}

/**
 * SQL for CTEs that work out the commissions of `played`, at the rates of the draw's opening ($8), the last of which is `exact`: per player and level the rate, the
 * remainder `before` of the earner, and what the earner has earned `upto` this player, in the order of the accounts. Sums are numeric until they are stored.
 */
const EXACT = `rated as materialized (
       select p.account_id, p.stake, p.win, ${ofEach((level) => `${level}.id as ${level}_id, ${rateAtOpening(level, { network: '$1', changes: '$8' })} as ${level}_rate`)}
       from played p join accounts player on player.id = p.account_id
       ${EARNERS.slice(0, 3)
         .toReversed()
         .map(([level, depth]) => `join accounts ${level} on ${level}.id = player.chain[${depth}]`)
         .join(' ')}
     ), before as materialized (
       select *, ${ofEach((level) => `case when ${level}_rate > 0 then ${remainderOf('$1', `${level}_id`)} else 0 end as ${level}_before`)} from rated
     ), exact as materialized (
       select *, ${ofEach((level) => `${level}_before + sum(stake * ${level}_rate) over (partition by ${level}_id order by account_id rows unbounded preceding) as ${level}_upto`)}
       from before
     )`;

/** SQL for the commission of a level in a row of `exact`: the hundredths that the stake completes. */
const commissionOf = (level: string): string =>
  `div(${level}_upto, 10000) - div(${level}_upto - stake * ${level}_rate, 10000)`;

/**
 * Writes what each ticket has won and what each player staked and won, with the commissions that the stake earned at each level: of all
 * players of a draw, or of a piece of them. Commissions are rounded cumulatively: each account carries its remainder from settlement to settlement, and
 * a hundredth goes to the player whose stake completes it, in the order of the accounts. The earners are locked ({@link lockEarners}). The largest line (10^6 units at 100
 * points, which pays 10,000, twentyfold) comes to 2 × 10^17 before it is divided, which a bigint holds; all wins of a draw come to 2^53 at
 * most (`readTableBound`). Sums are numeric until they are stored.
 */
export async function settlePlayers(tx: Tx, draw: DrawRow, piece?: Piece): Promise<DrawSums> {
  const players = piece ? 'and account_id > $10::uuid and account_id <= $11::uuid' : '';
  const [sums] = await tx.query<DrawSums & { settled: bigint }>(
    // What is new here is unknown to the planner. So nothing new is joined but by a key of what it is joined to.
    `with won as materialized (${wonBy(players)}), written as (
       insert into ticket_wins (network_id, draw_id, ticket_id, win, paid_at) select $1, $2, id, win, $9::timestamptz from won where win > 0 order by id
     ), played as materialized (
       select account_id, sum(stake) as stake, sum(win) as win from (
         select account_id, stake, 0 as win from tickets where network_id = $1 and draw_id = $2 ${players}
         union all select account_id, 0, win from won
       ) as parts group by account_id
     ), ${EXACT}, settled as (
       insert into player_settlements (network_id, draw_id, account_id, stake, win, super_commission, dist_commission, retail_commission,
                                       user_commission, paid_at)
       select $1, $2, account_id, stake, win, ${ofEach(commissionOf)}, $9::timestamptz from exact order by account_id returning win + user_commission as paid
     ), earned as materialized (
       select e.account_id, ${nextCarried('$1', 'e.account_id')} as nth, max(e.before)::smallint as before, mod(max(e.upto), 10000)::smallint as after
       from exact cross join lateral (values ${ofEach((level) => `(${level}_id, ${level}_rate, ${level}_before, ${level}_upto)`)}) as e (account_id, rate, before, upto)
       where e.rate > 0 group by e.account_id
     ), noted as (
       insert into settled_remainders (network_id, draw_id, account_id, nth, before, after, paid_at)
       select $1, $2, account_id, nth, before, after, $9::timestamptz from earned order by account_id
     )
     select count(*) as players, (select count(*) from settled) as settled, (select coalesce(sum(paid), 0)::bigint from settled) as paid,
            coalesce(sum(stake), 0)::bigint as stake, coalesce(sum(win), 0)::bigint as win
     from played`,
    [...boundOf(draw), draw.rate_changes, piece?.at ?? null, ...(piece ? [piece.after, piece.upTo] : [])],
    piece ? 'settle-piece' : 'settle-players',
  );
  if (sums!.settled !== sums!.players)
    throw new Error(
      `Draw ${draw.id} has ${sums!.players} players to settle, and ${sums!.settled} of them have an account.`,
    );
  return sums!;
}

/** What a draw comes to for all of its players, in hundredths, before any is paid. */
export async function foreseeSums(tx: Tx, draw: DrawRow): Promise<Pick<DrawSums, 'players' | 'stake' | 'win'>> {
  const [sums] = await tx.query<Pick<DrawSums, 'players' | 'stake' | 'win'>>(
    `select count(distinct t.account_id) as players, coalesce(sum(t.stake), 0)::bigint as stake,
            (select coalesce(sum(win), 0)::bigint from (${wonBy('')}) as won) as win
     from tickets t where t.network_id = $1 and t.draw_id = $2`,
    boundOf(draw),
    'settle-foresee',
  );
  return sums!;
}

/** What {@link wonBy} is given: $1 to $7. */
function boundOf(draw: DrawRow): unknown[] {
  const winning = rulesOf(draw).winningBets(draw.result!);
  return [
    draw.network_id,
    draw.id,
    winning.map((bet) => bet.key),
    winning.map((bet) => bet.payHundredths),
    draw.booster,
    PAY_SCALE,
    draw.unit_price,
  ];
}
