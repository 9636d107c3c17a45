import { joinsNumbers, type BetScope } from './expand-bets.ts';
import { misplacedSignMessage, readNumbers, readOperator, tooMany, type Named } from './expand-numbers.ts';
import { tokensOf, type Token } from './tokens.ts';
import { ListLines, type Item } from './expand-lines.ts';
import {
  reportProblem,
  readQuantity,
  type LineLimits,
  type BetMap,
  type ParserState,
  type Stake,
  type TextProblem,
} from './parser-state.ts';
import { wheelBets } from '../games/families/roulette.ts';
import { severalText, wordsOf, type Words } from './vocabulary.ts';
import { wordProblem } from './word-problem.ts';
import type { Bet, GameRules } from '../games/game-rules.ts';

export type SlipLine = Bet & { qty: number };

export type Expansion = { lines: readonly SlipLine[]; problems: readonly TextProblem[] };

/** In characters; longer than any valid ticket. */
export const MAX_TEXT = 100_000;
const MOST_PROBLEMS = 20;
const MOST_DEPTH = 8;
/** Per ticket line, repeats included. */
const MOST_REPEATS = 20;

/**
 * Parses bet text; see docs/manual/player-programs.md, "Bet text". Merges equal bets, in game order. Never throws:
 * invalid input yields problems with corrections, and no lines.
 */
export function expand(text: string, rules: GameRules, limits: LineLimits): Expansion {
  if (text.length > MAX_TEXT) {
    const message = `Write at most ${MAX_TEXT.toLocaleString('en-US')} characters.`;
    return { lines: [], problems: [{ at: 0, part: text.slice(0, 20), message }] };
  }
  const words = wordsOf(rules);
  const reading: ParserState = {
    text,
    rules,
    words,
    limits,
    tokens: tokensOf(text, words),
    next: 0,
    scopes: [],
    problems: [],
    left: limits.lines * MOST_REPEATS,
  };
  const pile: BetMap = new Map();
  readList(reading, {}, pile, 0);
  if (reading.problems.length === 0)
    for (const { token } of reading.scopes.filter(({ isUsed }) => !isUsed))
      reportProblem(reading, token, token, `Write a bet after ${token.text}, or leave it out.`);
  checkLimits(reading, pile);
  const { problems } = reading;
  if (problems.length > 0)
    return { lines: [], problems: problems.toSorted((a, b) => a.at - b.at).slice(0, MOST_PROBLEMS) };
  return { lines: inOrder(rules, pile), problems: [] };
}

export const typedHelp = (rules: GameRules): string => wordsOf(rules).help;

function isOver({ problems, left, next, tokens }: ParserState): boolean {
  return problems.length >= MOST_PROBLEMS || left < 0 || next >= tokens.length;
}

/**
 * Qualifiers apply to the rest of their line; on a line without bets, they become a heading for the lines below. True
 * if an item has no stake.
 */
function readList(reading: ParserState, outer: BetScope, pile: BetMap, depth: number): boolean {
  let heading = outer;
  let scope = outer;
  const list = new ListLines(reading, pile, depth);
  while (!isOver(reading)) {
    const token = reading.tokens[reading.next]!;
    if (token.is === 'close' && depth > 0) break;
    if (token.is === 'end') {
      if (list.isLaid) scope = heading;
      else heading = scope;
      list.endLine();
      reading.next++;
      continue;
    }
    if (list.takeStakeInBrackets()) continue;
    const meaning = token.is === 'word' ? readMeaning(reading, token) : undefined;
    const narrowed = meaning && readScope(reading, scope, token, meaning);
    if (narrowed) {
      scope = narrowed;
      // `K60-12` is 12 in K60, not a range.
      if (reading.tokens[reading.next]?.is === 'dash') reading.next++;
      continue;
    }
    const { item, stake } = readItem(reading, scope, depth, token, meaning);
    list.add(item, stake);
  }
  list.endLine();
  return list.hasBare;
}

function readMeaning(reading: ParserState, token: Token): ReturnType<Words['meaningOf']> {
  const { words, tokens, next } = reading;
  const behind = tokens[next + 1];
  if (behind?.is === 'word' && /^\D+$/.test(token.text) && /^\D+$/.test(behind.text)) {
    const both = words.meaningOf(token.text + behind.text);
    if (both && both.is !== 'several') {
      reading.next++;
      return both;
    }
  }
  return words.meaningOf(token.text);
}

function readScope(
  reading: ParserState,
  scope: BetScope,
  token: Token,
  meaning: NonNullable<ReturnType<Words['meaningOf']>>,
): BetScope | null {
  const narrowed = (field: keyof BetScope, value: string | readonly string[], words = 1): BetScope => {
    reading.next += words;
    // Repetition, as in `K60 GOLD`.
    if (String(scope[field]?.value) === String(value)) return scope;
    const part = { value, token, isUsed: false };
    reading.scopes.push(part);
    return { ...scope, [field]: part };
  };
  switch (meaning.is) {
    case 'heads':
      return narrowed('heads', meaning.names);
    case 'tier':
      return narrowed('series', meaning.series);
    case 'within': {
      const number = reading.tokens[reading.next + 1]?.text;
      const isOutcome = reading.rules.outcomes.some((outcome) => outcome[meaning.field] === number);
      return number !== undefined && isOutcome ? narrowed(meaning.field, number, 2) : null;
    }
    default:
      return null;
  }
}

function readItem(
  reading: ParserState,
  scope: BetScope,
  depth: number,
  first: Token,
  meaning: ReturnType<Words['meaningOf']>,
): { item: Item; stake: Stake | null } {
  const pile: BetMap = new Map();
  reading.next++;
  let stake: Stake | null = null;
  let hasBare = false;
  if (first.is === 'open') hasBare = readBracket(reading, scope, pile, depth, first);
  else if (first.is === 'word') stake = readKind(reading, scope, pile, first, meaning, depth);
  else reportProblem(reading, first, first, misplacedSignMessage(first));
  const to = stake ? first : (reading.tokens[reading.next - 1] ?? first);
  return { item: { from: first, to, scope, pile, hasBare }, stake: stake ?? readQuantity(reading) };
}

function readBracket(reading: ParserState, scope: BetScope, item: BetMap, depth: number, open: Token): boolean {
  if (depth >= MOST_DEPTH) {
    reportProblem(reading, open, open, `Use at most ${MOST_DEPTH} brackets inside each other.`);
    reading.next = reading.tokens.length;
    return false;
  }
  const hasBare = readList(reading, scope, item, depth + 1);
  if (reading.tokens[reading.next]?.is === 'close') reading.next++;
  else if (reading.problems.length === 0) reportProblem(reading, open, open, 'Close this bracket.');
  return hasBare;
}

function readKind(
  reading: ParserState,
  scope: BetScope,
  item: BetMap,
  first: Token,
  meaning: ReturnType<Words['meaningOf']>,
  depth: number,
): Stake | null {
  const numbers = joinsNumbers(reading.rules, scope) ? /^\d+(?:\/\d+)*$/ : /^\d+$/;
  if (meaning === undefined ? numbers.test(first.text) : meaning.is === 'outcome')
    return readNumbers(reading, scope, item, first, meaning as Named | undefined, depth);
  if (meaning === undefined) reportProblem(reading, first, first, wordProblem(reading, first));
  else if (meaning.is === 'several') reportProblem(reading, first, first, severalText(first.text, meaning.names));
  else if (meaning.is === 'within') {
    const field = meaning.field === 'series' ? 'series' : 'sub-series';
    const example = reading.rules.outcomes[0]![meaning.field];
    reportProblem(
      reading,
      first,
      first,
      `Write the first number of a ${field} after ${first.text}, such as ${example}.`,
    );
  } else if (meaning.is === 'function' || meaning.is === 'orders') readOperator(reading, scope, item, first, meaning);
  return null;
}

function checkLimits(reading: ParserState, pile: BetMap): void {
  const { limits, tokens } = reading;
  if (pile.size > limits.lines)
    reportProblem(
      reading,
      tokens[0]!,
      tokens.at(-1)!,
      `${tooMany(limits)} These are ${pile.size.toLocaleString('en-US')}.`,
    );
  for (const { bet, qty, token } of pile.values())
    if (qty > limits.qty)
      reportProblem(
        reading,
        token,
        token,
        `Bet at most ${limits.qty.toLocaleString('en-US')} units on ${bet.drawno}, all entries added up.`,
      );
}

function inOrder(rules: GameRules, pile: BetMap): SlipLine[] {
  const { heads, outcomes, cardTypes = [], colors = [] } = rules;
  const headPlace = new Map(heads.map(({ name }, place) => [name, place]));
  const named = [
    ...outcomes,
    ...cardTypes,
    ...colors,
    ...wheelBets(rules).filter(({ drawno }) => Number.isNaN(+drawno)),
  ];
  const place = new Map(named.map(({ drawno }, index) => [drawno, index]));
  const placeOf = ({ drawno }: Bet): number => place.get(drawno) ?? Number(drawno);
  const seriesPlace = ({ series }: Bet): string => series ?? '';
  return [...pile.values()]
    .map(({ bet: { key, drawno, head, series, subseries }, qty }) => ({ key, drawno, head, series, subseries, qty }))
    .toSorted(
      (a, b) =>
        seriesPlace(a).localeCompare(seriesPlace(b), 'en') ||
        headPlace.get(a.head)! - headPlace.get(b.head)! ||
        placeOf(a) - placeOf(b),
    );
}
