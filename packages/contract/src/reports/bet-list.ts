import * as z from 'zod/mini';
import {
  ownId,
  clearedNote,
  dayOrInstant,
  id,
  points,
  role,
  STAFF_ROLES,
  success,
  sumPoints,
  time,
  wholeNumber,
} from '../core/primitives.ts';
import { DRAW_STATUS, RESULT_SOURCE, resultData, VOID_CAUSE } from '../draws/draws.ts';
import { list } from '../core/list.ts';
import { idFilter, choiceFilter, periodOrToday } from '../core/list-filters.ts';
import { route } from '../core/route.ts';
import { ticketName } from '../tickets/tickets.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';

/** With the game, determines the picture. */
export const shownOutcome = z.object({
  drawno: z.string(),
  label: z.string(),
  color: z.nullable(z.string()),
  image: z.nullable(z.string()),
});
export type ShownOutcome = z.infer<typeof shownOutcome>;

/** Settlement fills the null or empty fields. */
export const betTicket = z.object({
  _id: id,
  ticketId: z.string(),
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  userId: id,
  username: z.string(),
  role,
  placedAt: time,
  drawId: id,
  timeopen: time,
  timeclose: time,
  drawsAt: time,
  outside: z.nullable(z.string()),
  /** Of the draw's result. */
  correctedAt: z.nullable(time),
  status: z.enum(DRAW_STATUS),
  voidCause: z.nullable(z.enum(VOID_CAUSE)),
  playpoints: points,
  winpoints: z.nullable(points),
  /** One entry per sub-series (4D) or tier (Jodi), else a single entry. */
  resultIds: z.array(
    z.object({ series: z.nullable(z.string()), subseries: z.nullable(z.string()), drawno: z.string() }),
  ),
  result: z.nullable(resultData),
  resultText: z.nullable(z.string()),
  outcome: z.nullable(shownOutcome),
  booster: z.nullable(z.number()),
  source: z.nullable(z.enum(RESULT_SOURCE)),
  /** Payout time. Null: no win, or unclaimed. */
  claimdate: z.nullable(time),
  apiKey: z.nullable(z.string()),
});
export type BetTicket = z.infer<typeof betTicket>;

const gameKey = z.string().check(z.maxLength(64, { error: CORE_TEXTS.tooLong(64) }));

export function winLossOf({ winpoints, playpoints }: Pick<BetTicket, 'winpoints' | 'playpoints'>): number | null {
  return winpoints === null ? null : sumPoints([winpoints, -playpoints]);
}

export const BET_STATUS = { won: 'Won', lost: 'Lost', open: 'Open', void: 'Void' } as const;
export type BetStatus = keyof typeof BET_STATUS;

export function betStatusOf({ status, winpoints }: Pick<BetTicket, 'status' | 'winpoints'>): BetStatus {
  if (status === 'void') return 'void';
  if (status !== 'settled') return 'open';
  return winpoints === 0 ? 'lost' : 'won';
}

const NO_RESULT: Readonly<Record<Exclude<BetTicket['status'], 'settled'>, string>> = {
  open: 'Open',
  closed: 'Open',
  drawn: 'Settling',
  settling: 'Settling',
  void: 'Void, stake refunded',
};

function resultCell({ status, resultText, booster, source }: BetTicket): string {
  return status === 'settled' ? `${resultText} booster ${booster}, ${source}` : NO_RESULT[status];
}

export const betList = list({
  path: 'history/gamehistory',
  summary: 'The tickets of players below the caller that were placed between two instants, newest first.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: {
    id: ownId,
    gameId: z.optional(gameKey),
    /** A player, or an account whose players to list. */
    userId: z.optional(id),
    /** A day in the server's time zone, or the day of an instant, instead of startDate and endDate. Default: today. */
    tdate: z.optional(dayOrInstant),
  },
  row: betTicket,
  columns: [
    {
      name: 'ticketId',
      kind: 'code',
      header: 'TicketID',
      width: 140,
      about: (row) => ({ kind: 'ticket', id: row.ticketId }),
      export: { width: 18 },
    },
    {
      name: 'username',
      kind: 'text',
      header: 'Username',
      width: 112,
      yields: 1,
      under: 'ticketId',
      about: (row) => ({ kind: 'account', id: row.userId, role: row.role }),
      export: { width: 30 },
    },
    { name: 'role', kind: 'text', header: 'Type', width: 72, yields: 7, export: { width: 10 } },
    { name: 'gameName', kind: 'text', header: 'Game', width: 136, yields: 2, under: 'ticketId', export: { width: 24 } },
    // Complaints name a time, so it stays at every width, like the result.
    { name: 'placedAt', kind: 'time', header: 'Time', width: 160, yields: -2, export: { width: 22 } },
    {
      name: 'playpoints',
      kind: 'points',
      header: 'Play',
      width: 80,
      yields: 4,
      under: 'winLoss',
      export: { width: 15 },
    },
    { name: 'winpoints', kind: 'points', header: 'Won', width: 80, yields: 5, export: { width: 15 } },
    {
      name: 'winLoss',
      kind: 'points',
      header: 'W/L',
      width: 84,
      yields: -1,
      value: winLossOf,
      export: { width: 15 },
    },
    {
      name: 'result',
      kind: 'text',
      header: 'Result',
      width: 140,
      yields: -2,
      value: resultCell,
      export: { width: 40 },
    },
    { name: 'claimdate', kind: 'time', header: 'Claim Date', width: 160, yields: 6, export: { width: 22 } },
  ],
  // For a draw without days, lists all its tickets, not only today's.
  filters: [periodOrToday, idFilter('drawId', 'Draw'), choiceFilter('status', 'Status', BET_STATUS)],
  order: '-placedAt',
  paging: 'keyset',
  countUpTo: 1_000,
  extra: {
    role,
    ...clearedNote,
    /** About tickets undone by a restore, which the list omits. Their numbers still find them. */
    undone: z.nullable(z.string()),
  },
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
  file: { name: 'GameHistory', sheet: 'Game History', numbered: true },
});

export const USERS_MOST = 10_000;

export const loadUsers = route({
  method: 'GET',
  path: 'history/loadUsers',
  summary: 'The players below the caller by name, up to 10,000 or pageSize; search filters by name.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: z.object({
    id: ownId,
    search: z.optional(z.string().check(z.maxLength(100, { error: CORE_TEXTS.tooLong(100) }))),
    pageSize: z.optional(wholeNumber(1, 500)),
  }),
  response: z.object({ ...success, data: z.array(z.object({ _id: id, username: z.string() })) }),
  errors: ['IDENTITY_MISMATCH'],
});

export const loadGames = route({
  method: 'GET',
  path: 'history/loadGames',
  summary: 'The games of the networks that the caller may see, by name, removed ones included.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: z.object({ id: ownId }),
  response: z.object({ ...success, data: z.array(z.object({ gameId: z.string(), gameName: z.string() })) }),
  errors: ['IDENTITY_MISMATCH'],
});

/** `drawtotal` is the line's cost. */
export const ticketDetail = z.object({
  ticketid: z.string(),
  drawno: z.string(),
  drawqty: z.number(),
  drawtotal: points,
  series: z.nullable(z.string()),
  subseries: z.nullable(z.string()),
  /** Null for games with a single kind. */
  head: z.nullable(z.string()),
  /** Null unless the bet is on one outcome. */
  outcome: z.nullable(shownOutcome),
  won: z.nullable(points),
});
export type TicketDetail = z.infer<typeof ticketDetail>;

export const ticketDetails = route({
  method: 'GET',
  path: 'history/getdetailsbyticketid',
  summary: 'One ticket, by its id or number, with its lines in the order in which they were placed.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: z.object({ ticketId: ticketName, gameId: z.optional(gameKey) }),
  response: z.object({
    ...success,
    message: z.string(),
    ticket: betTicket,
    data: z.array(ticketDetail),
    /** Set if a restore undid the ticket, which shows its former state. */
    undoneAt: z.nullable(time),
  }),
  errors: ['NOT_FOUND'],
});
