import * as z from 'zod/mini';
import { clearedNote } from '../clearing/history-note.ts';
import { ownId } from '../frame/caller.ts';
import { DRAW_STATUS, RESULT_SOURCE, resultData, VOID_CAUSE } from '../draws/draws.ts';
import { list } from '../frame/list.ts';
import { periodOrToday } from '../frame/list-filters.ts';
import {
  dayOrInstant,
  id,
  points,
  role,
  STAFF_ROLES,
  success,
  sumPoints,
  time,
  wholeNumber,
} from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import { ticketName } from '../tickets/tickets.ts';

/** An outcome as it is shown: its picture goes by the game and these. */
const shownOutcome = z.object({
  drawno: z.string(),
  label: z.string(),
  color: z.nullable(z.string()),
  /** The address of the picture that was uploaded for it. */
  image: z.nullable(z.string()),
});
/** An outcome as it is shown. */
export type ShownOutcome = z.infer<typeof shownOutcome>;

/** A ticket of the Bet List. What is known only once its draw is settled is null, or empty, until then. */
export const betTicket = z.object({
  _id: id,
  /** The number that people read. */
  ticketId: z.string(),
  gameId: z.string(),
  gameName: z.string(),
  family: z.string(),
  userId: id,
  username: z.string(),
  role,
  /** When it was laid, to the millisecond of its id. */
  placedAt: time,
  drawId: id,
  /** When its draw opened, when betting on it closes by the schedule, and when it is drawn. */
  timeopen: time,
  timeclose: time,
  drawsAt: time,
  status: z.enum(DRAW_STATUS),
  voidCause: z.nullable(z.enum(VOID_CAUSE)),
  playpoints: points,
  winpoints: z.nullable(points),
  /** The numbers drawn: one for each sub-series of 4D and each tier of Jodi, else one. */
  resultIds: z.array(
    z.object({ series: z.nullable(z.string()), subseries: z.nullable(z.string()), drawno: z.string() }),
  ),
  result: z.nullable(resultData),
  /** The result in words, as strips of results have it. */
  resultText: z.nullable(z.string()),
  /** What was drawn, where that is one outcome. */
  outcome: z.nullable(shownOutcome),
  booster: z.nullable(z.number()),
  source: z.nullable(z.enum(RESULT_SOURCE)),
  /** When its win was paid out; null where nothing was won, or it waits to be claimed. */
  claimdate: z.nullable(time),
  /** The name of the API key by which a program laid it; null where its player did. */
  apiKey: z.nullable(z.string()),
});
/** A ticket of the Bet List. */
export type BetTicket = z.infer<typeof betTicket>;

const gameKey = z.string().check(z.maxLength(64, { error: 'Use at most 64 characters' }));

/** What the player has more or less by a ticket, in points: `-10`, until its draw is settled nothing. */
export function winLossOf({ winpoints, playpoints }: Pick<BetTicket, 'winpoints' | 'playpoints'>): number | null {
  return winpoints === null ? null : sumPoints([winpoints, -playpoints]);
}

/** What stands for a result where there is none: why. */
const NO_RESULT: Readonly<Record<Exclude<BetTicket['status'], 'settled'>, string>> = {
  open: 'Not drawn yet',
  closed: 'Not drawn yet',
  drawn: 'Being settled',
  settling: 'Being settled',
  void: 'Void, stake given back',
};

/** The result of a ticket as a file has it. */
function resultCell({ status, resultText, booster, source }: BetTicket): string {
  return status === 'settled' ? `${resultText} booster ${booster}, ${source}` : NO_RESULT[status];
}

/** `GET history/gamehistory`: the tickets of players below the caller that were laid in the instants [startDate, endDate]. */
export const betList = list({
  path: 'history/gamehistory',
  summary: 'The tickets of players below the caller that were laid between two instants, newest first.',
  access: STAFF_ROLES,
  query: {
    id: ownId,
    gameId: z.optional(gameKey),
    /** A player, or any account below the caller: then the players below that one. */
    userId: z.optional(id),
    /** One day of the server's time zone, or the one at an instant, in place of startDate and endDate; today where there is none of them. */
    tdate: z.optional(dayOrInstant),
  },
  row: betTicket,
  columns: [
    { name: 'ticketId', kind: 'code', header: 'TicketID', width: 130, export: { width: 18 } },
    { name: 'username', kind: 'text', header: 'Username', width: 112, export: { width: 30 } },
    { name: 'role', kind: 'text', header: 'Type', width: 72, yields: 4, export: { width: 10 } },
    { name: 'gameName', kind: 'text', header: 'Game', width: 112, yields: 1, export: { width: 24 } },
    { name: 'placedAt', kind: 'time', header: 'Time', width: 160, yields: 2, export: { width: 22 } },
    { name: 'playpoints', kind: 'points', header: 'Play', width: 84, export: { width: 15 } },
    { name: 'winpoints', kind: 'points', header: 'Won', width: 84, export: { width: 15 } },
    {
      name: 'winLoss',
      kind: 'points',
      header: 'W/L',
      width: 92,
      priority: true,
      value: winLossOf,
      export: { width: 15 },
    },
    { name: 'result', kind: 'text', header: 'Result', width: 212, value: resultCell, export: { width: 40 } },
    { name: 'claimdate', kind: 'time', header: 'Claim Date', width: 160, yields: 3, export: { width: 22 } },
  ],
  filters: [periodOrToday],
  order: '-placedAt',
  paging: 'keyset',
  countUpTo: 1_000,
  extra: {
    /** That of the account whose players these are, or of the caller. */
    role,
    ...clearedNote,
    /** How many tickets of its time a restore has undone, as a sentence; null if none. They are not listed, and found by their numbers. */
    undone: z.nullable(z.string()),
  },
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
  file: { name: 'GameHistory', sheet: 'Game History', numbered: true },
});

/** The most names that a choice of accounts answers. */
export const USERS_MOST = 10_000;

/** `GET history/loadUsers`: the players below the caller by name, to choose one of. */
export const loadUsers = route({
  method: 'GET',
  path: 'history/loadUsers',
  summary: 'The players below the caller by name, up to 10,000 or pageSize; with search those whose names hold it.',
  access: STAFF_ROLES,
  query: z.object({
    id: ownId,
    search: z.optional(z.string().check(z.maxLength(100, { error: 'Use at most 100 characters' }))),
    pageSize: z.optional(wholeNumber(1, 500)),
  }),
  response: z.object({ ...success, data: z.array(z.object({ _id: id, username: z.string() })) }),
  errors: ['IDENTITY_MISMATCH'],
});

/** `GET history/loadGames`: the games whose tickets the caller may see. */
export const loadGames = route({
  method: 'GET',
  path: 'history/loadGames',
  summary: 'The games of the networks that the caller may see, by name; with those that they no longer have.',
  access: STAFF_ROLES,
  query: z.object({ id: ownId }),
  response: z.object({ ...success, data: z.array(z.object({ gameId: z.string(), gameName: z.string() })) }),
  errors: ['IDENTITY_MISMATCH'],
});

/** One line of a ticket as its details have it: `drawtotal` is what it cost. */
export const ticketDetail = z.object({
  ticketid: z.string(),
  drawno: z.string(),
  drawqty: z.number(),
  drawtotal: points,
  series: z.nullable(z.string()),
  subseries: z.nullable(z.string()),
  /** The kind of bet, for people; null where the game has one only. */
  head: z.nullable(z.string()),
  /** What the number is, where the bet is on one outcome of the game. */
  outcome: z.nullable(shownOutcome),
  /** What the line has won; null until the draw is settled. */
  won: z.nullable(points),
});
/** One line of a ticket as its details have it. */
export type TicketDetail = z.infer<typeof ticketDetail>;

/** What the dialogs of the Bet List say where there is nothing to show. */
export const NO_TICKET_DATA = 'No ticket data available.';

/** `GET history/getdetailsbyticketid`: one ticket as the Bet List has it, and its lines. */
export const ticketDetails = route({
  method: 'GET',
  path: 'history/getdetailsbyticketid',
  summary: 'One ticket, by its id or number, and its lines in the order in which they were laid.',
  access: STAFF_ROLES,
  query: z.object({ ticketId: ticketName, gameId: z.optional(gameKey) }),
  response: z.object({
    ...success,
    message: z.string(),
    ticket: betTicket,
    data: z.array(ticketDetail),
    /** When a restore undid the ticket, which is shown as it was before; null if none did. */
    undoneAt: z.nullable(time),
  }),
  errors: ['NOT_FOUND'],
});
