import type { PanelRow } from '@drawhouse/contract/live/live';
import { formatPoints } from '../../../../lib/format/format.ts';
import { compactFormat, fittingText } from '../../liveFormat.ts';

/** `net`: what remains if declared. */
export type Figure = 'sum' | 'pays' | 'net';

/** In points, accurate to two decimals. */
export function figureOf(row: PanelRow, figure: Figure, booster: number, collection: number): number {
  if (figure === 'sum') return row.sum;
  const pays = row.pays * booster;
  return figure === 'pays' ? pays : collection - pays;
}

export interface CellAppearance {
  figure: Figure;
  booster: number;
  /** 0 unless the cells show net, so that they do not rerender with it. */
  collection: number;
  /** Amount of the longest bar. */
  scale: number;
  compactFrom: number;
  disabled: boolean;
}

/** Drops booster and collection for figures that do not depend on them, to avoid rerenders. */
export function cellAppearance({ figure, booster, collection, ...look }: CellAppearance): CellAppearance {
  return { ...look, figure, booster: figure === 'sum' ? 1 : booster, collection: figure === 'net' ? collection : 0 };
}

/** Uses the payout's bars for net: the longest marks the most expensive number. */
export function weightOf(row: PanelRow, figure: Figure): number {
  return figure === 'sum' ? row.sum : row.pays;
}

export const STEPS = 20;
const ROUND = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Rounds up, so that bars keep their length while the maximum grows a little. */
export function scaleOf(largest: number): number {
  if (!(largest > 0)) return 0;
  const unit = 10 ** Math.floor(Math.log10(largest));
  return unit * (ROUND.find((factor) => factor * unit >= largest) ?? 10);
}

/** Positive amounts get at least one step. */
export function stepsOf(amount: number, scale: number): number {
  if (!(amount > 0) || !(scale > 0)) return 0;
  return Math.min(STEPS, Math.max(1, Math.round((amount / scale) * STEPS)));
}

const twoDecimals = compactFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function cellText(amount: number, compactFrom: number): string {
  return Math.abs(amount) < compactFrom ? formatPoints(amount) : twoDecimals(amount);
}

/** Pixels. Smaller text is abbreviated instead. */
const LEAST_FONT = 11;

const threeDigits = compactFormat({ maximumSignificantDigits: 3 });

/**
 * Returns the longest readable form that fits: exact, `123.46M` or `123M`. `digit`: digit width relative to the font
 * size.
 */
export function amountInWidth(amount: number, widthPx: number, digit: number, after = ''): string {
  const short = twoDecimals(amount);
  const brief = Math.abs(amount) < 1000 ? short : threeDigits(amount);
  const texts = [formatPoints(amount), short, brief].map((text) => text + after);
  return fittingText(texts, widthPx, digit, LEAST_FONT);
}
