import { hash } from 'node:crypto';
import type { Ticket } from '@drawhouse/contract/tickets/tickets';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import { ticketText } from '@drawhouse/rules/fair';
import { standingOf } from '../auth/sessions.ts';
import type { Standing } from '../auth/sessions.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { gameNotOpen, panelChanged } from '../games/pairs.ts';
import { CallError } from '../http/http-errors.ts';
import { lockCredits, moveStakes } from '../ledger/stakes.ts';
import { knownDraw, lockBetDraw } from './bet-draw.ts';
import type { BetDraw, KnownDraw } from './bet-draw.ts';
import { readLimits } from './bet-limits.ts';
import type { BetLimits } from './bet-limits.ts';
import { requestHash } from './bet-order.ts';
import type { BetOrder } from './bet-order.ts';
import type { StoredLine } from './ticket-lines.ts';
import { addExposures, findRequests, insertTickets, requestOf, showTicket, toTicket } from './tickets.sql.ts';
import type { NewTicket } from './tickets.sql.ts';
import { readWinBound } from './win-bound.ts';

/** A ticket that was taken, and the player's credit after it. */
export interface TakenBet {
  readonly ticket: Ticket;
  readonly walletBalance: number;
}

/** What became of one bet of a batch; `held`: the player's wallet is locked elsewhere, so nothing was done and it is to be tried again. */
export type BetOutcome = TakenBet | CallError | 'held';

/** A bet that passed every rule, before its player's credit was looked at. */
interface Judged {
  readonly lines: readonly StoredLine[];
  readonly stake: bigint;
}

/**
 * Takes a batch of bets of one network on one game in one transaction, in the order of arrival; no request twice. The draw is locked
 * against closing, so a bet is in before the ticket tree or not at all; each bet is judged alone, against the balance and the limits
 * that the ones before it left. All that does not depend on each other is said at once: in a pipelined transaction it takes two round
 * trips, or one more where the game has a limit. Gives an outcome per bet, in order.
 */
export async function takeBatch(
  services: Services,
  tx: Tx,
  networkId: number,
  orders: readonly BetOrder[],
  whereLocked: 'skip' | 'wait' = 'wait',
): Promise<BetOutcome[]> {
  const [{ gameKey }] = orders as [BetOrder];
  const players = [...new Set(orders.map((order) => order.actor.id))];
  const requests = orders.map((order) => requestOf(order.actor.id, order.requestId));
  const [bettable, wallets, standings, earlier] = await Promise.all([
    lockBetDraw(tx, networkId, gameKey, services.clock.now()),
    lockCredits(tx, networkId, players, whereLocked),
    // Under the lock of the players' wallets: who was deactivated meanwhile, and a request that another server took.
    standingOf(
      tx,
      orders.map(({ actor, sessionId }) => ({ accountId: actor.id, sessionId })),
    ),
    findRequests(tx, networkId, requests),
  ]);
  // Under the locks too: no ticket is placed after its draw was closed, nor out of its wallet's order.
  const at = services.clock.now();
  const known = bettable && (await knownDraw(tx, networkId, bettable));

  const read = orders.map((order) => {
    const refusal = bettable ? closedRefusal(order, bettable, at) : gameNotOpen();
    return refusal ?? readLines(known!, order);
  });
  const [limits, bound] = bettable
    ? await Promise.all([
        limitsFor(tx, bettable, known!, orders, read),
        readWinBound(tx, bettable, known!, sumOf(read)),
      ])
    : [];

  const tickets: NewTicket[] = [];
  const spent = new Map<string, bigint>();
  const judge = (order: BetOrder, place: number): BetOutcome => {
    const { actor } = order;
    const wallet = wallets.get(actor.id);
    if (!wallet) {
      if (whereLocked === 'skip') return 'held';
      throw new Error(`No wallet of account ${actor.id} in network ${networkId}.`);
    }
    const left = wallet.balance - (spent.get(actor.id) ?? 0n);
    const request = requests[place]!;
    const first = earlier.get(request);
    if (first) {
      if (first.request_hash !== requestHash(order)) return new CallError('IDEMPOTENCY_CONFLICT');
      return { ticket: toTicket(first), walletBalance: pointsOf(left) };
    }
    const refusal = standingRefusal(standings[place]!);
    if (refusal) return refusal;
    const bet = read[place]!;
    if (bet instanceof CallError) return bet;
    const { row, rules } = known!;
    const limited = { accountId: actor.id, lines: bet.lines, unitPrice: row.unit_price, stake: bet.stake };
    const beyond = limits!.refusalOf(limited) ?? bound!.refusalOf(bet.lines);
    if (beyond) return beyond;
    if (left < bet.stake) return new CallError('INSUFFICIENT_CREDIT');
    limits!.count(limited);
    bound!.count(bet.lines);
    spent.set(actor.id, (spent.get(actor.id) ?? 0n) + bet.stake);

    const id = services.newId();
    const digest = hash('sha256', ticketText({ ticketId: id, drawId: row.id, ...bet }), 'buffer');
    const ticket: NewTicket = {
      id,
      account_id: actor.id,
      request,
      request_hash: requestHash(order),
      lines: bet.lines,
      stake: bet.stake,
      digest,
      ip: order.ip || null,
    };
    tickets.push(ticket);
    const draw = { game_key: gameKey, draw_id: row.id, draw_status: 'open', win: null, claimed_at: null } as const;
    const shown = { ...draw, id, stake: bet.stake, digest, placed_at: at };
    return { ticket: showTicket(shown, bet.lines, rules), walletBalance: pointsOf(left - bet.stake) };
  };
  const outcomes = orders.map(judge);
  if (tickets.length === 0) return outcomes;

  const { row } = known!;
  const placed = { drawId: row.id, unitPrice: row.unit_price, at, tickets };
  await insertTickets(tx, networkId, placed);
  const stakes = tickets.map(({ id, account_id, stake }) => ({ accountId: account_id, amount: stake, reference: id }));
  await moveStakes(tx, networkId, { at, newId: services.newId }, wallets, { gameId: row.game_id, stakes });
  // After the escrow, which whoever reads them under a limit has locked too.
  await addExposures(tx, networkId, placed);
  panelChanged(services, tx, row);
  return outcomes;
}

/** Why a bet can't be laid on the draw that is running; undefined where it can. */
function closedRefusal(order: BetOrder, draw: BetDraw, at: Date): CallError | undefined {
  if (order.drawId !== undefined && order.drawId !== draw.id)
    return new CallError('BETTING_CLOSED', { fields: { drawId: 'This is not the draw that is running' } });
  const isOpen = draw.isLocked && draw.draw_status === 'open' && at < draw.closes_at && at >= draw.opens_at;
  return isOpen ? undefined : new CallError('BETTING_CLOSED');
}

/** Why an account may lay no bet as it stands; undefined where it may. */
function standingRefusal(standing: Standing): CallError | undefined {
  switch (standing) {
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

function readLines(draw: KnownDraw, order: BetOrder): Judged | CallError {
  const { rules, row } = draw;
  const lines: StoredLine[] = [];
  let units = 0;
  for (const [index, line] of order.lines.entries()) {
    const bet = rules.parseBet(line);
    if (!bet.ok) return new CallError('INVALID_INPUT', { fields: { [`lines.${index}.${bet.field}`]: bet.message } });
    lines.push({ key: bet.key, qty: line.qty });
    units += line.qty;
  }
  return { lines, stake: BigInt(units) * row.unit_price };
}

/** The stakes of all bets that could be read, in hundredths. */
function sumOf(read: readonly (Judged | CallError)[]): bigint {
  return read.reduce((sum, bet) => (bet instanceof CallError ? sum : sum + bet.stake), 0n);
}

/** The limits of the game, with what is staked already of what these bets could go beyond. */
function limitsFor(
  tx: Tx,
  draw: BetDraw,
  { row }: KnownDraw,
  orders: readonly BetOrder[],
  read: readonly (Judged | CallError)[],
): Promise<BetLimits> {
  const bets = read.flatMap((bet, place) => (bet instanceof CallError ? [] : [{ bet, id: orders[place]!.actor.id }]));
  return readLimits(tx, row, draw, {
    keys: [...new Set(bets.flatMap(({ bet }) => bet.lines.map(({ key }) => key)))],
    accountIds: [...new Set(bets.map(({ id }) => id))],
  });
}
