import { PAY_SCALE } from '@drawhouse/rules/games/game-rules';
import { rateAtOpening } from '../accounts/commission-rules.ts';
import type { Tx } from '../platform/db/database.ts';
import { sqlFromText, sql } from '../platform/db/sql/sql.ts';
import type { Sql } from '../platform/db/sql/sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { lockEarned, nextCarried, remainderOf } from '../ledger/pay-out.ts';
import { rulesOf } from '../games/games.sql.ts';

/** In hundredths. */
export interface DrawSums {
  readonly players: bigint;
  readonly stake: bigint;
  readonly win: bigint;
  /** Wins plus players' own commissions. */
  readonly paid: bigint;
}

/** Players with `after` < account ≤ `upTo`. */
export interface Piece {
  readonly after: string;
  readonly upTo: string;
  readonly at: Date;
}

/**
 * SQL for winning tickets `t` and amounts. $1 network, $2 draw, $3 winning keys, $4 pays, $5 booster, $6 pay scale, $7
 * price. Searching the line text per key is several times faster than parsing lines: 1 to 8 winning keys, few winners.
 * A quantity follows each key occurrence.
 */
const wonBy = (players: string): string => `
  select t.id, t.account_id, sum(split_part(l.rest, ' ', 1)::bigint * $7::bigint * w.pay * $5::bigint / $6::bigint) as win
  from tickets t join unnest($3::text[], $4::bigint[]) as w (key, pay) on strpos(' ' || t.lines, ' ' || w.key || '*') > 0
  cross join lateral string_to_table(' ' || t.lines, ' ' || w.key || '*') with ordinality as l (rest, nth)
  where t.network_id = $1 and t.draw_id = $2 and l.nth > 1 ${players} group by t.network_id, t.id`;

/** Earning levels with their one-based chain position. */
const EARNERS = [
  ['super', 3],
  ['dist', 4],
  ['retail', 5],
  ['player', 6],
] as const;

const ofEach = (sqlOf: (level: string, depth: number) => string): string =>
  EARNERS.map(([level, depth]) => sqlOf(level, depth)).join(', ');

/**
 * Locks commission wallets of all earners of a draw or of given players; `above`: only levels above. Call before
 * locking any other wallet or report sum.
 */
export async function lockEarners(tx: Tx, draw: DrawRow, players: Sql = sql``, above = false): Promise<void> {
  const rate = sqlFromText(rateAtOpening('a', { network: '$1', changes: '$2' }), draw.network_id, draw.rate_changes);
  await lockEarned(
    tx,
    draw.network_id,
    // Deduplicates early: planner statistics miss a fresh draw.
    sql`select a.id from (
      select distinct up.id from (
        select distinct account_id from tickets where network_id = ${draw.network_id}::int and draw_id = ${draw.id}::uuid ${players}
      ) as p join accounts player on player.id = p.account_id cross
        join lateral unnest(player.chain[3:${sql.lit(above ? 5 : 6)}]) as up (id)
    ) as earner join accounts a on a.id = earner.id where ${rate} > 0`,
  );
}

/**
 * CTEs for commissions of `played` at opening rates ($8). `exact` holds per player and level the rate, the earner's
 * remainder `before`, and cumulative earnings `upto` this player, in account order. Numeric until stored.
 */
const EXACT = `rated as materialized (
       select p.account_id, p.stake, p.win,
         ${ofEach((level) => `${level}.id as ${level}_id, ${rateAtOpening(level, { network: '$1', changes: '$8' })} as ${level}_rate`)}
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

/** SQL for whole hundredths completed by this stake. */
const commissionOf = (level: string): string =>
  `div(${level}_upto, 10000) - div(${level}_upto - stake * ${level}_rate, 10000)`;

/**
 * Writes ticket wins and player settlements, for a draw or piece. Commissions round cumulatively: remainders carry
 * over, and the stake that completes a hundredth yields it, in account order. Requires {@link lockEarners}. Fits a
 * bigint: the largest line is 2 × 10^17 before division, a draw's wins at most 2^53 (`readTableBound`).
 */
export async function settlePlayers(tx: Tx, draw: DrawRow, piece?: Piece): Promise<DrawSums> {
  const players = piece ? 'and account_id > $10::uuid and account_id <= $11::uuid' : '';
  const [sums] = await tx.query<DrawSums & { settled: bigint }>(
    // Fresh rows have no planner statistics, so joins use full keys only.
    `with won as materialized (${wonBy(players)}), written as (
       insert into ticket_wins (network_id, draw_id, ticket_id, win, paid_at) select $1, $2, id, win, $9::timestamptz
         from won where win > 0 order by id
     ), played as materialized (
       select account_id, sum(stake) as stake, sum(win) as win from (
         select account_id, stake, 0 as win from tickets where network_id = $1 and draw_id = $2 ${players}
         union all select account_id, 0, win from won
       ) as parts group by account_id
     ), ${EXACT}, settled as (
       insert into player_settlements (network_id, draw_id, account_id, stake, win, super_commission, dist_commission, retail_commission,
                                       user_commission, paid_at)
       select $1, $2, account_id, stake, win, ${ofEach(commissionOf)}, $9::timestamptz from exact order by account_id
         returning win + user_commission as paid
     ), earned as materialized (
       select e.account_id, ${nextCarried('$1', 'e.account_id')} as nth, max(e.before)::smallint as before,
         mod(max(e.upto), 10000)::smallint as after
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
      `Draw ${draw.id} has ${sums!.players} players to settle, but only ${sums!.settled} of them have an account.`,
    );
  return sums!;
}

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
