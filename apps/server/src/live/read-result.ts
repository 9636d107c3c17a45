import type { liveFrequencies, liveResult } from '@drawhouse/contract/live/live-results';
import { FREQUENCY_DRAWS } from '@drawhouse/contract/live/live-results';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import { frequenciesOf } from '@drawhouse/rules/frequency';
import type { Queryable } from '../db/database.ts';
import { countedResults, findSettled, toDrawResult } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import type { PairRow } from '../games/games.sql.ts';
import { CallError } from '../http/http-errors.ts';
import { sumsOf } from '../tickets/tickets.sql.ts';
import { saversOf } from './saved-result.ts';

/** What a settled draw of a pair came to. Throws NOT_FOUND where the pair has no such draw, or it is not settled. */
export async function readResult(
  on: Queryable,
  pair: PairRow,
  drawId: string,
): Promise<RouteResult<typeof liveResult>> {
  const draw = await findSettled(on, pair, drawId);
  if (!draw) throw new CallError('NOT_FOUND', { message: 'There is no such settled draw of this game.' });
  const [{ players, stake, win }, declared] = await Promise.all([
    sumsOf(on, draw),
    // Who saved it may have been cleared.
    draw.source === 'declared' && draw.saved_at !== null ? saversOf(on, draw) : null,
  ]);
  return {
    ...toDrawResult({
      id: draw.id,
      number: draw.number,
      draws_at: draw.draws_at,
      result: draw.result!,
      result_label: draw.result_label!,
      booster: draw.booster!,
      source: draw.source!,
    }),
    players,
    tickets: draw.ticket_count ?? 0,
    staked: pointsOf(stake),
    paid: pointsOf(win),
    left: pointsOf(stake - win),
    declared,
  };
}

/** How often each outcome came in the last results of a pair. */
export async function readFrequencies(on: Queryable, pair: PairRow): Promise<RouteResult<typeof liveFrequencies>> {
  const results = await countedResults(on, pair, FREQUENCY_DRAWS);
  return {
    draws: results.length,
    groups: frequenciesOf(
      rulesOf(pair),
      results.map(({ result }) => result),
    ),
  };
}
