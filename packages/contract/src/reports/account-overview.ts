import * as z from 'zod/mini';
import { clearedNote } from '../clearing/history-note.ts';
import { checked, period } from '../frame/list-filters.ts';
import { id, points, role, STAFF_ROLES, success } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

const played = { playPoints: points, winPoints: points, endPoints: points };
/** Of a deleted one the figures stay; its page is gone. */
const account = { id, username: z.string(), role, deleted: z.boolean() };

/** `GET reports/account`: what an account came to since it was made, and who below it moves most between two instants. */
export const accountOverview = route({
  method: 'GET',
  path: 'reports/account',
  summary: 'Play, win and net of an account with its subtree since it was made, and who directly below it moves most.',
  access: STAFF_ROLES,
  query: checked(z.object({ id, ...period.fields }), [period]),
  response: z.object({
    ...success,
    /** Since the account was made; `commission` is that of all levels, `net` what the house keeps of it. */
    lifetime: z.object({ ...played, commission: points, net: points }),
    /** The games with the most play since then. */
    games: z.array(z.object({ gameId: z.string(), gameName: z.string(), ...played })),
    /** Who directly below it played most in the period, with everyone below them. */
    byPlay: z.array(z.object({ ...account, ...played })),
    /** Whom below it the account gave and took back most credit in the period. */
    byCredit: z.array(z.object({ ...account, given: points, takenBack: points })),
    /** Of that: credit that was moved and cleared is counted for nobody. */
    ...clearedNote,
  }),
  errors: ['NOT_FOUND', 'REPORT_STOPPED'],
});
