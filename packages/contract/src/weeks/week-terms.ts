import * as z from 'zod/mini';
import { bulkRows, BULK_BODY_BYTES, day, id, percent, STAFF_ROLES, success } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { WEEK_CONTRACT_TEXTS } from './weeks-texts.ts';

export const COMMISSION_TERMS = WEEK_CONTRACT_TEXTS.commission;
export type CommissionTerms = keyof typeof COMMISSION_TERMS;

export const weekTerms = z.object({
  /** The parent's share of the net, in percent. Null: the account owes the credit it was given. */
  share: z.nullable(percent),
  commission: z.enum(Object.keys(COMMISSION_TERMS) as CommissionTerms[], {
    error: WEEK_CONTRACT_TEXTS.wrongCommission,
  }),
});
export type WeekTermsPart = z.infer<typeof weekTerms>;

export const setWeekTerms = route({
  method: 'PUT',
  path: 'weeks/terms',
  summary:
    'Sets the terms between accounts below the caller and their parents. The first terms count from this week on, ' +
    'later ones from next week on.',
  access: STAFF_ROLES,
  permission: 'settings',
  sensitive: false,
  bodyLimit: BULK_BODY_BYTES,
  body: z.object({ accounts: bulkRows(id, (each) => each), ...weekTerms.shape }),
  response: z.object({ ...success, results: z.array(z.object({ accountId: id, from: day })) }),
  errors: ['NOT_FOUND'],
});
