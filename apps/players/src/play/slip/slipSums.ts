import { hundredthsOf, pointsOf } from '@drawhouse/contract/core/hundredths';
import type { Limits } from '@drawhouse/contract/games/game-pair';
import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import { lineName } from '@drawhouse/rules/bet-text/line-name';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { NumberStakes } from '@drawhouse/rules/games/shares';
import { playTexts } from '../playTexts.ts';
import type { RemainingLimit } from './remainingLimits.ts';

const texts = playTexts.place;

export const CHIPS: readonly number[] = [1, 5, 10, 50, 100, 500];

interface SlipBounds {
  readonly rules: GameRules;
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
  { rules, unitPrice, walletBalance, perNumber: perNumberLimit, remaining }: SlipBounds,
): string | null {
  const stake = stakeOf(lines, unitPrice);
  if (walletBalance !== null && stake > walletBalance) return texts.overWallet(difference(stake, walletBalance));
  const [least] = remaining;
  if (least && stake > least.left) return least.text;
  if (perNumberLimit === null) return null;
  const onNumbers = new NumberStakes(rules, new Map());
  for (const { key, qty } of lines) onNumbers.add(key, BigInt(qty) * (hundredthsOf(unitPrice) ?? 0n));
  const most = hundredthsOf(perNumberLimit) ?? 0n;
  const over = lines.find(({ key }) => onNumbers.leftOn(key, most) < 0n);
  return over ? texts.overNumber(perNumberLimit, lineName(over, rules)) : null;
}

/** Exact. Requires a ≥ b. */
function difference(a: number, b: number): number {
  return pointsOf((hundredthsOf(a) ?? 0n) - (hundredthsOf(b) ?? 0n));
}
