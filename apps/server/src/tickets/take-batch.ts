import { createHash } from 'node:crypto';
import type { Ticket } from '@drawhouse/contract/tickets';
import { pointsOf } from '@drawhouse/contract/primitives';
import { ticketDigest } from '@drawhouse/rules/fair';
import { effectivelyActive } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import { appendActivity } from '../activity/append-activity.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { lastOpened, selectDraws } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { panelChanged } from '../games/pairs.ts';
import { CallError } from '../http/errors.ts';
import type { Origin } from '../http/handler.ts';
import { lockWallets, move } from '../ledger/post.ts';
import type { Posting } from '../ledger/post.ts';
import type { WalletName } from '../ledger/wallets.ts';
import { linesText } from './ticket-lines.ts';
import type { StoredLine } from './ticket-lines.ts';
import { ticketNumber } from './ticket-number.ts';
import { addExposures, findRequests, insertTickets, requestOf, toTicket } from './tickets.sql.ts';
import type { NewTicket } from './tickets.sql.ts';

/** A bet as the contract validated it. */
export interface BetOrder {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly gameKey: string;
  readonly drawId: string | undefined;
  readonly requestId: string;
  readonly lines: readonly {
    drawno: string | number;
    head?: string;
    series?: string;
    subseries?: string;
    qty: number;
  }[];
}

/** A ticket that was taken, and the player's credit after it. */
export interface TakenBet {
  readonly ticket: Ticket;
  readonly walletBalance: number;
}

/** What became of one bet of a batch. */
export type BetOutcome = TakenBet | CallError;

/** What tells whether a repeated request id comes with the same bet: the first half of a SHA-256, as the column holds it. */
function requestHash({ gameKey, drawId, lines }: BetOrder): string {
  const same = lines.map(({ drawno, head, series, subseries, qty }) => [String(drawno), head, series, subseries, qty]);
  const hex = createHash('sha256')
    .update(JSON.stringify([gameKey, drawId ?? null, same]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Takes a batch of bets of one network in one transaction. The draw rows are locked against closing, so a bet is in before the
 * ticket digest or not at all; each bet is judged alone, in the order of arrival, against the balance that the ones before it
 * left. Gives an outcome per bet, in order.
 */
export async function takeBatch(
  services: Services,
  tx: Tx,
  networkId: number,
  orders: readonly BetOrder[],
): Promise<BetOutcome[]> {
  const draws = await lockOpenDraws(services, tx, networkId, orders);
  const players = [...new Set(orders.map((order) => order.actor.id))];
  const credit = (accountId: string): WalletName => `credit:${accountId}`;
  const escrow = (draw: DrawRow): WalletName => `escrow:${draw.game_id}`;
  const wallets = await lockWallets(tx, networkId, [...players.map(credit), ...[...draws.values()].map(escrow)]);
  // Under the locks of the draws and wallets: no ticket is placed after its draw was closed, nor out of its wallet's order.
  const at = services.clock.now();
  // Read under the lock of the players' wallets: whoever was deactivated meanwhile, and a request that another server took.
  const active = await effectivelyActive(tx, players);
  const earlier = await findRequests(
    tx,
    networkId,
    orders.map((order) => requestOf(order.actor.id, order.requestId)),
  );

  const tickets: NewTicket[] = [];
  const postings: Posting[] = [];
  const left = new Map(players.map((id) => [id, wallets.get(credit(id))!.balance]));

  const judge = (order: BetOrder): BetOutcome => {
    const { actor } = order;
    const request = requestOf(actor.id, order.requestId);
    const first = earlier.get(request);
    if (first) {
      if (first.request_hash !== requestHash(order)) return new CallError('IDEMPOTENCY_CONFLICT');
      return { ticket: toTicket(first), walletBalance: pointsOf(left.get(actor.id)!) };
    }
    if (!active.has(actor.id)) return new CallError('ACCOUNT_INACTIVE');
    const draw = draws.get(order.gameKey);
    if (!draw) return new CallError('GAME_UNAVAILABLE', { fields: { gameId: 'This game is not open to you' } });
    if (order.drawId !== undefined && order.drawId !== draw.id)
      return new CallError('BETTING_CLOSED', { fields: { drawId: 'This is not the draw that is running' } });
    if (draw.draw_status !== 'open' || at >= draw.closes_at || at < draw.opens_at)
      return new CallError('BETTING_CLOSED');
    const lines = readLines(draw, order);
    if (lines instanceof CallError) return lines;
    const stake = lines.reduce((sum, line) => sum + BigInt(line.qty) * draw.unit_price, 0n);
    if (left.get(actor.id)! < stake) return new CallError('INSUFFICIENT_CREDIT');
    left.set(actor.id, left.get(actor.id)! - stake);

    const id = services.newId();
    const ticket: NewTicket = {
      id,
      draw_id: draw.id,
      account_id: actor.id,
      request,
      request_hash: requestHash(order),
      lines,
      unit_price: draw.unit_price,
      stake,
      digest: Buffer.from(ticketDigest({ ticketId: id, drawId: draw.id, lines, stake })),
      placed_at: at,
      ip: order.origin.ip || null,
    };
    tickets.push(ticket);
    postings.push({
      from: credit(actor.id),
      to: escrow(draw),
      amount: stake,
      kind: 'stake',
      actorId: actor.id,
      reference: id,
    });
    return {
      ticket: toTicket({ ...draw, ...ticket, lines: linesText(lines), win: null }),
      walletBalance: pointsOf(left.get(actor.id)!),
    };
  };

  const outcomes = orders.map(judge);
  if (tickets.length === 0) return outcomes;
  await move(tx, networkId, { at, newId: services.newId }, wallets, postings);
  await insertTickets(tx, networkId, tickets);
  await addExposures(tx, networkId, tickets);
  const placed = new Map(tickets.map((ticket) => [ticket.id, ticket]));
  await appendActivity(
    tx,
    networkId,
    services,
    orders.flatMap((order, index) => {
      const outcome = outcomes[index]!;
      const ticket = outcome instanceof CallError ? undefined : placed.get(outcome.ticket._id);
      if (!ticket) return [];
      const subject = `Bet ${pointsOf(ticket.stake)} points on ${order.gameKey}, ticket ${ticketNumber(ticket.id)}`;
      return [{ accountId: order.actor.id, username: order.actor.username, subject, origin: order.origin }];
    }),
  );
  const changed = new Set(tickets.map((ticket) => ticket.draw_id));
  for (const draw of draws.values()) if (changed.has(draw.id)) panelChanged(services, tx, draw);
  return outcomes;
}

/** The draw of each game in the batch that opened last, by game key, locked so that none closes while the batch is taken. */
async function lockOpenDraws(
  services: Services,
  tx: Tx,
  networkId: number,
  orders: readonly BetOrder[],
): Promise<Map<string, DrawRow>> {
  const draws = await selectDraws(
    tx,
    `join network_games ng on ng.network_id = $1 and ng.game_id = g.id
     where d.network_id = $1 and d.id = any(array(select ${lastOpened('$1', 'asked.id', '$3')} from games asked where asked.game_key = any($2::text[])))
       and g.status = 'active'
     order by d.id for share of d`,
    [networkId, [...new Set(orders.map((order) => order.gameKey))], services.clock.now()],
    'bets-draws',
  );
  return new Map(draws.map((draw) => [draw.game_key, draw]));
}

function readLines(draw: DrawRow, order: BetOrder): StoredLine[] | CallError {
  const rules = rulesOf(draw);
  const lines: StoredLine[] = [];
  for (const [index, line] of order.lines.entries()) {
    const bet = rules.parseBet(line);
    if (!bet.ok) return new CallError('INVALID_INPUT', { fields: { [`lines.${index}.${bet.field}`]: bet.message } });
    lines.push({ key: bet.key, qty: line.qty });
  }
  return lines;
}
