import type { Color } from '../cards.ts';
import { PAY_SCALE } from '../game-rules.ts';
import type { GameRules, Outcome } from '../game-rules.ts';
import { plainBetRules } from './plain-bets.ts';

const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

function colorOf(drawno: string): Color {
  const number = Number(drawno);
  if (number === 0) return 'green';
  return RED.has(number) ? 'red' : 'black';
}

/** What each size of wheel pays per unit on a straight number (domain, section 3). */
const PAY_BY_SIZE = new Map([
  [13, 12],
  [37, 36],
  [38, 36],
]);

/** The sizes of wheel that there are. */
export const ROULETTE_SIZES: readonly number[] = [...PAY_BY_SIZE.keys()];

/**
 * Rules of a wheel: 13 outcomes (0-12), 37 (0-36) or 38 (0, 00, 1-36), with the colours of the real wheels. The only bet is a
 * straight number; its key is the number, `17` or `00`. Result `{drawno: '17'}`. Throws RangeError for another size.
 */
export function rouletteRules(size: number): GameRules {
  const pay = PAY_BY_SIZE.get(size);
  if (pay === undefined) throw new RangeError(`A roulette has 13, 37 or 38 outcomes, not ${size}.`);
  const zeros = size === 38 ? ['0', '00'] : ['0'];
  const drawnos = [...zeros, ...Array.from({ length: size - zeros.length }, (_, index) => String(index + 1))];
  const outcomes = drawnos.map((drawno): Outcome => ({ drawno, label: drawno, color: colorOf(drawno) }));
  const head = { name: 'straight', label: 'Straight', payHundredths: pay * PAY_SCALE };
  return plainBetRules({ family: 'roulette', outcomes, head });
}
