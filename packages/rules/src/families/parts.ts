import { PAY_SCALE } from '../game-rules.ts';
import type { Bet, BetLine, BetReturn, GameRules, Head, Refusal } from '../game-rules.ts';
import { returnMark } from '../return-marks.ts';

/** Spec section 9: the booster's options in most panels, and in 3D, 4D and jodi. */
export const MAX_BOOSTER = 20;
export const MAX_LOTTERY_BOOSTER = 2;

/** Clients leave a field out in different ways; these all mean that it is not given. */
export function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A refusal that blames a field. */
export function refuse<Field extends string>(field: Field, message: string): Refusal<Field> {
  return { ok: false, field, message };
}

/** The canonical text of a number of `width` digits: integers are padded, text must have the width already. Else null. */
export function fixedDigits(value: unknown, width: number): string | null {
  const text = typeof value === 'number' ? String(value).padStart(width, '0') : value;
  return typeof text === 'string' && text.length === width && /^[0-9]+$/.test(text) ? text : null;
}

/** All numbers of `width` digits: `000` to `999` for 3. */
export function allDigits(width: number): string[] {
  return Array.from({ length: 10 ** width }, (_, n) => String(n).padStart(width, '0'));
}

/** The head with the given name; where a game has only one, it may be left out. Undefined when there is none. */
export function chosenHead<H extends Head>(heads: readonly H[], name: unknown): H | undefined {
  if (isAbsent(name) && heads.length === 1) return heads[0];
  return heads.find((head) => head.name === name);
}

/** Refuses a head that does not exist, naming those that do. */
export function refuseHead(heads: readonly Head[]): Refusal<'head'> {
  return refuse('head', `The head must be ${listed(heads.map((head) => head.name))}.`);
}

/** Refuses a line that names a series or sub-series in a game without them; null when it does not. */
export function refuseSeries(line: BetLine): Refusal<'series' | 'subseries'> | null {
  if (!isAbsent(line.series)) return refuse('series', 'This game has no series.');
  if (!isAbsent(line.subseries)) return refuse('subseries', 'This game has no sub-series.');
  return null;
}

/** The parts of a bet key: `7`, `double:07`, `K60GOLD|jodi:42`. */
const KEY = /^(?:([^|:]+)\|)?(?:([^|:]+):)?([^|:]+)$/;

/**
 * Reads bets back from their keys, in every family alike: a key holds what has to be said of a bet, so it is that of the
 * bet which its parts parse to, or of none.
 */
export function betFromKey(parseBet: GameRules['parseBet']): GameRules['betOf'] {
  return (key): Bet | null => {
    const parts = KEY.exec(key);
    if (!parts) return null;
    const [, series, head, drawno] = parts;
    const parsed = parseBet({ drawno: drawno!, head, series });
    if (!parsed.ok || parsed.key !== key) return null;
    const { ok: _, ...bet } = parsed;
    return bet;
  };
}

/** `a`, `a or b`, `a, b or c`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** The return of a head of which each bet wins with `winning` out of `outcomes` alike likely outcomes. */
export function betReturn(head: Pick<Head, 'name' | 'payHundredths'>, winning: number, outcomes: number): BetReturn {
  const won = winning * head.payHundredths;
  const laid = outcomes * PAY_SCALE;
  return {
    bet: head.name,
    pay: head.payHundredths / PAY_SCALE,
    winning,
    outcomes,
    probability: winning / outcomes,
    return: won / laid,
    mark: returnMark(won / laid),
  };
}

/** What winningBets and resultLabel throw on a result of another game. */
export function notAResult(family: string): RangeError {
  return new RangeError(`This is not a result of the family ${family}.`);
}
