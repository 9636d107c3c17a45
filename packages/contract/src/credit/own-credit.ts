import * as z from 'zod/mini';
import { ownId, id, points, success, time } from '../core/primitives.ts';
import { route, type RouteAnswer } from '../core/route.ts';

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

export const distantAdmin = route({
  method: 'GET',
  path: 'credit/distantadmin/:id',
  summary: 'An admin in another cell as this cell knows it, for credit that is sent while that cell does not answer.',
  access: ['superadmin'],
  permission: 'lists',
  params: { id },
  response: z.object({
    ...success,
    data: z.object({
      _id: id,
      username: z.string(),
      cell: z.string(),
      /** False while the directory of all cells does not answer: only it knows where the admin's network is. */
      canSend: z.boolean(),
      /** After the last message that the cell has answered. */
      last: z.nullable(z.object({ balance: points, at: time })),
      /** Given, and not answered yet. */
      inTransit: points,
    }),
  }),
  errors: ['NOT_FOUND'],
});
export type DistantAdmin = RouteAnswer<typeof distantAdmin>['data'];
