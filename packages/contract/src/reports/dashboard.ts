import * as z from 'zod/mini';
import { day, id, points, role, STAFF_ROLES, success, time, timeZone } from '../core/primitives.ts';
import { withMissingCells } from '../core/list.ts';
import { route } from '../core/route.ts';

const figures = {
  playPoints: points,
  winPoints: points,
  /** Play minus wins and all commissions. */
  net: points,
  /** 0 for roles without commission. */
  earned: points,
};

const partOfDay = z.object({
  startDate: time,
  /** Exclusive. */
  until: time,
  ...figures,
  /** The last one is partial. */
  hours: z.array(z.object(figures)),
  /** After `until`; the first completes the last of `hours`. Empty for today. */
  rest: z.array(z.object(figures)),
});
export type PartOfDay = z.infer<typeof partOfDay>;

const child = z.object({
  id,
  username: z.string(),
  role,
  deleted: z.boolean(),
  playPoints: points,
  winPoints: points,
  endPoints: points,
});
export type DashboardChild = z.infer<typeof child>;

const waiting = z.object({ points, accounts: z.number() });

export const dashboard = route({
  method: 'GET',
  path: 'reports/dashboard',
  summary:
    'Today compared with yesterday and last week, who is online, who plays and who loses most, and what needs attention.',
  access: STAFF_ROLES,
  permission: 'reports',
  /** Default: the server's. */
  query: z.object({ timeZone: z.optional(timeZone) }),
  response: z.object({
    ...success,
    ...withMissingCells,
    at: time,
    counts: z.partialRecord(role, z.number()),
    hasPlayed: z.boolean(),
    hasGiven: z.boolean(),
    /** Null after the day on which the first draw with bets settled, and for roles without whole networks. */
    steps: z.nullable(
      z.object({
        hasCredit: z.boolean(),
        playerHasCredit: z.boolean(),
        hasBet: z.boolean(),
        /** Panel of the newest bet, else of the newest game. */
        panel: z.nullable(z.object({ gameId: z.string(), adminId: id, username: z.string() })),
      }),
    ),
    /** Test networks below a superadmin. */
    tests: z.array(z.object({ adminId: id, username: z.string(), simulatedUntil: z.nullable(time) })),
    today: partOfDay,
    yesterday: partOfDay,
    /** Same weekday last week, up to the same time of day. */
    lastWeek: partOfDay,
    online: z.number(),
    /** Top 5 children with play today. */
    mostPlay: z.array(child),
    /** Up to 5 children with the largest house loss today. */
    mostLoss: z.array(child),
    /** Unpaid commission; `own` is the caller's. */
    pendingCommission: z.object({ ...waiting.shape, own: points }),
    unclaimed: waiting,
    /** Null without terms, payments or closed weeks. */
    week: z.nullable(
      z.object({
        /** Debt of accounts directly below, and the first day since which one owes. */
        owed: points,
        accounts: z.number(),
        since: z.nullable(day),
        /** Debt to the account above. Negative: it owes the caller. */
        own: z.nullable(
          z.object({
            parent: z.string(),
            balance: points,
            since: day,
            reminder: z.nullable(z.object({ at: time, by: z.string(), note: z.string() })),
          }),
        ),
      }),
    ),
  }),
  errors: ['REPORT_STOPPED'],
});
