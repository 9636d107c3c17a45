import type { PanelRow } from '@drawhouse/contract/live/live';
import { formatPoints } from '../../../../lib/format/format.ts';
import { fittingText, shortPoints } from '../../liveFormat.ts';
import { consequence, share, shareText } from '../../panel/panelMath.ts';

/** Pixels. Smaller text is abbreviated instead. */
const LEAST_FONT = 12;
/** Pixels beside a figure. */
const EDGES_PX = 8;

/** Exact if readable at this width, otherwise abbreviated. `digit` is the digit width relative to the font size. */
export function fittingPoints(points: number, widthPx: number, digit: number): string {
  return fittingText([formatPoints(points), shortPoints(points)], widthPx - EDGES_PX, digit, LEAST_FONT);
}

export interface WheelFigures {
  sum: number;
  pays: number;
  leaves: number;
  /** Share of the collection, 0 to 1, and as text. */
  part: number;
  percent: string;
}

export function figuresOf(row: Pick<PanelRow, 'sum' | 'pays'>, booster: number, collection: number): WheelFigures {
  const part = share(row.sum, collection);
  return { sum: row.sum, part, percent: shareText(part), ...consequence(row, booster, collection) };
}

/** A payout beyond the collection is a loss. */
export function signOf(points: number): 'loss' | 'gain' | undefined {
  return points < 0 ? 'loss' : points > 0 ? 'gain' : undefined;
}
