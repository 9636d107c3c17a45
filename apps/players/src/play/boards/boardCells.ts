import { SUITS } from '@drawhouse/rules/games/catalogue';
import { layoutOfRules, layoutTabs, type PanelLayout, type PanelList } from '@drawhouse/rules/panel/layout';
import { seriesName } from '@drawhouse/rules/games/outcome-names';
import { memoizeByObject } from '@drawhouse/rules/memoize';
import type { Bet, GameRules, Outcome } from '@drawhouse/rules/games/rules';
import { sharedText } from '../../lib/inLanguage.ts';
import type { PlayState } from '../playState.ts';
import type { Slip } from '../slip/slip.ts';

export interface BoardCell {
  readonly key: string;
  /** Text as typed: `7`, `fp 12`, `K60GOLD andhar 4`. */
  readonly text: string;
  readonly label: string;
  readonly name: string;
  readonly outcome: Outcome | null;
}

interface BoardArea {
  readonly key: string;
  readonly title: string;
  readonly head: string;
  readonly rows: readonly (readonly BoardCell[])[];
}

export interface BoardChoice {
  readonly tab: string;
  readonly head: string;
  readonly page: string;
}

export interface Board {
  readonly grid: PanelLayout['grid'];
  readonly tabs: readonly { readonly key: string; readonly title: string }[];
  /** Empty if the game has one kind, or shows all. */
  readonly heads: readonly { readonly name: string; readonly label: string }[];
  readonly pages: readonly { readonly key: string; readonly title: string }[];
  readonly choice: BoardChoice;
  readonly areas: readonly BoardArea[];
}

const IN_ROW = 10;
const MOST_ON_PAGE = 120;

export function boardOf(gameId: string, rules: GameRules, choice: Partial<BoardChoice>): Board {
  const layout = layoutOfRules(rules, gameId);
  if (layout.grid === 'tiles' || layout.grid === 'wheel') return wholeBoard(layout, rules);
  const tabs = layout.grid === 'numbers' ? [] : layoutTabs(layout);
  const tab = tabs.find(({ key }) => key === choice.tab) ?? tabs[0];
  const heads =
    rules.heads.length > 1 ? rules.heads.map(({ name, label }) => ({ name, label: sharedText(label) })) : [];
  const head = rules.heads.find(({ name }) => name === choice.head) ?? usualHead(rules);
  const first = tab && rules.outcomes[tab.sections[0]!.rows[0]![0]!];
  const bets = cellsOf(rules, head.name, first?.series);
  const sections = tab?.sections ?? layout.sections;
  const paged = bets.length > MOST_ON_PAGE;
  const pages = paged ? sections.map(({ key, title }) => ({ key, title })) : [];
  const page = pages.find(({ key }) => key === choice.page) ?? pages[0];
  const section = sections.find(({ key }) => key === page?.key);
  const drawnos = section && new Set(section.rows.flat().map((index) => rules.outcomes[index]!.drawno));
  const shown = drawnos ? bets.filter(({ outcome }) => outcome && drawnos.has(outcome.drawno)) : bets;
  return {
    grid: layout.grid,
    tabs: tabs.map(({ key, title }) => ({ key, title: sharedText(seriesName(title)) })),
    heads,
    pages,
    choice: { tab: tab?.key ?? '', head: head.name, page: page?.key ?? '' },
    areas: [
      { key: `${tab?.key ?? ''}/${head.name}/${page?.key ?? ''}`, title: '', head: head.name, rows: inRows(shown) },
    ],
  };
}

/** Default: a bet on the complete number. */
function usualHead({ heads, outcomes, outcomeBets }: GameRules): GameRules['heads'][number] {
  const whole = outcomeBets(outcomes[0]!).find(({ key }) => key.endsWith(outcomes[0]!.drawno));
  return heads.find(({ name }) => name === whole?.head) ?? heads[0]!;
}

function wholeBoard(layout: PanelLayout, rules: GameRules): Board {
  const lists: Record<PanelList, readonly Outcome[]> = {
    data: rules.outcomes,
    dataCardTypes: rules.cardTypes ?? [],
    dataColors: rules.colors ?? [],
  };
  const areas = layout.sections.map(({ key, title, list, rows }): BoardArea => {
    const cells = lists[list].map((outcome) => {
      return cellOf(rules, rules.betOf(rules.outcomeBets(outcome)[0]!.key)!, outcome);
    });
    const { head } = rules.outcomeBets(lists[list][0]!)[0]!;
    return { key, title: sharedText(title), head, rows: rows.map((row) => row.map((index) => cells[index]!)) };
  });
  return { grid: layout.grid, tabs: [], heads: [], pages: [], choice: { tab: '', head: '', page: '' }, areas };
}

function cellsOf(rules: GameRules, head: string, series: string | undefined): readonly BoardCell[] {
  const known = cellsByHead(rules);
  const key = `${series ?? ''}/${head}`;
  let cells = known.get(key);
  if (!cells) {
    const outcomes = new Map(
      rules.outcomes
        .filter((outcome) => series === undefined || outcome.series === series)
        .map((each) => [each.drawno, each]),
    );
    cells = betsToPick(rules, { head, series }).map((bet) => cellOf(rules, bet, outcomes.get(bet.drawno) ?? null));
    known.set(key, cells);
  }
  return cells;
}

const cellsByHead = memoizeByObject((_rules: GameRules): Map<string, readonly BoardCell[]> => new Map());

function cellOf(rules: GameRules, { key, drawno, head, series }: Bet, outcome: Outcome | null): BoardCell {
  const kind = rules.heads.find(({ name }) => name === head)!.label;
  const isNamed = outcome !== null && outcome.label !== drawno;
  const label = isNamed ? outcome.label : drawno;
  const words = [rules.family === 'jodi' ? series : null, rules.heads.length > 1 ? head : null, drawno];
  return {
    key,
    text: words.filter((word) => word !== null).join(' '),
    label: sharedText(label),
    name: sharedText(nameOf(rules, { drawno, label, kind, outcome })),
    outcome,
  };
}

function nameOf(
  { family, heads }: GameRules,
  { drawno, label, kind, outcome }: { drawno: string; label: string; kind: string; outcome: Outcome | null },
): string {
  if (family === 'andarbahar') return outcome?.suit ? drawno : `${kind} ${label}`;
  if (family === 'roulette') return `${drawno} ${outcome?.color ?? ''}`.trim();
  if (heads.length > 1) return `${kind} ${drawno}`;
  const suit = SUITS.find(({ symbol }) => label.endsWith(symbol))?.suit;
  return suit ? `${label.slice(0, -1)} of ${suit}s` : label;
}

function inRows(cells: readonly BoardCell[]): BoardCell[][] {
  const rows: BoardCell[][] = [];
  for (let at = 0; at < cells.length; at += IN_ROW) rows.push(cells.slice(at, at + IN_ROW));
  return rows;
}

export interface BoardProps {
  readonly state: PlayState;
  readonly rules: GameRules;
  readonly board: Board;
  readonly slip: Slip;
  /** Units on the running draw, by bet key. */
  readonly placed: ReadonlyMap<string, number>;
  /** Bets that the last result wins. */
  readonly drawn: ReadonlySet<string>;
  /** `text` is typed (`7`, `red`); `keys` are the affected numbers or bets. */
  readonly onTouch: (text: string, keys: readonly string[]) => void;
  readonly onErase: (keys: readonly string[]) => void;
  readonly onChoice: (choice: Partial<BoardChoice>) => void;
}

export interface PickFrom {
  readonly head: string;
  readonly series?: string | undefined;
  readonly subseries?: string | undefined;
}

export function betsToPick(
  { outcomes, cardTypes = [], colors = [], outcomeBets, betOf }: GameRules,
  from: PickFrom,
): Bet[] {
  const cells = [...outcomes, ...cardTypes, ...colors].filter(
    ({ series, subseries }) =>
      (from.series === undefined || series === from.series) &&
      (from.subseries === undefined || subseries === from.subseries),
  );
  const keys = cells.flatMap((cell) => outcomeBets(cell).flatMap(({ key, head }) => (head === from.head ? [key] : [])));
  return [...new Set(keys)].map((key) => betOf(key)!);
}
