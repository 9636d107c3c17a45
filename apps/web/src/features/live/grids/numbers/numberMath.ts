import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import { hundredthsIn, pointsOf } from '@drawhouse/contract/core/primitives';
import { PAY_SCALE } from '@drawhouse/rules/games/game-rules';
import { stakesByHead } from '@drawhouse/rules/panel/panel-rows';
import type { PanelSection } from '@drawhouse/rules/panel/layout';
import type { GameRules, Outcome } from '@drawhouse/rules/games/rules';
import type { GridProps } from '../grid.ts';

export type Order = 'number' | 'dearest' | 'cheapest';

export interface HeadFigures {
  name: string;
  label: string;
  /** Pay per unit, as 3.8. */
  ratio: number;
  /** Whole stakes that win with this number. */
  sum: number;
  /** Payout at booster 1. */
  pays: number;
}

/** Keeps the game's order. `stakes` by bet key. */
export function headFigures(rules: GameRules, outcome: Outcome, stakes: Panel['stakes']): HeadFigures[] {
  return stakesByHead(rules, outcome, (key) => hundredthsIn(stakes[key] ?? 0)).map(({ head, stake, wins }) => ({
    name: head.name,
    label: head.label,
    ratio: head.payHundredths / PAY_SCALE,
    sum: pointsOf(stake),
    pays: pointsOf(wins),
  }));
}

export interface Extremes {
  dearest: number;
  cheapest: number;
  losses: number;
  largest: { sum: number; pays: number };
}

/** Closer amounts are equal in exact arithmetic. */
const SAME = 0.005;

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

/** Ties keep numeric order. */
export function rankedIndexes(rows: readonly PanelRow[], order: Exclude<Order, 'number'>): number[] {
  const sign = order === 'dearest' ? -1 : 1;
  return Array.from(rows, (_, index) => index).sort((a, b) => sign * (rows[a]!.pays - rows[b]!.pays));
}

export interface NumberSection {
  key: string;
  title: string;
  short: string;
  indexes: readonly number[];
}

const RANKED = 100;

export function numberSections(sections: readonly PanelSection[], ranking: readonly number[] | null): NumberSection[] {
  if (!ranking)
    return sections.map(({ key, title, rows }) => ({ key, title, short: title.split('-')[0]!, indexes: rows.flat() }));
  return Array.from({ length: Math.ceil(ranking.length / RANKED) }, (_, index) => {
    const indexes = ranking.slice(index * RANKED, (index + 1) * RANKED);
    const [first, last] = [index * RANKED + 1, index * RANKED + indexes.length];
    return { key: `rank-${first}`, title: `No. ${first}-${last}`, short: `${first}.`, indexes };
  });
}

export interface Marked {
  selected: string | null;
  drawn: string | null;
  focused: string;
  reachable: string;
}

/** Marks the hovered number, else the last focused, the chosen or drawn, the most expensive. */
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
    focused: hovered ?? current ?? selected ?? drawn ?? dearest,
    reachable: current ?? selected ?? first,
  };
}

export function reasonOf(
  { focused, selected, drawn }: { focused: string; selected: string | null; drawn: string | null },
  dearest: string | null,
): 'chosen' | 'result' | 'dearest' | null {
  if (focused === selected) return 'chosen';
  if (focused === drawn) return 'result';
  return focused === dearest ? 'dearest' : null;
}
