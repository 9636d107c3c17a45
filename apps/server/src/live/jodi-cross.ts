import type { lottoJodiCross } from '@drawhouse/contract/live/live';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import type { Services } from '../services.ts';
import type { PairRow } from '../games/games.sql.ts';
import { CallError } from '../http/http-errors.ts';
import { readState, wholePanel } from './panel.ts';

/**
 * The grid of a jodi game, tier by tier, and its recent results: for clients that lay both side by side. The rows are those of the panel.
 * Throws NOT_FOUND for a game of another family.
 */
export async function readJodiCross(services: Services, pair: PairRow): Promise<RouteResult<typeof lottoJodiCross>> {
  if (pair.family !== 'jodi')
    throw new CallError('NOT_FOUND', { message: `${pair.name} is not a jodi game. Its panel is at live/loadgame.` });
  const state = await readState(services, pair);
  const { gameId, gameName, adminId, serverTime, draw, maxBooster, totalsumdata, lastData, data } = wholePanel(
    state,
    0,
  );
  const sums = new Map<string, bigint>();
  for (const [key, stake] of state.stakes) {
    const { series } = state.rules.betOf(key)!;
    sums.set(series!, (sums.get(series!) ?? 0n) + stake);
  }
  return {
    gameId,
    gameName,
    adminId,
    serverTime,
    draw,
    maxBooster,
    totalsumdata,
    data: Array.from(
      Map.groupBy(data, (row) => row.series!),
      ([series, rows]) => ({ series, sum: pointsOf(sums.get(series) ?? 0n), rows }),
    ),
    results: lastData.data,
  };
}
