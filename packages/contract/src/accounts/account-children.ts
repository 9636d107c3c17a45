import * as z from 'zod/mini';
import { accountAction, COMMON, oneAccount, ROLE_PREFIX } from './accounts.ts';
import { adjustFields, transferFields } from '../credit/credit-fields.ts';
import { ownRole, ownId, id, roleBelow, ROLES, STAFF_ROLES, success, type Role } from '../core/primitives.ts';
import { withMissingCells } from '../core/list.ts';
import { route } from '../core/route.ts';
import { ACCOUNT_FIELD_TEXTS } from './account-texts.ts';

export type ParentRole = Exclude<Role, 'user'>;

const childParams = { id, childId: id };

/** Makes routes with the parent in the path. `id` is the caller or an account below it. */
function childRoutesOf(parentRole: ParentRole) {
  const prefix: (typeof ROLE_PREFIX)[ParentRole] = ROLE_PREFIX[parentRole];
  const childRole = roleBelow(parentRole)!;
  const managers = STAFF_ROLES.slice(0, ROLES.indexOf(childRole));
  return {
    create: route({
      ...COMMON.create(childRole),
      path: `${prefix}/:id/children`,
      summary: `Creates a ${childRole} below a ${parentRole}.`,
      access: managers,
      params: { id },
    }),
    get: route({
      ...COMMON.get,
      path: `${prefix}/:id/children/:childId`,
      summary: `One ${childRole} directly below a ${parentRole}.`,
      access: managers,
      params: childParams,
    }),
    update: route({
      ...COMMON.update,
      path: `${prefix}/:id/children/:childId`,
      summary: `Changes fields of a ${childRole} directly below a ${parentRole}.`,
      access: managers,
      params: childParams,
    }),
    toggleStatus: route({
      ...COMMON.toggleStatus,
      path: `${prefix}/:id/children/:childId/toggle-status/:action`,
      summary: `Activates or deactivates a ${childRole} directly below a ${parentRole}.`,
      access: managers,
      params: { ...childParams, action: accountAction },
    }),
    remove: route({
      ...COMMON.remove,
      path: `${prefix}/:id/children/delete/:childId`,
      summary: `Deletes a ${childRole} directly below a ${parentRole}.`,
      access: managers,
      params: childParams,
    }),
    creditTransfer: route({
      ...COMMON.creditTransfer,
      path: `${prefix}/:id/children/:childId/credit-transfer`,
      summary: `Moves credit from the caller to a ${childRole} directly below a ${parentRole}.`,
      access: managers,
      params: childParams,
      body: z.object({ toUserId: z.optional(id), ...transferFields }),
    }),
    creditAdjust: route({
      ...COMMON.creditAdjust,
      path: `${prefix}/:id/children/:childId/credit-adjust`,
      summary: `Gives credit to a ${childRole} directly below a ${parentRole}, or takes it back.`,
      access: managers,
      approval: ['credit'],
      params: childParams,
      body: z.object({ toUserId: z.optional(id), ...adjustFields }),
    }),
  };
}

export const childRoutes = {
  superadmin: childRoutesOf('superadmin'),
  admin: childRoutesOf('admin'),
  superdistributor: childRoutesOf('superdistributor'),
  distributor: childRoutesOf('distributor'),
  retailer: childRoutesOf('retailer'),
};

export const fetchUserById = route({
  method: 'GET',
  path: 'fetchUserById',
  summary: "One account of the caller's subtree, whatever its level, for the oldest clients.",
  access: 'session',
  permission: 'lists',
  query: z.object({ id, currentrole: ownRole }),
  response: oneAccount,
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
});

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
    ...withMissingCells,
    count: z.array(z.object({ _id: id, username: z.string() })),
    countUsers: z.number(),
    countAdmins: z.number(),
    countSuperDistributors: z.number(),
    countDistributors: z.number(),
    countRetailers: z.number(),
  }),
  errors: ['IDENTITY_MISMATCH'],
});
