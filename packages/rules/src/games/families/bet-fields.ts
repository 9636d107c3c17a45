import {
  PAY_SCALE,
  returnMark,
  type Bet,
  type BetLine,
  type BetReturn,
  type GameRules,
  type Head,
  type Refusal,
} from '../game-rules.ts';

/** Booster options (docs/spec/game-operations.md §9); lottery: 3D, 4D and jodi. */
export const MAX_BOOSTER = 20;
export const MAX_LOTTERY_BOOSTER = 2;

export function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refuse<Field extends string>(field: Field, message: string): Refusal<Field> {
  return { ok: false, field, message };
}

/** Pads integers. Text must already have this width. Null otherwise. */
export function fixedDigits(value: unknown, width: number): string | null {
  const text = typeof value === 'number' ? String(value).padStart(width, '0') : value;
  return typeof text === 'string' && text.length === width && /^[0-9]+$/.test(text) ? text : null;
}

export function allDigits(width: number): string[] {
  return Array.from({ length: 10 ** width }, (_, n) => String(n).padStart(width, '0'));
}

export function chosenHead<H extends Head>(heads: readonly H[], name: unknown): H | undefined {
  if (isAbsent(name) && heads.length === 1) return heads[0];
  return heads.find((head) => head.name === name);
}

export function refuseHead(heads: readonly Head[]): Refusal<'head'> {
  return refuse('head', `The head must be ${joinNames(heads.map((head) => head.name))}.`);
}

export function refuseSeries(line: BetLine): Refusal<'series' | 'subseries'> | null {
  if (!isAbsent(line.series)) return refuse('series', 'This game has no series.');
  if (!isAbsent(line.subseries)) return refuse('subseries', 'This game has no sub-series.');
  return null;
}

/** Matches `7`, `double:07`, `K60GOLD|jodi:42`. */
const KEY = /^(?:([^|:]+)\|)?(?:([^|:]+):)?([^|:]+)$/;

/** Null unless parsing its parts yields the same key. */
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

export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

export function betReturn(head: Pick<Head, 'name' | 'payHundredths'>, winning: number, outcomes: number): BetReturn {
  const won = winning * head.payHundredths;
  const stake = outcomes * PAY_SCALE;
  return {
    bet: head.name,
    pay: head.payHundredths / PAY_SCALE,
    winning,
    outcomes,
    probability: winning / outcomes,
    return: won / stake,
    mark: returnMark(won / stake),
  };
}

export function notAResult(family: string): RangeError {
  return new RangeError(`This is not a result of the family ${family}.`);
}
