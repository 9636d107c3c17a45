import type { Color, Suit } from './cards.ts';
import type { FamilyName } from './catalogue.ts';
import type { ReturnMark } from './return-marks.ts';

/** A uniform choice: an integer from 0 to n − 1, each alike likely. n is an integer from 1 to 2^31. */
export type Uniform = (n: number) => number;

/** One thing that can be drawn: a cell or tile of the panel. */
export type Outcome = {
  /** The draw number as tickets and results carry it, e.g. `7`, `007`, `00`. */
  drawno: string;
  /** What people read: the number again, or a name or card. */
  label: string;
  color?: Color;
  suit?: Suit;
  /** 4D: `1000`, `3000`, `5000`. Jodi: the tier. */
  series?: string;
  /** 4D: the first number of the hundred, e.g. `1200`. */
  subseries?: string;
};

/** Pays are integers in hundredths per unit laid: 3.8 is 380. */
export const PAY_SCALE = 100;

/** A kind of bet. */
export type Head = {
  name: string;
  label: string;
  /** Pay per unit laid, in hundredths (3.8 is 380), before the booster. The stake is not paid back on top. */
  payHundredths: number;
};

/** A line of a ticket as a client sends it, without its quantity. Null and empty text count as not given. */
export type BetLine = {
  drawno: string | number;
  head?: string | null;
  series?: string | number | null;
  subseries?: string | number | null;
};

/** A bet in its canonical form. `key` is stored, is stable, and is unique within a game. */
export type Bet = {
  key: string;
  drawno: string;
  head: string;
  series: string | null;
  subseries: string | null;
};

/** Why something was refused: the field to blame and a sentence for people. */
export type Refusal<Field extends string> = { ok: false; field: Field; message: string };

/** What reading a line of a ticket gives. */
export type ParsedBet = ({ ok: true } & Bet) | Refusal<'drawno' | 'head' | 'series' | 'subseries'>;

/** What an operator declares, as it comes from the panel. */
export type ResultInput = { result: unknown; color?: unknown; type?: unknown };

/** What reading a declared result gives. */
export type ParsedResult = { ok: true; result: Result } | Refusal<'result' | 'color' | 'type'>;

/** numbers, roulette, triple and 3D: the number drawn. */
export type NumberResult = { drawno: string };

/** andarbahar: the card drawn; `drawno` is its rank, 1 to 13. */
export type CardResult = { drawno: string; suit: Suit; color: Color };

/** 4D: the winning number of each sub-series; jodi: of each tier. A group that is not named has no winner. */
export type GroupResult = { winners: Record<string, string> };

/** What a draw came to: plain JSON. */
export type Result = NumberResult | CardResult | GroupResult;

/** A bet that wins, and its pay per unit in hundredths before the booster. */
export type WinningBet = { key: string; head: string; payHundredths: number };

/** The theoretical return of a kind of bet, before the booster. */
export type BetReturn = {
  /** Name of the head. */
  bet: string;
  /** Pay per unit laid, e.g. 3.8. */
  pay: number;
  /** Such a bet wins with so many … */
  winning: number;
  /** … of so many outcomes, each alike likely. */
  outcomes: number;
  /** Chance that such a bet wins, 0 to 1: winning / outcomes. */
  probability: number;
  /** probability × pay as a fraction: 0.9 is 90 %. */
  return: number;
  /** Where players win more than they lay in the long run, or little comes back; such a bet is marked in the catalogue. */
  mark: ReturnMark;
};

/** The rules of one game. Everything in it is a pure function of its arguments. */
export type GameRules = {
  readonly family: FamilyName;
  /** The cells of the panel. For andarbahar the 13 ranks; its suits and colours are in `cardTypes` and `colors`. */
  readonly outcomes: readonly Outcome[];
  /** andarbahar only. */
  readonly cardTypes?: readonly Outcome[];
  /** andarbahar only. */
  readonly colors?: readonly Outcome[];
  readonly heads: readonly Head[];
  /** The booster is an integer from 1 to this. */
  readonly maxBooster: number;
  /** Theoretical return per head. */
  readonly returns: readonly BetReturn[];
  /** Reads a line of a ticket. A number as `drawno` is padded with zeros where draw numbers have a fixed width; text must be exact. */
  readonly parseBet: (line: BetLine) => ParsedBet;
  /** The bet that has this key, as tickets store it; null where the game has no such bet. */
  readonly betOf: (key: string) => Bet | null;
  /** Reads what an operator declares. */
  readonly parseResult: (input: ResultInput) => ParsedResult;
  /**
   * The independent uniform choices that a drawn result consists of: for each, the outcomes that come up together with each of its
   * values. One choice in most games; one per group in 4D and jodi; a card's rank, and its suit with its colour.
   */
  readonly choices: readonly (readonly (readonly Outcome[])[])[];
  /** Draws uniformly over the outcomes (per group in 4D and jodi). */
  readonly draw: (random: Uniform) => Result;
  /** The bets that win when this outcome is drawn: their stakes are what the outcome's cell shows. */
  readonly outcomeBets: (outcome: Outcome) => readonly WinningBet[];
  /** Every bet that wins with this result, each key once. Throws RangeError when it is not a result of this game. */
  readonly winningBets: (result: Result) => readonly WinningBet[];
  /** Whether a stored value is a result of this game. */
  readonly isResult: (value: unknown) => value is Result;
  /** A short text for people, e.g. `7`, `3 Sun`, `K♠ red`. Throws RangeError when it is not a result of this game. */
  readonly resultLabel: (result: Result) => string;
};
