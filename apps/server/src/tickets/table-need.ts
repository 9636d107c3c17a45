import { highestBooster } from '@drawhouse/rules/booster';
import { paidBy } from '@drawhouse/rules/wins';
import { worstResult } from '@drawhouse/rules/worst';
import { UNFINISHED } from '../draw-states.ts';
import type { Queryable } from '../db/database.ts';
import { enterDrawGate } from '../draws/draw-gate.ts';
import { selectDraws } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import type { TableNeeds } from '../games/change-game-balance.ts';
import { rulesOf } from '../games/games.sql.ts';
import { commissionBound, paidSoFar } from './commission-bound.ts';
import { stakesOf } from './tickets.sql.ts';

/** What is staked on a draw, in hundredths, by bet key. */
export type Stakes = ReadonlyMap<string, bigint>;

/** SQL for the draws `d` that may still take something out of a table ($1 network, $2 game): those of the index `draws_on_table`. */
const ON_TABLE = `d.network_id = $1 and d.game_id = $2 and d.status in ${UNFINISHED} and d.ticket_count is distinct from 0`;

/**
 * The need of a table: the most that its unsettled draws can still take out of it, in hundredths, each at least nothing. `except`: without
 * this draw. Reads only what their bets have committed; the caller holds off those that would matter.
 */
export async function needOfTable(
  on: Queryable,
  table: Pick<DrawRow, 'network_id' | 'game_id'>,
  except?: string,
): Promise<bigint> {
  const draws = await selectDraws(
    on,
    `where ${ON_TABLE} and d.id is distinct from $3::uuid order by d.opens_at`,
    [table.network_id, table.game_id, except ?? null],
    'draws-on-table',
  );
  let need = 0n;
  for (const draw of draws) need += await needOfDraw(on, draw, await stakesOf(on, draw));
  return need;
}

/** The most that one draw can still take out of its table, its cover included, which may go back to the admin. */
async function needOfDraw(on: Queryable, draw: DrawRow, stakes: Stakes): Promise<bigint> {
  const cover = draw.cover ?? 0n;
  const costs = (await commissionBound(on, draw)) - sumOf(stakes);
  switch (draw.draw_status) {
    case 'settling':
      // Its stakes are on the table already, and a cover that stood is used.
      return atLeastNothing(resultPays(draw, stakes) + costs + sumOf(stakes) - (await paidSoFar(on, draw)));
    case 'drawn': {
      const takes = atLeastNothing(resultPays(draw, stakes) + costs);
      return draw.source === 'declared' ? takes : takes + cover;
    }
    default: {
      const generated = cover + atLeastNothing(worstPays(draw, stakes) + costs);
      const declared = mayStand(draw) ? savedPays(draw, stakes) + costs : 0n;
      return generated > declared ? generated : declared;
    }
  }
}

/** The most that a generated result pays with these stakes: with the highest booster that the odds of the draw allow. */
function worstPays(draw: Pick<DrawRow, 'game_key' | 'family' | 'digits' | 'pays' | 'weights'>, stakes: Stakes): bigint {
  return worstResult(rulesOf(draw), stakes, highestBooster(draw.weights))?.pays ?? 0n;
}

function resultPays(draw: DrawRow, stakes: Stakes): bigint {
  return paidBy(rulesOf(draw), (key) => stakes.get(key) ?? 0n, draw.result!, draw.booster!);
}

function savedPays(draw: DrawRow, stakes: Stakes): bigint {
  return paidBy(rulesOf(draw), (key) => stakes.get(key) ?? 0n, draw.saved_result!, draw.saved_booster!);
}

/** True if the saved result of a draw may become its result, once confirmed where that takes a second person. */
function mayStand(draw: DrawRow): boolean {
  return draw.saved_result !== null && draw.result_mode !== 'generated';
}

/** What the game balance asks of the draws of its table. */
export const tableNeeds: TableNeeds = {
  async holdBets(tx, { network_id: networkId, game_key: gameKey }) {
    await enterDrawGate(tx, { networkId, gameKey }, 'close');
  },
  needOf: needOfTable,
};

/** The sum of stakes, in hundredths. */
export function sumOf(stakes: Stakes): bigint {
  return [...stakes.values()].reduce((sum, stake) => sum + stake, 0n);
}

function atLeastNothing(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
