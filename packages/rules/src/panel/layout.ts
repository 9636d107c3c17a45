import { builtInGame } from '../games/catalogue.ts';
import type { GameRules, Outcome, Result } from '../games/game-rules.ts';
import { rulesFor, type GameIdentity } from '../games/rules.ts';
import { memoizeByObject } from '../memoize.ts';
import { seriesTitle, tierLetters } from './shown-result.ts';

/**
 * `tiles`: numbers and cards. `numbers`: hundreds of plain numbers. `series`: a grid per sub-series under tabs (4D).
 * `tiers`: a list per tier (jodi).
 */
export const PANEL_GRIDS = ['tiles', 'wheel', 'numbers', 'series', 'tiers'] as const;
export type PanelGrid = (typeof PANEL_GRIDS)[number];

/** Andhar Bahar uses all three. */
export type PanelList = 'data' | 'dataCardTypes' | 'dataColors';

export type PanelSection = {
  key: string;
  title: string;
  /** Short name beside a number, if the number does not imply it (jodi): `K60`. */
  short?: string;
  /** Tab of the section (4D): `3000-3999`. */
  series: string | null;
  list: PanelList;
  rows: readonly (readonly number[])[];
  /** Key of its choice in a selection. Sections may share a slot. */
  slot: string;
};

export type PanelLayout = {
  grid: PanelGrid;
  /** `{token}` is the admin's name. Null: the game's name. */
  title: string | null;
  sections: readonly PanelSection[];
};

export type Selection = Readonly<Record<string, string>>;

export const NO_SELECTION: Selection = {};

/** Body fields of `live/addresult` (docs/spec/game-operations.md §7). */
export type Declaration = { result: string; color?: string; type?: string };

const SLOT: Record<PanelList, string> = { data: 'result', dataCardTypes: 'type', dataColors: 'color' };

/** Returns the sub-series (4D), the tier (jodi), else the list. */
export function slotOf(outcome: Pick<Outcome, 'series' | 'subseries'>, list: PanelList = 'data'): string {
  return outcome.subseries ?? outcome.series ?? SLOT[list];
}

const MOST_TILES = 24;
const NUMBERS = { row: 10, section: 100 };
/** Tiles on wide screens, by count (docs/spec/game-operations.md §2). Otherwise at most eight. */
const TILES_IN_ROW = new Map([
  [10, 5],
  [12, 6],
  [16, 4],
]);
const RANK_ROWS = [6, 1, 6];

const rangeFrom = (first: string, size: number): string => `${first}-${Number(first) + size - 1}`;

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

function rowsOf(from: number, to: number, inRow: number): number[][] {
  const rows: number[][] = [];
  for (let at = from; at < to; at += inRow) rows.push(range(at, Math.min(at + inRow, to)));
  return rows;
}

const onlySection = (rows: readonly (readonly number[])[]): PanelSection[] => [
  { key: 'all', title: '', series: null, list: 'data', rows, slot: SLOT.data },
];

function hundreds(outcomes: readonly Outcome[]): PanelSection[] {
  return rowsOf(0, outcomes.length, NUMBERS.section).map((indexes) => {
    const [first, last] = [outcomes[indexes[0]!]!, outcomes[indexes.at(-1)!]!];
    return {
      key: first.drawno,
      title: `${first.drawno}-${last.drawno}`,
      series: null,
      list: 'data',
      rows: rowsOf(indexes[0]!, indexes.at(-1)! + 1, NUMBERS.row),
      slot: SLOT.data,
    };
  });
}

function groups(
  outcomes: readonly Outcome[],
  of: (outcome: Outcome) => Pick<PanelSection, 'title' | 'series' | 'short'>,
): PanelSection[] {
  const indexes = Map.groupBy(range(0, outcomes.length), (index) => slotOf(outcomes[index]!));
  return [...indexes].map(([slot, own]) => {
    return {
      key: slot,
      ...of(outcomes[own[0]!]!),
      list: 'data',
      rows: rowsOf(own[0]!, own.at(-1)! + 1, NUMBERS.row),
      slot,
    };
  });
}

/** Arranges rows like a roulette table: zeros first, then three rows with 3, 6, 9 … on top. */
function wheelRows(outcomes: readonly Outcome[]): number[][] {
  const zeros = outcomes.filter(({ drawno }) => Number(drawno) === 0).length;
  const columns = (outcomes.length - zeros) / 3;
  const row = (offset: number): number[] => range(0, columns).map((column) => zeros + column * 3 + offset);
  return [range(0, zeros), row(2), row(1), row(0)];
}

function cardSections({ heads, outcomes, cardTypes = [], colors = [] }: GameRules): PanelSection[] {
  const [rank, suit, color] = heads;
  let at = 0;
  const ranks = RANK_ROWS.map((count) => range(at, (at += count))).filter((row) => row.at(-1)! < outcomes.length);
  const list = (key: string, title: string, from: PanelList, count: number): PanelSection => ({
    key,
    title,
    series: null,
    list: from,
    rows: [range(0, count)],
    slot: SLOT[from],
  });
  return [
    { ...onlySection(ranks)[0]!, key: 'cards', title: rank!.label },
    list('types', suit!.label, 'dataCardTypes', cardTypes.length),
    list('colors', color!.label, 'dataColors', colors.length),
  ];
}

function tileRows(gameId: string, count: number): number[][] {
  const rows = rowsOf(0, count, TILES_IN_ROW.get(count) ?? Math.min(8, count));
  const order = builtInGame(gameId)?.rowOrder;
  return order ? order.map((row) => rows[row]!) : rows;
}

function newLayout(gameId: string, rules: GameRules): Omit<PanelLayout, 'title'> {
  const { outcomes } = rules;
  switch (rules.family) {
    case 'numbers':
      return outcomes.length <= MOST_TILES
        ? { grid: 'tiles', sections: onlySection(tileRows(gameId, outcomes.length)) }
        : { grid: 'numbers', sections: hundreds(outcomes) };
    case 'roulette':
      return { grid: 'wheel', sections: onlySection(wheelRows(outcomes)) };
    case 'andarbahar':
      return { grid: 'tiles', sections: cardSections(rules) };
    case 'triple':
    case 'lottery3d':
      return { grid: 'numbers', sections: hundreds(outcomes) };
    case 'lottery4d':
      return {
        grid: 'series',
        sections: groups(outcomes, ({ series, subseries }) => ({
          title: rangeFrom(subseries!, NUMBERS.section),
          series: seriesTitle(series!),
        })),
      };
    case 'jodi':
      return {
        grid: 'tiers',
        sections: groups(outcomes, ({ series }) => ({
          title: series!,
          short: tierLetters(series!),
          series: null,
        })),
      };
  }
}

/** Cached and shared: do not mutate. */
export function layoutOf(game: GameIdentity): PanelLayout {
  return layoutOfRules(rulesFor({ ...game, pays: null }), game.gameId);
}

export const layoutOfRules = memoizeByObject((rules: GameRules, gameId: string): PanelLayout => ({
  ...newLayout(gameId, rules),
  title: builtInGame(gameId)?.panelTitle ?? null,
}));

/** Replaces the slot's previous choice. */
export function toggleNumber(selection: Selection, slot: string, drawno: string): Selection {
  const { [slot]: before, ...others } = selection;
  return before === drawno ? others : { ...others, [slot]: drawno };
}

export type Chosen = { selection: Selection; dropped: Outcome | null };

/** Keeps cards consistent: a type sets its color; a different color, or none, drops the type. */
export function chosenWith(
  { cardTypes = [] }: Pick<GameRules, 'cardTypes'>,
  before: Selection,
  slot: string,
  drawno: string,
): Chosen {
  const selection = toggleNumber(before, slot, drawno);
  const { [SLOT.dataCardTypes]: typeNo, ...others } = selection;
  const type = cardTypes.find((each) => each.drawno === typeNo);
  if (type?.color === undefined || type.color === selection[SLOT.dataColors]) return { selection, dropped: null };
  if (slot === SLOT.dataColors) return { selection: others, dropped: type };
  return { selection: { ...selection, [SLOT.dataColors]: type.color }, dropped: null };
}

export function selectionOf(result: Result): Selection {
  if ('winners' in result) return result.winners;
  const selection = { [SLOT.data]: result.drawno };
  return 'suit' in result
    ? { ...selection, [SLOT.dataCardTypes]: result.suit, [SLOT.dataColors]: result.color }
    : selection;
}

/**
 * `rules.parseResult` validates it. Grouped games declare JSON text of chosen numbers with their sums in points
 * (docs/spec/game-operations.md §3).
 */
export function declarationOf(
  rules: GameRules,
  selection: Selection,
  sumOf: (outcome: Outcome) => number = () => 0,
): Declaration {
  const grouped = rules.outcomes[0]!.series !== undefined;
  if (!grouped) {
    const { [SLOT.data]: result = '', [SLOT.dataColors]: color, [SLOT.dataCardTypes]: type } = selection;
    return { result, ...(color !== undefined && { color }), ...(type !== undefined && { type }) };
  }
  const chosen = rules.outcomes.filter((outcome) => selection[slotOf(outcome)] === outcome.drawno);
  return {
    result: JSON.stringify(chosen[0]?.subseries === undefined ? tierList(chosen, sumOf) : seriesList(chosen, sumOf)),
  };
}

type SumOf = (outcome: Outcome) => number;

const tierList = (chosen: readonly Outcome[], sumOf: SumOf): unknown =>
  chosen.map((outcome) => ({ series: outcome.series, drawno: outcome.drawno, sum: sumOf(outcome) }));

const seriesList = (chosen: readonly Outcome[], sumOf: SumOf): unknown =>
  [...Map.groupBy(chosen, ({ series }) => series)].map(([series, results]) => ({
    series,
    results: results.map((outcome) => ({
      subseries: outcome.subseries,
      drawno: outcome.drawno,
      sum: sumOf(outcome),
    })),
  }));

/** Series of 4D, tiers of jodi. */
export type LayoutTab = {
  key: string;
  title: string;
  sections: readonly PanelSection[];
};

/** A section without series gets its own tab. */
export function layoutTabs({ sections }: PanelLayout): LayoutTab[] {
  const tabs = Map.groupBy(sections, ({ series, title }) => series ?? title);
  return [...tabs].map(([title, own]) => ({ key: own[0]!.key, title, sections: own }));
}

export function sectionOfEach({ outcomes }: GameRules, { sections }: PanelLayout): ReadonlyMap<string, PanelSection> {
  const bySlot = new Map(sections.map((section) => [section.slot, section]));
  return new Map(outcomes.map((outcome) => [outcome.drawno, bySlot.get(slotOf(outcome))!]));
}

export function sectionUnder(tabs: readonly LayoutTab[], tabKey: string, section: PanelSection): PanelSection {
  const own = tabs.find(({ sections }) => sections.includes(section))!;
  const other = tabs.find(({ key }) => key === tabKey)!;
  return other.sections[own.sections.indexOf(section)]!;
}

export const betsOfSection = memoizeByObject(
  ({ rows }: PanelSection, { outcomes, outcomeBets }: GameRules): readonly string[] => {
    const bets = rows.flat().flatMap((index) => outcomeBets(outcomes[index]!));
    return [...new Set(bets.map(({ key }) => key))];
  },
);
