import * as z from 'zod/mini';
import { activity } from '../activity/activity.ts';
import { correction } from '../draws/draws.ts';
import { id, points, STAFF_ROLES, success, time, role } from '../core/primitives.ts';
import { route, type RouteAnswer } from '../core/route.ts';
import { shownOutcome, betTicket, ticketDetail } from './bet-list.ts';
import { ticketCorrection, ticketName } from '../tickets/tickets.ts';
import { transactionDetails } from './transactions.ts';

export const drawPage = route({
  method: 'GET',
  path: 'reports/draw/:drawId',
  summary:
    'What staff see of a draw besides its public page: stakes and payouts of the players below the caller, ' +
    'who declared the result, and the log rows about it.',
  access: STAFF_ROLES,
  permission: 'reports',
  params: { drawId: id },
  response: z.object({
    ...success,
    admin: z.object({ _id: id, username: z.string() }),
    serverTime: time,
    finishedAt: z.nullable(time),
    /** Null until settlement, and if several numbers were drawn. */
    outcome: z.nullable(shownOutcome),
    /** Players below the caller. Wins and commissions are null until settlement. */
    figures: z.object({
      tickets: z.number(),
      players: z.number(),
      stake: points,
      win: z.nullable(points),
      commission: z.nullable(points),
    }),
    /** Shown to the admin and the superadmin. */
    saved: z.nullable(
      z.object({ by: z.string(), at: time, ip: z.nullable(z.string()), confirmedBy: z.nullable(z.string()) }),
    ),
    /** Corrections of an outside result, in order. Amounts are those of the players below the caller. */
    corrections: z.array(
      z.object({
        ...correction.shape,
        reason: z.string(),
        /** For the admin and the superadmin. */
        by: z.nullable(z.string()),
        confirmedBy: z.nullable(z.string()),
        tickets: z.number(),
        paid: points,
        takenBack: points,
        /** No longer won but already spent: the house's loss. */
        short: points,
        /** Null while the tickets of a large draw are paid. */
        doneAt: z.nullable(time),
      }),
    ),
    log: z.array(activity),
  }),
  errors: ['NOT_FOUND', 'REPORT_STOPPED'],
});
export type DrawPage = RouteAnswer<typeof drawPage>;

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
    paid: z.nullable(z.object({ at: time, by: transactionDetails.shape.actor })),
    /** Corrections of the draw's result that concern the ticket, in order. */
    corrections: z.array(ticketCorrection),
    log: z.array(activity),
  }),
  errors: ['NOT_FOUND', 'REPORT_STOPPED'],
});
export type TicketPage = RouteAnswer<typeof ticketPage>;
