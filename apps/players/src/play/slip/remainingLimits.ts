import { hundredthsOf, pointsOf } from '@drawhouse/contract/core/hundredths';
import type { Limits } from '@drawhouse/contract/games/game-pair';
import type { ShownLimit } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/player-limits';
import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import { lineName } from '@drawhouse/rules/bet-text/line-name';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { NumberStakes } from '@drawhouse/rules/games/shares';
import { sharedText } from '../../lib/inLanguage.ts';
import { lazyTexts } from '../lazyTexts.ts';
import { stakeOf } from './slipSums.ts';

const texts = lazyTexts.limit;

export interface RemainingLimit {
  readonly left: number;
  readonly text: string;
  readonly shortText?: string;
}

/** Limits loaded so far, in points. */
export interface TicketLimits {
  readonly limits: Limits;
  readonly own: readonly Pick<ShownLimit, 'limit' | 'value' | 'setBy' | 'left'>[];
  readonly staked: number | null;
}

/** Smallest first. Advisory: only the server knows all earlier bets. */
export function remainingLimits({ limits: { perTicket, perPlayer }, own, staked }: TicketLimits): RemainingLimit[] {
  const remaining: RemainingLimit[] = [];
  if (perTicket !== null) remaining.push({ left: perTicket, text: texts.perTicket(perTicket) });
  if (perPlayer !== null) {
    const left = leftOf(perPlayer, staked);
    const text = staked ? texts.perPlayerLeft(perPlayer, leftText(left)) : texts.perPlayer(perPlayer);
    remaining.push({ left, text });
  }
  for (const { limit, value, setBy, left: reported } of own) {
    if (value === null || limit === 'minutesPerDay') continue;
    const left = limit === 'stakePerDraw' ? leftOf(value, staked) : (reported ?? value);
    const name = sharedText(PROTECTION_LIMITS[limit]);
    const textOf = setBy === 'manager' ? texts.managers : texts.own;
    remaining.push({ left, text: textOf(name, leftText(left), value), shortText: texts.short(name, left) });
  }
  return remaining.toSorted((a, b) => a.left - b.left);
}

export function gameLimitTexts({ perNumber, perTicket, perPlayer }: Limits): string[] {
  return [
    perNumber !== null && texts.perNumber(perNumber),
    perTicket !== null && texts.perTicket(perTicket),
    perPlayer !== null && texts.perPlayer(perPlayer),
  ].filter((text) => text !== false);
}

function leftText(left: number): string {
  return left === 0 ? texts.nothingLeft : texts.left(left);
}

function leftOf(limit: number, used: number | null): number {
  const left = (hundredthsOf(limit) ?? 0n) - (hundredthsOf(used ?? 0) ?? 0n);
  return pointsOf(left > 0n ? left : 0n);
}

interface SlipBounds {
  readonly rules: GameRules;
  readonly unitPrice: number;
  readonly walletBalance: number | null;
  readonly perNumber: Limits['perNumber'];
  readonly remaining: readonly RemainingLimit[];
}

/** Returns the first known reason against placing, as a sentence. */
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
  return over ? texts.overNumber(perNumberLimit, sharedText(lineName(over, rules))) : null;
}

/** Exact. Requires a ≥ b. */
function difference(a: number, b: number): number {
  return pointsOf((hundredthsOf(a) ?? 0n) - (hundredthsOf(b) ?? 0n));
}
