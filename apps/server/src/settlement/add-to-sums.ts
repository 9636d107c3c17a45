import { SETTLEMENT_SUMS, sumsOf } from '@drawhouse/rules/settlement-sums';
import { winMoments } from '@drawhouse/rules/moments';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { stakesOf } from '../tickets/tickets.sql.ts';

/** How long a period of the rollups is at least, in milliseconds: a quarter of an hour of Unix time. Days begin with one. */
export const QUARTER_MS = 15 * 60_000;

/**
 * Adds a draw that is being settled to the rollups of its players and of each account above them, per quarter of an hour and per day of
 * the time zone, from the settlements of its players. All of it counts at the time of settlement.
 */
export async function addToRollups(
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
export async function addToReturns(
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
