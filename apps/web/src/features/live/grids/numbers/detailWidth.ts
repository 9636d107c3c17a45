import { TEN_FROM } from '../cellLayout.ts';

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
