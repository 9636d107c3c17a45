import { betReturn, isRecord, listed } from './families/parts.ts';
import { PAY_SCALE } from './game-rules.ts';
import type { GameRules, Head, WinningBet } from './game-rules.ts';

/** What each head of a game pays per unit laid, in hundredths (3.8 is 380), by the name of the head. */
export type Pays = Readonly<Record<string, number>>;

/** The least pay of a head, in hundredths per unit: a bet that wins gives at least its stake (domain, section 3). */
export const MIN_PAY = 1 * PAY_SCALE;

/**
 * The highest pay of a head, in hundredths per unit: 10,000. Ten times what the rarest bet there is would have to pay to give back all
 * that is laid; with the highest unit price and the most units on a line, price × quantity × pay × booster stays below 2^63, and so
 * does the win of a whole ticket, in hundredths.
 */
export const MAX_PAY = 10_000 * PAY_SCALE;

/** The highest price of one unit, in hundredths of a point: 100 points. See {@link MAX_PAY}. */
export const MAX_UNIT_PRICE = 100_00;

/** What is wrong with a pay, for people. */
export const WRONG_PAY = `Write a pay from ${MIN_PAY / PAY_SCALE} to ${MAX_PAY / PAY_SCALE} with at most 2 decimals`;

/** What is wrong with the price of a unit, for people. */
export const WRONG_UNIT_PRICE = `Write a price from 0.01 to ${MAX_UNIT_PRICE / 100} points with at most 2 decimals`;

/** What reading pays gives: the pays, or a sentence by field: `pays.rank`, or `pays` for what is no set of pays at all. */
export type ParsedPays = { ok: true; pays: Pays } | { ok: false; fields: Record<string, string> };

/** The pays that rules have. */
export function paysOf({ heads }: Pick<GameRules, 'heads'>): Pays {
  return Object.fromEntries(heads.map(({ name, payHundredths }) => [name, payHundredths]));
}

/** Pays as calls and forms have them: units per unit laid (380 hundredths are 3.8), by head. */
export function paysInUnits(pays: Pays): Record<string, number> {
  return Object.fromEntries(Object.entries(pays).map(([head, hundredths]) => [head, hundredths / PAY_SCALE]));
}

/**
 * Reads pays as calls and forms have them: an object with one number for each head, from 1 to 10,000 with at most two decimals. What
 * is wrong is said for each head, so that a form and the server say the same.
 */
export function parsePays({ heads }: Pick<GameRules, 'heads'>, units: unknown): ParsedPays {
  return checked(
    heads,
    isRecord(units)
      ? Object.fromEntries(Object.entries(units).map(([head, value]) => [head, hundredthsOfUnits(value)]))
      : units,
  );
}

/**
 * The rules of a game with pays of its own. Only what a bet pays and returns differs: outcomes, keys, results and the way of drawing
 * are those of the rules given. Throws RangeError, with a sentence, for a head that is missing or unknown and for a pay that is no
 * integer of hundredths from {@link MIN_PAY} to {@link MAX_PAY}.
 */
export function withPays(rules: GameRules, pays: Pays): GameRules {
  const own = acceptedPays(checked(rules.heads, pays));
  const paid = (bets: readonly WinningBet[]): WinningBet[] =>
    bets.map(({ key, head }) => ({ key, head, payHundredths: own[head]! }));
  return {
    ...rules,
    heads: rules.heads.map((head) => ({ ...head, payHundredths: own[head.name]! })),
    returns: rules.returns.map(({ bet, winning, outcomes }) =>
      betReturn({ name: bet, payHundredths: own[bet]! }, winning, outcomes),
    ),
    outcomeBets: (outcome) => paid(rules.outcomeBets(outcome)),
    winningBets: (result) => paid(rules.winningBets(result)),
  };
}

/** The pays that were read. Throws RangeError that says all that is wrong with them. */
export function acceptedPays(parsed: ParsedPays): Pays {
  if (parsed.ok) return parsed.pays;
  throw new RangeError(
    Object.entries(parsed.fields)
      .map(([field, problem]) => `${field}: ${problem}.`)
      .join(' '),
  );
}

/** Pays in hundredths that fit the heads, in their order, or what is wrong with them. */
function checked(heads: readonly Head[], pays: unknown): ParsedPays {
  const names = heads.map(({ name }) => name);
  if (!isRecord(pays)) return { ok: false, fields: { pays: `Write a pay for each of ${names.join(', ')}` } };
  const fields: Record<string, string> = {};
  for (const name of Object.keys(pays))
    if (!names.includes(name)) fields[`pays.${name}`] = `The head must be ${listed(names)}`;
  for (const name of names) if (!Object.hasOwn(pays, name) || !isPay(pays[name])) fields[`pays.${name}`] = WRONG_PAY;
  if (Object.keys(fields).length > 0) return { ok: false, fields };
  return { ok: true, pays: Object.fromEntries(names.map((name) => [name, pays[name] as number])) };
}

function isPay(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= MIN_PAY && (value as number) <= MAX_PAY;
}

/** Units in hundredths, NaN where there is no such number: Math.round finds the nearest, which gives the same units or is not it. */
function hundredthsOfUnits(units: unknown): number {
  const hundredths = typeof units === 'number' ? Math.round(units * PAY_SCALE) : NaN;
  return hundredths / PAY_SCALE === units ? hundredths : NaN;
}
