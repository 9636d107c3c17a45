import type { WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import type { CreditAction } from '@drawhouse/contract/weeks/close-weeks';
import type { PaymentMethod } from '@drawhouse/contract/weeks/week-payments';
import { BULK_MAX, hundredthsIn, pointsOf } from '@drawhouse/contract/core/primitives';
import { creditOfClosing, leftOfClosing, type ClosingMoves } from '@drawhouse/rules/records/week-balance';
import { formatPoints, parsePoints } from '../../lib/format/format.ts';

export interface SettleLine {
  readonly row: WeekSheetRow;
  readonly isChosen: boolean;
  /** As typed; empty for nothing, null for everything that is owed. */
  readonly amount: string | null;
}

/** Disputed accounts are left out. */
export function newLine(row: WeekSheetRow): SettleLine {
  return { row, isChosen: row.state === 'open', amount: null };
}

/** At most as many as one call closes. */
export function chooseAll(lines: readonly SettleLine[]): readonly SettleLine[] {
  let left = BULK_MAX;
  return lines.map((line) => ({ ...line, isChosen: line.row.state === 'open' && left-- > 0 }));
}

/** In points. */
export interface LinePreview {
  /** Given; below zero, taken back. Null while the amount of credit is mistyped. */
  readonly credit: number | null;
  /** Owed for the week, less credit that goes back; below zero, owed to the account. */
  readonly due: number;
  readonly amount: string;
  readonly paid: number | null;
  /** Still owed after the payment, with credit given now. */
  readonly left: number;
}

/** Computes what the closing will post. `after` comes from {@link creditAfter}. */
export function previewOf(line: SettleLine, after: number | null | undefined): LinePreview {
  const { balance, credit: before, isCreditOwed, afterwards } = line.row;
  const wanted = typeof after === 'number' ? hundredthsIn(after) : null;
  const moved = line.isChosen ? creditOfClosing(hundredthsIn(before), wanted) : 0n;
  const [received, given] = [hundredthsIn(afterwards.received), hundredthsIn(afterwards.given) + moved];
  const leftAfter = (moves: ClosingMoves) => leftOfClosing(hundredthsIn(balance), moves, isCreditOwed);
  // Credit given since the week is not due yet. Credit taken back comes from it first.
  const due = leftAfter({ received, given: given < 0n ? given : 0n });
  const amount = line.amount ?? (due === 0n ? '' : formatPoints(pointsOf(due < 0n ? -due : due)));
  const paid = amount.trim() === '' ? 0 : parsePoints(amount);
  const sum = hundredthsIn(paid ?? 0);
  return {
    credit: after === undefined ? null : pointsOf(moved),
    due: pointsOf(due),
    amount,
    paid,
    left: pointsOf(leftAfter({ received: received + (due < 0n ? -sum : sum), given })),
  };
}

/** Wanted credit of each account; null to leave it, undefined if mistyped. */
export function creditAfter(action: CreditAction, refillTo: string): number | null | undefined {
  if (action === 'stay') return null;
  return action === 'back' ? 0 : (parsePoints(refillTo) ?? undefined);
}

export function lineOf({ row }: SettleLine, { due, paid }: LinePreview, method: PaymentMethod) {
  const direction: 'in' | 'out' = due < 0 ? 'out' : 'in';
  return {
    accountId: row.id,
    expectedBalance: row.balance,
    ...(paid && { payment: { direction, sum: paid, method } }),
  };
}
