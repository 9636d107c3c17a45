import type { CSSProperties } from 'react';
import { formatPoints } from '../../../../lib/format.ts';

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

const TEN_FROM = 560;
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

/** Edges of the detail and the gaps between its kinds of bets. */
const DETAIL_EDGES = 26;
const HEAD_GAP = 12;
/** As many kinds of bets stand side by side where there is little room. */
const HEADS_IN_ROW = 3;

/**
 * What an amount has in the detail of a number on a grid so many px wide, as its styles lay it out: a kind of bet of so many, and a total.
 * Opened on a phone, the totals stand beneath one another.
 */
export function detailWidth(width: number, heads: number, open: boolean): { head: number; total: number } {
  const narrow = width < TEN_FROM;
  const inRow = narrow ? HEADS_IN_ROW : heads;
  return {
    head: (width - DETAIL_EDGES - HEAD_GAP * (inRow - 1)) / inRow,
    total: (width - (narrow ? 140 : 170)) / (narrow && open ? 1 : 3),
  };
}

/** What an amount has in the line about one number of a sub-series. */
export function lineWidth(width: number): number {
  return width < TEN_FROM ? width * 0.22 : Number.POSITIVE_INFINITY;
}
