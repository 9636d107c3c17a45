import * as z from 'zod/mini';
import { ownId, ownRole } from '../core/caller.ts';
import { id, STAFF_ROLES, success } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { ACCOUNT_FIELD_TEXTS } from './account-texts.ts';

/** More ids would exceed the URL limits of servers and proxies. */
export const BELOW_MAX = 200;

const idList = z.pipe(
  z.string().check(z.regex(/^[^,]+(,[^,]+)*$/, { error: ACCOUNT_FIELD_TEXTS.idList })),
  z.pipe(
    z.transform((text: string) => text.split(',')),
    z.array(id).check(z.maxLength(BELOW_MAX, { error: ACCOUNT_FIELD_TEXTS.tooManyIds(BELOW_MAX) })),
  ),
);

export const belowCount = route({
  method: 'GET',
  path: 'counts/below',
  summary: 'Counts the accounts and players below these that could no longer sign in if these were deactivated.',
  access: STAFF_ROLES,
  permission: 'lists',
  query: z.object({ ids: idList }),
  response: z.object({ ...success, accounts: z.number(), players: z.number() }),
  errors: ['NOT_FOUND'],
});

export const COUNTED_PLAYERS_MAX = 10_000;

export const userCount = route({
  method: 'GET',
  path: 'counts/usercount',
  summary: 'Lists the players below the caller by name, up to 10,000, and counts the accounts of each level.',
  access: STAFF_ROLES,
  permission: 'lists',
  query: z.object({ id: ownId, role: ownRole, currentrole: ownRole }),
  response: z.object({
    ...success,
    count: z.array(z.object({ _id: id, username: z.string() })),
    countUsers: z.number(),
    countAdmins: z.number(),
    countSuperDistributors: z.number(),
    countDistributors: z.number(),
    countRetailers: z.number(),
  }),
  errors: ['IDENTITY_MISMATCH'],
});
