import { hundredthsOf, pointsOf } from '@drawhouse/contract/core/hundredths';
import type { SlipLine } from '@drawhouse/rules/bet-text/expand';

export const CHIPS: readonly number[] = [1, 5, 10, 50, 100, 500];

export function costOf(units: number, unitPrice: number): number {
  return pointsOf(BigInt(units) * (hundredthsOf(unitPrice) ?? 0n));
}

export function stakeOf(lines: readonly Pick<SlipLine, 'qty'>[], unitPrice: number): number {
  return costOf(
    lines.reduce((sum, { qty }) => sum + qty, 0),
    unitPrice,
  );
}
