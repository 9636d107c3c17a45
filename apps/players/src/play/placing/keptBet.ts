import type { Ticket } from '@drawhouse/contract/tickets/tickets';

/** A line of a ticket as the call takes it. */
export interface SentLine {
  readonly drawno: string;
  readonly head: string;
  readonly series?: string;
  readonly subseries?: string;
  readonly qty: number;
}

/** Why a ticket was not placed, in the server's words. */
export interface BetRefusal {
  readonly code: string;
  readonly message: string;
  /** What is wrong with which field of the call. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** What is known of a ticket that was to be placed. There is no fourth: whatever is not known is being found out. */
export type BetFate =
  | { readonly is: 'finding out' }
  /** The ticket, or null where it was cleared since. */
  | { readonly is: 'placed'; readonly ticket: Ticket | null }
  | { readonly is: 'not placed'; readonly why: BetRefusal | null };

/** A ticket as it is kept on the device from before it is sent until its player has seen what became of it. */
export interface KeptBet {
  readonly requestId: string;
  readonly accountId: string;
  readonly gameId: string;
  readonly drawId: string;
  /** When betting on its draw closes, by the server's clock, in milliseconds since 1970. */
  readonly closesAt: number;
  readonly lines: readonly SentLine[];
  /** What it costs, in points. */
  readonly stake: number;
  /** How many times it was sent without an answer that says that nothing came of that: each may still be taken. */
  readonly inDoubt: number;
  /** What the last sending was refused for; then it is not sent again. */
  readonly refusal: BetRefusal | null;
  /** How many calls got no answer that decides, since the last one that said something: the next waits the longer. */
  readonly tries: number;
  readonly fate: BetFate;
}

/** What a call said of a bet. */
export type BetAnswer =
  | { readonly says: 'placed'; readonly ticket: Ticket | null }
  /** Asked: there is no ticket of this request. */
  | { readonly says: 'not placed' }
  /** Sent: this sending did nothing, and one like it would do nothing either. */
  | { readonly says: 'refused'; readonly refusal: BetRefusal }
  /** This call did nothing; another may do more, after so many milliseconds. */
  | { readonly says: 'later'; readonly waitMs: number }
  /** No answer, or none that says whether something was done. */
  | { readonly says: 'nothing' };

/** The bet that is kept before it is sent first. */
export function newBet(
  bet: Pick<KeptBet, 'requestId' | 'accountId' | 'gameId' | 'drawId' | 'closesAt' | 'lines' | 'stake'>,
): KeptBet {
  return { ...bet, inDoubt: 0, refusal: null, tries: 0, fate: { is: 'finding out' } };
}

/** Whether it is known what became of a bet. */
export function isDecided({ fate }: Pick<KeptBet, 'fate'>): boolean {
  return fate.is !== 'finding out';
}

/** Whether a ticket was refused by what its player, or who looks after it, has set. */
export function isOfProtection(why: BetRefusal | null): boolean {
  return why?.code === 'OWN_LIMIT' || why?.code === 'ON_BREAK';
}
