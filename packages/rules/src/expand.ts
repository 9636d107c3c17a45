import { findBet, ordersOf, rangeOf } from './expand-bets.ts';
import type { BetScope, FoundBet, ScopePart } from './expand-bets.ts';
import { tokensOf } from './expand-tokens.ts';
import type { Token } from './expand-tokens.ts';
import { severalText, wordsOf } from './expand-words.ts';
import type { Meaning, Words } from './expand-words.ts';
import type { Bet, GameRules } from './game-rules.ts';

/** A bet with how many units are laid on it: a line of a ticket, as `parseBet` takes it. */
export type LaidBet = Bet & { qty: number };

/** What a ticket may have at most: units on one line, and lines. */
type LineLimits = { readonly qty: number; readonly lines: number };

/** What is wrong with a text: which part of it, where that begins in characters from 0, and what would be right. */
export type TextProblem = { at: number; part: string; message: string };

/** The bets of a text, or what is wrong with it; where something is, there are no bets. */
export type Expansion = { lines: readonly LaidBet[]; problems: readonly TextProblem[] };

/** The longest text that is read, in characters: more than the longest ticket has. */
export const MAX_TEXT = 100_000;
/** So many problems are told at most. */
const MOST_PROBLEMS = 20;
/** So deep may brackets stand in brackets. */
const MOST_DEPTH = 8;
/** So many bets are laid for each line that a ticket may have, those on the same number counted each: more is no text that somebody means. */
const MOST_REPEATS = 20;

/** Bets by their keys, with where in the text they were laid first. */
type Pile = Map<string, { bet: Bet; qty: number; token: Token }>;

type Reading = {
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

/**
 * The bets that a text lays on a game: what is typed, pasted, or said by chips on a board. The manual (docs/manual/player-programs.md, "The
 * text of a bet") says how it is written. Bets on the same are added up; they come in the order of the game, whatever order they were written in.
 * Never throws: whatever can't be read is a problem that says what would be right, and then there are no lines.
 */
export function expand(text: string, rules: GameRules, limits: LineLimits): Expansion {
  if (text.length > MAX_TEXT) {
    const message = `Write at most ${MAX_TEXT.toLocaleString('en-US')} characters.`;
    return { lines: [], problems: [{ at: 0, part: text.slice(0, 20), message }] };
  }
  const words = wordsOf(rules);
  const reading: Reading = {
    text,
    rules,
    words,
    limits,
    tokens: tokensOf(text, words),
    next: 0,
    said: [],
    problems: [],
    left: limits.lines * MOST_REPEATS,
  };
  const pile: Pile = new Map();
  readList(reading, {}, pile, 0);
  for (const { token, isUsed } of reading.said)
    if (!isUsed) blame(reading, token, token, `Write what is laid behind ${token.text}, or leave it out.`);
  checkLimits(reading, pile);
  const { problems } = reading;
  if (problems.length > 0)
    return { lines: [], problems: problems.toSorted((a, b) => a.at - b.at).slice(0, MOST_PROBLEMS) };
  return { lines: inOrder(rules, pile), problems: [] };
}

/** Notes a problem with the text from one token to another. */
function blame({ problems, text }: Reading, from: Token, to: Token, message: string): void {
  problems.push({ at: from.at, part: text.slice(from.at, to.at + to.text.length), message });
}

function isOver({ problems, left, next, tokens }: Reading): boolean {
  return problems.length >= MOST_PROBLEMS || left < 0 || next >= tokens.length;
}

/**
 * Reads up to the end of the text or of its bracket. What is said of the bets that follow holds to the end of its line; where nothing is laid on the
 * line, it is a heading of those beneath.
 */
function readList(reading: Reading, outer: BetScope, pile: Pile, depth: number): void {
  let heading = outer;
  let scope = outer;
  let isLaid = false;
  while (!isOver(reading)) {
    const token = reading.tokens[reading.next]!;
    if (token.is === 'close' && depth > 0) return;
    if (token.is === 'end') {
      if (isLaid) scope = heading;
      else heading = scope;
      isLaid = false;
      reading.next++;
      continue;
    }
    const meaning = token.is === 'word' ? readMeaning(reading, token) : undefined;
    const narrowed = meaning && readScope(reading, scope, token, meaning);
    if (narrowed) scope = narrowed;
    else {
      isLaid = true;
      readItem(reading, scope, pile, depth, token, meaning);
    }
  }
}

/** What a word means, alone or with the one behind it (`SP Box`): then that is passed over. */
function readMeaning(reading: Reading, token: Token): ReturnType<Words['meaningOf']> {
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

/** What holds once a word has said something of the bets that follow; null where it says nothing of them. */
function readScope(
  reading: Reading,
  scope: BetScope,
  token: Token,
  meaning: NonNullable<ReturnType<Words['meaningOf']>>,
): BetScope | null {
  const narrowed = (field: keyof BetScope, value: string | readonly string[], words = 1): BetScope => {
    reading.next += words;
    // Said twice, `K60 GOLD`, is said once.
    if (String(scope[field]?.value) === String(value)) return scope;
    const said = { value, token, isUsed: false };
    reading.said.push(said);
    return { ...scope, [field]: said };
  };
  switch (meaning.is) {
    case 'heads':
      return narrowed('heads', meaning.names);
    case 'tier':
      return narrowed('series', meaning.series);
    case 'within': {
      const number = reading.tokens[reading.next + 1]?.text;
      const isKnown = reading.rules.outcomes.some((outcome) => outcome[meaning.field] === number);
      return number !== undefined && isKnown ? narrowed(meaning.field, number, 2) : null;
    }
    default:
      return null;
  }
}

/** Reads what is laid, and how often: a number, a name, a group, or a list in brackets. */
function readItem(
  reading: Reading,
  scope: BetScope,
  pile: Pile,
  depth: number,
  first: Token,
  meaning: ReturnType<Words['meaningOf']>,
): void {
  const item: Pile = new Map();
  reading.next++;
  if (first.is === 'open') readBracket(reading, scope, item, depth, first);
  else if (first.is === 'word') readWhat(reading, scope, item, first, meaning);
  else blame(reading, first, first, misplaced(first));
  const qty = readQuantity(reading);
  for (const [key, laid] of item) {
    const known = pile.get(key);
    if (known) known.qty += laid.qty * qty;
    else pile.set(key, { ...laid, qty: laid.qty * qty });
  }
}

function misplaced({ is, text }: Token): string {
  if (is === 'close') return 'There is no bracket open before it.';
  if (is === 'dash') return 'Write a range from one number to another, such as 120-129.';
  return `Write what is laid before the ${text}, such as 12*5.`;
}

function readBracket(reading: Reading, scope: BetScope, item: Pile, depth: number, open: Token): void {
  if (depth >= MOST_DEPTH) {
    blame(reading, open, open, `Write at most ${MOST_DEPTH} brackets in each other.`);
    reading.next = reading.tokens.length;
    return;
  }
  readList(reading, scope, item, depth + 1);
  if (reading.tokens[reading.next]?.is === 'close') reading.next++;
  else if (reading.problems.length === 0) blame(reading, open, open, 'Close this bracket.');
}

/** How often the bet before is laid: 1 where nothing is said. */
function readQuantity(reading: Reading): number {
  const { tokens, limits } = reading;
  const sign = tokens[reading.next];
  if (sign?.is !== 'times') return 1;
  const often = tokens[reading.next + 1];
  const right = `Write a whole number from 1 to ${limits.qty.toLocaleString('en-US', { useGrouping: false })} behind the ${sign.text}.`;
  if (often?.is !== 'word') {
    reading.next++;
    blame(reading, sign, sign, right);
    return 1;
  }
  reading.next += 2;
  const qty = /^\d{1,15}$/.test(often.text) ? Number(often.text) : 0;
  if (qty < 1 || qty > limits.qty) blame(reading, sign, often, right);
  const again = tokens[reading.next];
  if (again?.is === 'times') blame(reading, sign, again, 'Say once how often.');
  return qty;
}

/** Reads what a word and what belongs to it lay. */
function readWhat(
  reading: Reading,
  scope: BetScope,
  item: Pile,
  first: Token,
  meaning: ReturnType<Words['meaningOf']>,
): void {
  if (meaning?.is === 'several') return blame(reading, first, first, severalText(first.text, meaning.names));
  if (meaning?.is === 'within') {
    const field = meaning.field === 'series' ? 'series' : 'sub-series';
    const examples = reading.rules.outcomes[0]![meaning.field];
    return blame(
      reading,
      first,
      first,
      `Write the first number of a ${field} behind ${first.text}, such as ${examples}.`,
    );
  }
  if (meaning?.is === 'group') return lay(reading, scope, item, first, first, meaning.drawnos);
  if (meaning?.is === 'function' || meaning?.is === 'orders') return readOperator(reading, scope, item, first, meaning);
  if (meaning === undefined && !/^\d+$/.test(first.text)) return blame(reading, first, first, reading.words.help);
  readNumbers(reading, scope, item, first, meaning as Named | undefined);
}

type Named = Extract<Meaning, { is: 'outcome' }>;

function readOperator(
  reading: Reading,
  scope: BetScope,
  item: Pile,
  first: Token,
  meaning: Extract<Meaning, { is: 'function' | 'orders' }>,
): void {
  const number = reading.tokens[reading.next];
  const digits = number?.is === 'word' && /^\d+$/.test(number.text) ? number.text : null;
  if (digits === null) {
    const example = meaning.is === 'orders' ? `${first.text} 12` : meaning.example;
    return blame(reading, first, first, `Write a number behind ${first.text}, such as ${example}.`);
  }
  reading.next++;
  if (meaning.is === 'orders') {
    const orders = ordersOf(reading.rules, scope, digits);
    if (typeof orders === 'string') blame(reading, first, number!, orders);
    else lay(reading, scope, item, first, number!, orders);
    return;
  }
  const drawnos = meaning.drawnosOf(digits);
  if (drawnos) lay(reading, scope, item, first, number!, drawnos);
  else blame(reading, first, number!, `There is no ${first.text} ${digits}: write for instance ${meaning.example}.`);
}

/** Reads a number or name, or a range of them. */
function readNumbers(reading: Reading, scope: BetScope, item: Pile, first: Token, name: Named | undefined): void {
  const { tokens, rules, words } = reading;
  const from = name?.drawno ?? first.text;
  if (tokens[reading.next]?.is !== 'dash') return lay(reading, scope, item, first, first, [from], name?.head);
  const last = tokens[reading.next + 1];
  const lastName = last && words.meaningOf(last.text);
  const to = lastName?.is === 'outcome' ? lastName.drawno : last?.text;
  if (last?.is !== 'word' || !/^\d+$/.test(to!)) {
    reading.next++;
    return blame(reading, first, tokens[reading.next - 1]!, misplaced(tokens[reading.next - 1]!));
  }
  reading.next += 2;
  const range = rangeOf(rules, scope, from, to!);
  if (typeof range === 'string') blame(reading, first, last, range);
  else lay(reading, scope, item, first, last, range, name?.head);
}

/** Lays one unit on each of these draw numbers; the first that can't be laid is a problem. */
function lay(
  reading: Reading,
  scope: BetScope,
  item: Pile,
  from: Token,
  to: Token,
  drawnos: readonly string[],
  head: string | null = null,
): void {
  for (const drawno of drawnos) {
    if (reading.left-- === 0) return blame(reading, from, to, tooMany(reading.limits));
    const bet: FoundBet = findBet(reading.rules, scope, drawno, head);
    if (!bet.ok) return blame(reading, from, to, drawnos.length > 1 ? `${drawno}: ${bet.message}` : bet.message);
    const known = item.get(bet.key);
    if (known) known.qty++;
    else item.set(bet.key, { bet, qty: 1, token: from });
  }
}

const tooMany = ({ lines }: LineLimits): string => `Lay at most ${lines.toLocaleString('en-US')} bets on one ticket.`;

function checkLimits(reading: Reading, pile: Pile): void {
  const { limits, tokens } = reading;
  if (pile.size > limits.lines)
    blame(reading, tokens[0]!, tokens.at(-1)!, `${tooMany(limits)} These are ${pile.size.toLocaleString('en-US')}.`);
  for (const { bet, qty, token } of pile.values())
    if (qty > limits.qty)
      blame(
        reading,
        token,
        token,
        `Lay at most ${limits.qty.toLocaleString('en-US')} on one bet, all on ${bet.drawno} added up.`,
      );
}

/** The bets in the order of the game: by kind, series, and number. */
function inOrder({ heads, outcomes, cardTypes = [], colors = [] }: GameRules, pile: Pile): LaidBet[] {
  const headPlace = new Map(heads.map(({ name }, place) => [name, place]));
  const place = new Map([...outcomes, ...cardTypes, ...colors].map(({ drawno }, index) => [drawno, index]));
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
