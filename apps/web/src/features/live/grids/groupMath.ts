import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import { hundredthsIn, pointsOf, sumPoints } from '@drawhouse/contract/core/primitives';
import { cutoffHundredths } from '@drawhouse/rules/panel/panel-rows';
import { betsOfSection, type PanelSection, type Selection, type LayoutTab } from '@drawhouse/rules/panel/layout';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { sectionRows } from './grid.ts';
import { consequence, type Consequence } from '../panel/panelMath.ts';

/** In points. */
export interface SectionFigures {
  /** A bet on several outcomes counts once. */
  collection: number;
  /** Payout at booster 1. */
  worst: number;
  largest: number;
}

const lastFigures = new WeakMap<PanelSection, { list: readonly PanelRow[]; figures: SectionFigures }>();

/**
 * Caches by row identity: every bet changes at least one row. Valid only if no bet spans sections, as in 4D and jodi.
 */
export function sectionFigures(section: PanelSection, panel: Panel, rules: GameRules): SectionFigures {
  const list = panel[section.list];
  const last = lastFigures.get(section);
  if (last && isSameIn(section, last.list, list)) return last.figures;
  const rows = sectionRows(panel, section).flat();
  const figures = {
    collection: sumPoints(betsOfSection(section, rules).map((key) => panel.stakes[key] ?? 0)),
    worst: Math.max(0, ...rows.map(({ pays }) => pays)),
    largest: Math.max(0, ...rows.map(({ sum }) => sum)),
  };
  lastFigures.set(section, { list, figures });
  return figures;
}

function isSameIn({ rows }: PanelSection, before: readonly PanelRow[], after: readonly PanelRow[]): boolean {
  return before === after || rows.every((indexes) => indexes.every((index) => before[index] === after[index]));
}

export interface Winner {
  section: PanelSection;
  drawno: string;
  /** In points, at booster 1. */
  pays: number;
}

export function winnersByTab(
  tabs: readonly LayoutTab[],
  panel: Panel,
  selection: Selection,
): { tab: LayoutTab; winners: Winner[] }[] {
  return tabs
    .map((tab) => ({
      tab,
      winners: tab.sections.flatMap((section): Winner[] => {
        const drawno = selection[section.slot];
        if (drawno === undefined) return [];
        const row = sectionRows(panel, section)
          .flat()
          .find((each) => each.drawno === drawno);
        return [{ section, drawno, pays: row?.pays ?? 0 }];
      }),
    }))
    .filter(({ winners }) => winners.length > 0);
}

export function winnersConsequence(winners: readonly Winner[], booster: number, collection: number): Consequence {
  return consequence({ pays: sumPoints(winners.map(({ pays }) => pays)) }, booster, collection);
}

/** Reads a whole percentage; empty counts as 0. */
export function readMargin(text: string | number): number | null {
  const trimmed = String(text).trim();
  if (!/^\d{0,3}$/.test(trimmed)) return null;
  const margin = Number(trimmed);
  return margin <= 100 ? margin : null;
}

/** Returns the part of a tier's collection to keep, in points; `margin` in percent. */
export function cutoffOf(collection: number, margin: number): number {
  return pointsOf(cutoffHundredths(hundredthsIn(collection), margin));
}

export interface TierNet {
  payout: number;
  net: number;
  /** Net reaches the cutoff. */
  keeps: boolean;
}

/** Net = collection − payout. Keeps the margin if net ≥ cutoff (docs/spec/game-operations.md §9). */
export function tierNet(
  row: Pick<PanelRow, 'pays'>,
  tier: { collection: number; cutoff: number; booster: number },
): TierNet {
  const { pays, leaves } = consequence(row, tier.booster, tier.collection);
  return { payout: pays, net: leaves, keeps: leaves >= tier.cutoff };
}

export type NetOrder = 'number' | 'descending' | 'ascending';

export function toggledOrder(order: NetOrder): NetOrder {
  return order === 'descending' ? 'ascending' : 'descending';
}

/** Ties keep numeric order. At any booster, payout order is reverse net order. */
export function inOrder<Row extends Pick<PanelRow, 'pays'>>(rows: readonly Row[], order: NetOrder): readonly Row[] {
  if (order === 'number') return rows;
  const sign = order === 'descending' ? 1 : -1;
  return rows.toSorted((a, b) => sign * (a.pays - b.pays));
}
