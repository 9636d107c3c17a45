import type { Panel } from '@drawhouse/contract/live/live';
import type { Queryable } from '../../platform/db/database.ts';
import { awaitsSecond, hasSavedResult, type DrawRow } from '../../draws/draws.sql.ts';
import { isSameAddress, readSavers } from '../../draws/results/second-person.ts';
import { rulesOf } from '../../games/games.sql.ts';

type Saved = NonNullable<Panel['saved']>;

type SavedDraw = Parameters<typeof rulesOf>[0] &
  Pick<
    DrawRow,
    'saved_result' | 'saved_booster' | 'saved_by' | 'confirmed_by' | 'draw_status' | 'source' | 'result_mode'
  >;

/** Null if no saved result stands or still may. */
export function savedOf(draw: SavedDraw): Pick<Saved, 'result' | 'booster' | 'byId' | 'waits'> | null {
  if (!hasSavedResult(draw)) return null;
  return {
    result: rulesOf(draw).resultLabel(draw.saved_result),
    booster: draw.saved_booster!,
    byId: draw.saved_by!,
    waits: draw.source === null && awaitsSecond(draw),
  };
}

export async function saversOf(
  on: Queryable,
  draw: DrawRow,
): Promise<Pick<Saved, 'by' | 'at' | 'confirmedBy' | 'sameAddress'>> {
  const names = await readSavers(on, draw);
  return {
    by: names.by,
    at: draw.saved_at!.toISOString(),
    confirmedBy: names.confirmed_by,
    sameAddress: isSameAddress(draw),
  };
}
