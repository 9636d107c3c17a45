import type { BuiltInGame } from '../catalogue.ts';
import { PAY_SCALE } from '../game-rules.ts';
import type { GameRules, Outcome } from '../game-rules.ts';
import { plainBetRules } from './plain-bets.ts';

/** The most outcomes that a created game may have. */
export const MAX_NUMBERS = 1000;

/**
 * The pay per unit, in units, of a game of N numbers: nine tenths of N, floored to the whole unit and at least 1. That is what
 * the domain's table lists for 10 (9), 12 (10) and 16 (14), and returns at most 90 % for every N from 2 on (N = 2 and 3 return
 * less than 70 %; N = 1 can only return 100 %).
 */
export function numbersPay(digits: number): number {
  return Math.max(1, Math.floor((digits * 9) / 10));
}

/**
 * Rules of a game of N numbers, 1 ≤ N ≤ 1000: 0 to N − 1, or the built-in game's first number, labels and colours. One bet, on
 * a number; its key is the number, `7`. Result `{drawno: '7'}`. Throws RangeError for another N.
 */
export function numbersRules(digits: number, builtIn?: BuiltInGame): GameRules {
  if (!Number.isInteger(digits) || digits < 1 || digits > MAX_NUMBERS) {
    throw new RangeError(`A game of numbers has from 1 to ${MAX_NUMBERS} outcomes, not ${digits}.`);
  }
  const first = builtIn?.first ?? 0;
  const outcomes = Array.from({ length: digits }, (_, index): Outcome => {
    const drawno = String(first + index);
    const color = builtIn?.colors?.[index];
    return { drawno, label: builtIn?.labels?.[index] ?? drawno, ...(color && { color }) };
  });
  const head = { name: 'number', label: 'Number', payHundredths: numbersPay(digits) * PAY_SCALE };
  return plainBetRules({ family: 'numbers', outcomes, head });
}
