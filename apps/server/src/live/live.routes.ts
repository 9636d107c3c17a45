import { loadGame, lottoJodiCross } from '@drawhouse/contract/live/live';
import { liveFrequencies, liveResult, FREQUENCY_DRAWS } from '@drawhouse/contract/live/live-results';
import { liveTables } from '@drawhouse/contract/live/live-tables';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../platform/services.ts';
import { requirePair } from '../games/pairs/pairs.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import { readState, fullPanel, saversOf } from './panels/panel.ts';
import type { ReadLiveTables } from './panels/read-live-tables.ts';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { CallError } from '../platform/http/http-errors.ts';
import { frequenciesOf } from '@drawhouse/rules/panel/frequency';
import type { Queryable } from '../platform/db/database.ts';
import { correctedAtOf } from '../draws/results/corrected-draws.sql.ts';
import { countedResults, findSettled, toDrawResult } from '../draws/draws.sql.ts';
import { rulesOf, type PairRow } from '../games/games.sql.ts';
import { drawTotals } from '../tickets/tickets.sql.ts';
import { LIVE_TEXTS } from './live-texts.ts';

export function liveRoutes(services: Services, readLiveTables: ReadLiveTables): BoundRoute<Actor>[] {
  const { db } = services;
  return [
    handle(loadGame, async ({ query }, { actor }) =>
      fullPanel(await readState(services, await requirePair(db, actor, query)), 0),
    ),
    handle(lottoJodiCross, async ({ query: { admin, gameId } }, { actor }) =>
      readJodiCross(services, await requirePair(db, actor, { adminId: admin, gameId })),
    ),
    handle(liveTables, (_input, { actor }: { actor: Actor }) => readLiveTables(actor)),
    handle(liveResult, async ({ query }, { actor }) =>
      readResult(db, await requirePair(db, actor, query), query.drawId),
    ),
    handle(liveFrequencies, async ({ query }, { actor }) => readFrequencies(db, await requirePair(db, actor, query))),
  ];
}

async function readJodiCross(services: Services, pair: PairRow): Promise<RouteResult<typeof lottoJodiCross>> {
  if (pair.family !== 'jodi') throw new CallError('NOT_FOUND', { message: LIVE_TEXTS.notJodi(pair.name) });
  const state = await readState(services, pair);
  const { gameId, gameName, adminId, serverTime, draw, maxBooster, totalsumdata, lastData, data } = fullPanel(state, 0);
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

async function readResult(on: Queryable, pair: PairRow, drawId: string): Promise<RouteResult<typeof liveResult>> {
  const draw = await findSettled(on, pair, drawId);
  if (!draw) throw new CallError('NOT_FOUND', { message: LIVE_TEXTS.noSettledDraw });
  const [{ players, stake, win }, correctedAt, declared] = await Promise.all([
    drawTotals(on, draw),
    correctedAtOf(on, draw),
    // Cleared history may omit the saver.
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
      outside: draw.outside,
      corrected_at: correctedAt,
    }),
    players,
    tickets: draw.ticket_count ?? 0,
    staked: pointsOf(stake),
    paid: pointsOf(win),
    left: pointsOf(stake - win),
    declared,
  };
}

async function readFrequencies(on: Queryable, pair: PairRow): Promise<RouteResult<typeof liveFrequencies>> {
  const results = await countedResults(on, pair, FREQUENCY_DRAWS);
  return {
    draws: results.length,
    groups: frequenciesOf(
      rulesOf(pair),
      results.map(({ result }) => result),
    ),
  };
}
