import type { ScopePart } from './expand-bets.ts';
import type { Token } from './tokens.ts';
import type { Words } from './vocabulary.ts';
import type { Bet, GameRules } from '../games/game-rules.ts';

export type LineLimits = { readonly qty: number; readonly lines: number };

/** `at`: offset in characters, from 0. `message`: correction. */
export type TextProblem = {
  at: number;
  part: string;
  message: string;
  isTwoWays?: true;
};

const MOST_QUOTED = 40;

export type BetMap = Map<string, { bet: Bet; qty: number; token: Token }>;

export type ParserState = {
  readonly text: string;
  readonly rules: GameRules;
  readonly words: Words;
  readonly limits: LineLimits;
  readonly tokens: readonly Token[];
  next: number;
  /** Needed to report unused ones. */
  readonly scopes: ScopePart[];
  readonly problems: TextProblem[];
  left: number;
};

export function reportProblem(reading: ParserState, from: Token, to: Token, message: string): void {
  reading.problems.push({ at: from.at, part: partOf(reading, from, to), message });
}

/** Reports an ambiguous part, with a clear spelling for each reading. */
export function reportAmbiguity(reading: ParserState, from: Token, to: Token, one: string, other: string): void {
  const part = partOf(reading, from, to);
  const message = `This can be read two ways: write ${one}, or ${other}.`;
  reading.problems.push({ at: from.at, part, message, isTwoWays: true });
}

function partOf({ text }: ParserState, from: Token, to: Token): string {
  return text.slice(from.at, to.at + to.text.length);
}

export function quoteTokens(reading: ParserState, from: Token, to: Token): string {
  const part = partOf(reading, from, to).replaceAll(/\s+/g, ' ');
  return part.length <= MOST_QUOTED ? part : `${part.slice(0, MOST_QUOTED / 2)}…${part.slice(-MOST_QUOTED / 2)}`;
}

export type Stake = { readonly qty: number; readonly last: Token; readonly isForAll: boolean };

/** `(10)` after items without a stake applies to each of them. */
export function readStakeInBrackets(reading: ParserState): Stake | null {
  const [open, number, close, behind] = reading.tokens.slice(reading.next, reading.next + 4);
  if (open?.is !== 'open' || close?.is !== 'close' || behind?.is === 'times') return null;
  if (number?.is !== 'word' || !/^\d+$/.test(number.text)) return null;
  reading.next += 3;
  if (!isQuantity(reading, number.text))
    reportProblem(reading, open, close, `${wholeNumber(reading)} in the brackets.`);
  return { qty: Number(number.text) || 1, last: close, isForAll: true };
}

/** Null without a sign. */
export function readQuantity(reading: ParserState): Stake | null {
  const { tokens } = reading;
  const sign = tokens[reading.next];
  if (sign?.is !== 'times') return null;
  const often = tokens[reading.next + 1];
  const isForAll = sign.text === '=';
  const right = `${wholeNumber(reading)} after the ${sign.text}.`;
  if (often?.is !== 'word') {
    reading.next++;
    reportProblem(reading, sign, sign, right);
    return { qty: 1, last: sign, isForAll };
  }
  reading.next += 2;
  if (!isQuantity(reading, often.text)) reportProblem(reading, sign, often, right);
  checkGrouping(reading, often);
  const again = tokens[reading.next];
  if (again?.is === 'times') reportProblem(reading, sign, again, 'Write the units only once.');
  // checkLimits reports excessive quantities in more detail.
  return { qty: Number(often.text) || 1, last: often, isForAll };
}

/** Refuses `=1,000`: 1000, or 1 and then the number 000. */
export function checkGrouping(reading: ParserState, often: Token): void {
  const end = often.at + often.text.length;
  const [more] = /^(?:,\d{2,3})*,\d{3}(?!\d|\s*[*×x=(-–—])/i.exec(reading.text.slice(end, end + MOST_QUOTED)) ?? [];
  const number = often.text + more;
  if (more === undefined || !/^(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})$/.test(number)) return;
  const last: Token = { ...often, text: number };
  const one = number.replaceAll(',', '');
  const rest = more.slice(1).replaceAll(',', ', ');
  reportAmbiguity(
    reading,
    often,
    last,
    `${one} for ${one}`,
    `${often.text}, ${rest} for ${often.text} and then ${rest}`,
  );
}

const wholeNumber = ({ limits }: ParserState): string =>
  `Write a whole number from 1 to ${limits.qty.toLocaleString('en-US', { useGrouping: false })}`;

export function isQuantity({ limits }: ParserState, text: string): boolean {
  return /^\d{1,15}$/.test(text) && Number(text) >= 1 && Number(text) <= limits.qty;
}
