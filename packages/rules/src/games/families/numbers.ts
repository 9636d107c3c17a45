import { builtInGame } from '../catalogue.ts';
import { PAY_SCALE, type GameRules, type Outcome } from '../game-rules.ts';
import { outcomeOfNumber } from '../outcome-names.ts';
import type { GameIdentity } from '../rules-cache.ts';
import { MAX_BOOSTER, betReturn, chosenHead, refuse, refuseHead, refuseSeries } from './bet-fields.ts';
import { numberText, singleNumberRules } from './single-number.ts';

const MAX_NUMBERS = 1000;

/**
 * Returns units: floor(0.9 × N), at least 1. Matches 10 (9), 12 (10) and 16 (14). Returns at most 90 % for N ≥ 2; N = 2
 * and 3 stay below 70 %; N = 1 returns 100 %.
 */
function numbersPay(digits: number): number {
  return Math.max(1, Math.floor((digits * 9) / 10));
}

/** N numbers, 1 ≤ N ≤ 1000: 0 to N − 1, or a built-in game's numbering. Key `7`. */
export function numbersRules({ gameId, digits }: Pick<GameIdentity, 'gameId' | 'digits'>): GameRules {
  if (!Number.isInteger(digits) || digits < 1 || digits > MAX_NUMBERS) {
    throw new RangeError(`A game of numbers has from 1 to ${MAX_NUMBERS} outcomes, not ${digits}.`);
  }
  const first = builtInGame(gameId)?.first ?? 0;
  const outcomes = Array.from({ length: digits }, (_, index) =>
    outcomeOfNumber({ gameId, family: 'numbers' }, String(first + index)),
  );
  const head = { name: 'number', label: 'Number', payHundredths: numbersPay(digits) * PAY_SCALE };
  const drawnos = new Set(outcomes.map((outcome) => outcome.drawno));
  const heads = [head];

  return singleNumberRules({
    family: 'numbers',
    outcomes,
    heads,
    maxBooster: MAX_BOOSTER,
    returns: [betReturn(head, 1, outcomes.length)],
    outcomeBets: ({ drawno }: Outcome) => [{ key: drawno, head: head.name, payHundredths: head.payHundredths }],
    parseBet: (line) => {
      if (!chosenHead(heads, line.head)) return refuseHead(heads);
      const refusedSeries = refuseSeries(line);
      if (refusedSeries) return refusedSeries;
      const drawno = numberText(line.drawno);
      if (drawno === null || !drawnos.has(drawno)) {
        return refuse('drawno', `The draw number must be from ${outcomes[0]!.drawno} to ${outcomes.at(-1)!.drawno}.`);
      }
      return { ok: true, key: drawno, drawno, head: head.name, series: null, subseries: null };
    },
  });
}
