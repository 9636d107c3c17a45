import type { FamilyName } from '../games/catalogue.ts';
import type { GameRules, Outcome, WinningBet, Head } from '../games/game-rules.ts';
import type { PanelList } from './layout.ts';
import { memoizeByObject } from '../memoize.ts';
import { shareOf } from '../games/shares.ts';
import { winHundredths, type Hundredths } from '../games/wins.ts';

type CellBet = WinningBet & { readonly headIndex: number };

/** `blank`: template without stakes, so all rows have one shape. */
export type Cell = {
  readonly bets: readonly CellBet[];
  readonly blank: CellRow;
};

export type PanelCells = {
  readonly lists: Readonly<Record<PanelList, readonly Cell[]>>;
  readonly shownOn: ReadonlyMap<string, readonly { readonly list: PanelList; readonly index: number }[]>;
};

/** `wins`: win at booster 1. */
type StakeAndWins = { readonly stake: Hundredths; readonly wins: Hundredths };

/** In points. Some families add fields per head. */
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

/** Row field per head, if several heads win with one outcome (docs/spec/game-operations.md §3). */
const HEAD_FIELD: Partial<Record<FamilyName, (head: string) => string>> = {
  triple: (head) => head,
  lottery3d: (head) => head,
  jodi: (head) => `${head}sum`,
};

const TOTAL_FIELD: Partial<Record<FamilyName, string>> = { jodi: 'totalsum' };

/** Cached per rules and shared: do not mutate. */
export const panelCells = memoizeByObject((rules: GameRules): PanelCells => {
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

/** Keeps the heads' order. Empty if only one head wins with an outcome. */
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

/** Stakes in hundredths; `inPoints` converts them for the wire. Computes each bet once, however many cells it is in. */
export function rowMaker(
  rules: Pick<GameRules, 'family' | 'heads'>,
  stakeOf: (key: string) => Hundredths | null | undefined,
  inPoints: (amount: Hundredths) => number,
): (cell: Cell, image: string | null) => CellRow {
  const cache = new Map<string, StakeAndWins>();
  const stakeAndWinsOf = ({ key, payHundredths }: WinningBet): StakeAndWins => {
    const found = cache.get(key);
    if (found) return found;
    const stake = stakeOf(key) ?? 0n;
    const wins = stake === 0n ? 0n : winHundredths({ unitPrice: stake, qty: 1, payHundredths, booster: 1 });
    const sums = { stake, wins };
    cache.set(key, sums);
    return sums;
  };
  const fields = headFields(rules);
  const totalField = TOTAL_FIELD[rules.family];
  const byHead = rules.heads.map(() => 0n);

  return ({ bets, blank }, image) => {
    let sum = 0n;
    let pays = 0n;
    byHead.fill(0n);
    for (const bet of bets) {
      const { stake, wins } = stakeAndWinsOf(bet);
      if (stake === 0n) continue;
      const counted = shareOf(stake, bet.share);
      sum += counted;
      pays += wins;
      byHead[bet.headIndex]! += counted;
    }
    const row: CellRow & Record<string, unknown> = { ...blank, image };
    row.sum = inPoints(sum);
    row.pays = inPoints(pays);
    for (const [index, field] of fields.entries()) row[field] = inPoints(byHead[index]!);
    if (totalField !== undefined) row[totalField] = row.sum;
    return row;
  };
}

type HeadStake = {
  head: Head;
  /** Whole stakes of all winning bets, even of those that count on a number by share. */
  stake: Hundredths;
  wins: Hundredths;
};

export function stakesByHead(
  { heads, outcomeBets }: GameRules,
  outcome: Outcome,
  stakeOf: (key: string) => Hundredths,
): HeadStake[] {
  const betsByHead = Map.groupBy(outcomeBets(outcome), ({ head }) => head);
  return heads.map((head) => {
    let stake = 0n;
    let wins = 0n;
    for (const { key, payHundredths } of betsByHead.get(head.name) ?? []) {
      const staked = stakeOf(key);
      stake += staked;
      wins += winHundredths({ unitPrice: staked, qty: 1, payHundredths, booster: 1 });
    }
    return { head, stake, wins };
  });
}

/**
 * Minimum net of a tier's collection for a margin in percent (docs/spec/game-operations.md §9): collection − collection
 * × margin / 100, in hundredths, rounded up.
 */
export function cutoffHundredths(collection: Hundredths, margin: number): Hundredths {
  return collection - (collection * BigInt(margin)) / 100n;
}
