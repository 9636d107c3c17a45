import type { CSSProperties } from 'react';
import { formatPoints } from '../../../lib/format.ts';

/** How the cells stand; lengths in px. */
export interface CellLayout {
  /** Numbers in a row. */
  columns: number;
  /** The amount stands beside its number, not beneath it. */
  beside: boolean;
  inset: number;
  /** What a cell has for its amount. */
  amountWidth: number;
  /** From here on an amount is written in short: whole it would be too small to read. */
  wholeBelow: number;
}

/** From here on ten numbers have room in a row, in px; below that there is little room for anything. */
export const TEN_FROM = 560;
const BESIDE_FROM = 1_240;
const GAP = 4;
const EDGES = 2;
/** What a number takes where its amount stands beside it. */
const NUMBER = 40;
/** What a figure takes at the least size that is read well. */
const FIGURE = 5.8;

/** How the cells stand on a grid that is so many px wide. All are alike, so none has to be measured. */
export function cellLayout(width: number): CellLayout {
  const columns = width < TEN_FROM ? 5 : 10;
  const beside = width >= BESIDE_FROM;
  const cell = (width + GAP) / columns - GAP;
  const inset = cell < 76 ? 4 : 6;
  const amountWidth = cell - 2 * inset - EDGES - (beside ? NUMBER : 0);
  const figures = Math.floor(amountWidth / FIGURE);
  const wholeBelow = [1e9, 1e6, 1e5, 1e4].find((limit) => formatPoints(1 - limit).length <= figures) ?? 1e3;
  return { columns, beside, inset, amountWidth, wholeBelow };
}

/** What the styles of the cells ask for. */
export function cellStyle({ columns, inset, amountWidth }: CellLayout): CSSProperties {
  return { '--columns': columns, '--inset': `${inset}px`, '--room': `${amountWidth}px` } as CSSProperties;
}
