import type { CSSProperties } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';

/** Lengths in pixels. */
export interface CellLayout {
  columns: number;
  horizontal: boolean;
  inset: number;
  amountWidth: number;
  compactFrom: number;
}

/** Minimum width in pixels for ten numbers in a row. */
const TEN_FROM = 560;
const HORIZONTAL_FROM = 1_240;
const GAP = 4;
const EDGES = 2;
const NUMBER = 40;
/** Character width at the smallest readable size. */
const FIGURE = 5.8;

/** All cells have one size, so none is measured. */
export function cellLayout(width: number): CellLayout {
  const columns = width < TEN_FROM ? 5 : 10;
  const horizontal = width >= HORIZONTAL_FROM;
  const cell = (width + GAP) / columns - GAP;
  const inset = cell < 76 ? 4 : 6;
  const amountWidth = cell - 2 * inset - EDGES - (horizontal ? NUMBER : 0);
  const figures = Math.floor(amountWidth / FIGURE);
  const compactFrom = [1e9, 1e6, 1e5, 1e4].find((limit) => formatPoints(1 - limit).length <= figures) ?? 1e3;
  return { columns, horizontal, inset, amountWidth, compactFrom };
}

export function cellStyle({ columns, inset, amountWidth }: CellLayout): CSSProperties {
  return { '--columns': columns, '--inset': `${inset}px`, '--room': `${amountWidth}px` } as CSSProperties;
}

const DETAIL_EDGES = 26;
const HEAD_GAP = 12;
/** Bet kinds per row on narrow screens. */
const HEADS_IN_ROW = 3;

/** Pixels for an amount in the detail, matching its CSS. Unfolded on a phone, totals stack. */
export function detailWidth(width: number, heads: number, open: boolean): { head: number; total: number } {
  const narrow = width < TEN_FROM;
  const inRow = narrow ? HEADS_IN_ROW : heads;
  return {
    head: (width - DETAIL_EDGES - HEAD_GAP * (inRow - 1)) / inRow,
    total: (width - (narrow ? 140 : 170)) / (narrow && open ? 1 : 3),
  };
}

export function lineWidth(width: number): number {
  return width < TEN_FROM ? width * 0.22 : Number.POSITIVE_INFINITY;
}
