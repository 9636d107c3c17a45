import type { PanelRow } from '@drawhouse/contract/live/live';
import { formatPoints } from '../../../lib/format.ts';
import { compactFormat, fittingText } from '../liveFormat.ts';

/** What a cell can show of its number: what is staked on it, what declaring it pays, or what that leaves. */
export type Figure = 'sum' | 'pays' | 'net';

/** What a cell shows, in points: close enough to be written with two decimals. */
export function figureOf(row: PanelRow, figure: Figure, booster: number, collection: number): number {
  if (figure === 'sum') return row.sum;
  const pays = row.pays * booster;
  return figure === 'pays' ? pays : collection - pays;
}

/** What the cells of all sections have in common. */
export interface CellLook {
  figure: Figure;
  booster: number;
  /** The draw's collection; 0 where no cell shows what is left of it, so that none changes with it. */
  collection: number;
  /** What the longest bar stands for. */
  scale: number;
  /** From this on an amount is written in short. */
  wholeBelow: number;
  disabled: boolean;
}

/** How cells look that show a figure: with the booster and the collection only where they show what follows from them, so that no other changes with these. */
export function cellLook({ figure, booster, collection, ...look }: CellLook): CellLook {
  return { ...look, figure, booster: figure === 'sum' ? 1 : booster, collection: figure === 'net' ? collection : 0 };
}

/** By what the bars are drawn: net has those of what is paid, so that the longest costs most. */
export function weightOf(row: PanelRow, figure: Figure): number {
  return figure === 'sum' ? row.sum : row.pays;
}

/** Bars are so many steps long at most. */
export const STEPS = 20;
const ROUND = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** What the longest bar stands for: the least round figure that is not below the largest one, so that bars stay while that grows a little. */
export function scaleOf(largest: number): number {
  if (!(largest > 0)) return 0;
  const unit = 10 ** Math.floor(Math.log10(largest));
  return unit * (ROUND.find((factor) => factor * unit >= largest) ?? 10);
}

/** How many steps a bar is long, 0 to {@link STEPS}; what is above nothing has one at least. */
export function stepsOf(amount: number, scale: number): number {
  if (!(amount > 0) || !(scale > 0)) return 0;
  return Math.min(STEPS, Math.max(1, Math.round((amount / scale) * STEPS)));
}

const twoDecimals = compactFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount for a cell: whole below `wholeBelow`, and from there in thousands, millions or more: `1.23M`. The detail has it whole. */
export function cellText(amount: number, wholeBelow: number): string {
  return Math.abs(amount) < wholeBelow ? formatPoints(amount) : twoDecimals(amount);
}

/** No amount that can be said in short is smaller, in px. */
const LEAST_FONT = 11;

const threeDigits = compactFormat({ maximumSignificantDigits: 3 });

/**
 * An amount, with what stands behind it, as it can be read in a room of so many px, where a digit is so wide as a part of the font's size:
 * whole, else in short (`123.46M`), and where that is too long too, in shorter (`123M`).
 */
export function amountInWidth(amount: number, widthPx: number, digit: number, after = ''): string {
  const short = twoDecimals(amount);
  const brief = Math.abs(amount) < 1000 ? short : threeDigits(amount);
  const texts = [formatPoints(amount), short, brief].map((text) => text + after);
  return fittingText(texts, widthPx, digit, LEAST_FONT);
}
