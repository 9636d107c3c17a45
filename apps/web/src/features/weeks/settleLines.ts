import type { WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import type { PaymentMethod } from '@drawhouse/contract/weeks/week-payments';
import { formatPoints, parsePoints } from '../../lib/format/format.ts';

export interface SettleLine {
  readonly row: WeekSheetRow;
  readonly isChosen: boolean;
  /** As typed; empty for nothing. */
  readonly amount: string;
}

/** Points; null if invalid. */
export function amountOf({ amount }: SettleLine): number | null {
  return amount.trim() === '' ? 0 : parsePoints(amount);
}

/** Proposes everything owed, except by disputed accounts. */
export function proposed(row: WeekSheetRow): SettleLine {
  const isOpen = row.state === 'open';
  return { row, isChosen: isOpen, amount: row.balance === 0 ? '' : formatPoints(Math.abs(row.balance)) };
}

export function lineOf(line: SettleLine, method: PaymentMethod) {
  const { id: accountId, balance } = line.row;
  const amount = amountOf(line) ?? 0;
  const direction: 'in' | 'out' = balance < 0 ? 'out' : 'in';
  return {
    accountId,
    expectedBalance: balance,
    ...(amount > 0 && { payment: { direction, sum: amount, method } }),
  };
}
