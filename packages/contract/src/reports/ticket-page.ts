import * as z from 'zod/mini';
import { activity } from '../activity/activity.ts';
import { id, role, STAFF_ROLES, success, time } from '../core/primitives.ts';
import { route, type RouteAnswer } from '../core/route.ts';
import { ticketCorrection, ticketName } from '../tickets/tickets.ts';
import { betTicket, ticketDetail } from './bet-list.ts';
import { transactionDetails } from './transactions.ts';

export const ticketPage = route({
  method: 'GET',
  path: 'history/ticket/:ticketId',
  summary:
    'One ticket of a player below the caller, by its id or number: its lines, its movements on the statement, ' +
    'who paid it, and the log rows about it and its draw.',
  access: STAFF_ROLES,
  permission: 'reports',
  params: { ticketId: ticketName },
  response: z.object({
    ...success,
    ticket: betTicket,
    lines: z.array(ticketDetail),
    undoneAt: z.nullable(time),
    /** Accounts between the caller and the player, from the top. */
    above: z.array(z.object({ _id: id, username: z.string(), role })),
    /** Oldest first. Empty once cleared. */
    movements: z.array(transactionDetails),
    /** `by`: null for the draw itself. */
    paid: z.nullable(z.object({ at: time, by: z.nullable(z.string()) })),
    /** Corrections of the draw's result that concern the ticket, in order. */
    corrections: z.array(ticketCorrection),
    log: z.array(activity),
  }),
  errors: ['NOT_FOUND', 'REPORT_STOPPED'],
});
export type TicketPage = RouteAnswer<typeof ticketPage>;
