import { PAY_SCALE } from './game-rules.ts';
import type { GameRules, Result } from './game-rules.ts';

/** An amount of credit in hundredths of a point. */
export type Hundredths = bigint;

/** What decides the win of one winning line of a ticket. */
export type WinningLine = {
  /** Price of one unit, in hundredths of a point. */
  unitPrice: Hundredths;
  /** Units laid. */
  qty: number;
  /** Pay per unit, in hundredths: 3.8 is 380. */
  payHundredths: number;
  booster: number;
};

/**
 * What a winning line wins, in hundredths of a point: price × quantity × pay × booster, floored (domain, section 4). Nothing is lost
 * to the floor where the price is whole points. Throws RangeError when a number is no integer.
 */
export function winHundredths({ unitPrice, qty, payHundredths, booster }: WinningLine): Hundredths {
  return (unitPrice * BigInt(qty) * BigInt(payHundredths) * BigInt(booster)) / BigInt(PAY_SCALE);
}

/** Commissions are exact to so many parts of a hundredth: a rate is in hundredths of a percent (2.5 % is 250). */
export const COMMISSION_PARTS = 10_000n;

/**
 * What a stake earns at a rate, for an account that has carried a remainder so far: the hundredths that are paid, and the remainder that is carried on, in
 * 1/10,000 of a hundredth. So whatever an account earns sums to the floor of what all its stakes earn exactly.
 */
export function earnCommission(
  remainder: bigint,
  stake: Hundredths,
  rate: number,
): { readonly paid: Hundredths; readonly remainder: bigint } {
  const exact = remainder + stake * BigInt(rate);
  return { paid: exact / COMMISSION_PARTS, remainder: exact % COMMISSION_PARTS };
}

/**
 * What a result pays, in hundredths of a point, where `stakeOf` tells the stakes of a bet by its key. Wins are floored once per key here
 * and once per line at settlement, so with prices that are not whole points settlement may pay a hundredth less per line.
 */
export function paidBy(
  rules: GameRules,
  stakeOf: (key: string) => Hundredths,
  result: Result,
  booster: number,
): Hundredths {
  let pays = 0n;
  for (const { key, payHundredths } of rules.winningBets(result))
    pays += winHundredths({ unitPrice: stakeOf(key), qty: 1, payHundredths, booster });
  return pays;
}
