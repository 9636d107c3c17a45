import { builtInGame } from './catalogue.ts';
import type { GameRules, Outcome, Result } from './game-rules.ts';
import { rulesFor } from './rules.ts';
import type { GameIdentity } from './rules.ts';

/**
 * The grids there are: tiles (numbers, cards), the table of a wheel, numbers (hundreds of plain numbers), one grid for each sub-series
 * under tabs (4D), and one list for each tier (jodi).
 */
export const PANEL_GRIDS = ['tiles', 'wheel', 'numbers', 'series', 'tiers'] as const;
/** Name of a grid. */
export type PanelGrid = (typeof PANEL_GRIDS)[number];

/** Which outcomes of a panel: its `data`, or for Andhar Bahar its `dataCardTypes` or `dataColors`. */
export type PanelList = 'data' | 'dataCardTypes' | 'dataColors';

/** Outcomes that stand together under one title. */
export type PanelSection = {
  /** Unique within the panel. */
  key: string;
  /** What people read above it; empty where the panel has one section. */
  title: string;
  /** What it is called beside a number in a few characters, where the number does not tell (jodi): `K60`. */
  short?: string;
  /** The tab that it is under, where the panel has tabs (4D): `3000-3999`. */
  series: string | null;
  list: PanelList;
  /** Indexes in that list as they are shown, row by row. */
  rows: readonly (readonly number[])[];
  /** Where its choice is kept: of the outcomes of one slot one is chosen. Several sections may share a slot. */
  slot: string;
};

/** How the panel of a game is laid out: what is shown where, and what is chosen for a result. */
export type PanelLayout = {
  grid: PanelGrid;
  /** What people read above the panel, with `{token}` for the name of its admin; null where it is the game's name. */
  title: string | null;
  sections: readonly PanelSection[];
};

/** What an operator has chosen: by slot the draw number. */
export type Selection = Readonly<Record<string, string>>;

/** Nothing is chosen. */
export const NO_SELECTION: Selection = {};

/** A result as `live/addresult` takes it (section 7 of the games specification). */
export type Declaration = { result: string; color?: string; type?: string };

/** The slot of what is chosen from a list, where its outcomes have no groups: the field of the declaration that it becomes. */
const SLOT: Record<PanelList, string> = { data: 'result', dataCardTypes: 'type', dataColors: 'color' };

/** The slot of an outcome: its sub-series (4D) or tier (jodi), of which each has a winner; else that of its list. */
export function slotOf(outcome: Pick<Outcome, 'series' | 'subseries'>, list: PanelList = 'data'): string {
  return outcome.subseries ?? outcome.series ?? SLOT[list];
}

/** Up to so many outcomes are tiles; more are plain numbers. */
const MOST_TILES = 24;
/** How many outcomes a row of plain numbers has, and a section of them. */
const NUMBERS = { row: 10, section: 100 };
/** How many outcomes stand in a row on a wide screen, by how many there are (section 2 of the games specification); else eight at most. */
const TILES_IN_ROW = new Map([
  [10, 5],
  [12, 6],
  [16, 4],
]);
/** How many numbers a series of 4D has (section 9 of the games specification). */
const SERIES_SIZE = 1000;
/** So many letters of a tier's name tell it from the others: `K60` of `K60GOLD`. */
const TIER_LETTERS = 3;
/** The card ranks of Andhar Bahar stand in rows of 6, 1 and 6. */
const RANK_ROWS = [6, 1, 6];

const rangeFrom = (first: string, size: number): string => `${first}-${Number(first) + size - 1}`;

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

/** The indexes from `from` to before `to`, cut into rows of so many. */
function rowsOf(from: number, to: number, inRow: number): number[][] {
  const rows: number[][] = [];
  for (let at = from; at < to; at += inRow) rows.push(range(at, Math.min(at + inRow, to)));
  return rows;
}

const onlySection = (rows: readonly (readonly number[])[]): PanelSection[] => [
  { key: 'all', title: '', series: null, list: 'data', rows, slot: SLOT.data },
];

/** Sections of a hundred, named for their first and last outcome. */
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

/** A section for each group of outcomes, in the order of the outcomes. */
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

/** A table as it lies before the wheel: the zeros first, then three rows with 3, 6, 9 … at the top. */
function wheelRows(outcomes: readonly Outcome[]): number[][] {
  const zeros = outcomes.filter(({ drawno }) => Number(drawno) === 0).length;
  const columns = (outcomes.length - zeros) / 3;
  const row = (offset: number): number[] => range(0, columns).map((column) => zeros + column * 3 + offset);
  return [range(0, zeros), row(2), row(1), row(0)];
}

/** A section for each part of a card, under the label of the bets on it. */
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

function tileRows(game: GameIdentity, count: number): number[][] {
  const rows = rowsOf(0, count, TILES_IN_ROW.get(count) ?? Math.min(8, count));
  const order = builtInGame(game.gameId)?.rowOrder;
  return order ? order.map((row) => rows[row]!) : rows;
}

function newLayout(game: GameIdentity): Omit<PanelLayout, 'title'> {
  const rules = rulesFor({ ...game, pays: null });
  const { outcomes } = rules;
  switch (rules.family) {
    case 'numbers':
      return outcomes.length <= MOST_TILES
        ? { grid: 'tiles', sections: onlySection(tileRows(game, outcomes.length)) }
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
          series: rangeFrom(series!, SERIES_SIZE),
        })),
      };
    case 'jodi':
      return {
        grid: 'tiers',
        sections: groups(outcomes, ({ series }) => ({
          title: series!,
          short: series!.slice(0, TIER_LETTERS),
          series: null,
        })),
      };
  }
}

const layouts = new Map<string, PanelLayout>();

/**
 * How the panel of a game is laid out. Made once for each kind of game and shared: do not change it. Throws RangeError as `rulesFor`
 * does.
 */
export function layoutOf(game: GameIdentity): PanelLayout {
  const key = `${game.family}/${game.digits}/${builtInGame(game.gameId)?.gameId ?? ''}`;
  const known = layouts.get(key);
  if (known) return known;
  const layout = { ...newLayout(game), title: builtInGame(game.gameId)?.panelTitle ?? null };
  layouts.set(key, layout);
  return layout;
}

/** A choice with one outcome more, or without it where it was chosen: in its slot it replaces the one before. */
export function toggled(selection: Selection, slot: string, drawno: string): Selection {
  const { [slot]: before, ...others } = selection;
  return before === drawno ? others : { ...others, [slot]: drawno };
}

/** A choice after something was chosen, and the card type that had to go for it. */
export type Chosen = { selection: Selection; dropped: Outcome | null };

/**
 * As {@link toggled}, and what is chosen stays consistent: a card type brings its colour, and a colour that is not the chosen type's,
 * or none, drops the type. Which was dropped is answered, to be said.
 */
export function chosenWith(
  { cardTypes = [] }: Pick<GameRules, 'cardTypes'>,
  before: Selection,
  slot: string,
  drawno: string,
): Chosen {
  const selection = toggled(before, slot, drawno);
  const { [SLOT.dataCardTypes]: typeNo, ...others } = selection;
  const type = cardTypes.find((each) => each.drawno === typeNo);
  if (type?.color === undefined || type.color === selection[SLOT.dataColors]) return { selection, dropped: null };
  if (slot === SLOT.dataColors) return { selection: others, dropped: type };
  return { selection: { ...selection, [SLOT.dataColors]: type.color }, dropped: null };
}

/** A result as a choice: what would have to be chosen for it. */
export function selectionOf(result: Result): Selection {
  if ('winners' in result) return result.winners;
  const selection = { [SLOT.data]: result.drawno };
  return 'suit' in result
    ? { ...selection, [SLOT.dataCardTypes]: result.suit, [SLOT.dataColors]: result.color }
    : selection;
}

/**
 * What is declared by a choice, in the words of `live/addresult`; `rules.parseResult` says whether it is a result, or what is missing.
 * Games with groups declare a JSON text of the chosen numbers with their sums in points (section 3 of the games specification).
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
