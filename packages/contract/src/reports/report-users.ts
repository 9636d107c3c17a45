import * as z from 'zod/mini';
import { list } from '../core/list.ts';
import { id, role, STAFF_ROLES } from '../core/primitives.ts';

export const reportUser = z.object({ _id: id, username: z.string(), role });
export type ReportUser = z.infer<typeof reportUser>;

export const findAllUsers = list({
  path: 'reports/findallusers',
  summary: 'An account, or the caller, and everyone below it, by name.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: { id: z.optional(id), role: z.optional(z.string()) },
  row: reportUser,
  columns: [
    { name: 'username', kind: 'text', header: 'Username', width: 160, sort: true },
    { name: 'role', kind: 'text', header: 'Role', width: 120, sort: true },
  ],
  search: 'Search username',
  extra: { role },
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
});
