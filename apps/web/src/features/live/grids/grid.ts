import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import type { PanelLayout, PanelSection, Selection } from '@drawhouse/rules/panel/layout';
import type { GameRules } from '@drawhouse/rules/games/rules';

/** Controlled: the parent keeps the selection. */
export interface GridProps {
  panel: Panel;
  rules: GameRules;
  layout: PanelLayout;
  selection: Selection;
  /** Saved or drawn. */
  result: { selection: Selection; booster: number } | null;
  booster: number;
  /** Certain to be covered, in points. */
  payable: number;
  disabled: boolean;
  dimmed: boolean;
  narrow: boolean;
  onToggle: (slot: string, drawno: string) => void;
  onSelect: (selection: Selection) => void;
}

export function sectionRows(panel: Panel, { list, rows }: PanelSection): PanelRow[][] {
  return rows.map((indexes) => indexes.flatMap((index) => panel[list][index] ?? []));
}

/** Returns the booster to be saved, or for the current result its saved one unless chosen again. */
export function boosterOf(
  { selection, result, booster }: Pick<GridProps, 'selection' | 'result' | 'booster'>,
  slot: string,
  drawno: string,
): number {
  const isResult = result?.selection[slot] === drawno && selection[slot] !== drawno;
  return isResult ? result.booster : booster;
}

/** False if disabled, or if chosen: a toggle would remove it. */
export function mayTake(
  { selection, disabled }: Pick<GridProps, 'selection' | 'disabled'>,
  slot: string,
  drawno: string,
): boolean {
  return !disabled && selection[slot] !== drawno;
}
