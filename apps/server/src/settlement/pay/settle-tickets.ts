import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Tx } from '../../platform/db/database.ts';
import { endTime, type DrawRow } from '../../draws/draws.sql.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { lockForPayOut, payOut, type PayOut } from '../../ledger/pay-out.ts';
import { coverWallets, returnCover } from './cover.ts';
import { addUnclaimed } from '../../tickets/claim/claim-ticket.ts';
import { claimForExcluded, type ClaimServices } from '../../tickets/claim/claim-leftovers.ts';
import { lockEarners, settlePlayers, type DrawSums } from './settle-players.ts';
import { SETTLEMENT_SUMS, sumsOf } from '@drawhouse/rules/records/settlement-sums';
import { winMoments } from '@drawhouse/rules/games/moments';
import { rulesOf } from '../../games/games.sql.ts';
import { allStakes } from '../../tickets/tickets.sql.ts';

/**
 * One SQL statement per step. Moves escrow to table, then wins and commissions to wallets; unclaimed wins go to
 * winnings, those of excluded players on to credit. Wins are floored per line. Work needing only commission wallets
 * precedes other locks, so winners can bet again soon. Returns a time at which the draw and all wallets except the
 * escrow were locked.
 */
export async function settleWhole(tx: Tx, services: ClaimServices, draw: DrawRow): Promise<Date> {
  await lockEarners(tx, draw);
  const sums = await settlePlayers(tx, draw);
  if (sums.players === 0n) return endTime(draw, services.clock.now());
  const isReturned = draw.source !== 'declared' && draw.cover !== null;
  // Excluded winners are known only once all are locked.
  const others = [
    ...(draw.manual_claims ? [winnersOf(draw, WALLET_KINDS.credit)] : []),
    ...(isReturned ? [coverWallets(draw)] : []),
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
  if (isReturned) await returnCover(tx, services, draw, at);
  return at;
}

export interface Ending {
  readonly sums: Pick<DrawSums, 'stake' | 'win'>;
  readonly paid: PayOut;
}

/** Requires complete settlements. Returns a time at which the draw and wallets were locked. */
export async function payAndCount(
  tx: Tx,
  services: ClaimServices,
  draw: DrawRow,
  { sums, paid }: Ending,
): Promise<Date> {
  const { clock, newId, timeZone } = services;
  const now = (): Date => endTime(draw, clock.now());
  for (;;) {
    await tx.query(sql`savepoint periods`);
    const counted = now();
    await addToRollups(tx, { at: counted, timeZone }, draw);
    await addToReturns(tx, { at: counted, timeZone }, draw, sums);
    await lockForPayOut(tx, draw.network_id, paid);
    const at = now();
    if (quarterOf(at) === quarterOf(counted)) {
      await payOut(tx, draw.network_id, { at, newId }, paid);
      if (draw.manual_claims) await addUnclaimed(tx, { at, timeZone }, draw);
      await tx.query(
        sql`insert into draw_settlements (network_id, draw_id, settled_at, manual_claims)
          values (${draw.network_id}, ${draw.id}, ${at}, ${draw.manual_claims})`.named('settle-draw'),
      );
      if (draw.manual_claims) await claimForExcluded(tx, services, draw, at);
      return at;
    }
    // A new quarter hour began meanwhile; the whole draw must count in one.
    await tx.query(sql`rollback to savepoint periods`);
  }
}

/** Number of the quarter hour; one never starts another day. */
export const quarterOf = (at: Date): number => Math.floor(at.getTime() / QUARTER_MS);

/**
 * Ordered by ticket, optionally for an account range. The planner expects one row for a fresh draw, so lookups use
 * whole keys inside a fenced subquery (20,000 winners took 28 s otherwise).
 */
export function winsOf(draw: DrawRow, players?: Sql): Sql {
  return sql`
    select ${draw.manual_claims ? WALLET_KINDS.winnings : WALLET_KINDS.credit}::smallint as wallet_kind,
      t.account_id as owner_id, w.win as amount,
           ${TRANSFER_KINDS.win}::smallint as kind, t.id as reference, 1 as step, t.id as order_key
    from ${
      players
        ? sql`(select * from tickets where ${isOf(draw)} ${players}) as t
              cross join lateral (select win from ticket_wins where ${isOf(draw)} and ticket_id = t.id limit 1) as w`
        : sql`(select * from ticket_wins where ${isOf(draw)}) as w
          join tickets t on t.network_id = ${draw.network_id} and t.id = w.ticket_id`
    }`;
}

export function commissionsOf(draw: DrawRow, receivers: 'all' | 'players' | 'above', players: Sql = sql``): Sql {
  const levels = {
    players: sql`(6, s.user_commission)`,
    above: sql`(3, s.super_commission), (4, s.dist_commission), (5, s.retail_commission)`,
  };
  const earning = receivers === 'all' ? sql`${levels.above}, ${levels.players}` : levels[receivers];
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

/** Selects those of a draw, or of the piece paid at `paidAt`. */
export function remaindersOf(draw: DrawRow, paidAt: Date | null): Sql {
  return sql`select account_id, after from settled_remainders where ${isOf(draw)} and paid_at is not distinct from ${paidAt}::timestamptz`;
}

export function winnersOf(draw: Pick<DrawRow, 'network_id' | 'id'>, kind: number): Sql {
  return sql`select ${kind}::smallint as wallet_kind, account_id as owner_id from player_settlements where ${isOf(draw)} and win > 0`;
}

function isOf(draw: Pick<DrawRow, 'network_id' | 'id'>): Sql {
  return sql`network_id = ${draw.network_id}::int and draw_id = ${draw.id}::uuid`;
}

const QUARTER_MS = 15 * 60_000;

/** Adds for players and everyone above, per quarter hour and local day. Counts entirely at settlement time. */
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

/** Stakes, wins and expected payout by game and day. Generated draws only. */
async function addToReturns(
  tx: Tx,
  stamp: { at: Date; timeZone: string },
  draw: DrawRow,
  { stake, win }: { stake: bigint; win: bigint },
): Promise<void> {
  if (draw.source !== 'generated') return;
  const { expected, variance } = winMoments(rulesOf(draw), await allStakes(tx, draw), draw.weights);
  await tx.query(
    sql`insert into return_sums (network_id, game_id, starts_at, draws, stake, win, expected_win, variance)
     values (${draw.network_id}, ${draw.game_id}, day_start(${stamp.at}::timestamptz, ${stamp.timeZone}), 1, ${stake},
       ${win}, ${expected}, ${variance})
     on conflict (network_id, game_id, starts_at) do update set draws = return_sums.draws + 1,
       stake = return_sums.stake + excluded.stake, win = return_sums.win + excluded.win,
       expected_win = return_sums.expected_win + excluded.expected_win, variance = return_sums.variance + excluded.variance`.named(
      'settle-returns',
    ),
  );
}
