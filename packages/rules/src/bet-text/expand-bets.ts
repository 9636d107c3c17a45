import type { FamilyName } from '../games/catalogue.ts';
import type { Token } from './tokens.ts';
import { wheelBets } from '../games/families/roulette.ts';
import { joinNames } from '../games/families/bet-fields.ts';
import type { Bet, GameRules } from '../games/game-rules.ts';

/** Applies to the bets after it. `isUsed` turns true at the first. */
export type ScopePart = { readonly token: Token; isUsed: boolean };
type ScopedValue<Value> = ScopePart & { readonly value: Value };

export type BetScope = {
  heads?: ScopedValue<readonly string[]>;
  series?: ScopedValue<string>;
  subseries?: ScopedValue<string>;
};

export type FoundBet = ({ ok: true } & Bet) | { ok: false; message: string };

/** Default head if several kinds accept the number. */
const USUAL_HEAD: Partial<Record<FamilyName, string>> = { lottery3d: 'straight', roulette: 'straight' };
const FIXED_WIDTH: readonly FamilyName[] = ['triple', 'lottery3d', 'lottery4d', 'jodi'];
const MOST_DIGITS = 4;

/**
 * Takes the first head in scope that accepts the number. Completes leading digits from series or sub-series (4D). On a
 * wheel, a word that implies its kind (`red`, `dozen 1`) ignores the kind in scope.
 */
export function findBet(rules: GameRules, outer: BetScope, written: string, head: string | null = null): FoundBet {
  const scope = head !== null && rules.family === 'roulette' ? {} : outer;
  const names = scope.heads?.value ?? (head === null ? rules.heads.map(({ name }) => name) : [head]);
  const line = {
    drawno: completed(rules, scope, written),
    series: scope.series?.value,
    subseries: scope.subseries?.value,
  };
  if (rules.family === 'jodi' && !scope.series)
    return { ok: false, message: `Write the tier before the number, K50, K60 or K70, such as K60 ${written}.` };
  const found = names.map((name) => rules.parseBet({ ...line, head: name }));
  const taken = found.filter((bet) => bet.ok);
  const usual = taken.length > 1 ? taken.find((bet) => bet.head === USUAL_HEAD[rules.family]) : taken[0];
  for (const part of [scope.heads, scope.series, scope.subseries]) if (part) part.isUsed = true;
  if (usual) return usual;
  if (taken.length > 1) {
    const could = taken.map((bet) => bet.head);
    return {
      ok: false,
      message: `Say which bet this is: ${joinNames(could.map((name) => named(rules, name)))}, such as ${could[0]} ${written}.`,
    };
  }
  const { message } = found[0] as Extract<FoundBet, { ok: false }>;
  const others = /^\d+$/.test(written) && rules.family !== 'andarbahar' ? rules.heads : [];
  const fitting = others.filter(({ name }) => !names.includes(name) && rules.parseBet({ ...line, head: name }).ok);
  const right = joinNames(fitting.map(({ name }) => `${name} ${written}`));
  return { ok: false, message: right === '' ? message : `${message} Or write ${right}.` };
}

/** Adds the label if it says more: `fp (Front Pair)`. */
function named({ heads }: GameRules, head: string): string {
  const { label } = heads.find(({ name }) => name === head)!;
  return label.toLowerCase() === head ? head : `${head} (${label})`;
}

function completed({ family }: GameRules, { series, subseries }: BetScope, written: string): string {
  if (family !== 'lottery4d') return written;
  if (subseries && written.length === 2) return subseries.value.slice(0, 2) + written;
  if (series && written.length === 3) return series.value.slice(0, 1) + written;
  return written;
}

/** True if each bet names several numbers: `1-2` is one bet, not a range. */
export function joinsNumbers(rules: GameRules, { heads }: BetScope): boolean {
  const [only, other] = heads?.value ?? [];
  const bets = wheelBets(rules);
  return other === undefined && bets.some(({ kind, drawno }) => kind === only && drawno.includes('-'));
}

/** Returns numbers with both ends, or a correction. Both ends must be bets, so ranges stay short. */
export function rangeOf(rules: GameRules, scope: BetScope, from: string, to: string): string[] | string {
  const isFixed = FIXED_WIDTH.includes(rules.family);
  if (isFixed && from.length !== to.length) return 'Write both ends of a range with as many digits, such as 120-129.';
  if (!isFixed && [from, to].some((end) => String(Number(end)) !== end))
    return 'Write both ends of a range as numbers without zeros before them, such as 3-7.';
  for (const end of [from, to]) {
    const bet = findBet(rules, scope, end);
    if (!bet.ok) return `${end}: ${bet.message}`;
  }
  if (Number(from) > Number(to)) return `Write the smaller number first: ${to}-${from}.`;
  const width = isFixed ? from.length : 1;
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) =>
    String(Number(from) + index).padStart(width, '0'),
  );
}

/** Returns the distinct permutations that are bets, or a correction. */
export function ordersOf(rules: GameRules, scope: BetScope, digits: string): string[] | string {
  const orders = digits.length > MOST_DIGITS ? [digits] : [...new Set(arrangements(digits))];
  const bets = orders.map((order) => ({ order, bet: findBet(rules, scope, order) }));
  const taken = bets.filter(({ bet }) => bet.ok);
  if (taken.length === 0) return (bets[0]!.bet as Extract<FoundBet, { ok: false }>).message;
  const keys = new Set(taken.map(({ bet }) => (bet as Bet).key));
  if (keys.size < taken.length) return 'Such a bet already covers every order of its digits: write the number alone.';
  return taken.map(({ order }) => order);
}

function arrangements(digits: string): string[] {
  if (digits.length < 2) return [digits];
  return [...digits].flatMap((digit, place) =>
    arrangements(digits.slice(0, place) + digits.slice(place + 1)).map((rest) => digit + rest),
  );
}
