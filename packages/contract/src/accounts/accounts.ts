import * as z from 'zod/mini';
import {
  ownIdInPath,
  done,
  hundredthsOf,
  id,
  NOTE_MAX,
  percent,
  points,
  requiredText,
  role,
  ROLES,
  STAFF_ROLES,
  success,
  time,
  type Role,
} from '../core/primitives.ts';
import { adjustFields, CREDIT_ERRORS, transferFields } from '../credit/credit-fields.ts';
import { unambiguous, normalized } from '../core/names.ts';
import { withCell } from '../core/list.ts';
import { route, type Sensitive } from '../core/route.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { ACCOUNT_FIELD_TEXTS } from './account-texts.ts';

/** Path prefix per role. Every route below exists once per prefix. */
export const ROLE_PREFIX = {
  superadmin: 'superadmins',
  admin: 'admins',
  superdistributor: 'superdistributors',
  distributor: 'distributors',
  retailer: 'retailers',
  user: 'users',
} as const satisfies Record<Role, string>;

/** Never includes a password or its hash. Money in points, `commission` in percent. */
export const account = z.object({
  _id: id,
  username: z.string(),
  role,
  uniqueId: z.string(),
  refId: z.nullable(z.object({ _id: id, username: z.string() })),
  commission: z.number(),
  note: z.string(),
  userStatus: z.boolean(),
  /** Highest inactive ancestor. It blocks sign-in and bets, whatever this account's own status. */
  inactiveAbove: z.nullable(z.object({ _id: id, username: z.string(), role })),
  walletBalance: points,
  wallet: z.array(z.object({ individualCredit: points })),
  commissionPoint: points,
  /** Credit it may pass on per day. Null: unlimited. */
  dailyLimit: z.nullable(points),
  createdAt: time,
  lastLogin: z.nullable(time),
  isLoggedIn: z.boolean(),
  /** Admins only: maximum commission total along one chain, in percent. */
  commissionCeiling: z.optional(z.number()),
  /**
   * Admins and superadmins: highest commission total of any chain through this account, in percent, and its network's
   * games.
   */
  highestChain: z.optional(z.object({ commission: z.number(), games: z.array(id) })),
  /** Admins only: how far one table may fall below zero. Null: the net credit given to the network. */
  tableLine: z.optional(z.nullable(points)),
  games: z.optional(z.array(z.object({ _id: id, gameId: z.string(), gameName: z.string() }))),
  /** Admins only: sessions without an elevation may make sensitive calls. */
  tokenSessions: z.optional(z.boolean()),
  /** Admins only: roles that need a second factor. */
  factorRoles: z.optional(z.array(role)),
  /** Admins only: blocks every call, not only sensitive ones, until a password that somebody else set is changed. */
  passwordFirst: z.optional(z.boolean()),
  /** Admins only: after the second factor, a browser may be remembered for 30 days. */
  rememberDevices: z.optional(z.boolean()),
  testNetwork: z.optional(z.boolean()),
  ...withCell,
});
export type Account = z.infer<typeof account>;

/** Unique regardless of case. */
export const username = z.string({ error: ACCOUNT_FIELD_TEXTS.usernameMissing }).check(
  ...normalized,
  z.minLength(1, { error: ACCOUNT_FIELD_TEXTS.usernameMissing }),
  ...unambiguous,
  z.regex(/^[A-Za-z0-9._-]{3,32}$/, {
    error: ACCOUNT_FIELD_TEXTS.wrongUsername,
  }),
);

/** Characters. */
export const PASSWORD_LENGTH = { min: 8, max: 200 } as const;

/** The server also refuses common passwords and those like the username (`password-policy.ts`). */
export const newPassword = z.string({ error: CORE_TEXTS.passwordMissing }).check(
  z.minLength(1, { error: CORE_TEXTS.passwordMissing }),
  z.minLength(PASSWORD_LENGTH.min, { error: ACCOUNT_FIELD_TEXTS.passwordShort(PASSWORD_LENGTH.min) }),
  z.maxLength(PASSWORD_LENGTH.max, { error: ACCOUNT_FIELD_TEXTS.passwordLong(PASSWORD_LENGTH.max) }),
  z.refine((text) => new Set(text.toLowerCase()).size > 2, { error: ACCOUNT_FIELD_TEXTS.passwordUniform }),
);

/** In percent; also the default of the database column. */
export const DEFAULT_COMMISSION_CEILING = 20;

const note = requiredText(ACCOUNT_FIELD_TEXTS.noteMissing, NOTE_MAX);

const games = z
  .array(z.string(), { error: CORE_TEXTS.noGames })
  .check(z.maxLength(500, { error: CORE_TEXTS.tooManyGames(500) }));

/** In bytes: 500 game ids plus the other fields. */
const ACCOUNT_BODY_LIMIT: number = 32 * 1024;

export const dailyLimit = z.nullable(
  z.number({ error: ACCOUNT_FIELD_TEXTS.limitNumber }).check(
    z.refine((value) => hundredthsOf(value) !== null, {
      error: ACCOUNT_FIELD_TEXTS.limitDigits,
    }),
  ),
);

const tableLine = z.number({ error: ACCOUNT_FIELD_TEXTS.lineNumber }).check(
  z.refine((value) => value === 0 || hundredthsOf(value) !== null, {
    error: ACCOUNT_FIELD_TEXTS.lineDigits,
  }),
);

/**
 * `refId` defaults to a caller directly above. Some clients send `commissionAmount` instead of `commission`, which wins
 * if both are present ({@link commissionOf}).
 */
export function createBody(forRole: Role) {
  const all = z.object({
    username,
    password: newPassword,
    commission: z.optional(percent),
    commissionAmount: z.optional(percent),
    commissionCeiling: z.optional(percent),
    note: note,
    refId: z.optional(id),
    userStatus: z._default(z.boolean({ error: ACCOUNT_FIELD_TEXTS.wrongStatus }), true),
    role: z.optional(z.literal(forRole, { error: ACCOUNT_FIELD_TEXTS.wrongRole(forRole) })),
    games: z.optional(games),
  });
  // All roles share one type because they share the calls.
  const fields = forRole === 'admin' ? all : (z.omit(all, { commissionCeiling: true }) as typeof all);
  return fields.check(
    z.refine((body) => body.commission !== undefined || body.commissionAmount !== undefined, {
      error: ACCOUNT_FIELD_TEXTS.commissionMissing,
      path: ['commission'],
      // Runs even if other fields are invalid, so that one answer reports every wrong field.
      when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
    }),
  );
}

export function commissionOf(body: { commission?: number | undefined; commissionAmount?: number | undefined }): number {
  return body.commission ?? body.commissionAmount ?? 0;
}

export const updateBody = z.object({
  password: z.optional(newPassword),
  commission: z.optional(percent),
  commissionCeiling: z.optional(percent),
  note: z.optional(note),
  refId: z.optional(id),
  userStatus: z.optional(z.boolean({ error: ACCOUNT_FIELD_TEXTS.wrongStatus })),
  games: z.optional(games),
  dailyLimit: z.optional(dailyLimit),
  tableLine: z.optional(z.nullable(tableLine)),
  tokenSessions: z.optional(z.boolean({ error: CORE_TEXTS.trueOrFalse })),
  factorRoles: z.optional(
    z
      .array(z.enum(STAFF_ROLES, { error: CORE_TEXTS.oneOf('A role', STAFF_ROLES) }))
      .check(z.maxLength(5, { error: CORE_TEXTS.oneOf('A role', STAFF_ROLES) })),
  ),
  passwordFirst: z.optional(z.boolean({ error: CORE_TEXTS.trueOrFalse })),
  rememberDevices: z.optional(z.boolean({ error: CORE_TEXTS.trueOrFalse })),
  /** Only before the network's first bet. */
  testNetwork: z.optional(z.boolean({ error: CORE_TEXTS.trueOrFalse })),
});

/** A superadmin may issue credit. `commissionCeiling`, absent from the specification, is stricter. */
function sensitiveCreate(forRole: Role): Sensitive<'commissionCeiling'> {
  if (forRole === 'superadmin') return 'recent';
  return forRole === 'admin' ? { level: 'spec', fields: { commissionCeiling: 'elevation' } } : 'spec';
}

/** A new password lets its setter act as the account. The other fields are absent from the specification. */
const SENSITIVE_EDIT = {
  level: 'spec',
  fields: {
    password: 'recent',
    dailyLimit: 'elevation',
    commissionCeiling: 'elevation',
    tableLine: 'elevation',
    tokenSessions: 'elevation',
    factorRoles: 'elevation',
    passwordFirst: 'elevation',
    rememberDevices: 'elevation',
    testNetwork: 'elevation',
  },
} as const;

export const creditAnswer = z.object({
  ...done.shape,
  /** Null while the credit is on its way to a network in another cell. */
  receiverWallet: z.nullable(points),
  senderWallet: points,
  /** While a take-back is on its way, an id of the message only. */
  transferId: id,
  inTransit: z.optional(z.literal(true)),
  data: z.array(account),
});

export const oneAccount = z.object({ ...success, data: account });
const changed = z.object({ ...done.shape, data: account });

export const accountAction = z.enum(['activate', 'deactivate'], { error: CORE_TEXTS.wrongAction });

/** What a call is, whether its path names the parent or not. */
export const COMMON = {
  create: (forRole: Role) =>
    ({
      method: 'POST',
      permission: 'accounts',
      approval: ['commission'],
      sensitive: sensitiveCreate(forRole),
      body: createBody(forRole),
      bodyLimit: ACCOUNT_BODY_LIMIT,
      status: 201,
      response: changed,
      errors: ['USERNAME_TAKEN', 'NOT_FOUND', 'COMMISSION_LIMIT'],
    }) as const,
  get: { method: 'GET', permission: 'lists', response: oneAccount, errors: ['NOT_FOUND'] },
  update: {
    method: 'PUT',
    permission: 'accounts',
    approval: ['commission', 'lines', 'guards'],
    sensitive: SENSITIVE_EDIT,
    body: updateBody,
    bodyLimit: ACCOUNT_BODY_LIMIT,
    response: changed,
    errors: ['NOT_FOUND', 'COMMISSION_LIMIT'],
  },
  toggleStatus: {
    method: 'PATCH',
    permission: 'accounts',
    sensitive: 'spec',
    response: changed,
    errors: ['NOT_FOUND'],
  },
  remove: {
    method: 'DELETE',
    permission: 'accounts',
    approval: ['credit'],
    sensitive: 'spec',
    response: done,
    errors: ['NOT_FOUND', 'HAS_CHILDREN', 'HAS_OPEN_TICKETS', 'INSUFFICIENT_CREDIT'],
  },
  creditTransfer: {
    method: 'POST',
    permission: 'credit',
    approval: ['credit'],
    sensitive: 'asks',
    response: creditAnswer,
    errors: CREDIT_ERRORS,
  },
  creditAdjust: {
    method: 'POST',
    permission: 'adjustments',
    sensitive: 'asks',
    response: creditAnswer,
    errors: CREDIT_ERRORS,
  },
} as const;

function routesOf(forRole: Role) {
  const prefix: (typeof ROLE_PREFIX)[Role] = ROLE_PREFIX[forRole];
  const managers = STAFF_ROLES.slice(0, Math.max(1, ROLES.indexOf(forRole)));
  return {
    create: route({
      ...COMMON.create(forRole),
      path: `${prefix}/create`,
      summary: `Creates a ${forRole} under the parent named by refId.`,
      access: managers,
    }),
    get: route({
      ...COMMON.get,
      path: `${prefix}/:id`,
      summary: `One ${forRole} of the caller's subtree, or the caller itself.`,
      access: 'session',
      params: { id },
    }),
    toggleStatus: route({
      ...COMMON.toggleStatus,
      path: `${prefix}/toggle-status/:userId/:action`,
      summary: `Activates or deactivates a ${forRole}; deactivating ends the sessions of its whole subtree.`,
      access: managers,
      params: { userId: id, action: accountAction },
    }),
    update: route({
      ...COMMON.update,
      path: `${prefix}/:id`,
      summary: `Changes fields of a ${forRole}; a new password or a deactivation ends its sessions.`,
      access: managers,
      params: { id },
    }),
    remove: route({
      ...COMMON.remove,
      path: `${prefix}/:id`,
      summary: `Deletes a ${forRole} without children or undrawn tickets; its credit goes back to its parent.`,
      access: managers,
      params: { id },
    }),
    removeAs: route({
      ...COMMON.remove,
      path: `${prefix}/:id/:callerId`,
      summary: `Deletes a ${forRole}, for older clients; callerId is the caller.`,
      access: managers,
      params: { id, callerId: ownIdInPath },
      errors: ['IDENTITY_MISMATCH', ...COMMON.remove.errors],
    }),
    creditTransfer: route({
      ...COMMON.creditTransfer,
      path: `${prefix}/credit-transfer`,
      summary: `Moves credit from the caller to a ${forRole} below it.`,
      access: managers,
      body: z.object({ toUserId: id, ...transferFields }),
    }),
    creditAdjust: route({
      ...COMMON.creditAdjust,
      path: `${prefix}/credit-adjust`,
      summary: `Gives credit to a ${forRole} or takes it back; a superadmin adjusting itself issues or retires credit.`,
      access: managers,
      approval: ['issue', 'credit'],
      body: z.object({ toUserId: id, ...adjustFields }),
    }),
  };
}

export const accountRoutes = {
  superadmin: routesOf('superadmin'),
  admin: routesOf('admin'),
  superdistributor: routesOf('superdistributor'),
  distributor: routesOf('distributor'),
  retailer: routesOf('retailer'),
  user: routesOf('user'),
};
