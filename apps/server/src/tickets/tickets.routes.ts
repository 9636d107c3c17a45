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
} from '@drawhouse/contract/tickets/tickets';
import { placeBets } from '@drawhouse/contract/tickets/many-bets';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../services.ts';
import { handle, handleJudging } from '../http/handler.ts';
import type { BoundRoute, Call } from '../http/handler.ts';
import type { BetLanes } from './bet-lanes.ts';
import { orderOf } from './bet-order.ts';
import type { Bettor } from './bet-order.ts';
import { readBetOfRequest } from './bet-of-request.ts';
import { answerBets, extraCalls, ownOrders } from './answer-bets.ts';
import { claimTicket } from './claim-ticket.ts';
import { listTickets, readOwnTicket } from './own-tickets.ts';
import { printTicket } from './print-ticket.ts';
import { readPaperProof, readTicketReceipt } from './ticket-receipt.ts';
import type { ProveTicket } from './ticket-receipt.ts';
import { plainBet, plainBets } from './read-plain-bets.ts';
import type { ProgramOrders } from './program-orders.ts';
import { createKnownParts } from './tree-parts.ts';

/**
 * The calls by which players lay bets, claim what they have won and look at their tickets, and by which a ticket is proved. `newestSeal` gives the newest
 * checkpoint of the seals that is known, `proveTicket` the proof that a ticket is sealed.
 */
export function ticketsRoutes(
  services: Services,
  lanes: BetLanes,
  programs: ProgramOrders,
  { newestSeal, proveTicket }: { readonly newestSeal: () => string | undefined; readonly proveTicket: ProveTicket },
): BoundRoute<Actor>[] {
  const { db } = services;
  const knownParts = createKnownParts(db);
  return [
    handleJudging(
      placeBet,
      async ({ body }, call) => {
        const placed = await lanes.place(orderOf(body, bettorOf(call)));
        return { message: placedText(placed.ticket), ...placed, seal: newestSeal() };
      },
      { readPlain: plainBet },
    ),
    handleJudging(
      placeBets,
      async ({ body: { bets } }, call) => {
        const { apiKey, origin, charge, gone } = call;
        charge(extraCalls(bets.length, apiKey ? 'apiKey' : 'session'));
        const orders = apiKey ? await programs.of(bets, apiKey, origin.ip) : ownOrders(bets, bettorOf(call));
        return { answers: await answerBets(lanes, orders, gone), seal: newestSeal() };
      },
      // Each answer is one of two kinds: by its schema it would be tried as both.
      { readPlain: plainBets, write: JSON.stringify },
    ),
    handle(betOfRequest, async ({ params }, { actor }) => ({
      ticket: await readBetOfRequest(db, actor, params.requestId),
      seal: newestSeal(),
    })),
    handle(claimWin, async ({ body }, call) => ({
      message: 'The win was claimed.',
      ...(await claimTicket(services, call, body.ticketId)),
    })),
    handle(playerTickets, ({ query }, { actor }: { actor: Actor }) => listTickets(services, actor, query)),
    handle(playerTicketOf, async ({ params }, { actor }: { actor: Actor }) => ({
      ticket: await readOwnTicket(services, actor, params.ticketId),
      seal: newestSeal(),
    })),
    handle(printRoute, ({ params }, call) => printTicket(services, call, params.ticketId)),
    handle(fairPaper, ({ params }) => readPaperProof(services, knownParts, params)),
    handle(fairTicket, ({ params }, { actor }: { actor: Actor }) =>
      readTicketReceipt(services, knownParts, actor, { name: params.ticketId, prove: proveTicket }),
    ),
  ];
}

function bettorOf({ actor, sessionId, origin: { ip } }: Call<Actor>): Bettor {
  return { actor, sessionId, ip };
}
