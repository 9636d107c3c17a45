import * as z from 'zod/mini';
import { id, points, role, STAFF_ROLES, success, time, timeZone } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

const figures = {
  playPoints: points,
  winPoints: points,
  /** What the house keeps: the play less the wins and all commissions. */
  net: points,
  /** What the caller's own percentage earned it; 0 for those who have none in the chain. */
  earned: points,
};

/** What was played at or below the caller from the start of a day up to the present time of day. */
const partOfDay = z.object({
  startDate: time,
  /** The first instant that counts no more. */
  until: time,
  ...figures,
  /** The same hour by hour; the last one up to the present time of day. */
  hours: z.array(z.object(figures)),
});
/** What was played from the start of a day up to the present time of day. */
export type PartOfDay = z.infer<typeof partOfDay>;

const child = z.object({
  id,
  username: z.string(),
  role,
  /** Its play stays; its page is gone. */
  deleted: z.boolean(),
  playPoints: points,
  winPoints: points,
  endPoints: points,
});
/** A child of the caller with what was played at or below it today. */
export type DashboardChild = z.infer<typeof child>;

/** Amounts that wait in wallets, and of how many accounts. */
const waiting = z.object({ points, accounts: z.number() });

/** `GET reports/dashboard`: what whoever is responsible looks at first each morning, all about the caller's own subtree. */
export const dashboard = route({
  method: 'GET',
  path: 'reports/dashboard',
  summary:
    'Today beside yesterday and last week, who is online, who plays and who loses most, and what waits for a person.',
  access: STAFF_ROLES,
  /** Whose days these are; the server's where it is left out. */
  query: z.object({ timeZone: z.optional(timeZone) }),
  response: z.object({
    ...success,
    at: time,
    /** Accounts of each level below the caller. */
    counts: z.partialRecord(role, z.number()),
    /** Whether anything was ever settled at or below the caller. */
    hasPlayed: z.boolean(),
    /** Whether a child of the caller ever had credit. */
    hasGiven: z.boolean(),
    today: partOfDay,
    /** Up to the same time of day. */
    yesterday: partOfDay,
    /** The same day of last week, likewise. */
    lastWeek: partOfDay,
    /** Players below the caller. */
    online: z.number(),
    /** The children of the caller with the most play today, at most 5; those without play are left out. */
    mostPlay: z.array(child),
    /** Those at or below whom the house lost most today, at most 5: more was won than played. */
    mostLoss: z.array(child),
    /** Commission of the accounts below the caller that was earned and not paid out yet, and that of the caller itself. */
    pendingCommission: z.object({ ...waiting.shape, own: points }),
    /** Wins of players that wait until they claim them. */
    unclaimed: waiting,
    /** Game tables below zero, of the networks that the caller has as a whole; the lowest of each first. */
    tablesBelow: z.array(
      z.object({
        gameId: z.string(),
        gameName: z.string(),
        adminId: id,
        username: z.string(),
        balance: points,
        /** The tables of its network together are below its line: none of its draws opens. */
        opensNoDraw: z.boolean(),
      }),
    ),
    /** Declared results that need a second person, of the games that the caller may operate; the next to be drawn first. */
    toConfirm: z.array(
      z.object({
        gameId: z.string(),
        gameName: z.string(),
        adminId: id,
        username: z.string(),
        savedBy: z.string(),
        drawsAt: time,
      }),
    ),
  }),
  errors: ['REPORT_STOPPED'],
});
