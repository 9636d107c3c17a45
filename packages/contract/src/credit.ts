import * as z from 'zod/mini';
import { id, points, success } from './primitives.ts';
import { route } from './route.ts';

/** `GET credit/loadcredit`: the caller's own spendable credit, the "Hierarchy Credit" of the credit screens. */
export const loadCredit = route({
  method: 'GET',
  path: 'credit/loadcredit',
  summary: "The caller's own credit.",
  access: 'session',
  query: z.object({ id: z.optional(id) }),
  response: z.object({ ...success, data: z.array(z.object({ _id: id, walletBalance: points })) }),
  errors: ['IDENTITY_MISMATCH'],
});
