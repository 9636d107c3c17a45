import { PAY_SCALE, type GameRules, type Result } from './game-rules.ts';

export type Hundredths = bigint;

export type WinningLine = {
  unitPrice: Hundredths;
  qty: number;
  payHundredths: number;
  booster: number;
};

/** Returns hundredths, rounded down. Exact for prices in whole points. */
export function winHundredths({ unitPrice, qty, payHundredths, booster }: WinningLine): Hundredths {
  return (unitPrice * BigInt(qty) * BigInt(payHundredths) * BigInt(booster)) / BigInt(PAY_SCALE);
}

/** Fractions of a hundredth. Rates are hundredths of a percent (2.5 % is 250). */
export const COMMISSION_PARTS = 10_000n;

/**
 * Returns hundredths and a remainder in 1/10,000 of one. Carrying it makes an account's total the floor of its exact
 * commission.
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
 * Returns hundredths; `stakeOf` takes a bet key. Rounds down per key, settlement per line, so with fractional prices
 * settlement may pay a hundredth less per line.
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
