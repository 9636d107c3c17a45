import { CORRECTABLE_HOURS } from '@drawhouse/contract/draws/draw-texts';
import type { AwaitedDraw } from '@drawhouse/contract/draws/draws';
import type { PairRow } from '../../games/games.sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { DRAW_NUMBER, type DrawRow, type ResultRow } from '../draws.sql.ts';

const CORRECTABLE_MS = CORRECTABLE_HOURS * 3_600_000;

/** Newest first. */
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
