import { sql } from '../db/sql.ts';
import type { Tx } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import { endOf } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { lockForPayOut, payOut } from '../ledger/pay-out.ts';
import type { PayOut } from '../ledger/pay-out.ts';
import { coverWallets, returnCover } from './cover.ts';
import { addUnclaimed } from '../tickets/claim-sums.ts';
import { claimForExcluded } from '../tickets/claim-waiting.ts';
import type { ClaimServices } from '../tickets/claim-waiting.ts';
import { lockEarners, settlePlayers } from './settle-players.ts';
import type { DrawSums } from './settle-players.ts';
import { SETTLEMENT_SUMS, sumsOf } from '@drawhouse/rules/settlement-sums';
import { winMoments } from '@drawhouse/rules/moments';
import { rulesOf } from '../games/games.sql.ts';
import { stakesOf } from '../tickets/tickets.sql.ts';

/**
 * Settles the tickets of a draw whose result is known, in the caller's transaction. Writes what each ticket won. Moves the escrow to the table, and
 * wins and commissions from there to their wallets. Wins that wait to be claimed go to the winnings, those of excluded players on to their credit.
 * Writes the settlements and rollups that the reports read, and the expected payout. Wins are floored to the hundredth per line, commissions are rounded cumulatively.
 * Each step is one statement on all tickets, none of which comes here. Whatever needs no wallet but those of commissions is done before any other is locked: a player
 * who has won can bet again soon. Gives when it was settled: a time at which it held the draw and all of its wallets but the escrow. Throws 22003 where a
 * sum is larger than the books can hold.
 */
export async function settleWhole(tx: Tx, services: ClaimServices, draw: DrawRow): Promise<Date> {
  await lockEarners(tx, draw);
  const sums = await settlePlayers(tx, draw);
  if (sums.players === 0n) return endOf(draw, services.clock.now());
  const goesBack = draw.source !== 'declared' && draw.cover !== null;
  // For whoever is excluded, whose win is claimed at once: who that is, is known once all are locked.
  const others = [
    ...(draw.manual_claims ? [winnersOf(draw, WALLET_KINDS.credit)] : []),
    ...(goesBack ? [coverWallets(draw)] : []),
  ];
  const at = await payAndCount(tx, services, draw, {
    sums,
    paid: {
      from: `table:${draw.game_id}`,
      ...(others.length > 0 && { alsoLocks: sql.join(others, sql` union `) }),
      collects: { from: `escrow:${draw.game_id}`, amount: sums.stake, kind: 'collect', reference: draw.id },
      postings: sql`${winsOf(draw)} union all ${commissionsOf(draw, 'all')}`,
      remainders: remaindersOf(draw, null),
    },
  });
  if (goesBack) await returnCover(tx, services, draw, at);
  return at;
}

/** What ends a settlement: what the draw came to, and what is to be paid. */
export interface Ending {
  readonly sums: Pick<DrawSums, 'stake' | 'win'>;
  readonly paid: PayOut;
}

/**
 * Pays what is to be paid of a draw whose players have their settlements, and counts all of it in the sums of the reports, at the time that it
 * gives: one at which it holds the draw and the wallets.
 */
export async function payAndCount(
  tx: Tx,
  services: ClaimServices,
  draw: DrawRow,
  { sums, paid }: Ending,
): Promise<Date> {
  const { clock, timeZone } = services;
  const now = (): Date => endOf(draw, clock.now());
  for (;;) {
    await tx.query(sql`savepoint periods`);
    const counted = now();
    await addToRollups(tx, { at: counted, timeZone }, draw);
    await addToReturns(tx, { at: counted, timeZone }, draw, sums);
    await lockForPayOut(tx, draw.network_id, paid);
    const at = now();
    if (quarterOf(at) === quarterOf(counted)) {
      await payOut(tx, draw.network_id, at, paid);
      if (draw.manual_claims) await addUnclaimed(tx, { at, timeZone }, draw);
      await tx.query(
        sql`insert into draw_settlements (network_id, draw_id, settled_at, manual_claims) values (${draw.network_id}, ${draw.id}, ${at}, ${draw.manual_claims})`.named(
          'settle-draw',
        ),
      );
      if (draw.manual_claims) await claimForExcluded(tx, services, draw, at);
      return at;
    }
    // Meanwhile the next quarter of an hour has begun, in which all of it is to count.
    await tx.query(sql`rollback to savepoint periods`);
  }
}

const quarterOf = (at: Date): number => Math.floor(at.getTime() / QUARTER_MS);

/**
 * The wins of a draw, or of those of its players between two accounts, in the order of their tickets. Of a draw that has just been played the planner knows
 * nothing: it takes one row for all of it. So the second table is looked up by its whole key, and where that could be taken for a scan of the draw, in a subquery that
 * it can't turn round (20,000 winners took 28 s).
 */
export function winsOf(draw: DrawRow, players?: Sql): Sql {
  return sql`
    select ${draw.manual_claims ? WALLET_KINDS.winnings : WALLET_KINDS.credit}::smallint as wallet_kind, t.account_id as owner_id, w.win as amount,
           ${TRANSFER_KINDS.win}::smallint as kind, t.id as reference, 1 as step, t.id as order_key
    from ${
      players
        ? sql`(select * from tickets where ${isOf(draw)} ${players}) as t
              cross join lateral (select win from ticket_wins where ${isOf(draw)} and ticket_id = t.id limit 1) as w`
        : sql`(select * from ticket_wins where ${isOf(draw)}) as w join tickets t on t.network_id = ${draw.network_id} and t.id = w.ticket_id`
    }`;
}

/** The commissions of a draw, after its wins: those of everybody, of its players alone (or some of them), or of those above them. */
export function commissionsOf(draw: DrawRow, whose: 'all' | 'players' | 'above', players: Sql = sql``): Sql {
  const levels = {
    players: sql`(6, s.user_commission)`,
    above: sql`(3, s.super_commission), (4, s.dist_commission), (5, s.retail_commission)`,
  };
  const earning = whose === 'all' ? sql`${levels.above}, ${levels.players}` : levels[whose];
  return sql`
    select ${WALLET_KINDS.commission}::smallint as wallet_kind, earned.account_id as owner_id, earned.amount,
           ${TRANSFER_KINDS.commission}::smallint as kind, ${draw.id}::uuid as reference, 2 as step, earned.account_id as order_key
    from (
      select a.chain[level.depth] as account_id, sum(level.amount)::bigint as amount
      from (select * from player_settlements where ${isOf(draw)} ${players}) as s join accounts a on a.id = s.account_id
      cross join lateral (values ${earning}) as level (depth, amount)
      where level.amount > 0 group by a.chain[level.depth]
    ) as earned`;
}

/** The remainders that the stakes of a draw, or of the piece that is paid at a time, have left. */
export function remaindersOf(draw: DrawRow, paidAt: Date | null): Sql {
  return sql`select account_id, after from settled_remainders where ${isOf(draw)} and paid_at is not distinct from ${paidAt}::timestamptz`;
}

/** The wallets of a kind of all who have won in a draw. */
export function winnersOf(draw: Pick<DrawRow, 'network_id' | 'id'>, kind: number): Sql {
  return sql`select ${kind}::smallint as wallet_kind, account_id as owner_id from player_settlements where ${isOf(draw)} and win > 0`;
}

/** SQL for a row being of a draw. */
function isOf(draw: Pick<DrawRow, 'network_id' | 'id'>): Sql {
  return sql`network_id = ${draw.network_id}::int and draw_id = ${draw.id}::uuid`;
}

/** How long a period of the rollups is at least, in milliseconds: a quarter of an hour of Unix time. Days begin with one. */
const QUARTER_MS = 15 * 60_000;

/**
 * Adds a draw that is being settled to the rollups of its players and of each account above them, per quarter of an hour and per day of
 * the time zone, from the settlements of its players. All of it counts at the time of settlement.
 */
async function addToRollups(
  tx: Tx,
  { at, timeZone }: { at: Date; timeZone: string },
  draw: Pick<DrawRow, 'network_id' | 'id' | 'game_id'>,
): Promise<void> {
  const columns = sql.raw(SETTLEMENT_SUMS.join(', '));
  await tx.query(sql`insert into rollups (network_id, game_id, grain, starts_at, account_id, ${columns})
      select ${draw.network_id}, ${draw.game_id}, grain, starts_at, sums.*
      from (values ('day', day_start(${at}::timestamptz, ${timeZone})),
                   ('quarter', date_bin('15 minutes', ${at}::timestamptz, timestamptz 'epoch'))) as period (grain, starts_at),
           (select up.id as account_id, ${sql.raw(sumsOf('s'))}
            from player_settlements s join accounts a on a.id = s.account_id cross join lateral unnest(a.chain) as up (id)
            where s.network_id = ${draw.network_id} and s.draw_id = ${draw.id} group by up.id) as sums
      order by grain, account_id
      on conflict (network_id, account_id, grain, starts_at, game_id) do update set
        ${sql.raw(SETTLEMENT_SUMS.map((name) => `${name} = rollups.${name} + excluded.${name}`).join(', '))}`);
}

/**
 * Adds a draw that is being settled to the returns of its game and day: what was staked and won, and what its odds, pays and bets let
 * expect. Only generated draws count.
 */
async function addToReturns(
  tx: Tx,
  stamp: { at: Date; timeZone: string },
  draw: DrawRow,
  { stake, win }: { stake: bigint; win: bigint },
): Promise<void> {
  if (draw.source !== 'generated') return;
  const { expected, variance } = winMoments(rulesOf(draw), await stakesOf(tx, draw), draw.weights);
  await tx.query(
    sql`insert into return_sums (network_id, game_id, starts_at, draws, stake, win, expected_win, variance)
     values (${draw.network_id}, ${draw.game_id}, day_start(${stamp.at}::timestamptz, ${stamp.timeZone}), 1, ${stake}, ${win}, ${expected}, ${variance})
     on conflict (network_id, game_id, starts_at) do update set draws = return_sums.draws + 1,
       stake = return_sums.stake + excluded.stake, win = return_sums.win + excluded.win,
       expected_win = return_sums.expected_win + excluded.expected_win, variance = return_sums.variance + excluded.variance`.named(
      'settle-returns',
    ),
  );
}
