import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import { hundredthsIn, pointsOf } from '@drawhouse/contract/frame/primitives';
import { PAY_SCALE } from '@drawhouse/rules/game-rules';
import { laidByHead } from '@drawhouse/rules/heads';
import type { PanelSection } from '@drawhouse/rules/layout';
import type { GameRules, Outcome } from '@drawhouse/rules/rules';
import type { GridProps } from '../grid.ts';

/** How the numbers can stand: as they are counted, or by what declaring them would cost. */
export type Order = 'number' | 'dearest' | 'cheapest';

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
  return laidByHead(rules, outcome, (key) => hundredthsIn(stakes[key] ?? 0)).map(({ head, stake, wins }) => ({
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
