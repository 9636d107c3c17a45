import type { ReceivedCredit } from './messages.ts';
import type { Delivery, OutOfOrder, Received } from './receive-credit.ts';

/**
 * Stand for paths in calls between cells. A delivery names a message only. The receiver asks the sender for it, at the
 * address of the directory, so whoever can read the directory’s secrets can’t make credit.
 */
export const CALLS = {
  deliver: 'credit/deliver',
  read: 'credit/read',
  last: 'credit/last',
  list: 'credit/list',
  books: 'credit/books',
  arrivals: 'credit/arrivals',
} as const;

export type DeliveryOutcome = Received | OutOfOrder;

export type Wire = Readonly<Record<string, string>>;

/** JSON has no bigint. */
export function wireOf(message: Delivery | ReceivedCredit): Wire {
  const { id, adminId, number, kind, amount, note } = message;
  const { known, refusal, balance, at } = message as Partial<Delivery & ReceivedCredit>;
  return {
    id,
    adminId,
    kind,
    note,
    number: String(number),
    amount: String(amount),
    ...(known && { known }),
    ...(typeof refusal === 'string' && { refusal }),
    ...(typeof balance === 'bigint' && { balance: String(balance) }),
    ...(at && { at: at.toISOString() }),
  };
}

export function readDelivery({ id, adminId, number, kind, amount, note, known }: Wire): Omit<Delivery, 'from'> {
  return {
    id: id!,
    adminId: adminId!,
    number: Number(number),
    amount: BigInt(amount!),
    note: note!,
    kind: kind === 'give' ? 'give' : 'takeBack',
    known: known as Delivery['known'],
  };
}

export function readReceived(wire: Wire): ReceivedCredit {
  const { refusal = null, balance, at } = wire;
  return { ...readDelivery(wire), refusal, balance: BigInt(balance!), at: new Date(at!), cell: '' };
}

export type WireAnswer = { readonly later: readonly Wire[] } & (
  | { readonly refusal: string | null; readonly balance: string }
  | { readonly last: number }
);

export function readAnswer(answer: WireAnswer): DeliveryOutcome {
  const later = answer.later.map(readReceived);
  return 'last' in answer
    ? { last: answer.last, later }
    : { refusal: answer.refusal, balance: BigInt(answer.balance), later };
}
