import type { Color, Suit, FamilyName } from './catalogue.ts';

/** Uniform integer from 0 to n − 1, for n from 1 to 2^31. */
export type Uniform = (n: number) => number;

export type Outcome = {
  drawno: string;
  label: string;
  color?: Color;
  suit?: Suit;
  series?: string;
  /** 4D: first number of the hundred, e.g. `1200`. */
  subseries?: string;
};

/** Hundredths per unit: 3.8 is 380. */
export const PAY_SCALE = 100;

export type Head = {
  name: string;
  label: string;
  /** Pay per unit, before the booster. Includes the stake. */
  payHundredths: number;
};

export type BetLine = {
  drawno: string | number;
  head?: string | null;
  series?: string | number | null;
  subseries?: string | number | null;
};

/** `key` is stored: stable, and unique within a game. */
export type Bet = {
  key: string;
  drawno: string;
  head: string;
  series: string | null;
  subseries: string | null;
};

export type Refusal<Field extends string> = { ok: false; field: Field; message: string };

export type ParsedBet = ({ ok: true } & Bet) | Refusal<'drawno' | 'head' | 'series' | 'subseries'>;

export type ResultInput = { result: unknown; color?: unknown; type?: unknown };

export type ParsedResult = { ok: true; result: Result } | Refusal<'result' | 'color' | 'type'>;

export type NumberResult = { drawno: string };

/** andarbahar: `drawno` is the rank, 1 to 13. */
export type CardResult = { drawno: string; suit: Suit; color: Color };

/** 4D: winner per sub-series. Jodi: per tier. */
export type GroupResult = { winners: Record<string, string> };

export type Result = NumberResult | CardResult | GroupResult;

/** A stake split into `of` parts, one per number. `nth` counts from 0, lowest number first. */
export type Share = { nth: number; of: number };

/**
 * Pay per unit, before the booster. `share`: part of the stake that counts on this outcome, if the bet covers several;
 * payouts never depend on it.
 */
export type WinningBet = { key: string; head: string; payHundredths: number; share?: Share };

export type BetReturn = {
  bet: string;
  pay: number;
  winning: number;
  outcomes: number;
  probability: number;
  return: number;
  mark: ReturnMark;
};

/** All functions are pure. */
export type GameRules = {
  readonly family: FamilyName;
  /** Cells of the panel. Andhar Bahar: 13 ranks, with suits and colors in `cardTypes` and `colors`. */
  readonly outcomes: readonly Outcome[];
  readonly cardTypes?: readonly Outcome[];
  readonly colors?: readonly Outcome[];
  readonly heads: readonly Head[];
  readonly maxBooster: number;
  readonly returns: readonly BetReturn[];
  readonly parseBet: (line: BetLine) => ParsedBet;
  readonly betOf: (key: string) => Bet | null;
  readonly parseResult: (input: ResultInput) => ParsedResult;
  /**
   * Independent uniform choices, each with the outcomes per value. 4D and jodi: one choice per group. Cards: rank, then
   * suit with color.
   */
  readonly choices: readonly (readonly (readonly Outcome[])[])[];
  readonly draw: (random: Uniform) => Result;
  readonly outcomeBets: (outcome: Outcome) => readonly WinningBet[];
  /** Unique keys. */
  readonly winningBets: (result: Result) => readonly WinningBet[];
  readonly isResult: (value: unknown) => value is Result;
  /** Returns `7`, `3 Sun`, `K♠ red`. */
  readonly resultLabel: (result: Result) => string;
};

/** Fractions. Above the first, players win more than they stake. */
export const RETURN_BOUNDS = { above: 1, below: 0.7 } as const;

/** Shown to operators, never to players. */
export type ReturnMark = keyof typeof RETURN_BOUNDS | null;

export function returnMark(theoretical: number): ReturnMark {
  if (theoretical > RETURN_BOUNDS.above) return 'above';
  return theoretical < RETURN_BOUNDS.below ? 'below' : null;
}
