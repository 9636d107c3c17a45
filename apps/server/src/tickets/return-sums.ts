import { winMoments } from '@drawhouse/rules/moments';
import type { Tx } from '../db/database.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { stakesOf } from './tickets.sql.ts';

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
    `insert into return_sums (network_id, game_id, starts_at, draws, stake, win, expected_win, variance)
     values ($1, $2, day_start($3::timestamptz, $4), 1, $5, $6, $7, $8)
     on conflict (network_id, game_id, starts_at) do update set draws = return_sums.draws + 1,
       stake = return_sums.stake + excluded.stake, win = return_sums.win + excluded.win,
       expected_win = return_sums.expected_win + excluded.expected_win, variance = return_sums.variance + excluded.variance`,
    [draw.network_id, draw.game_id, stamp.at, stamp.timeZone, stake, win, expected, variance],
    'settle-returns',
  );
}
