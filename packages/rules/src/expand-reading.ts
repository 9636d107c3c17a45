import type { ScopePart } from './expand-bets.ts';
import type { Token } from './expand-tokens.ts';
import type { Words } from './expand-words.ts';
import type { Bet, GameRules } from './game-rules.ts';

/** What a ticket may have at most: units on one line, and lines. */
export type LineLimits = { readonly qty: number; readonly lines: number };

/** What is wrong with a text: which part of it, where that begins in characters from 0, and what would be right. */
export type TextProblem = {
  at: number;
  part: string;
  message: string;
  /** The part can be read two ways; the message shows both. */
  isTwoWays?: true;
};

/** A message quotes so much of the text. */
const MOST_QUOTED = 40;

/** Bets by their keys, with where in the text they were laid first. */
export type Pile = Map<string, { bet: Bet; qty: number; token: Token }>;

/** A text while it is read. */
export type Reading = {
  readonly text: string;
  readonly rules: GameRules;
  readonly words: Words;
  readonly limits: LineLimits;
  readonly tokens: readonly Token[];
  /** Which token is read next. */
  next: number;
  /** What was said of the bets that follow, to see that there are some. */
  readonly said: ScopePart[];
  readonly problems: TextProblem[];
  /** How many more bets are laid before the text is given up. */
  left: number;
};

/** Notes a problem with the text from one token to another. */
export function blame(reading: Reading, from: Token, to: Token, message: string): void {
  reading.problems.push({ at: from.at, part: partOf(reading, from, to), message });
}

/** Notes that the text from one token to another can be read two ways, each of which is written so that it has only one. */
export function blameTwoWays(reading: Reading, from: Token, to: Token, one: string, other: string): void {
  const part = partOf(reading, from, to);
  const message = `This can be read two ways: write ${one}, or ${other}.`;
  reading.problems.push({ at: from.at, part, message, isTwoWays: true });
}

function partOf({ text }: Reading, from: Token, to: Token): string {
  return text.slice(from.at, to.at + to.text.length);
}

/** A part of a text in a sentence, without the signs around it; the middle of a long one is left out. */
export function quoted(reading: Reading, from: Token, to: Token): string {
  const part = partOf(reading, from, to).replaceAll(/\s+/g, ' ');
  return part.length <= MOST_QUOTED ? part : `${part.slice(0, MOST_QUOTED / 2)}…${part.slice(-MOST_QUOTED / 2)}`;
}

/** How often an item is laid: by a sign behind it, by a number in brackets, or by the second number of `12-50`. */
export type Stake = { readonly qty: number; readonly last: Token; readonly isForAll: boolean };

/** `(10)` behind items without a stake: how often each of them is laid. */
export function readStakeInBrackets(reading: Reading): Stake | null {
  const [open, number, close, behind] = reading.tokens.slice(reading.next, reading.next + 4);
  if (open?.is !== 'open' || close?.is !== 'close' || behind?.is === 'times') return null;
  if (number?.is !== 'word' || !/^\d+$/.test(number.text)) return null;
  reading.next += 3;
  const qty = quantityOf(reading, number.text);
  if (qty === null) blame(reading, open, close, `${wholeNumber(reading)} in the brackets.`);
  return { qty: qty ?? 1, last: close, isForAll: true };
}

/** How often the bet before is laid; null where no sign says it. */
export function readQuantity(reading: Reading): Stake | null {
  const { tokens } = reading;
  const sign = tokens[reading.next];
  if (sign?.is !== 'times') return null;
  const often = tokens[reading.next + 1];
  const isForAll = sign.text === '=';
  const right = `${wholeNumber(reading)} behind the ${sign.text}.`;
  if (often?.is !== 'word') {
    reading.next++;
    blame(reading, sign, sign, right);
    return { qty: 1, last: sign, isForAll };
  }
  reading.next += 2;
  const qty = quantityOf(reading, often.text);
  if (qty === null) blame(reading, sign, often, right);
  const again = tokens[reading.next];
  if (again?.is === 'times') blame(reading, sign, again, 'Say once how often.');
  // The limits are checked with it too: they say more of one that is too large.
  return { qty: qty ?? (Number(often.text) || 1), last: often, isForAll };
}

const wholeNumber = ({ limits }: Reading): string =>
  `Write a whole number from 1 to ${limits.qty.toLocaleString('en-US', { useGrouping: false })}`;

/** A quantity from its text; null where a ticket takes no such quantity. */
export function quantityOf({ limits }: Reading, text: string): number | null {
  const qty = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return qty >= 1 && qty <= limits.qty ? qty : null;
}
