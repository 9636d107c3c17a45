import type { Panel, PanelChange, PanelRow } from '@drawhouse/contract/live/live';
import { hundredthsIn, pointsOf } from '@drawhouse/contract/core/primitives';
import type { PanelList } from '@drawhouse/rules/panel/layout';
import { panelCells, rowMaker, type Cell } from '@drawhouse/rules/panel/panel-rows';
import { rulesFor, type GameRules } from '@drawhouse/rules/games/rules';
import { gameOf, type PastDraw } from '../panelMath.ts';

const LISTS: readonly PanelList[] = ['data', 'dataColors', 'dataCardTypes'];

/** Consecutive changes of one draw, of which `from` is the first number. */
export interface MergedChange extends PanelChange {
  readonly from?: number;
}

/**
 * Recomputes exactly. Unchanged rows and lists keep their identity. Returns the same panel for a known change. `gap`:
 * changes are missing, only a full panel helps.
 */
export function applyPanelChange(panel: Panel, change: MergedChange): Panel | 'gap' {
  if (change.gameId !== panel.gameId || change.adminId !== panel.adminId || change.seq <= panel.seq) return panel;
  const { drawId, from = change.seq, ...fields } = change;
  if (from > panel.seq + 1) return 'gap';
  const isOtherDraw = drawId !== (panel.draw?._id ?? null);
  const stakes = isOtherDraw ? change.stakes : stakesAfter(panel.stakes, change.stakes);
  const next: Panel = { ...panel, ...fields, stakes };
  const rules = rulesFor(gameOf(next));
  const isAllNew = isOtherDraw || rules !== rulesFor(gameOf(panel));
  return withRows(next, rules, isAllNew ? null : Object.keys(change.stakes));
}

export function panelOfPast(panel: Panel, { stakes, staked }: PastDraw): Panel {
  return withRows({ ...panel, stakes, totalsumdata: staked }, rulesFor(gameOf(panel)), null);
}

function stakesAfter(before: Panel['stakes'], changed: Panel['stakes']): Panel['stakes'] {
  const keys = Object.keys(changed);
  if (keys.length === 0) return before;
  const after = { ...before, ...changed };
  for (const key of keys) if (after[key] === 0) delete after[key];
  return after;
}

function withRows(panel: Panel, rules: GameRules, betKeys: readonly string[] | null): Panel {
  const { lists, shownOn } = panelCells(rules);
  const rowOf = rowMaker(rules, (key) => hundredthsIn(panel.stakes[key] ?? 0), pointsOf);
  const indexes: Record<PanelList, Set<number>> = { data: new Set(), dataColors: new Set(), dataCardTypes: new Set() };
  if (betKeys)
    for (const key of betKeys) for (const { list, index } of shownOn.get(key) ?? []) indexes[list].add(index);
  else for (const list of LISTS) for (const index of lists[list].keys()) indexes[list].add(index);

  const rowsOf = (list: PanelList, cells: readonly Cell[]): Panel[PanelList] => {
    const before = panel[list];
    let after = before;
    for (const index of indexes[list]) {
      const old = before[index];
      const row: PanelRow = rowOf(cells[index]!, old?.image ?? null);
      if (old && isSameRow(old, row)) continue;
      if (after === before) after = [...before];
      after[index] = row;
    }
    return after;
  };
  return {
    ...panel,
    data: rowsOf('data', lists.data),
    dataColors: rowsOf('dataColors', lists.dataColors),
    dataCardTypes: rowsOf('dataCardTypes', lists.dataCardTypes),
  };
}

/** Reuses equal rows, to avoid rerenders. */
export function sharingRows(before: Panel | null, panel: Panel): Panel {
  if (!before) return panel;
  const shared = (list: PanelList): Panel[PanelList] => {
    const rows = panel[list].map((row, index) => {
      const old = before[list][index];
      return old && isSameRow(old, row) ? old : row;
    });
    const isSameList = rows.length === before[list].length && rows.every((row, index) => row === before[list][index]);
    return isSameList ? before[list] : rows;
  };
  return { ...panel, data: shared('data'), dataColors: shared('dataColors'), dataCardTypes: shared('dataCardTypes') };
}

function isSameRow(one: PanelRow, other: PanelRow): boolean {
  const fields = Object.keys(one) as (keyof PanelRow)[];
  return fields.length === Object.keys(other).length && fields.every((field) => one[field] === other[field]);
}
