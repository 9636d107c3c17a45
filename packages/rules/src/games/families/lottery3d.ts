import type { GameRules, Head, WinningBet } from '../game-rules.ts';
import {
  MAX_LOTTERY_BOOSTER,
  allDigits,
  betReturn,
  chosenHead,
  fixedDigits,
  refuse,
  refuseHead,
  refuseSeries,
} from './bet-fields.ts';
import { singleNumberRules } from './single-number.ts';

const sorted = (digits: string): string => [...digits].toSorted().join('');
const differentDigits = (digits: string): number => new Set(digits).size;

type HeadSpec = Head & {
  width: 2 | 3;
  accepts?: { test: (digits: string) => boolean; message: string };
  canonical: (digits: string) => string;
  wins: (drawno: string) => string[];
  winning: number;
};

const same = (digits: string): string => digits;
const front = (drawno: string): string => drawno.slice(0, 2);
const back = (drawno: string): string => drawno.slice(1);
const split = (drawno: string): string => drawno.charAt(0) + drawno.charAt(2);

/** Heads, labels and pays: docs/spec/game-operations.md §9. */
const HEADS: readonly HeadSpec[] = [
  {
    name: 'straight',
    label: 'Straight',
    payHundredths: 900_00,
    width: 3,
    canonical: same,
    wins: (drawno) => [drawno],
    winning: 1,
  },
  {
    name: 'spbox',
    label: 'SP Box',
    payHundredths: 150_00,
    width: 3,
    accepts: {
      test: (digits) => differentDigits(digits) === 3,
      message: 'An SP Box bet names three different digits.',
    },
    canonical: sorted,
    wins: (drawno) => (differentDigits(drawno) === 3 ? [sorted(drawno)] : []),
    winning: 6,
  },
  {
    name: 'dpbox',
    label: 'DP Box',
    payHundredths: 300_00,
    width: 3,
    accepts: {
      test: (digits) => differentDigits(digits) === 2,
      message: 'A DP Box bet names one digit exactly twice.',
    },
    canonical: sorted,
    wins: (drawno) => (differentDigits(drawno) === 2 ? [sorted(drawno)] : []),
    winning: 3,
  },
  {
    name: 'ap',
    label: 'Any Pair',
    payHundredths: 60_00,
    width: 2,
    canonical: same,
    wins: (drawno) => [front(drawno), back(drawno), split(drawno)],
    winning: 28,
  },
  {
    name: 'fp',
    label: 'Front Pair',
    payHundredths: 90_00,
    width: 2,
    canonical: same,
    wins: (drawno) => [front(drawno)],
    winning: 10,
  },
  {
    name: 'bp',
    label: 'Back Pair',
    payHundredths: 90_00,
    width: 2,
    canonical: same,
    wins: (drawno) => [back(drawno)],
    winning: 10,
  },
  {
    name: 'sp',
    label: 'Split Pair',
    payHundredths: 90_00,
    width: 2,
    canonical: same,
    wins: (drawno) => [split(drawno)],
    winning: 10,
  },
];

/**
 * Draws 000-999. Keys: head and digits, sorted for boxes: `straight:213`, `spbox:123`, `dpbox:112`, `ap:12`, `fp:12`,
 * `bp:12`, `sp:12`. An Any Pair contained twice wins once. It wins with 28 of 1000 numbers, so its specified pay of 60
 * returns 168 %.
 */
export function lottery3dRules(): GameRules {
  return singleNumberRules({
    family: 'lottery3d',
    outcomes: allDigits(3).map((drawno) => ({ drawno, label: drawno })),
    heads: HEADS.map(({ name, label, payHundredths }) => ({ name, label, payHundredths })),
    width: 3,
    emptyMessage: 'Please select a result first.',
    maxBooster: MAX_LOTTERY_BOOSTER,
    returns: HEADS.map((head) => betReturn(head, head.winning, 1000)),
    outcomeBets: ({ drawno }) =>
      HEADS.flatMap(({ name, payHundredths, wins }): WinningBet[] =>
        [...new Set(wins(drawno))].map((digits) => ({ key: `${name}:${digits}`, head: name, payHundredths })),
      ),
    parseBet: (line) => {
      const head = chosenHead(HEADS, line.head);
      if (!head) return refuseHead(HEADS);
      const refusedSeries = refuseSeries(line);
      if (refusedSeries) return refusedSeries;
      const { name, label, width, accepts, canonical } = head;
      const digits = fixedDigits(line.drawno, width);
      if (digits === null) return refuse('drawno', `A ${label} bet names ${width} digits.`);
      if (accepts && !accepts.test(digits)) return refuse('drawno', accepts.message);
      const drawno = canonical(digits);
      return { ok: true, key: `${name}:${drawno}`, drawno, head: name, series: null, subseries: null };
    },
  });
}
