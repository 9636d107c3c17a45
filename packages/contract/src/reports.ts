import * as z from 'zod/mini';
import { id, period, periodInOrder, points, role, success } from './primitives.ts';
import { route } from './route.ts';

/** One row of the turnover report. Points; `net` is the end minus the four commissions. */
export const turnoverRow = z.object({
  id,
  role,
  username: z.string(),
  playPoints: points,
  winPoints: points,
  endPoints: points,
  supercom: points,
  distcom: points,
  retailcom: points,
  usercom: points,
  net: points,
});
/** One row of the turnover report. */
export type TurnoverRow = z.infer<typeof turnoverRow>;

/** `GET reports/turn`: the children of one account with what was played below each, for the instants [startDate, endDate]. */
export const turnover = route({
  method: 'GET',
  path: 'reports/turn',
  summary: 'Play, win, end, commissions and net of each child of one account, between two instants.',
  access: ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer'],
  /** `role` is that of the account that `id` names, or of the caller. */
  query: z.object({ id: z.optional(id), role: z.optional(z.string()), ...period }).check(periodInOrder),
  response: z.object({
    ...success,
    /** The level of the rows. */
    role,
    /** The account whose children these are, and the chain from the caller down to it. */
    parents: z.array(z.object({ id, username: z.string(), role })),
    data: z.array(turnoverRow),
    summary: z.object({
      totalPlayPoints: points,
      totalWinPoints: points,
      endPoint: points,
      totalCommission: points,
      net: points,
    }),
    total: z.number(),
  }),
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
});

/** `GET reports/figures`: what one account and everyone below it played, for the instants [startDate, endDate]. */
export const figures = route({
  method: 'GET',
  path: 'reports/figures',
  summary: 'Play, win, end, commissions and net of one account with its subtree, between two instants.',
  access: ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer'],
  query: z.object({ id, ...period }).check(periodInOrder),
  response: z.object({ ...success, data: turnoverRow }),
  errors: ['NOT_FOUND'],
});
