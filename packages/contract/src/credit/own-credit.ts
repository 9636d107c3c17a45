import * as z from 'zod/mini';
import { ownId, id, points, success } from '../core/primitives.ts';
import { route } from '../core/route.ts';

export const loadCredit = route({
  method: 'GET',
  path: 'credit/loadcredit',
  summary: "The caller's credit, and what is left of its daily limit today.",
  access: 'session',
  permission: null,
  query: z.object({ id: ownId }),
  response: z.object({
    ...success,
    data: z.array(
      z.object({
        _id: id,
        walletBalance: points,
        leftToday: z.nullable(points),
        /** Of a superadmin: given to networks in other cells, which have not answered yet. */
        inTransit: z.optional(points),
      }),
    ),
  }),
  errors: ['IDENTITY_MISMATCH'],
});
