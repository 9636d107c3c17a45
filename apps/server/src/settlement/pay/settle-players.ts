import { PAY_SCALE } from '@drawhouse/rules/games/game-rules';
import { rateAtOpening } from '../../accounts/commission-rules.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { lockEarned, nextCarried, remainderOf } from '../../ledger/pay-out.ts';
import { rulesOf } from '../../games/games.sql.ts';

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
 * Winning tickets `t` and amounts. Searching the line text per key is several times faster than parsing lines: 1 to 8
 * winning keys, few winners. A quantity follows each key occurrence.
 */
export function wonBy(draw: DrawRow, players: Sql): Sql {
  const { network_id: network, id, unit_price: price, booster } = draw;
  const winning = rulesOf(draw).winningBets(draw.result!);
  const [keys, pays] = [winning.map((bet) => bet.key), winning.map((bet) => bet.payHundredths)];
  return sql`
  select t.id, t.account_id,
         sum(split_part(l.rest, ' ', 1)::bigint * ${price}::bigint * w.pay * ${booster}::bigint / ${PAY_SCALE}::bigint) as win
  from tickets t join unnest(${keys}::text[], ${pays}::bigint[]) as w (key, pay) on strpos(' ' || t.lines, ' ' || w.key || '*') > 0
  cross join lateral string_to_table(' ' || t.lines, ' ' || w.key || '*') with ordinality as l (rest, nth)
  where t.network_id = ${network} and t.draw_id = ${id} and l.nth > 1 ${players} group by t.network_id, t.id`;
}

const EARNERS = [
  ['super', 3],
  ['dist', 4],
  ['retail', 5],
  ['player', 6],
] as const;

type Level = (typeof EARNERS)[number][0];

const ofEach = (sqlOf: (level: Level) => Sql): Sql => sql.join(EARNERS.map(([level]) => sqlOf(level)));

const column = (level: Level, name: 'id' | 'rate' | 'before' | 'upto'): Sql => sql.raw(`${level}_${name}`);

/**
 * Locks earners of a draw or of given players; `above`: only levels above. Call before locking any other wallet or
 * report sum.
 */
export async function lockEarners(tx: Tx, draw: DrawRow, players: Sql = sql``, above = false): Promise<void> {
  const rate = rateAtOpening('a', openingOf(draw));
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
 * CTEs for commissions of `played` at opening rates. `exact` holds per player and level the rate, the earner's
 * remainder `before`, and cumulative earnings `upto` this player, in account order. Numeric until stored.
 */
const exactOf = (draw: DrawRow): Sql => sql`rated as materialized (
       select p.account_id, p.stake, p.win,
         ${ofEach(
           (level) => sql`${sql.raw(level)}.id as ${column(level, 'id')},
             ${rateAtOpening(level, openingOf(draw))} as ${column(level, 'rate')}`,
         )}
       from played p join accounts player on player.id = p.account_id
       ${sql.raw(ABOVE_PLAYER)}
     ), before as materialized (
       select *, ${ofEach(
         (level) =>
           sql`case when ${column(level, 'rate')} > 0 then ${remainderOf(draw.network_id, `${level}_id`)} else 0
             end as ${column(level, 'before')}`,
       )} from rated
     ), exact as materialized (
       select *, ${ofEach(
         (level) => sql`${column(level, 'before')} + sum(stake * ${column(level, 'rate')})
           over (partition by ${column(level, 'id')} order by account_id rows unbounded preceding) as ${column(level, 'upto')}`,
       )}
       from before
     )`;

const ABOVE_PLAYER = EARNERS.slice(0, 3)
  .toReversed()
  .map(([level, depth]) => `join accounts ${level} on ${level}.id = player.chain[${depth}]`)
  .join(' ');

const openingOf = (draw: DrawRow): { networkId: number; changes: Sql } => ({
  networkId: draw.network_id,
  changes: sql`${draw.rate_changes}`,
});

const commissionOf = (level: Level): Sql => {
  const upTo = column(level, 'upto');
  return sql`div(${upTo}, 10000) - div(${upTo} - stake * ${column(level, 'rate')}, 10000)`;
};

/**
 * Commissions round cumulatively: remainders carry over, and the stake that completes a hundredth yields it, in account
 * order. Requires {@link lockEarners}. Fits a bigint: the largest line is 2 × 10^17 before division, a draw's wins at
 * most 2^53 (`readTableBound`).
 */
export async function settlePlayers(tx: Tx, draw: DrawRow, piece?: Piece): Promise<DrawSums> {
  const players = piece ? sql`and account_id > ${piece.after}::uuid and account_id <= ${piece.upTo}::uuid` : sql``;
  const { network_id: network, id } = draw;
  const paidAt = sql`${piece?.at ?? null}::timestamptz`;
  const [sums] = await tx.query<DrawSums & { settled: bigint }>(
    // Fresh rows have no planner statistics, so joins use full keys only.
    sql`with won as materialized (${wonBy(draw, players)}), written as (
       insert into ticket_wins (network_id, draw_id, ticket_id, win, paid_at) select ${network}, ${id}, id, win, ${paidAt}
         from won where win > 0 order by id
     ), played as materialized (
       select account_id, sum(stake) as stake, sum(win) as win from (
         select account_id, stake, 0 as win from tickets where network_id = ${network} and draw_id = ${id} ${players}
         union all select account_id, 0, win from won
       ) as parts group by account_id
     ), ${exactOf(draw)}, settled as (
       insert into player_settlements (network_id, draw_id, account_id, stake, win, super_commission, dist_commission, retail_commission,
                                       user_commission, paid_at)
       select ${network}, ${id}, account_id, stake, win, ${ofEach(commissionOf)}, ${paidAt} from exact order by account_id
         returning win + user_commission as paid
     ), earned as materialized (
       select e.account_id, ${nextCarried(network, 'e.account_id')} as nth, max(e.before)::smallint as before,
         mod(max(e.upto), 10000)::smallint as after
       from exact cross join lateral (values ${ofEach(
         (level) =>
           sql`(${column(level, 'id')}, ${column(level, 'rate')}, ${column(level, 'before')}, ${column(level, 'upto')})`,
       )}) as e (account_id, rate, before, upto)
       where e.rate > 0 group by e.account_id
     ), noted as (
       insert into settled_remainders (network_id, draw_id, account_id, nth, before, after, paid_at)
       select ${network}, ${id}, account_id, nth, before, after, ${paidAt} from earned order by account_id
     )
     select count(*) as players, (select count(*) from settled) as settled, (select coalesce(sum(paid), 0)::bigint from settled) as paid,
            coalesce(sum(stake), 0)::bigint as stake, coalesce(sum(win), 0)::bigint as win
     from played`.named(piece ? 'settle-piece' : 'settle-players'),
  );
  if (sums!.settled !== sums!.players)
    throw new Error(
      `Draw ${draw.id} has ${sums!.players} players to settle, but only ${sums!.settled} of them have an account.`,
    );
  return sums!;
}

export async function foreseeSums(tx: Tx, draw: DrawRow): Promise<Pick<DrawSums, 'players' | 'stake' | 'win'>> {
  const [sums] = await tx.query<Pick<DrawSums, 'players' | 'stake' | 'win'>>(
    sql`select count(distinct t.account_id) as players, coalesce(sum(t.stake), 0)::bigint as stake,
            (select coalesce(sum(win), 0)::bigint from (${wonBy(draw, sql``)}) as won) as win
     from tickets t where t.network_id = ${draw.network_id} and t.draw_id = ${draw.id}`.named('settle-foresee'),
  );
  return sums!;
}
