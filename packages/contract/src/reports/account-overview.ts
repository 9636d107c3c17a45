import * as z from 'zod/mini';
import { clearedNote, id, points, role, STAFF_ROLES, success } from '../core/primitives.ts';
import { checked, period } from '../core/list-filters.ts';
import { route } from '../core/route.ts';

const played = { playPoints: points, winPoints: points, endPoints: points };
/** Deleted accounts keep their figures but lose their page. */
const account = { id, username: z.string(), role, deleted: z.boolean() };

export const accountOverview = route({
  method: 'GET',
  path: 'reports/account',
  summary:
    'Play, win and net of an account with its subtree since it was created, and its most active direct children.',
  access: STAFF_ROLES,
  permission: 'reports',
  query: checked(z.object({ id, ...period.fields }), [period]),
  response: z.object({
    ...success,
    /** Sums since creation. `commission` covers all levels; `net` is the house's share. */
    lifetime: z.object({ ...played, commission: points, net: points }),
    games: z.array(z.object({ gameId: z.string(), gameName: z.string(), ...played })),
    /** Direct children by play in the period, subtrees included. */
    byPlay: z.array(z.object({ ...account, ...played })),
    byCredit: z.array(z.object({ ...account, given: points, takenBack: points })),
    ...clearedNote,
  }),
  errors: ['NOT_FOUND', 'REPORT_STOPPED'],
});
