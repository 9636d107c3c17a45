import * as z from 'zod/mini';
import { withMissingCells } from '../core/list.ts';
import { DRAW_STATUS } from '../draws/draws.ts';
import { id, points, requiredText, role, STAFF_ROLES, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { betTicket } from './bet-list.ts';
import { transaction } from './transactions.ts';
import { REPORT_FIELD_TEXTS } from '../core/field-texts.ts';

const foundAccount = z.object({
  _id: id,
  username: z.string(),
  uniqueId: z.string(),
  role,
  userStatus: z.boolean(),
  reference: z.string(),
});
export type FoundAccount = z.infer<typeof foundAccount>;

const foundTicket = z.object({
  ...z.pick(betTicket, {
    _id: true,
    ticketId: true,
    gameName: true,
    username: true,
    placedAt: true,
    playpoints: true,
    status: true,
  }).shape,
  winpoints: z.nullable(points),
});
export type FoundTicket = z.infer<typeof foundTicket>;

const foundDraw = z.object({
  _id: id,
  number: z.number(),
  gameId: z.string(),
  gameName: z.string(),
  admin: z.string(),
  drawsAt: time,
  status: z.enum(DRAW_STATUS),
  drawno: z.nullable(z.string()),
});
export type FoundDraw = z.infer<typeof foundDraw>;

export const FIND_MOST = 8;

export const find = route({
  method: 'GET',
  path: 'find',
  summary:
    'The accounts below the caller by part of the name or the start of the unique id, and its tickets, draws and ' +
    'transactions by id or number; at most 8 of each. Tickets and draws only for logins that see reports.',
  access: STAFF_ROLES,
  permission: 'lists',
  query: z.object({ text: requiredText(REPORT_FIELD_TEXTS.searchMissing, 100) }),
  response: z.object({
    ...success,
    ...withMissingCells,
    accounts: z.array(foundAccount),
    tickets: z.array(foundTicket),
    draws: z.array(foundDraw),
    transactions: z.array(transaction),
  }),
});
export type Found = z.infer<typeof find.response>;
