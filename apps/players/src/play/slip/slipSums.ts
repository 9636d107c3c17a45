import { hundredthsOf, pointsOf } from '@drawhouse/contract/core/hundredths';
import type { Limits } from '@drawhouse/contract/games/game-pair';
import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import { playTexts } from '../playTexts.ts';
import type { RemainingLimit } from './remainingLimits.ts';

const texts = playTexts.place;

export const CHIPS: readonly number[] = [1, 5, 10, 50, 100, 500];

interface SlipBounds {
  readonly unitPrice: number;
  readonly walletBalance: number | null;
  readonly perNumber: Limits['perNumber'];
  readonly remaining: readonly RemainingLimit[];
}

export function costOf(units: number, unitPrice: number): number {
  return pointsOf(BigInt(units) * (hundredthsOf(unitPrice) ?? 0n));
}

export function stakeOf(lines: readonly Pick<SlipLine, 'qty'>[], unitPrice: number): number {
  return costOf(
    lines.reduce((sum, { qty }) => sum + qty, 0),
    unitPrice,
  );
}

/** First known reason against placing, as a sentence, or null. Incomplete: only the server knows all earlier bets. */
export function placementError(
  lines: readonly SlipLine[],
  { unitPrice, walletBalance, perNumber: perNumberLimit, remaining }: SlipBounds,
): string | null {
  const stake = stakeOf(lines, unitPrice);
  if (walletBalance !== null && stake > walletBalance) return texts.overWallet(difference(stake, walletBalance));
  const [least] = remaining;
  if (least && stake > least.left) return least.text;
  const over = perNumberLimit !== null && lines.find(({ qty }) => costOf(qty, unitPrice) > perNumberLimit);
  if (over) return texts.overNumber(perNumberLimit, over.drawno);
  return null;
}

/** Exact. Requires a ≥ b. */
function difference(a: number, b: number): number {
  return pointsOf((hundredthsOf(a) ?? 0n) - (hundredthsOf(b) ?? 0n));
}
