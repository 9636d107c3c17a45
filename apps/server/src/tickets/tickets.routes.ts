import {
  betOfRequest,
  claimWin,
  fairPaper,
  fairTicket,
  placeBet,
  placedText,
  playerTicketOf,
  playerTickets,
  printTicket as printRoute,
  type Ticket,
} from '@drawhouse/contract/tickets/tickets';
import { comingDraws, placeAhead } from '@drawhouse/contract/tickets/advance-tickets';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../platform/services.ts';
import { handle, handleWithSessionCheck, type BoundRoute, type Call } from '../platform/http/handler.ts';
import type { BetLanes } from './place/lanes/bet-lanes.ts';
import { orderOf, requestOf, type Bettor } from './place/bet-order.ts';
import { answerBets, extraCalls, ownOrders } from './place/answer-bets.ts';
import { claimTicket } from './claim/claim-ticket.ts';
import { listTickets, readOwnTicket } from './read/own-tickets.ts';
import { printTicket } from './read/print-ticket.ts';
import { readPaperProof, readTicketReceipt, type ProveTicket } from './prove/ticket-receipt.ts';
import { plainBet, plainBets } from './place/read-plain-bets.ts';
import type { ProgramOrders } from './place/program-orders.ts';
import { createTreePartsCache } from './prove/ticket-tree.ts';
import type { Database, Queryable } from '../platform/db/database.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { comingAhead } from '../draws/schedule/open-ahead.ts';
import { findOwnPair } from '../games/games.sql.ts';
import { gameNotOpen } from '../games/pairs/pairs.ts';
import { lockCredits } from '../ledger/stakes.ts';
import { placeAdvance, type OpenAhead } from './place/take-advance.ts';
import { findClearedRequests, findRequests, toTicket } from './tickets.sql.ts';
import { TICKET_TEXTS } from './tickets-texts.ts';

export function ticketsRoutes(
  services: Services,
  lanes: BetLanes,
  programs: ProgramOrders,
  {
    newestSeal,
    proveTicket,
    openAhead,
  }: {
    readonly newestSeal: () => string | undefined;
    readonly proveTicket: ProveTicket;
    readonly openAhead: OpenAhead;
  },
): BoundRoute<Actor>[] {
  const { db } = services;
  const treeParts = createTreePartsCache(db);
  return [
    handleWithSessionCheck(
      placeBet,
      async ({ body }, call) => {
        const placed = await lanes.place(orderOf(body, bettorOf(call)));
        return { message: placedText(placed.ticket), ...placed, seal: newestSeal() };
      },
      { readPlain: plainBet },
    ),
    handleWithSessionCheck(
      placeBets,
      async ({ body: { bets } }, call) => {
        const { apiKey, origin, charge, aborted } = call;
        charge(extraCalls(bets.length, apiKey ? 'apiKey' : 'session'));
        const orders = apiKey ? await programs.of(bets, apiKey, origin.ip) : ownOrders(bets, bettorOf(call));
        return { answers: await answerBets(lanes, orders, aborted), seal: newestSeal() };
      },
      // Skips schema serialization: a union would try both kinds per answer.
      { readPlain: plainBets, write: JSON.stringify },
    ),
    handleWithSessionCheck(placeAhead, async ({ body }, call) => {
      const placed = await placeAdvance(services, openAhead, bettorOf(call), body);
      return { message: TICKET_TEXTS.boughtAhead(placed.tickets.length), ...placed, seal: newestSeal() };
    }),
    handle(comingDraws, async ({ query: { gameId } }, { actor }) => {
      const pair = await findOwnPair(db, { networkId: actor.networkId, gameKey: gameId });
      if (!pair?.running) throw gameNotOpen();
      const draws = await comingAhead(db, pair, services.clock.now());
      return {
        data: draws.map(({ number, opensAt, closesAt, drawsAt }) => ({
          number,
          opensAt: opensAt.toISOString(),
          closesAt: closesAt.toISOString(),
          drawsAt: drawsAt.toISOString(),
        })),
      };
    }),
    handle(betOfRequest, async ({ params }, { actor }) => ({
      ticket: await readBetOfRequest(db, actor, params.requestId),
      seal: newestSeal(),
    })),
    handle(claimWin, async ({ body }, call) => ({
      message: TICKET_TEXTS.claimed,
      ...(await claimTicket(services, call, body.ticketId)),
    })),
    handle(playerTickets, ({ query }, { actor }: { actor: Actor }) => listTickets(services, actor, query)),
    handle(playerTicketOf, async ({ params }, { actor }: { actor: Actor }) => ({
      ticket: await readOwnTicket(services, actor, params.ticketId),
      seal: newestSeal(),
    })),
    handle(printRoute, ({ params }, call) => printTicket(services, call, params.ticketId)),
    handle(fairPaper, ({ params }) => readPaperProof(services, treeParts, params)),
    handle(fairTicket, ({ params }, { actor }: { actor: Actor }) =>
      readTicketReceipt(services, treeParts, actor, { name: params.ticketId, prove: proveTicket }),
    ),
  ];
}

function bettorOf({ actor, sessionId, origin: { ip } }: Call<Actor>): Bettor {
  return { actor, sessionId, ip };
}

/**
 * If missing, waits for running batches of this player and looks again; later bets then fail by time if server clocks
 * agree.
 */
async function readBetOfRequest(
  db: Database,
  player: Pick<Actor, 'id' | 'networkId'>,
  requestId: string,
): Promise<Ticket> {
  const request = requestOf(player.id, requestId);
  const find = async (on: Queryable): Promise<Ticket | undefined> => {
    const row = (await findRequests(on, player.networkId, [request])).get(request);
    return row && toTicket(row);
  };
  const found =
    (await find(db)) ??
    (await db.transaction(async (tx) => {
      await lockCredits(tx, player.networkId, [player.id], 'wait');
      return find(tx);
    }));
  if (found) return found;
  const cleared = await findClearedRequests(db, player.networkId, [request]);
  throw cleared.has(request)
    ? new CallError('NOT_FOUND', { message: TICKET_TEXTS.repeatedAndCleared })
    : new CallError('NOT_PLACED');
}
