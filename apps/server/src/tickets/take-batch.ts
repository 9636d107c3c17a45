import type { Ticket } from '@drawhouse/contract/tickets';
import { pointsOf } from '@drawhouse/contract/primitives';
import { ticketDigest } from '@drawhouse/rules/fair';
import { standingOf } from '../auth/sessions.ts';
import type { Standing } from '../auth/sessions.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { lastOpened, selectDraws } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { panelChanged } from '../games/pairs.ts';
import { CallError } from '../http/errors.ts';
import { lockWallets, move } from '../ledger/post.ts';
import type { Posting } from '../ledger/post.ts';
import type { WalletName } from '../ledger/wallets.ts';
import { requestHash } from './bet-order.ts';
import type { BetOrder } from './bet-order.ts';
import { linesText } from './ticket-lines.ts';
import type { StoredLine } from './ticket-lines.ts';
import { addExposures, findRequests, insertTickets, requestOf, toTicket } from './tickets.sql.ts';
import type { NewTicket } from './tickets.sql.ts';

/** A ticket that was taken, and the player's credit after it. */
export interface TakenBet {
  readonly ticket: Ticket;
  readonly walletBalance: number;
}

/** What became of one bet of a batch. */
export type BetOutcome = TakenBet | CallError;

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
  const standings = await standingOf(
    tx,
    orders.map(({ actor, sessionId }) => ({ accountId: actor.id, sessionId })),
  );
  const earlier = await findRequests(
    tx,
    networkId,
    orders.map((order) => requestOf(order.actor.id, order.requestId)),
  );

  const tickets: NewTicket[] = [];
  const postings: Posting[] = [];
  const left = new Map(players.map((id) => [id, wallets.get(credit(id))!.balance]));

  const judge = (order: BetOrder, place: number): BetOutcome => {
    const { actor } = order;
    const request = requestOf(actor.id, order.requestId);
    const first = earlier.get(request);
    if (first) {
      if (first.request_hash !== requestHash(order)) return new CallError('IDEMPOTENCY_CONFLICT');
      return { ticket: toTicket(first), walletBalance: pointsOf(left.get(actor.id)!) };
    }
    const refusal = refusalFor(standings[place]!);
    if (refusal) return refusal;
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
      ip: order.ip || null,
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
      ticket: toTicket({ ...draw, ...ticket, lines: linesText(lines), win: null, claimed_at: null }),
      walletBalance: pointsOf(left.get(actor.id)!),
    };
  };

  const outcomes = orders.map(judge);
  if (tickets.length === 0) return outcomes;
  await move(tx, networkId, { at, newId: services.newId }, wallets, postings);
  await insertTickets(tx, networkId, tickets);
  await addExposures(tx, networkId, tickets);
  const changed = new Set(tickets.map((ticket) => ticket.draw_id));
  for (const draw of draws.values()) if (changed.has(draw.id)) panelChanged(services, tx, draw);
  return outcomes;
}

/** Why a session may lay no bet; undefined where it may. */
function refusalFor(standing: Standing): CallError | undefined {
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
