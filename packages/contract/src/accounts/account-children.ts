import * as z from 'zod/mini';
import {
  account,
  ACCOUNT_BODY_LIMIT,
  accountRoutes,
  createBody,
  creditAnswer,
  ROLE_PREFIX,
  SENSITIVE_EDIT,
  sensitiveCreate,
  updateBody,
} from './accounts.ts';
import { adjustFields, CREDIT_ERRORS, transferFields } from '../credit/credit-fields.ts';
import { ownRole, ownId, done, id, roleBelow, ROLES, STAFF_ROLES, success, type Role } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { ACCOUNT_FIELD_TEXTS } from './account-texts.ts';

export type ParentRole = Exclude<Role, 'user'>;

const one = z.object({ ...success, data: account });
const changed = z.object({ ...done.shape, data: account });
const childParams = { id, childId: id };

/** Makes routes with the parent in the path. `id` is the caller or an account below it. */
function childRoutesOf(parentRole: ParentRole) {
  const prefix: (typeof ROLE_PREFIX)[ParentRole] = ROLE_PREFIX[parentRole];
  const childRole = roleBelow(parentRole)!;
  const managers = STAFF_ROLES.slice(0, ROLES.indexOf(childRole));
  return {
    create: route({
      method: 'POST',
      path: `${prefix}/:id/children`,
      summary: `Creates a ${childRole} below a ${parentRole}.`,
      access: managers,
      permission: 'accounts',
      approval: ['commission'],
      sensitive: sensitiveCreate(childRole),
      params: { id },
      body: createBody(childRole),
      bodyLimit: ACCOUNT_BODY_LIMIT,
      status: 201,
      response: changed,
      errors: ['USERNAME_TAKEN', 'NOT_FOUND', 'COMMISSION_LIMIT'],
    }),
    get: route({
      method: 'GET',
      path: `${prefix}/:id/children/:childId`,
      summary: `One ${childRole} directly below a ${parentRole}.`,
      access: managers,
      permission: 'lists',
      params: childParams,
      response: one,
      errors: ['NOT_FOUND'],
    }),
    update: route({
      method: 'PUT',
      path: `${prefix}/:id/children/:childId`,
      summary: `Changes fields of a ${childRole} directly below a ${parentRole}.`,
      access: managers,
      permission: 'accounts',
      approval: ['commission', 'lines', 'guards'],
      sensitive: SENSITIVE_EDIT,
      params: childParams,
      body: updateBody,
      bodyLimit: ACCOUNT_BODY_LIMIT,
      response: changed,
      errors: ['NOT_FOUND', 'COMMISSION_LIMIT'],
    }),
    toggleStatus: route({
      method: 'PATCH',
      path: `${prefix}/:id/children/:childId/toggle-status/:action`,
      summary: `Activates or deactivates a ${childRole} directly below a ${parentRole}.`,
      access: managers,
      permission: 'accounts',
      sensitive: 'spec',
      params: { ...childParams, action: accountRoutes[childRole].toggleStatus.params!.action },
      response: changed,
      errors: ['NOT_FOUND'],
    }),
    remove: route({
      method: 'DELETE',
      path: `${prefix}/:id/children/delete/:childId`,
      summary: `Deletes a ${childRole} directly below a ${parentRole}.`,
      access: managers,
      permission: 'accounts',
      approval: ['credit'],
      sensitive: 'spec',
      params: childParams,
      response: done,
      errors: ['NOT_FOUND', 'HAS_CHILDREN', 'HAS_OPEN_TICKETS', 'INSUFFICIENT_CREDIT'],
    }),
    ...childCreditRoutesOf(parentRole, childRole, managers),
  };
}

function childCreditRoutesOf(parentRole: ParentRole, childRole: Role, managers: readonly Role[]) {
  const prefix: (typeof ROLE_PREFIX)[ParentRole] = ROLE_PREFIX[parentRole];
  return {
    creditTransfer: route({
      method: 'POST',
      path: `${prefix}/:id/children/:childId/credit-transfer`,
      summary: `Moves credit from the caller to a ${childRole} directly below a ${parentRole}.`,
      access: managers,
      permission: 'credit',
      approval: ['credit'],
      sensitive: 'asks',
      params: childParams,
      body: z.object({ toUserId: z.optional(id), ...transferFields }),
      response: creditAnswer,
      errors: CREDIT_ERRORS,
    }),
    creditAdjust: route({
      method: 'POST',
      path: `${prefix}/:id/children/:childId/credit-adjust`,
      summary: `Gives credit to a ${childRole} directly below a ${parentRole}, or takes it back.`,
      access: managers,
      permission: 'adjustments',
      approval: ['credit'],
      sensitive: 'asks',
      params: childParams,
      body: z.object({ toUserId: z.optional(id), ...adjustFields }),
      response: creditAnswer,
      errors: CREDIT_ERRORS,
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
  response: one,
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
    count: z.array(z.object({ _id: id, username: z.string() })),
    countUsers: z.number(),
    countAdmins: z.number(),
    countSuperDistributors: z.number(),
    countDistributors: z.number(),
    countRetailers: z.number(),
  }),
  errors: ['IDENTITY_MISMATCH'],
});
