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

export type BetFate =
  | { readonly is: 'finding out' }
  /** Null if cleared since. */
  | { readonly is: 'placed'; readonly ticket: Ticket | null }
  | { readonly is: 'not placed'; readonly why: BetRefusal | null };

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
  /** Sends without a negative answer: each may still be accepted. */
  readonly inDoubt: number;
  /** Refusal of the last send. Prevents resending. */
  readonly refusal: BetRefusal | null;
  /** Calls without a decisive answer since the last meaningful one. Drives the backoff. */
  readonly tries: number;
  readonly fate: BetFate;
}

export type BetAnswer =
  | { readonly says: 'placed'; readonly ticket: Ticket | null }
  | { readonly says: 'not placed' }
  /** Nothing was placed. Resending would not place it either. */
  | { readonly says: 'refused'; readonly refusal: BetRefusal }
  /** No effect; retry after `waitMs`. */
  | { readonly says: 'later'; readonly waitMs: number }
  | { readonly says: 'nothing' };

export function newBet(
  bet: Pick<PendingBet, 'requestId' | 'accountId' | 'gameId' | 'drawId' | 'closesAt' | 'lines' | 'stake'>,
): PendingBet {
  return { ...bet, inDoubt: 0, refusal: null, tries: 0, fate: { is: 'finding out' } };
}

export function isDecided({ fate }: Pick<PendingBet, 'fate'>): boolean {
  return fate.is !== 'finding out';
}

/** True for limits and breaks. */
export function isOfProtection(why: BetRefusal | null): boolean {
  return why?.code === 'OWN_LIMIT' || why?.code === 'ON_BREAK';
}
