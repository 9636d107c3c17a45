import * as z from 'zod/mini';
import { list, withFreshness, type ObjectRef } from '../core/list.ts';
import { choiceFilter, periodOrToday } from '../core/list-filters.ts';
import { id, namedAccount, points, role, STAFF_ROLES } from '../core/primitives.ts';
import { ROLE_NAMES } from '../core/roles.ts';

export const pendingCommission = z.object({
  _id: id,
  username: z.string(),
  role,
  percentage: z.number(),
  totalCommission: points,
});
export type PendingCommission = z.infer<typeof pendingCommission>;

export const pendingCommissions = list({
  path: 'reports/commissionpayout',
  summary: 'The accounts below one account, or below the caller, with commission that is earned and not paid yet.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: { id: z.optional(id) },
  row: pendingCommission,
  columns: [
    {
      name: 'username',
      kind: 'text',
      header: 'Username',
      width: 180,
      sort: true,
      priority: true,
      about: (row) => ({ kind: 'account', id: row._id, role: row.role }),
      export: { width: 34 },
    },
    {
      name: 'role',
      kind: 'text',
      header: 'Role',
      width: 140,
      sort: true,
      value: (row) => ROLE_NAMES[row.role],
      export: { width: 20 },
    },
    { name: 'percentage', kind: 'percent', header: 'Percentage', width: 110, sort: true, export: { width: 12 } },
    {
      name: 'totalCommission',
      kind: 'points',
      header: 'Total Commission',
      width: 150,
      sort: true,
      total: true,
      priority: true,
      export: { width: 20 },
    },
  ],
  // Clients send the subject's role with its id. Ignored, since rows are below the subject.
  filters: [choiceFilter('role', 'Role', ROLE_NAMES)],
  search: 'Search username',
  order: '-totalCommission',
  extra: {
    role,
  },
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
  file: { name: 'PendingCommission', sheet: 'Pending Commission', numbered: true },
});

export const adminCommissionRow = z.object({
  adminId: id,
  gameId: z.string(),
  gameName: z.string(),
  username: z.string(),
  commissionAmount: points,
  totalPoints: points,
  totalWinPoints: points,
});
export type AdminCommissionRow = z.infer<typeof adminCommissionRow>;

function aboutGame({ gameId, adminId, username }: AdminCommissionRow): ObjectRef {
  return { kind: 'game', id: gameId, adminId, username };
}

function sumColumn<const Name extends keyof AdminCommissionRow>(name: Name, header: string, width: number) {
  return { name, kind: 'points', header, width, sort: true, total: true, export: { width: 20 } } as const;
}

export const adminCommission = list({
  path: 'reports/admincommissionpayout',
  summary:
    'Stakes, wins and commission of each game and admin for the accounts below it, between two instants; today by default.',
  access: ['superadmin', 'admin'],
  permission: 'reports',
  /** `role` belongs to `id`. */
  query: { id: z.optional(id), role: z.optional(z.string()) },
  row: adminCommissionRow,
  columns: [
    {
      name: 'gameId',
      kind: 'code',
      header: 'Game ID',
      width: 140,
      yields: 1,
      sort: true,
      about: aboutGame,
      export: { width: 22 },
    },
    {
      name: 'gameName',
      kind: 'text',
      header: 'Game Name',
      width: 116,
      sort: true,
      about: aboutGame,
      export: { width: 30 },
    },
    {
      name: 'username',
      kind: 'text',
      header: 'Username',
      width: 140,
      sort: true,
      about: (row) => ({ kind: 'account', id: row.adminId, role: 'admin' }),
      export: { width: 34 },
    },
    { ...sumColumn('commissionAmount', 'Commission Amount', 164), priority: true },
    sumColumn('totalPoints', 'Total Points', 128),
    sumColumn('totalWinPoints', 'Total Win Points', 156),
  ],
  filters: [periodOrToday],
  order: '-commissionAmount',
  extra: {
    ...withFreshness,
    role,
    account: namedAccount,
    summary: z.object({ totalCommissionPoint: points, totalBetPoint: points, totalWonPoint: points }),
  },
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
  file: { name: 'AdminCommissionData', sheet: 'Admin Commission', numbered: true },
});
