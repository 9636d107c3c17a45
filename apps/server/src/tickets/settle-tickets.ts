import { PAY_SCALE } from '@drawhouse/rules/game-rules';
import { sql } from 'kysely';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import type { Tx } from '../db/database.ts';
import { endOf } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { lockForPayOut, payOut } from '../ledger/pay-out.ts';
import type { PayOut } from '../ledger/pay-out.ts';
import { addUnclaimed } from './claim-sums.ts';
import { claimForExcluded } from './claim-waiting.ts';
import type { ClaimServices } from './claim-waiting.ts';
import { addToReturns } from './return-sums.ts';
import { addToRollups, QUARTER_MS } from './rollups.ts';

/** SQL for the lines of a ticket `t` as rows `l (key, qty)`, to stand in a FROM after it. */
const LINES = `lateral (
  select split_part(line, '*', 1) as key, split_part(line, '*', 2)::bigint as qty from string_to_table(t.lines, ' ') as line) as l`;

/** What a draw came to for all of its players, and how far the logs had come when the percentages were read. */
interface DrawSums {
  players: bigint;
  stake: bigint;
  win: bigint;
  log_seq: bigint;
  root_log_seq: bigint;
}

/** What PostgreSQL says of a number that its column can't hold. */
const OUT_OF_RANGE = '22003';

/**
 * Settles the tickets of a draw (see {@link settle}), unless a sum is larger than the books can hold: then nothing is done, and null given.
 */
export async function settleTickets(tx: Tx, services: ClaimServices, draw: DrawRow): Promise<Date | null> {
  await tx.query('savepoint settlement');
  try {
    return await settle(tx, services, draw);
  } catch (error) {
    if ((error as { code?: string }).code !== OUT_OF_RANGE) throw error;
    await tx.query('rollback to savepoint settlement');
    return null;
  }
}

/**
 * Settles the tickets of a draw whose result is known, in the caller's transaction: writes what each ticket won, moves the
 * escrow to the table, the wins from there to the players (to their winnings, where they are to be claimed, and on to the credit of whoever is excluded) and the commissions to the commission wallets, and writes the
 * settlements and rollups that the reports read, and what the draw was expected to pay. Wins are floored to the hundredth per line, commissions per player and draw.
 * Each step is one statement on all tickets, none of which comes here. Whatever needs no wallet is done before any is locked: a player
 * who has won can bet again soon. Gives when it was settled: a time at which it held the draw and all of its wallets but the escrow.
 */
async function settle(tx: Tx, services: ClaimServices, draw: DrawRow): Promise<Date> {
  const { clock, timeZone } = services;
  const now = (): Date => endOf(draw, clock.now());
  const sums = await settlePlayers(tx, draw);
  if (sums.players === 0n) return now();

  const paid = paymentsOf(draw, sums.stake);
  for (;;) {
    await tx.query('savepoint periods');
    const counted = now();
    await addToRollups(tx, { at: counted, timeZone }, draw);
    await addToReturns(tx, { at: counted, timeZone }, draw, sums);
    await lockForPayOut(tx, draw.network_id, paid);
    const at = now();
    if (quarterOf(at) === quarterOf(counted)) {
      await payOut(tx, draw.network_id, at, paid);
      if (draw.manual_claims) await addUnclaimed(tx, { at, timeZone }, draw);
      await tx.query(
        `insert into draw_settlements (network_id, draw_id, settled_at, log_seq, root_log_seq, manual_claims) values ($1, $2, $3, $4, $5, $6)`,
        [draw.network_id, draw.id, at, sums.log_seq, sums.root_log_seq, draw.manual_claims],
        'settle-draw',
      );
      if (draw.manual_claims) await claimForExcluded(tx, services, draw, at);
      return at;
    }
    // Meanwhile the next quarter of an hour has begun, in which all of it is to count.
    await tx.query('rollback to savepoint periods');
  }
}

const quarterOf = (at: Date): number => Math.floor(at.getTime() / QUARTER_MS);

/**
 * Writes what each ticket has won and what each player staked and won, with the commissions that the stake earned at each level.
 * Percentages and logs are read by one statement, so that the logs tell exactly those percentages. The largest line (10^6 units at 100
 * points, which pays 10,000, twentyfold) comes to 2 × 10^17 before it is divided, which a bigint holds; all wins of a draw come to 2^53 at
 * most (`readWinBound`). Sums are numeric until they are stored.
 */
async function settlePlayers(tx: Tx, draw: DrawRow): Promise<DrawSums> {
  const winning = rulesOf(draw).winningBets(draw.result!);
  const commission = (level: string): string => `div(p.stake * ${level}.commission, 10000)`;
  const [sums] = await tx.query<DrawSums>(
    // What is new here is unknown to the planner. So nothing new is joined but by a key of what it is joined to.
    `with won as materialized (
       select t.id, t.account_id, sum(l.qty * $7::bigint * w.pay * $5::bigint / $6::bigint) as win
       from tickets t cross join ${LINES} join unnest($3::text[], $4::bigint[]) as w (key, pay) using (key)
       where t.network_id = $1 and t.draw_id = $2 group by t.network_id, t.id
     ), written as (
       insert into ticket_wins (network_id, draw_id, ticket_id, win) select $1, $2, id, win from won where win > 0 order by id
     ), played as materialized (
       select account_id, sum(stake) as stake, sum(win) as win from (
         select account_id, stake, 0 as win from tickets where network_id = $1 and draw_id = $2
         union all select account_id, 0, win from won
       ) as parts group by account_id
     ), settled as (
       insert into player_settlements (network_id, draw_id, account_id, stake, win, super_commission, dist_commission, retail_commission,
                                       user_commission)
       select $1, $2, p.account_id, p.stake, p.win, ${commission('super')}, ${commission('dist')}, ${commission('retail')}, ${commission('player')}
       from played p join accounts player on player.id = p.account_id join accounts retail on retail.id = player.chain[5]
       join accounts dist on dist.id = player.chain[4] join accounts super on super.id = player.chain[3]
       order by p.account_id
     )
     select count(*) as players, coalesce(sum(stake), 0)::bigint as stake, coalesce(sum(win), 0)::bigint as win,
            coalesce((select seq from activity_heads where network_id = $1), 0) as log_seq,
            coalesce((select seq from activity_heads where network_id = $8), 0) as root_log_seq
     from played`,
    [
      draw.network_id,
      draw.id,
      winning.map((bet) => bet.key),
      winning.map((bet) => bet.payHundredths),
      draw.booster,
      PAY_SCALE,
      draw.unit_price,
      ROOT_NETWORK,
    ],
    'settle-players',
  );
  return sums!;
}

/** What is paid in a draw: first its stakes go from the escrow to the table, then from there the wins in the order of their tickets, then the commissions. */
function paymentsOf(draw: DrawRow, stake: bigint): PayOut {
  const ofDraw = sql`network_id = ${draw.network_id}::int and draw_id = ${draw.id}::uuid`;
  return {
    from: `table:${draw.game_id}`,
    // For whoever is excluded, whose win is claimed at once: who that is, is known once all are locked.
    ...(draw.manual_claims && {
      alsoLocks: sql`select ${WALLET_KINDS.credit}::smallint as wallet_kind, account_id as owner_id from player_settlements where ${ofDraw} and win > 0`,
    }),
    collects: { from: `escrow:${draw.game_id}`, amount: stake, kind: 'collect', reference: draw.id },
    postings: sql`
      select ${draw.manual_claims ? WALLET_KINDS.winnings : WALLET_KINDS.credit}::smallint as wallet_kind, t.account_id as owner_id, w.win as amount,
             ${TRANSFER_KINDS.win}::smallint as kind, w.ticket_id as reference, 1 as step, w.ticket_id as order_key
      from (select * from ticket_wins where ${ofDraw}) as w join tickets t on t.network_id = w.network_id and t.id = w.ticket_id
      union all
      select ${WALLET_KINDS.commission}::smallint, earned.account_id, earned.amount, ${TRANSFER_KINDS.commission}::smallint,
             ${draw.id}::uuid, 2, earned.account_id
      from (
        select a.chain[level.depth] as account_id, sum(level.amount)::bigint as amount
        from (select * from player_settlements where ${ofDraw}) as s join accounts a on a.id = s.account_id
        cross join lateral (values (3, s.super_commission), (4, s.dist_commission), (5, s.retail_commission), (6, s.user_commission))
          as level (depth, amount)
        where level.amount > 0 group by a.chain[level.depth]
      ) as earned`,
  };
}
