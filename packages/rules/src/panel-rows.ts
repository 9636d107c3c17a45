import type { FamilyName } from './catalogue.ts';
import type { GameRules, Outcome, WinningBet } from './game-rules.ts';
import type { PanelList } from './layout.ts';
import { onceEach } from './once-each.ts';
import { winHundredths } from './wins.ts';
import type { Hundredths } from './wins.ts';

/** A bet that wins with an outcome, and the index of its head among those of the game. */
type CellBet = WinningBet & { readonly headIndex: number };

/** An outcome of a panel with the bets that win with it, and its row without stakes: to be filled in, so that all rows are of one shape. */
export type Cell = {
  readonly bets: readonly CellBet[];
  readonly blank: CellRow;
};

/** The cells of a game's panel, and on which of them the stakes of each bet show. */
export type PanelCells = {
  readonly lists: Readonly<Record<PanelList, readonly Cell[]>>;
  /** By bet key. */
  readonly shownOn: ReadonlyMap<string, readonly { readonly list: PanelList; readonly index: number }[]>;
};

/** What is staked on a bet, and what that wins with booster 1. */
type Laid = { readonly stake: Hundredths; readonly wins: Hundredths };

/** One outcome as a panel shows it, in points. Fields of the heads come on top in the families that have them. */
export type CellRow = {
  drawno: string;
  label: string;
  color: string | null;
  image: string | null;
  series?: string;
  subseries?: string;
  sum: number;
  pays: number;
};

/** In which field of a row the stakes on a head stand, where several heads win with one outcome (spec section 3). */
const HEAD_FIELD: Partial<Record<FamilyName, (head: string) => string>> = {
  triple: (head) => head,
  lottery3d: (head) => head,
  jodi: (head) => `${head}sum`,
};

/** In which field the sum stands once more. */
const TOTAL_FIELD: Partial<Record<FamilyName, string>> = { jodi: 'totalsum' };

/** The cells of a game's panel. Made once for each rules, and shared: do not change them. */
export const panelCells = onceEach((rules: GameRules): PanelCells => {
  const fields = [...headFields(rules), TOTAL_FIELD[rules.family]].filter((field) => field !== undefined);
  const zeros = Object.fromEntries(fields.map((field) => [field, 0]));
  const headIndexes = new Map(rules.heads.map(({ name }, index) => [name, index]));
  const shownOn = new Map<string, { list: PanelList; index: number }[]>();
  const cells = (list: PanelList, outcomes: readonly Outcome[] = []): Cell[] =>
    outcomes.map((outcome, index) => {
      const bets = rules
        .outcomeBets(outcome)
        .map((bet): CellBet => ({ ...bet, headIndex: headIndexes.get(bet.head)! }));
      for (const { key } of bets) {
        const cellsOfBet = shownOn.get(key);
        if (cellsOfBet) cellsOfBet.push({ list, index });
        else shownOn.set(key, [{ list, index }]);
      }
      return { bets, blank: blankRow(outcome, zeros) };
    });
  const lists = {
    data: cells('data', rules.outcomes),
    dataColors: cells('dataColors', rules.colors),
    dataCardTypes: cells('dataCardTypes', rules.cardTypes),
  };
  return { lists, shownOn };
});

/** The fields of a row in which the stakes on each head stand, in the order of the heads; none where only one head wins with an outcome. */
function headFields({ family, heads }: Pick<GameRules, 'family' | 'heads'>): string[] {
  const fieldOf = HEAD_FIELD[family];
  return fieldOf ? heads.map(({ name }) => fieldOf(name)) : [];
}

function blankRow({ drawno, label, color, series, subseries }: Outcome, zeros: Record<string, number>): CellRow {
  return {
    drawno,
    label,
    color: color ?? null,
    image: null,
    ...(series !== undefined && { series }),
    ...(subseries !== undefined && { subseries }),
    sum: 0,
    pays: 0,
    ...zeros,
  };
}

/**
 * Makes the rows of a panel from the stakes on its bets, in hundredths by bet key. `inPoints` is how an amount crosses the wire. Each bet
 * is worked out once, however many outcomes it wins with.
 */
export function rowMaker(
  rules: Pick<GameRules, 'family' | 'heads'>,
  stakeOf: (key: string) => Hundredths | null | undefined,
  inPoints: (amount: Hundredths) => number,
): (cell: Cell, image: string | null) => CellRow {
  const known = new Map<string, Laid>();
  const laidOn = ({ key, payHundredths }: WinningBet): Laid => {
    const found = known.get(key);
    if (found) return found;
    const stake = stakeOf(key) ?? 0n;
    const wins = stake === 0n ? 0n : winHundredths({ unitPrice: stake, qty: 1, payHundredths, booster: 1 });
    const laid = { stake, wins };
    known.set(key, laid);
    return laid;
  };
  const fields = headFields(rules);
  const totalField = TOTAL_FIELD[rules.family];
  const byHead = rules.heads.map(() => 0n);

  return ({ bets, blank }, image) => {
    let sum = 0n;
    let pays = 0n;
    byHead.fill(0n);
    for (const bet of bets) {
      const { stake, wins } = laidOn(bet);
      if (stake === 0n) continue;
      sum += stake;
      pays += wins;
      byHead[bet.headIndex]! += stake;
    }
    const row: CellRow & Record<string, unknown> = { ...blank, image };
    row.sum = inPoints(sum);
    row.pays = inPoints(pays);
    for (const [index, field] of fields.entries()) row[field] = inPoints(byHead[index]!);
    if (totalField !== undefined) row[totalField] = row.sum;
    return row;
  };
}
