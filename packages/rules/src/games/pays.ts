import { betReturn, isRecord, joinNames } from './families/bet-fields.ts';
import { PAY_SCALE, type GameRules, type Head, type WinningBet } from './game-rules.ts';

export type Pays = Readonly<Record<string, number>>;

/** Hundredths per unit: winners get back at least their stake. */
export const MIN_PAY = 1 * PAY_SCALE;

/**
 * Ten times the fair pay of the rarest bet. With maximum unit price and quantity, price × quantity × pay × booster and
 * a ticket's total win stay below 2^63 hundredths.
 */
export const MAX_PAY = 10_000 * PAY_SCALE;

export const MAX_UNIT_PRICE = 100_00;

export const WRONG_PAY = `Enter a pay from ${MIN_PAY / PAY_SCALE} to ${MAX_PAY / PAY_SCALE} with at most 2 decimals`;

export const WRONG_UNIT_PRICE = `Enter a price from 0.01 to ${MAX_UNIT_PRICE / 100} points with at most 2 decimals`;

/** Keys like `pays.rank`, or `pays` if the whole value is invalid. */
export type ParsedPays = { ok: true; pays: Pays } | { ok: false; fields: Record<string, string> };

export function paysOf({ heads }: Pick<GameRules, 'heads'>): Pays {
  return Object.fromEntries(heads.map(({ name, payHundredths }) => [name, payHundredths]));
}

export function paysInUnits(pays: Pays): Record<string, number> {
  return Object.fromEntries(Object.entries(pays).map(([head, hundredths]) => [head, hundredths / PAY_SCALE]));
}

/** Units per head, 1 to 10,000, at most two decimals. */
export function parsePays({ heads }: Pick<GameRules, 'heads'>, units: unknown): ParsedPays {
  return checked(
    heads,
    isRecord(units)
      ? Object.fromEntries(Object.entries(units).map(([head, value]) => [head, hundredthsOfUnits(value)]))
      : units,
  );
}

export function withPays(rules: GameRules, pays: Pays): GameRules {
  const own = acceptedPays(checked(rules.heads, pays));
  const paid = (bets: readonly WinningBet[]): WinningBet[] =>
    bets.map((bet) => ({ ...bet, payHundredths: own[bet.head]! }));
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

export function acceptedPays(parsed: ParsedPays): Pays {
  if (parsed.ok) return parsed.pays;
  throw new RangeError(
    Object.entries(parsed.fields)
      .map(([field, problem]) => `${field}: ${problem}.`)
      .join(' '),
  );
}

function checked(heads: readonly Head[], pays: unknown): ParsedPays {
  const names = heads.map(({ name }) => name);
  if (!isRecord(pays)) return { ok: false, fields: { pays: `Enter a pay for each of ${names.join(', ')}` } };
  const fields: Record<string, string> = {};
  for (const name of Object.keys(pays))
    if (!names.includes(name)) fields[`pays.${name}`] = `The head must be ${joinNames(names)}`;
  for (const name of names) if (!Object.hasOwn(pays, name) || !isPay(pays[name])) fields[`pays.${name}`] = WRONG_PAY;
  if (Object.keys(fields).length > 0) return { ok: false, fields };
  return { ok: true, pays: Object.fromEntries(names.map((name) => [name, pays[name] as number])) };
}

function isPay(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= MIN_PAY && (value as number) <= MAX_PAY;
}

/** NaN unless the rounded value gives the same units. */
function hundredthsOfUnits(units: unknown): number {
  const hundredths = typeof units === 'number' ? Math.round(units * PAY_SCALE) : NaN;
  return hundredths / PAY_SCALE === units ? hundredths : NaN;
}
