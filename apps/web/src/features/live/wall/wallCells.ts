import type { ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import type { PanelLayout, PanelSection } from '@drawhouse/rules/panel/layout';
import { shortWinners } from '@drawhouse/rules/panel/shown-result';
import type { Depicted } from '@drawhouse/pictures/outcome-drawing';
import { winnersOf } from '../liveFormat.ts';
import { resultPicture, type ShownGame } from '../LiveMarks.tsx';

const MOST_CELLS = 40;
const TOP = 20;

export interface WallCell {
  row: PanelRow;
  section: PanelSection;
}

/** `all`: total count if only the top is shown. */
export function wallCells(
  panel: Panel,
  layout: PanelLayout,
): { cells: readonly WallCell[]; all: number; isTop: boolean } {
  const every = layout.sections.flatMap((section) =>
    section.rows.flat().flatMap((index) => {
      const row = panel[section.list][index];
      return row ? [{ row, section }] : [];
    }),
  );
  if (every.length <= MOST_CELLS) return { cells: every, all: every.length, isTop: false };
  const cells = every
    .filter(({ row }) => row.sum > 0)
    .toSorted((a, b) => b.row.sum - a.row.sum)
    .slice(0, TOP);
  return { cells, all: every.length, isTop: true };
}

/** Returns half of all outcomes if rows differ. */
export function wallColumns({ rows }: PanelSection): number {
  const lengths = new Set(rows.map((row) => row.length));
  return lengths.size === 1 ? rows[0]!.length : Math.ceil(rows.flat().length / 2);
}

/** Keeps rows whole or splits them evenly; undefined if neither works. */
export function uprightColumns(section: PanelSection): number | undefined {
  const columns = wallColumns(section);
  return columns <= 4 ? columns : [4, 3].find((each) => columns % each === 0);
}

export function wallResult(panel: ShownGame, result: ResultData): { text: string; picture: Depicted | null } {
  const several = winnersOf(panel, result);
  const picture = resultPicture(panel, result);
  if (several) return { text: shortWinners(several.winners), picture };
  const name = 'suit' in result && picture ? picture.label : 'drawno' in result ? result.drawno : '';
  return { text: name, picture };
}
