import type { PanelRow } from '@drawhouse/contract/live/live';
import { gridFormat } from '../../liveFormat.ts';
import { consequence, share, shareText } from '../../panel/panelMath.ts';

/** Pixels. Smaller text is abbreviated instead. */
const LEAST_FONT = 12;
/** Width of the space beside a figure. */
const EDGES_PX = 8;

/** Makes all amounts readable at this width. `digit`: digit width relative to the font size. */
export function wheelFormat(amounts: readonly number[], widthPx: number, digit: number): (points: number) => string {
  return gridFormat(amounts, (text) => text.length * digit * LEAST_FONT <= widthPx - EDGES_PX);
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

export function signOf(points: number): 'loss' | 'gain' | undefined {
  return points < 0 ? 'loss' : points > 0 ? 'gain' : undefined;
}
