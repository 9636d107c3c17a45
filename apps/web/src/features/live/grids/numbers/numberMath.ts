import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import { hundredthsOf, pointsOf } from '@drawhouse/contract/frame/primitives';
import { PAY_SCALE } from '@drawhouse/rules/game-rules';
import { laidByHead } from '@drawhouse/rules/heads';
import type { PanelSection } from '@drawhouse/rules/layout';
import type { GameRules, Outcome } from '@drawhouse/rules/rules';
import type { GridProps } from '../grid.ts';
import { formatPoints } from '../../../../lib/format.ts';
import { compactFormat, fittingText } from '../../liveFormat.ts';

/** What a cell can show of its number: what is staked on it, what declaring it pays, or what that leaves. */
export type Figure = 'sum' | 'pays' | 'net';
/** How the numbers can stand: as they are counted, or by what declaring them would cost. */
export type Order = 'number' | 'dearest' | 'cheapest';

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

/** What one kind of bet has on a number, in points. */
export interface HeadFigures {
  name: string;
  label: string;
  /** What it pays per unit, in units: 3.8. */
  ratio: number;
  /** The stakes that win if the number is drawn. */
  sum: number;
  /** What those win with booster 1. */
  pays: number;
}

/** What each kind of bet has on a number, in the order of the game; `stakes` has the points on each bet by its key. */
export function headFigures(rules: GameRules, outcome: Outcome, stakes: Panel['stakes']): HeadFigures[] {
  return laidByHead(rules, outcome, (key) => hundredthsOf(stakes[key] ?? 0) ?? 0n).map(({ head, stake, wins }) => ({
    name: head.name,
    label: head.label,
    ratio: head.payHundredths / PAY_SCALE,
    sum: pointsOf(stake),
    pays: pointsOf(wins),
  }));
}

/** How the numbers stand to the draw's collection. */
export interface Extremes {
  /** The index of the number that would cost most, the first of several. */
  dearest: number;
  /** The index of the one that would cost least. */
  cheapest: number;
  /** How many would pay more than was collected. */
  losses: number;
  /** The largest sum and the largest payout with booster 1, in points. */
  largest: { sum: number; pays: number };
}

/** Less than half a hundredth apart are two amounts that are the same in exact arithmetic. */
const SAME = 0.005;

/** How the numbers of a panel stand to what was collected, with this booster. */
export function extremesOf(rows: readonly PanelRow[], booster: number, collection: number): Extremes {
  const extremes: Extremes = { dearest: 0, cheapest: 0, losses: 0, largest: { sum: 0, pays: 0 } };
  const { largest } = extremes;
  for (const [index, { sum, pays }] of rows.entries()) {
    if (pays > rows[extremes.dearest]!.pays) extremes.dearest = index;
    if (pays < rows[extremes.cheapest]!.pays) extremes.cheapest = index;
    if (pays * booster - collection > SAME) extremes.losses++;
    if (sum > largest.sum) largest.sum = sum;
    if (pays > largest.pays) largest.pays = pays;
  }
  return extremes;
}

/** The indexes of the numbers by what declaring them pays; those that pay alike in the order of the numbers. */
export function rankedIndexes(rows: readonly PanelRow[], order: Exclude<Order, 'number'>): number[] {
  const sign = order === 'dearest' ? -1 : 1;
  return Array.from(rows, (_, index) => index).sort((a, b) => sign * (rows[a]!.pays - rows[b]!.pays));
}

/** Numbers that stand together, with the indexes of their rows in the order in which they are shown. */
export interface NumberSection {
  key: string;
  title: string;
  /** What leads there in the bar of all sections. */
  short: string;
  indexes: readonly number[];
}

/** Numbers of a ranking that stand together. */
const RANKED = 100;

/** The sections of a layout, or those of a ranking. */
export function numberSections(sections: readonly PanelSection[], ranking: readonly number[] | null): NumberSection[] {
  if (!ranking)
    return sections.map(({ key, title, rows }) => ({ key, title, short: title.split('-')[0]!, indexes: rows.flat() }));
  return Array.from({ length: Math.ceil(ranking.length / RANKED) }, (_, index) => {
    const indexes = ranking.slice(index * RANKED, (index + 1) * RANKED);
    const [first, last] = [index * RANKED + 1, index * RANKED + indexes.length];
    return { key: `rank-${first}`, title: `No. ${first}-${last}`, short: `${first}.`, indexes };
  });
}

/** Which numbers of a grid are what. */
export interface Marked {
  /** The one that is chosen. */
  selected: string | null;
  /** The one that has won, or is saved. */
  drawn: string | null;
  /** The one that all is told about. */
  lookedAt: string;
  /** The one that Tab leads to. */
  reachable: string;
}

/** Which numbers are what: all is told about the one that is pointed at, else the last that was looked at, else what is chosen or drawn, else the dearest. */
export function markedOf(
  { selection, result }: Pick<GridProps, 'selection' | 'result'>,
  slot: string,
  { hovered, current }: { hovered: string | null; current: string | null },
  { dearest, first }: { dearest: string; first: string },
): Marked {
  const selected = selection[slot] ?? null;
  const drawn = result?.selection[slot] ?? null;
  return {
    selected,
    drawn,
    lookedAt: hovered ?? current ?? selected ?? drawn ?? dearest,
    reachable: current ?? selected ?? first,
  };
}

/** Why all is told about a number: it is chosen, has won, or would cost most; null where it is merely looked at. */
export function reasonOf(
  { lookedAt, selected, drawn }: Pick<Marked, 'lookedAt' | 'selected' | 'drawn'>,
  dearest: string | null,
): 'chosen' | 'result' | 'dearest' | null {
  if (lookedAt === selected) return 'chosen';
  if (lookedAt === drawn) return 'result';
  return lookedAt === dearest ? 'dearest' : null;
}
