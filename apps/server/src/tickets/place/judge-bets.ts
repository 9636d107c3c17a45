import { hash } from 'node:crypto';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Ticket } from '@drawhouse/contract/tickets/tickets';
import { ticketText } from '@drawhouse/rules/fair/fair';
import type { KeyBounds } from '../../api-keys/key-bounds.ts';
import type { SessionState } from '../../auth/sessions/sessions.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { OwnLimits } from '../../protection/own-limits.ts';
import type { DrawFacts } from './bet-draw.ts';
import type { BetLimits } from './bet-limits.ts';
import { requestHash, type BetOrder } from './bet-order.ts';
import type { StoredLine } from '@drawhouse/rules/games/ticket-lines';
import { showTicket, toTicket, type NewTicket, type TicketRow } from '../tickets.sql.ts';
import type { TableBound } from '../table/table-bound.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';

export interface PlacedBet {
  readonly ticket: Ticket;
  readonly walletBalance: number;
}

/** `locked`: wallet locked elsewhere, nothing done, retry later. */
export type BetOutcome = PlacedBet | CallError | 'locked';

export interface ParsedBet {
  readonly lines: readonly StoredLine[];
  readonly stake: bigint;
}

export interface OpenDraw {
  readonly draw: DrawFacts;
  readonly keys: KeyBounds;
  readonly limits: BetLimits;
  readonly own: OwnLimits;
  readonly bound: TableBound;
}

/** Includes all state read under locks. Per-bet arrays share the order of `orders`. */
export interface Batch {
  readonly orders: readonly BetOrder[];
  readonly requests: readonly string[];
  /** Parsed bets, or the reason a bet is invalid for any player. */
  readonly read: readonly (ParsedBet | CallError)[];
  readonly states: readonly SessionState[];
  /** Current break, exclusion or stop of selling, by account. */
  readonly pauses: ReadonlyMap<string, CallError>;
  readonly earlier: ReadonlyMap<string, TicketRow & { readonly request_hash: string }>;
  readonly cleared: ReadonlySet<string>;
  readonly credits: ReadonlyMap<string, { readonly balance: bigint }>;
  /** Undefined if the game is not open; then `read` holds only errors. */
  readonly open: OpenDraw | undefined;
  readonly at: Date;
  readonly newId: () => string;
}

/** Judges in order, each bet against credit and limits left by earlier ones. */
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
      return new CallError('IDEMPOTENCY_CONFLICT', { message: TICKET_TEXTS.processedAndCleared });
    const bet = acceptedBet(batch, index, left);
    if (bet instanceof CallError) return bet;
    spent.set(accountId, before + bet.stake);
    const ticket = newTicket(batch, index, bet);
    tickets.push(ticket);
    return { ticket: shownTicket(batch, ticket), walletBalance: pointsOf(left - bet.stake) };
  });
  return { outcomes, tickets };
}

function repeated(first: TicketRow & { readonly request_hash: string }, order: BetOrder, left: bigint): BetOutcome {
  if (first.request_hash !== requestHash(order)) return new CallError('IDEMPOTENCY_CONFLICT');
  return { ticket: toTicket(first), walletBalance: pointsOf(left) };
}

/** Counts the bet, or returns its refusal. Player checks (break, own limits, credit) run before game limits. */
function acceptedBet(
  { orders, states, pauses, read, open }: Batch,
  index: number,
  left: bigint,
): ParsedBet | CallError {
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
    // Credit comes first: game limits reveal other players' stakes, so only affordable bets may see them.
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

function newTicket({ orders, requests, open, newId }: Batch, index: number, { lines, stake }: ParsedBet): NewTicket {
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
