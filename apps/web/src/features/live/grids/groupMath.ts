import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import { hundredthsIn, pointsOf, sumPoints } from '@drawhouse/contract/frame/primitives';
import { cutoffHundredths } from '@drawhouse/rules/cutoff';
import type { PanelSection, Selection } from '@drawhouse/rules/layout';
import { betsOfSection } from '@drawhouse/rules/layout-tabs';
import type { LayoutTab } from '@drawhouse/rules/layout-tabs';
import type { GameRules } from '@drawhouse/rules/rules';
import { sectionRows } from './grid.ts';
import { consequence } from '../panel/panelMath.ts';
import type { Consequence } from '../panel/panelMath.ts';

/** What stands on the outcomes of a section, in points. */
export interface SectionFigures {
  /** The stakes of all bets on it, each counted once, however many of its outcomes it wins with. */
  collection: number;
  /** What its dearest outcome pays with booster 1. */
  worst: number;
  /** The most that is staked on one of its outcomes. */
  largest: number;
}

const lastFigures = new WeakMap<PanelSection, { list: readonly PanelRow[]; figures: SectionFigures }>();

/**
 * What stands on a section. Worked out again only where one of its rows is another one: a bet shows on a row at least, so with the same rows the
 * stakes are the same. Only of sections whose bets all belong to them, as those of 4D and jodi do.
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

/** Whether two lists have the same rows in a section. */
function isSameIn({ rows }: PanelSection, before: readonly PanelRow[], after: readonly PanelRow[]): boolean {
  return before === after || rows.every((indexes) => indexes.every((index) => before[index] === after[index]));
}

/** A number that is chosen in a section, or has won there. */
export interface Winner {
  section: PanelSection;
  drawno: string;
  /** What it pays with booster 1, in points. */
  pays: number;
}

/** The winners under each tab that has one. */
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

/** What several winners pay together with a booster, and what that leaves of the draw's collection. */
export function winnersConsequence(winners: readonly Winner[], booster: number, collection: number): Consequence {
  return consequence({ pays: sumPoints(winners.map(({ pays }) => pays)) }, booster, collection);
}

/** The margin that was typed, a whole number from 0 to 100; nothing counts as 0. Null where it is none. */
export function readMargin(text: string | number): number | null {
  const trimmed = String(text).trim();
  if (!/^\d{0,3}$/.test(trimmed)) return null;
  const margin = Number(trimmed);
  return margin <= 100 ? margin : null;
}

/** What has to be left of a tier's collection with a margin in per cent, in points. */
export function cutoffOf(collection: number, margin: number): number {
  return pointsOf(cutoffHundredths(hundredthsIn(collection), margin));
}

/** How a number of a tier stands: what it pays with the booster, what that leaves of the tier's collection, and whether that is enough. */
export interface TierNet {
  payout: number;
  net: number;
  /** The net is the cutoff or more: the row is green, else red. */
  keeps: boolean;
}

/** How a number stands. Net = collection − payout; it keeps the margin where net ≥ cutoff (section 9 of the games specification). */
export function tierNet(
  row: Pick<PanelRow, 'pays'>,
  tier: { collection: number; cutoff: number; booster: number },
): TierNet {
  const { pays, leaves } = consequence(row, tier.booster, tier.collection);
  return { payout: pays, net: leaves, keeps: leaves >= tier.cutoff };
}

/** How the numbers of a tier stand: as they are counted, or by their net. */
export type NetOrder = 'number' | 'descending' | 'ascending';

/** What the P&L sort does next: the highest net first, then the lowest, then the highest again. */
export function toggledOrder(order: NetOrder): NetOrder {
  return order === 'descending' ? 'ascending' : 'descending';
}

/** The rows in an order; those of the same net as they are counted. The less a number pays, the higher is its net, whatever the booster. */
export function inOrder<Row extends Pick<PanelRow, 'pays'>>(rows: readonly Row[], order: NetOrder): readonly Row[] {
  if (order === 'number') return rows;
  const sign = order === 'descending' ? 1 : -1;
  return rows.toSorted((a, b) => sign * (a.pays - b.pays));
}
