import { TEN_FROM } from '../cellLayout.ts';

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
