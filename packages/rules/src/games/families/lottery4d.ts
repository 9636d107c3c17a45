import type { BetLine, GameRules, Head, Outcome } from '../game-rules.ts';
import { groupedRules } from './grouped.ts';
import {
  MAX_LOTTERY_BOOSTER,
  betReturn,
  chosenHead,
  fixedDigits,
  isAbsent,
  isRecord,
  refuse,
  refuseHead,
} from './bet-fields.ts';

/** Three series of 1000 numbers, in sub-series of 100 (docs/spec/game-operations.md §9). */
const SERIES = [1000, 3000, 5000];
const SERIES_SIZE = 1000;
const SUBSERIES_SIZE = 100;

const HEAD: Head = { name: 'number', label: 'Number', payHundredths: 90_00 };

const OUTCOMES = SERIES.flatMap((series) =>
  Array.from({ length: SERIES_SIZE }, (_, index): Outcome => {
    const drawno = String(series + index);
    const subseries = String(series + index - (index % SUBSERIES_SIZE));
    return { drawno, label: drawno, series: String(series), subseries };
  }),
);
const BY_DRAWNO = new Map(OUTCOMES.map((outcome) => [outcome.drawno, outcome]));

function isRange(value: unknown, first: string, size: number): boolean {
  return value === first || value === Number(first) || value === `${first}-${Number(first) + size - 1}`;
}

/** `[{series, results: [{subseries, drawno}]}]` (docs/spec/game-operations.md §3). */
function declaredLines(list: readonly unknown[]): BetLine[] | null {
  const lines: BetLine[] = [];
  for (const row of list) {
    if (!isRecord(row) || !Array.isArray(row.results)) return null;
    for (const result of row.results as unknown[]) {
      if (!isRecord(result)) return null;
      lines.push({ series: row.series, subseries: result.subseries, drawno: result.drawno } as BetLine);
    }
  }
  return lines;
}

/**
 * Series 1000, 3000 and 5000 with ten sub-series of 100 each; each sub-series has a winner. The key `1042` implies
 * series and sub-series; if given (`1200` or `1200-1299`), they must match. Result `{winners: {'1000': '1042', …}}` by
 * sub-series. Declared as JSON text (docs/spec/game-operations.md §3) or list; missing sub-series have no winner.
 */
export function lottery4dRules(): GameRules {
  return groupedRules({
    family: 'lottery4d',
    outcomes: OUTCOMES,
    heads: [HEAD],
    groupBy: 'subseries',
    maxBooster: MAX_LOTTERY_BOOSTER,
    returns: [betReturn(HEAD, 1, SUBSERIES_SIZE)],
    declaredLines,
    winnerLabel: ({ drawno }) => drawno,
    outcomeBets: ({ drawno }) => [{ key: drawno, head: HEAD.name, payHundredths: HEAD.payHundredths }],
    parseBet: (line) => {
      if (!chosenHead([HEAD], line.head)) return refuseHead([HEAD]);
      const outcome = BY_DRAWNO.get(fixedDigits(line.drawno, 4) ?? '');
      if (!outcome) return refuse('drawno', 'The draw number must be in 1000-1999, 3000-3999 or 5000-5999.');
      const { drawno, series, subseries } = outcome as Required<Outcome>;
      if (!isAbsent(line.series) && !isRange(line.series, series, SERIES_SIZE)) {
        return refuse('series', `${drawno} is in the series ${series}.`);
      }
      if (!isAbsent(line.subseries) && !isRange(line.subseries, subseries, SUBSERIES_SIZE)) {
        return refuse('subseries', `${drawno} is in the sub-series ${subseries}.`);
      }
      return { ok: true, key: drawno, drawno, head: HEAD.name, series, subseries };
    },
  });
}
