import { SUITS, builtInGame, type Color } from './catalogue.ts';
import type { Outcome, Result } from './game-rules.ts';

/** Apart from the families' rules, so that pages of results stay small. */
const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

export function pocketColor(drawno: string | number): Color {
  const number = Number(drawno);
  if (number === 0) return 'green';
  return RED.has(number) ? 'red' : 'black';
}

/** Ace low. */
export const RANKS: readonly string[] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];

type ShownOutcome = Pick<Outcome, 'drawno' | 'label' | 'color'>;

export function outcomeOfNumber({ gameId, family }: { gameId: string; family: string }, drawno: string): ShownOutcome {
  if (family === 'roulette') return { drawno, label: drawno, color: pocketColor(drawno) };
  const { first = 0, labels, colors } = builtInGame(gameId) ?? {};
  const color = colors?.[Number(drawno) - first];
  return { drawno, label: labels?.[Number(drawno) - first] ?? drawno, ...(color && { color }) };
}

/** The drawn outcome or card. Null for grouped results. */
export function shownOutcome(game: { gameId: string; family: string }, result: Result): ShownOutcome | null {
  if (!('drawno' in result)) return null;
  const { drawno } = result;
  if (!('suit' in result)) return outcomeOfNumber(game, drawno);
  const symbol = SUITS.find(({ suit }) => suit === result.suit)?.symbol ?? '';
  return { drawno, label: `${RANKS[Number(drawno) - 1]}${symbol}`, color: result.color };
}

/** `K60 Gold` for the tier `K60GOLD`. Other series keep their name. */
export function seriesName(series: string): string {
  const [, tier, metal] = /^(K\d+)([A-Z]+)$/.exec(series) ?? [];
  return tier === undefined ? series : `${tier} ${metal!.charAt(0)}${metal!.slice(1).toLowerCase()}`;
}
