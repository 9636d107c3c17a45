import type { BetLine, GameRules, Head, Outcome, WinningBet } from '../game-rules.ts';
import { seriesName } from '../outcome-names.ts';
import { groupedRules } from './grouped.ts';
import {
  MAX_LOTTERY_BOOSTER,
  allDigits,
  betReturn,
  chosenHead,
  fixedDigits,
  isAbsent,
  isRecord,
  joinNames,
  refuse,
  refuseHead,
} from './bet-fields.ts';

/** docs/spec/game-operations.md §9. */
const TIERS = ['K50SILVER', 'K60GOLD', 'K70DIAMOND'];

type HeadSpec = Head & {
  width: 1 | 2;
  wins: (drawno: string) => string;
};

const HEADS: readonly HeadSpec[] = [
  { name: 'andhar', label: 'Andhar', payHundredths: 50_00, width: 1, wins: (drawno) => drawno.charAt(0) },
  { name: 'bahar', label: 'Bahar', payHundredths: 50_00, width: 1, wins: (drawno) => drawno.charAt(1) },
  { name: 'jodi', label: 'Jodi', payHundredths: 50_00, width: 2, wins: (drawno) => drawno },
];

const OUTCOMES = TIERS.flatMap((series) => allDigits(2).map((drawno): Outcome => ({ drawno, label: drawno, series })));

/** `[{series, drawno}]` (docs/spec/game-operations.md §3). */
function declaredLines(list: readonly unknown[]): BetLine[] | null {
  if (!list.every(isRecord)) return null;
  return list.map(({ series, drawno }) => ({ series, drawno, head: 'jodi' }) as BetLine);
}

/**
 * Draws 00-99 per tier (series). Bets on the first digit (andhar), second digit (bahar) or both (jodi). All pay 50 as
 * specified, so andhar and bahar return 500 %. Keys `K60GOLD|andhar:4`, `K60GOLD|bahar:2`, `K60GOLD|jodi:42`. Declared
 * as JSON text (docs/spec/game-operations.md §3) or list; missing tiers have no winner.
 */
export function jodiRules(): GameRules {
  return groupedRules({
    family: 'jodi',
    outcomes: OUTCOMES,
    heads: HEADS.map(({ name, label, payHundredths }) => ({ name, label, payHundredths })),
    groupBy: 'series',
    maxBooster: MAX_LOTTERY_BOOSTER,
    returns: HEADS.map((head) => betReturn(head, 1, 10 ** head.width)),
    declaredLines,
    winnerLabel: ({ series, drawno }) => `${seriesName(series!)} ${drawno}`,
    outcomeBets: ({ series, drawno }) =>
      HEADS.map(({ name, payHundredths, wins }): WinningBet => ({
        key: `${series}|${name}:${wins(drawno)}`,
        head: name,
        payHundredths,
      })),
    parseBet: (line) => {
      const series = TIERS.find((tier) => tier === line.series);
      if (!series) return refuse('series', `The series must be ${joinNames(TIERS)}.`);
      if (!isAbsent(line.subseries)) return refuse('subseries', 'This game has no sub-series.');
      const head = chosenHead(HEADS, line.head);
      if (!head) return refuseHead(HEADS);
      const drawno = fixedDigits(line.drawno, head.width);
      if (drawno === null) {
        return refuse(
          'drawno',
          head.width === 1 ? 'The draw number must be 0 to 9.' : 'The draw number must be 00 to 99.',
        );
      }
      return { ok: true, key: `${series}|${head.name}:${drawno}`, drawno, head: head.name, series, subseries: null };
    },
  });
}
