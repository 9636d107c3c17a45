import type { Ticket } from '@drawhouse/contract/tickets/tickets';

export interface SentLine {
  readonly drawno: string;
  readonly head: string;
  readonly series?: string;
  readonly subseries?: string;
  readonly qty: number;
}

export interface BetRefusal {
  readonly code: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
}

export type BetOutcome =
  | { readonly kind: 'pending' }
  /** Null if cleared since. */
  | { readonly kind: 'placed'; readonly ticket: Ticket | null }
  | { readonly kind: 'not placed'; readonly refusal: BetRefusal | null };

/** Stored before sending, until the player has seen the outcome. */
export interface PendingBet {
  readonly requestId: string;
  readonly accountId: string;
  readonly gameId: string;
  readonly drawId: string;
  /** Server time of the draw's close, Unix milliseconds. */
  readonly closesAt: number;
  readonly lines: readonly SentLine[];
  readonly stake: number;
  /** Sends that may still be accepted. */
  readonly inDoubt: number;
  /** If the last send was refused, the bet is not resent. */
  readonly refusal: BetRefusal | null;
  /** Indecisive calls in a row. Drives the backoff. */
  readonly tries: number;
  readonly outcome: BetOutcome;
}

export type BetAnswer =
  | { readonly kind: 'placed'; readonly ticket: Ticket | null }
  | { readonly kind: 'not placed' }
  /** Nothing was placed, and sending it again would be refused too. */
  | { readonly kind: 'refused'; readonly refusal: BetRefusal }
  /** No effect; retry after `waitMs`. */
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'unknown' };

export function newBet(
  bet: Pick<PendingBet, 'requestId' | 'accountId' | 'gameId' | 'drawId' | 'closesAt' | 'lines' | 'stake'>,
): PendingBet {
  return { ...bet, inDoubt: 0, refusal: null, tries: 0, outcome: { kind: 'pending' } };
}

export function isDecided({ outcome }: Pick<PendingBet, 'outcome'>): boolean {
  return outcome.kind !== 'pending';
}

/** True for limits and breaks. */
export function isLimitRefusal(refusal: BetRefusal | null): boolean {
  return refusal?.code === 'OWN_LIMIT' || refusal?.code === 'ON_BREAK';
}
