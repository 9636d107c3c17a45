import { hash } from 'node:crypto';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { Ticket } from '@drawhouse/contract/tickets/tickets';
import { ticketText } from '@drawhouse/rules/fair';
import type { KeyBounds } from '../api-keys/key-bounds.ts';
import type { SessionState } from '../auth/sessions.ts';
import { CallError } from '../http/http-errors.ts';
import type { OwnLimits } from '../protection/own-limits.ts';
import type { KnownDraw } from './bet-draw.ts';
import type { BetLimits } from './bet-limits.ts';
import { requestHash } from './bet-order.ts';
import type { BetOrder } from './bet-order.ts';
import type { StoredLine } from '@drawhouse/rules/ticket-lines';
import { showTicket, toTicket } from './tickets.sql.ts';
import type { NewTicket, TicketRow } from './tickets.sql.ts';
import type { TableBound } from './table-bound.ts';

/** A ticket that was taken, and the player's credit after it. */
export interface TakenBet {
  readonly ticket: Ticket;
  readonly walletBalance: number;
}

/** What became of one bet of a batch; `locked`: the player's wallet is locked elsewhere, so nothing was done and it is to be tried again. */
export type BetOutcome = TakenBet | CallError | 'locked';

/** A bet as the rules of its game read it, before its player was looked at. */
export interface ReadBet {
  readonly lines: readonly StoredLine[];
  /** In hundredths. */
  readonly stake: bigint;
}

/** The draw that a batch is laid on, and what bounds what is laid. */
export interface OpenDraw {
  readonly draw: KnownDraw;
  /** What bounds the API keys by which programs lay some of them. */
  readonly keys: KeyBounds;
  readonly limits: BetLimits;
  /** The limits of the players themselves. */
  readonly own: OwnLimits;
  readonly bound: TableBound;
}

/** The bets of a batch, and all that they are judged by, as it stands under the locks. What is of one bet each stands in the order of the bets. */
export interface Batch {
  readonly orders: readonly BetOrder[];
  /** What their requests are known by. */
  readonly requests: readonly string[];
  /** What they read as, or why they can't be laid, whoever laid them. */
  readonly read: readonly (ReadBet | CallError)[];
  readonly states: readonly SessionState[];
  /** Why players may lay nothing for a while, by account. */
  readonly pauses: ReadonlyMap<string, CallError>;
  /** The tickets that were made of these requests before. */
  readonly earlier: ReadonlyMap<string, TicketRow & { readonly request_hash: string }>;
  /** Those of these requests whose tickets were cleared. */
  readonly cleared: ReadonlySet<string>;
  /** The players' credit in hundredths, by account; none of one whose wallet is locked elsewhere. */
  readonly credits: ReadonlyMap<string, { readonly balance: bigint }>;
  /** Undefined where the game is not open: then none of the bets could be read. */
  readonly open: OpenDraw | undefined;
  readonly at: Date;
  readonly newId: () => string;
}

/** Judges the bets of a batch in their order, each against the credit and the limits that the ones before it left, and makes their tickets. */
export function judgeBets(batch: Batch): { readonly outcomes: BetOutcome[]; readonly tickets: NewTicket[] } {
  const tickets: NewTicket[] = [];
  const spent = new Map<string, bigint>();
  const outcomes = batch.orders.map((order, index): BetOutcome => {
    const accountId = order.actor.id;
    const credit = batch.credits.get(accountId);
    if (!credit) return 'locked';
    const before = spent.get(accountId) ?? 0n;
    const left = credit.balance - before;
    const first = batch.earlier.get(batch.requests[index]!);
    if (first) return repeated(first, order, left);
    if (batch.cleared.has(batch.requests[index]!))
      return new CallError('IDEMPOTENCY_CONFLICT', { message: WAS_CLEARED });
    const bet = acceptedBet(batch, index, left);
    if (bet instanceof CallError) return bet;
    spent.set(accountId, before + bet.stake);
    const ticket = newTicket(batch, index, bet);
    tickets.push(ticket);
    return { ticket: shownTicket(batch, ticket), walletBalance: pointsOf(left - bet.stake) };
  });
  return { outcomes, tickets };
}

const WAS_CLEARED = 'This request was taken before, and its ticket has been cleared since. Nothing was laid now.';

/** What is answered to a request that has its ticket already. */
function repeated(first: TicketRow & { readonly request_hash: string }, order: BetOrder, left: bigint): BetOutcome {
  if (first.request_hash !== requestHash(order)) return new CallError('IDEMPOTENCY_CONFLICT');
  return { ticket: toTicket(first), walletBalance: pointsOf(left) };
}

/**
 * The bet at an index of a batch, counted by the limits, or why it can't be laid by its player, who has so much credit left. What is the player's own is judged
 * first: break, own limits and credit, and only then the limits of the game.
 */
function acceptedBet({ orders, states, pauses, read, open }: Batch, index: number, left: bigint): ReadBet | CallError {
  const order = orders[index]!;
  const accountId = order.actor.id;
  const refusal = stateRefusal(states[index]!) ?? pauses.get(accountId);
  if (refusal) return refusal;
  const bet = read[index]!;
  if (bet instanceof CallError) return bet;
  const { draw, keys, limits, own, bound } = open!;
  const { lines, stake } = bet;
  const limited = { accountId, lines, unitPrice: draw.row.unit_price, stake };
  const beyond =
    keys.refusalOf(order, stake) ??
    own.refusalOf(accountId, stake) ??
    // Before what tells how much others have laid: that is told only to whoever could have laid the bet.
    (left < stake ? new CallError('INSUFFICIENT_CREDIT') : undefined) ??
    limits.refusalOf(limited) ??
    bound.refusalOf(lines);
  if (beyond) return beyond;
  keys.count(order, stake);
  own.count(accountId, stake);
  limits.count(limited);
  bound.count(lines);
  return bet;
}

/** Why an account may lay no bet as it stands; undefined where it may. */
function stateRefusal(state: SessionState): CallError | undefined {
  switch (state) {
    case 'good':
      return undefined;
    case 'inactive':
      return new CallError('ACCOUNT_INACTIVE');
    case 'replaced':
      return new CallError('SESSION_REPLACED');
    case 'ended':
      return new CallError('SESSION_ENDED');
  }
}

function newTicket({ orders, requests, open, newId }: Batch, index: number, { lines, stake }: ReadBet): NewTicket {
  const order = orders[index]!;
  const id = newId();
  return {
    id,
    account_id: order.actor.id,
    request: requests[index]!,
    request_hash: requestHash(order),
    lines,
    stake,
    digest: hash('sha256', ticketText({ ticketId: id, drawId: open!.draw.row.id, lines, stake })),
    ip: order.ip || null,
    api_key: order.apiKey ?? 0,
  };
}

function shownTicket({ open, at }: Batch, { id, lines, stake, digest }: NewTicket): Ticket {
  const { row, rules } = open!.draw;
  const shown = { id, draw_id: row.id, game_key: row.game_key, draw_status: 'open', stake, digest } as const;
  return showTicket({ ...shown, placed_at: at, win: null, claimed_at: null }, lines, rules);
}
