import type { DrawResult, ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import type { WallTable } from '@drawhouse/contract/players/wall';
import type { Depicted } from '@drawhouse/pictures/outcome-drawing';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import type { PanelLayout, PanelSection } from '@drawhouse/rules/panel/layout';
import { shortWinners } from '@drawhouse/rules/panel/shown-result';
import { type ShownGame, resultPicture } from '../LiveMarks.tsx';
import { winnersOf } from '../liveFormat.ts';

const PATH = '/wall/';

/** Seconds until the next table. */
export const WALL_SECONDS = [5, 10, 20, 30, 60] as const;
const USUAL_SECONDS = 10;

export interface WallAddress {
  key: string;
  /** Keys of games; empty: all. */
  games: readonly string[];
  seconds: number;
}

export function readWallAddress({ pathname, search }: Pick<Location, 'pathname' | 'search'>): WallAddress {
  const params = new URLSearchParams(search);
  const seconds = Number(params.get('seconds'));
  return {
    key: pathname.slice(PATH.length).replace(/\/$/, ''),
    games: (params.get('games') ?? '').split(',').filter((game) => game !== ''),
    seconds: WALL_SECONDS.find((each) => each === seconds) ?? USUAL_SECONDS,
  };
}

export function wallAddress(origin: string, { key, games, seconds }: WallAddress): string {
  const params = new URLSearchParams();
  if (games.length > 0) params.set('games', games.join(','));
  if (seconds !== USUAL_SECONDS) params.set('seconds', String(seconds));
  // A query may contain commas.
  const search = params.toString().replaceAll('%2C', ',');
  return `${origin}${PATH}${key}${search && `?${search}`}`;
}

/** Keeps the chosen order; shows all tables if none of the chosen exists. */
export function chosenTables(tables: readonly WallTable[], games: readonly string[]): readonly WallTable[] {
  const chosen = games.flatMap((game) => tables.find(({ gameId }) => gameId === game) ?? []);
  return chosen.length === 0 ? tables : chosen;
}

export interface WallNews {
  gameId: string;
  result: DrawResult;
}

const NEWS_MS = 15_000;

export function wallNews(
  tables: readonly WallTable[],
  before: readonly WallTable[] | null,
  serverTime: string,
): readonly WallNews[] {
  if (before === null) return [];
  return tables.flatMap(({ gameId, results: [newest] }) => {
    const previous = before.find((table) => table.gameId === gameId);
    if (!newest || !previous || previous.results[0]?.drawId === newest.drawId) return [];
    return Date.parse(serverTime) - Date.parse(newest.drawsAt) > NEWS_MS ? [] : [{ gameId, result: newest }];
  });
}

export function shownGame({ gameId, family, digits, images }: WallTable): ShownGame {
  const { outcomes, cardTypes = [] } = rulesFor({ gameId, family: family as FamilyName, digits });
  const data = outcomes.map((outcome, index) => ({ ...outcome, image: images[index] ?? null }));
  return { gameId, family, digits, data, dataCardTypes: cardTypes };
}

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
