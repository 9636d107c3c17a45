import * as z from 'zod/mini';
import { list, withCell, withFreshness, withMissingCells } from '../core/list.ts';
import { checked, period, periodOrToday } from '../core/list-filters.ts';
import { id, namedAccount, points, role, STAFF_ROLES, success, time, timeZone } from '../core/primitives.ts';
import { route } from '../core/route.ts';

/** In points. `net` is the end minus four commissions. */
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
  ...withCell,
});
export type TurnoverRow = z.infer<typeof turnoverRow>;

function sumColumn<const Name extends keyof TurnoverRow>(name: Name, header: string, width: number) {
  return { name, kind: 'points', header, width, sort: true, total: true, export: { width: 16 } } as const;
}

export const turnoverReport = list({
  path: 'reports/turn',
  summary: 'Play, win, end, commissions and net of each child of one account, between two instants; today by default.',
  access: STAFF_ROLES,
  permission: 'reports',
  /** `role` belongs to `id`. */
  query: { id: z.optional(id), role: z.optional(z.string()) },
  row: turnoverRow,
  columns: [
    { name: 'username', kind: 'text', header: 'ID', width: 128, sort: true, priority: true, export: { width: 30 } },
    sumColumn('playPoints', 'Play Points', 108),
    sumColumn('winPoints', 'Win Points', 108),
    sumColumn('endPoints', 'End Points', 108),
    sumColumn('supercom', 'Super', 84),
    sumColumn('distcom', 'Distributor', 108),
    sumColumn('retailcom', 'Retailer', 88),
    sumColumn('usercom', 'User', 88),
    { ...sumColumn('net', 'Net', 108), priority: true },
  ],
  filters: [periodOrToday],
  extra: {
    ...withFreshness,
    role,
    /** Parent of the rows, and the chain from the caller down to it. */
    parents: z.array(namedAccount),
    summary: z.object({
      totalPlayPoints: points,
      totalWinPoints: points,
      endPoint: points,
      totalCommission: points,
      net: points,
    }),
  },
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
  file: { name: 'TurnoverReport', sheet: 'Turnover Report', numbered: true },
});

/** Consecutive periods. Only the first and last may be partial. */
const turnoverPart = z.object({
  startDate: time,
  endDate: time,
  ...z.omit(turnoverRow, { id: true, role: true, username: true, cell: true }).shape,
});

const periodGrain = z.enum(['hour', 'day', 'month']);
export type PeriodGrain = z.infer<typeof periodGrain>;

export const turnoverSeries = route({
  method: 'GET',
  path: 'reports/turn/series',
  summary:
    'Sums of the turnover report by hour (up to 2 days), by day (up to 62) or by month, in the calendar of a time zone.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: checked(z.object({ id: z.optional(id), ...periodOrToday.fields, timeZone: z.optional(timeZone) }), [
    periodOrToday,
  ]),
  response: z.object({ ...success, ...withMissingCells, grain: periodGrain, data: z.array(turnoverPart) }),
  errors: ['NOT_FOUND'],
});

export const figures = route({
  method: 'GET',
  path: 'reports/figures',
  summary: 'Play, win, end, commissions and net of one account with its subtree, between two instants.',
  access: ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer'],
  permission: 'reports',
  query: checked(z.object({ id, ...period.fields }), [period]),
  response: z.object({ ...success, data: turnoverRow, ...withMissingCells }),
  errors: ['NOT_FOUND', 'REPORT_STOPPED'],
});
