import { findBet, joinsNumbers, ordersOf, rangeOf, type BetScope, type FoundBet } from './expand-bets.ts';
import {
  reportProblem,
  reportAmbiguity,
  checkGrouping,
  isQuantity,
  quoteTokens,
  type LineLimits,
  type BetMap,
  type ParserState,
  type Stake,
} from './parser-state.ts';
import type { Token } from './tokens.ts';
import type { Meaning } from './vocabulary.ts';

export function misplacedSignMessage({ is, text }: Token): string {
  if (is === 'close') return 'There is no bracket open before it.';
  if (is === 'dash') return 'Write a range from one number to another, such as 120-129.';
  return `Write a bet before the ${text}, such as 12*5.`;
}

export type Named = Extract<Meaning, { is: 'outcome' }>;

export function readOperator(
  reading: ParserState,
  scope: BetScope,
  item: BetMap,
  first: Token,
  meaning: Extract<Meaning, { is: 'function' | 'orders' }>,
): void {
  const number = reading.tokens[reading.next];
  const digits = number?.is === 'word' && /^\d+$/.test(number.text) ? number.text : null;
  if (digits === null) {
    const example = meaning.is === 'orders' ? `${first.text} 12` : meaning.example;
    return reportProblem(reading, first, first, `Write a number after ${first.text}, such as ${example}.`);
  }
  reading.next++;
  const [dash, often] = reading.tokens.slice(reading.next, reading.next + 2);
  if (dash?.is === 'dash' && often?.is === 'word') {
    reading.next += 2;
    const quote = quoteTokens(reading, first, number!);
    return reportProblem(reading, first, often, `Write the units after an asterisk: ${quote}*${often.text}.`);
  }
  if (meaning.is === 'orders') {
    const orders = ordersOf(reading.rules, scope, digits);
    if (typeof orders === 'string') reportProblem(reading, first, number!, orders);
    else addBets(reading, scope, item, first, number!, orders);
    return;
  }
  const drawnos = meaning.drawnosOf(digits);
  if (drawnos) addBets(reading, scope, item, first, number!, drawnos, meaning.head);
  else
    reportProblem(
      reading,
      first,
      number!,
      `There is no ${first.text} ${digits}: write for instance ${meaning.example}.`,
    );
}

/** Reads a number or name, a range, or a number with a stake (`123-50`). Returns that stake. */
export function readNumbers(
  reading: ParserState,
  scope: BetScope,
  item: BetMap,
  first: Token,
  name: Named | undefined,
  depth: number,
): Stake | null {
  const { tokens, rules, words: vocabulary } = reading;
  const from = name?.drawno ?? first.text;
  if (name === undefined && joinsNumbers(rules, scope)) {
    const start = reading.next;
    const last = lastOfChain(reading) ?? first;
    const words = [first, ...tokens.slice(start, reading.next).filter(({ is }) => is === 'word')];
    addBets(reading, scope, item, first, last, [words.map(({ text }) => text.replaceAll('/', '-')).join('-')]);
    return null;
  }
  const dash = tokens[reading.next];
  if (dash?.is !== 'dash') {
    addBets(reading, scope, item, first, first, [from], name?.head);
    return null;
  }
  const last = tokens[reading.next + 1];
  const lastName = last && vocabulary.meaningOf(last.text);
  const to = lastName?.is === 'outcome' ? lastName.drawno : last?.text;
  if (last?.is !== 'word' || !/^\d+$/.test(to!)) {
    reading.next++;
    reportProblem(reading, first, dash, misplacedSignMessage(dash));
    return null;
  }
  reading.next += 2;
  if (isChain(reading, first)) return null;
  if (isQuantity(reading, last.text) && !isRangeOnly(reading, depth)) {
    const isBet = findBet(rules, scope, to!, name?.head).ok && (name !== undefined || first.text.length === to!.length);
    if (!isBet) {
      checkGrouping(reading, last);
      addBets(reading, scope, item, first, first, [from], name?.head);
      return { qty: Number(last.text), last, isForAll: false };
    }
    const [low, high] = Number(from) > Number(to) ? [last.text, first.text] : [first.text, last.text];
    const both = `${low}-${high}*1 for ${low} to ${high} with 1 on each`;
    const qty = Number(last.text);
    reportAmbiguity(reading, first, last, both, `${first.text}*${qty} for ${qty} on ${first.text}`);
    return null;
  }
  const range = rangeOf(rules, scope, from, to!);
  if (typeof range === 'string') reportProblem(reading, first, last, range);
  else addBets(reading, scope, item, first, last, range, name?.head);
  return null;
}

/** Refuses `12-34-56`: a range has two numbers. */
function isChain(reading: ParserState, first: Token): boolean {
  const last = lastOfChain(reading);
  if (!last) return false;
  const numbers = quoteTokens(reading, first, last).replaceAll(/\s*[-–—]\s*/g, ',');
  reportProblem(reading, first, last, `Write commas between numbers: ${numbers}.`);
  return true;
}

function lastOfChain(reading: ParserState): Token | undefined {
  const { tokens, next } = reading;
  while (tokens[reading.next]?.is === 'dash' && tokens[reading.next + 1]?.is === 'word') reading.next += 2;
  return reading.next === next ? undefined : tokens[reading.next - 1];
}

/** Explains `12.50` and `12/34/56`. */
export function signsBetween(word: string): string | undefined {
  if (!/^\d+(?:[./:@_+&|]\d+)+$/.test(word)) return undefined;
  const numbers = word.split(/\D/);
  const list = numbers.join(',');
  return numbers.length === 2
    ? `This can be read two ways: write ${numbers[0]}*${numbers[1]} for ${numbers[1]} on ${numbers[0]}, or ${list} for 1 on each.`
    : `Write commas between numbers: ${list}.`;
}

/** A dash marks a stake only if no stake follows the numbers or their bracket. */
function isRangeOnly({ tokens, next }: ParserState, depth: number): boolean {
  const isStaked = (at: number): boolean =>
    tokens[at]?.is === 'times' ||
    (tokens[at]?.is === 'open' && tokens[at + 1]?.is === 'word' && tokens[at + 2]?.is === 'close');
  if (isStaked(next)) return true;
  let open = depth;
  for (let at = next; open > 0 && at < tokens.length; at++) {
    const { is } = tokens[at]!;
    if (is === 'open') open++;
    if (is !== 'close') continue;
    open--;
    if (open < depth && isStaked(at + 1)) return true;
  }
  return false;
}

export function addBets(
  reading: ParserState,
  scope: BetScope,
  item: BetMap,
  from: Token,
  to: Token,
  drawnos: readonly string[],
  head: string | null = null,
): void {
  for (const drawno of drawnos) {
    if (reading.left-- === 0) return reportProblem(reading, from, to, tooMany(reading.limits));
    const bet: FoundBet = findBet(reading.rules, scope, drawno, head);
    if (!bet.ok)
      return reportProblem(reading, from, to, drawnos.length > 1 ? `${drawno}: ${bet.message}` : bet.message);
    const earlier = item.get(bet.key);
    if (earlier) earlier.qty++;
    else item.set(bet.key, { bet, qty: 1, token: from });
  }
}

export const tooMany = ({ lines }: LineLimits): string =>
  `Place at most ${lines.toLocaleString('en-US')} bets on one ticket.`;
