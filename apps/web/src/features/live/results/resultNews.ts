import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import type { liveResult } from '@drawhouse/contract/live/live-results';
import { formatPoints } from '../../../lib/format.ts';
import { resultText } from '../panel/panelMath.ts';

/** A result that comes later than this after its draw time, as after a lost connection, is no news any more. */
const NEWS_MS = 15_000;

/** How long a result stands where it is news, in milliseconds. */
export const RESULT_STANDS_MS = 6_000;

/** The id of the last draw that has a result; null where none has. */
export function newestDraw({ lastData }: Pick<Panel, 'lastData'>): string | null {
  return lastData.data[0]?.drawId ?? null;
}

/** The result that has come since the newest one that was seen; null where none has, or it is no news. */
export function newsSince(panel: Pick<Panel, 'lastData' | 'serverTime'>, seen: string | null): DrawResult | null {
  const newest = panel.lastData.data[0];
  if (!newest || newest.drawId === seen) return null;
  return Date.parse(panel.serverTime) - Date.parse(newest.drawsAt) > NEWS_MS ? null : newest;
}

/** A result as it is told to those who do not see it; what it came to, once that is known. */
export function momentText(result: DrawResult, sums: RouteAnswer<typeof liveResult> | undefined): string {
  const drawn = `Draw ${result.number}: ${resultText(result)}, ${result.source}.`;
  return sums ? `${drawn} Paid ${formatPoints(sums.paid)}, left ${formatPoints(sums.left)}.` : drawn;
}
