import type { BetScope } from './expand-bets.ts';
import {
  reportProblem,
  reportAmbiguity,
  isQuantity,
  quoteTokens,
  readStakeInBrackets,
  type BetMap,
  type ParserState,
  type Stake,
} from './parser-state.ts';
import type { Token } from './tokens.ts';

export type Item = {
  readonly from: Token;
  readonly to: Token;
  readonly scope: BetScope;
  readonly pile: BetMap;
  /** A bracket with an item that lacks a stake. */
  readonly hasBare: boolean;
};

/**
 * A stake after `=` or in brackets applies to all preceding items on the line without a stake (`12,34=10`). A stake
 * after `*` applies to one item, so it is ambiguous after items without a stake. An item without a stake gets one unit.
 */
export class ListLines {
  readonly #reading: ParserState;
  readonly #pile: BetMap;
  readonly #depth: number;
  /** Items on this line without a stake. */
  #bare: Item[] = [];
  /** Items of the lines directly above, if none has a stake. */
  #above: Item[] = [];
  /** Set if the line above has only two numbers. */
  #pairAbove: readonly Item[] | null = null;
  #isStaked = false;
  isLaid = false;
  hasBare = false;

  constructor(reading: ParserState, pile: BetMap, depth: number) {
    this.#reading = reading;
    this.#pile = pile;
    this.#depth = depth;
  }

  add(item: Item, stake: Stake | null): void {
    this.isLaid = true;
    if (stake && !stake.isForAll) {
      this.#checkOthers([item], stake);
      this.#layOnce();
      this.#stake([item], stake);
      return;
    }
    this.#bare.push(item);
    if (stake) this.#stakeBare(stake);
  }

  /** Reads `(10)` after items without a stake. True if it was there. */
  takeStakeInBrackets(): boolean {
    const stake = this.#bare.length > 0 && readStakeInBrackets(this.#reading);
    if (stake) this.#stakeBare(stake);
    return stake !== false && stake !== null;
  }

  endLine(): void {
    const bare = this.#bare;
    const isBareLine = bare.length > 0 && !this.#isStaked;
    if (isBareLine && this.#depth === 0) this.#checkLine(bare);
    if (this.#isStaked) this.#above = [];
    else this.#above.push(...bare);
    this.#layOnce();
    this.#isStaked = false;
    this.isLaid = false;
  }

  #stakeBare(stake: Stake): void {
    const staked = this.#bare;
    this.#bare = [];
    this.#checkOthers(staked, stake);
    if (staked.some(({ scope }) => scope !== staked[0]!.scope)) {
      const message = 'Write the units after each kind of bet, such as fp 12=5 bp 34=5.';
      reportProblem(this.#reading, staked[0]!.from, stake.last, message);
    }
    this.#stake(staked, stake);
  }

  #stake(items: readonly Item[], { qty }: Stake): void {
    this.#isStaked = true;
    this.#above = [];
    for (const { pile } of items) addTo(this.#pile, pile, qty);
  }

  #layOnce(): void {
    const bare = this.#bare;
    this.#bare = [];
    if (bare.length > 0) this.hasBare = true;
    for (const [place, item] of bare.entries()) {
      if (this.#depth === 0) this.#checkBracket(item, bare[place + 1]);
      addTo(this.#pile, item.pile, 1);
    }
  }

  /** Reports a stake that may also apply to earlier items. */
  #checkOthers(staked: readonly Item[], { qty, last }: Stake): void {
    const reading = this.#reading;
    const [item] = staked;
    const above = this.#isStaked || !isSameScope(this.#above.at(-1)?.scope, item!.scope) ? [] : this.#above;
    const others = [...above, ...this.#bare];
    // An invalid part is reported first.
    if (others.length === 0 || reading.problems.length > 0) return;
    const [first, before, end] = [others[0]!, others.at(-1)!, staked.at(-1)!];
    const inBrackets = (items: readonly Item[], text: string): string => (items.length > 1 ? `(${text})` : text);
    const own = inBrackets(staked, quoteTokens(reading, item!.from, end.to));
    const rest = inBrackets(others, quoteTokens(reading, first.from, before.to));
    const one = `(${quoteTokens(reading, first.from, end.to)})*${qty} for ${qty} on each`;
    reportAmbiguity(reading, first.from, last, one, `${rest}*1 ${own}*${qty} for ${qty} on ${own} alone`);
  }

  /** Reports a last number that may be a stake: `12,34,56 10`, or the second column of a table. */
  #checkLine(items: readonly Item[]): void {
    const reading = this.#reading;
    const pairAbove = this.#pairAbove;
    this.#pairAbove = null;
    const last = items.at(-1)!;
    if (items.length < 2 || !isNumber(last) || !isQuantity(reading, last.from.text)) return;
    if (items.slice(0, -1).every(isNamed)) return this.#checkNamed(items);
    if (!items.every(isNumber)) return;
    const gaps = items.slice(1).map(({ from }, place) => gapOf(reading, items[place]!, from));
    const isPair = items.length === 2 && gaps[0]!.trim() === '';
    const isAside =
      items.length > 2 && gaps.at(-1)!.trim() === '' && gaps.slice(0, -1).every((gap) => gap.includes(','));
    if (isPair) this.#pairAbove = items;
    const [first, end] = isPair && pairAbove ? [pairAbove[0]!, pairAbove[1]!] : [items[0]!, last];
    if (!isAside && !(isPair && (pairAbove || gaps[0]!.includes('\t')))) return;
    const before = items.length === 2 ? first : items.at(-2)!;
    const numbers = quoteTokens(reading, first.from, before.to);
    const qty = end.from.text;
    const on = isPair ? numbers : 'each';
    reportAmbiguity(
      reading,
      first.from,
      end.to,
      `${numbers}=${qty} for ${qty} on ${on}`,
      `${numbers}, ${qty} for 1 on each`,
    );
  }

  /** Reports a last number after names: `red 5` is a bet or units. */
  #checkNamed(items: readonly Item[]): void {
    const reading = this.#reading;
    const [last, before] = [items.at(-1)!, items.at(-2)!];
    if (reading.problems.length > 0 || gapOf(reading, before, last.from).trim() !== '') return;
    const names = quoteTokens(reading, items[0]!.from, before.to);
    const qty = last.from.text;
    const on = items.length === 2 ? names : 'each';
    reportAmbiguity(
      reading,
      items[0]!.from,
      last.to,
      `${names}=${qty} for ${qty} on ${on}`,
      `${names}, ${qty} for 1 on each`,
    );
  }

  #checkBracket({ from, to, pile, hasBare }: Item, behind: Item | undefined): void {
    const reading = this.#reading;
    if (from.is !== 'open' || (pile.size > 0 && !hasBare) || reading.problems.length > 0) return;
    const text = quoteTokens(reading, from, to);
    if (pile.size === 0) reportProblem(reading, from, to, 'Write a number in the brackets.');
    else if (behind && isNumber(behind) && gapOf(reading, { to }, behind.from).trim() === '') {
      const qty = behind.from.text;
      reportAmbiguity(reading, from, behind.to, `${text}*${qty} for ${qty} on each`, `${text}*1 ${qty} for 1 on all`);
    } else reportProblem(reading, from, to, `Write after the bracket how many units go on each, such as ${text}*10.`);
  }
}

function addTo(pile: BetMap, more: BetMap, qty: number): void {
  for (const [key, line] of more) {
    const earlier = pile.get(key);
    if (earlier) earlier.qty += line.qty * qty;
    else pile.set(key, { ...line, qty: line.qty * qty });
  }
}

const isNumber = ({ from, to }: Item): boolean => from === to && /^\d+$/.test(from.text);

const isNamed = ({ from }: Item): boolean => from.is === 'word' && !/^\d/.test(from.text);

const gapOf = ({ text }: ParserState, { to }: Pick<Item, 'to'>, next: Token): string =>
  text.slice(to.at + to.text.length, next.at);

function isSameScope(one: BetScope | undefined, other: BetScope): boolean {
  const fields = ['heads', 'series', 'subseries'] as const;
  return one !== undefined && fields.every((field) => String(one[field]?.value) === String(other[field]?.value));
}
