import type { PanelRow } from '@drawhouse/contract/live/live';
import { formatPoints } from '../../../../lib/format.ts';
import { fittingText, shortPoints } from '../../liveFormat.ts';
import { consequence, share, shareText } from '../../panel/panelMath.ts';

/** No figure that can be said in fewer characters is smaller, in px. */
const LEAST_FONT = 12;
/** The room beside a figure in its cell, in px. */
const EDGES_PX = 8;

/**
 * Points as they fit into a room of so many px, where a digit is so wide as a part of the font's size: exact, else in a few characters, at
 * a size that can be read in passing.
 */
export function fittingPoints(points: number, widthPx: number, digit: number): string {
  return fittingText([formatPoints(points), shortPoints(points)], widthPx - EDGES_PX, digit, LEAST_FONT);
}

/** What is to be known of a number on the table. */
export interface WheelFigures {
  sum: number;
  pays: number;
  leaves: number;
  /** Its share of the draw's collection, from 0 to 1, and the same for people. */
  part: number;
  percent: string;
}

/** The figures of a number of the table, with the booster that it is or would be saved with. */
export function figuresOf(row: Pick<PanelRow, 'sum' | 'pays'>, booster: number, collection: number): WheelFigures {
  const part = share(row.sum, collection);
  return { sum: row.sum, part, percent: shareText(part), ...consequence(row, booster, collection) };
}

/** How an amount is marked: what the house pays on top is a loss. */
export function signOf(points: number): 'loss' | 'gain' | undefined {
  return points < 0 ? 'loss' : points > 0 ? 'gain' : undefined;
}
