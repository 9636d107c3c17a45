import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import type { PanelLayout, PanelSection, Selection } from '@drawhouse/rules/layout';
import type { GameRules } from '@drawhouse/rules/rules';

/** What every grid of outcomes is given. A grid shows and asks; what is chosen is kept above it. */
export interface GridProps {
  panel: Panel;
  rules: GameRules;
  layout: PanelLayout;
  /** By slot the draw number that is chosen. */
  selection: Selection;
  /** The result that the draw has, saved or drawn, as it would have been chosen; null while it has none. */
  result: { selection: Selection; booster: number } | null;
  /** The booster that would be saved. */
  booster: number;
  /** Nothing can be chosen for this draw. */
  disabled: boolean;
  /** Nothing can be chosen, or the figures are not fresh: the grid steps back. */
  dimmed: boolean;
  /** A phone's width. */
  narrow: boolean;
  /** Chooses an outcome in a slot, or takes the choice back where it is the one. */
  onToggle: (slot: string, drawno: string) => void;
  /** Chooses exactly this. */
  onSelect: (selection: Selection) => void;
}

/** The rows of a section's outcomes as it shows them. */
export function sectionRows(panel: Panel, { list, rows }: PanelSection): PanelRow[][] {
  return rows.map((indexes) => indexes.flatMap((index) => panel[list][index] ?? []));
}

/** The booster that an outcome pays with: the one that would be saved, but of the result, unless it is chosen again, the one that it was saved with. */
export function boosterOf(
  { selection, result, booster }: Pick<GridProps, 'selection' | 'result' | 'booster'>,
  slot: string,
  drawno: string,
): number {
  const isResult = result?.selection[slot] === drawno && selection[slot] !== drawno;
  return isResult ? result.booster : booster;
}

/** Whether a number that is named is to be chosen in its slot: not where nothing can be, nor where it is the one, for that would take the choice back. */
export function mayTake(
  { selection, disabled }: Pick<GridProps, 'selection' | 'disabled'>,
  slot: string,
  drawno: string,
): boolean {
  return !disabled && selection[slot] !== drawno;
}
