import { CORRECTABLE_HOURS } from '@drawhouse/contract/draws/draw-texts';
import type { AwaitedDraw, DrawResult } from '@drawhouse/contract/draws/draws';
import type { PairRow } from '../../games/games.sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { correctedAt, DRAW_NUMBER, toDrawResult, type DrawRow, type ResultRow } from '../draws.sql.ts';

const CORRECTABLE_MS = CORRECTABLE_HOURS * 3_600_000;

export async function correctableDraws(
  on: Queryable,
  { network_id: network, game_id: game }: PairRow,
  now: Date,
): Promise<(AwaitedDraw & { result: string; until: string })[]> {
  const rows = await on.query<ResultRow & { finished_at: Date; outside: string }>(
    sql`select d.id, ${sql.raw(DRAW_NUMBER)} as number, d.draws_at, d.outside, d.result_label, d.finished_at from draws d
      where d.network_id = ${network} and d.game_id = ${game} and d.outside is not null and d.status = 'settled'
        and d.finished_at > ${new Date(now.getTime() - CORRECTABLE_MS)} order by d.finished_at desc`.named(
      'draws-correctable',
    ),
  );
  return rows.map(({ id, number, draws_at, outside, result_label: result, finished_at }) => ({
    drawId: id,
    number: Number(number),
    drawsAt: draws_at.toISOString(),
    outside,
    result,
    until: new Date(finished_at.getTime() + CORRECTABLE_MS).toISOString(),
  }));
}

/** Results of outside lotteries that were entered within the last day and can have been corrected, by game. */
export async function recentOutsideResults(
  on: Queryable,
  networkId: number,
  now: Date,
): Promise<ReadonlyMap<string, DrawResult[]>> {
  const rows = await on.query<ResultRow & { game_key: string }>(
    sql`select g.game_key, d.id, ${sql.raw(DRAW_NUMBER)} as number, d.draws_at, d.result, d.result_label, d.booster, d.source,
        d.outside, ${correctedAt(sql`${networkId}`)} as corrected_at
      from network_games ng join games g on g.id = ng.game_id
      join draws d on d.network_id = ng.network_id and d.game_id = ng.game_id and d.outside is not null and d.status = 'settled'
        and d.finished_at > ${new Date(now.getTime() - CORRECTABLE_MS)}
      where ng.network_id = ${networkId} order by d.draws_at`.named('draws-outside-recent'),
  );
  const results = Map.groupBy(rows, (row) => row.game_key);
  return new Map([...results].map(([game, its]) => [game, its.map(toDrawResult)]));
}

export async function correctedAtOf(
  on: Queryable,
  { network_id, id }: Pick<DrawRow, 'network_id' | 'id'>,
): Promise<Date | null> {
  const [row] = await on.query<{ at: Date | null }>(
    sql`select max(c.at) as at from corrections c where c.network_id = ${network_id} and c.draw_id = ${id}`.named(
      'draw-corrected-at',
    ),
  );
  return row!.at;
}
