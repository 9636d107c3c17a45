import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import {
  amount,
  hundredthsOf,
  id,
  listQuery,
  percent,
  points,
  requiredText,
  role,
  ROLES,
  STAFF_ROLES,
  success,
  time,
  timeZone,
} from './primitives.ts';
import type { Role } from './primitives.ts';
import { route } from './route.ts';

/** The path prefix of each level's calls. One feature with a role parameter: every route below exists once per prefix. */
export const ROLE_PREFIX = {
  superadmin: 'superadmins',
  admin: 'admins',
  superdistributor: 'superdistributors',
  distributor: 'distributors',
  retailer: 'retailers',
  user: 'users',
} as const satisfies Record<Role, string>;

/** An account as others see it. Never a password or its hash. Money in points, `commission` in percent. */
export const account = z.object({
  _id: id,
  username: z.string(),
  role,
  uniqueId: z.string(),
  refId: z.nullable(z.object({ _id: id, username: z.string() })),
  commission: z.number(),
  note: z.string(),
  userStatus: z.boolean(),
  walletBalance: points,
  wallet: z.array(z.object({ individualCredit: points })),
  commissionPoint: points,
  /** How much the account may pass on a day; null: as much as it has. */
  dailyLimit: z.nullable(points),
  createdAt: time,
  lastLogin: z.nullable(time),
  isLoggedIn: z.boolean(),
  games: z.optional(z.array(z.object({ _id: id, gameId: z.string(), gameName: z.string() }))),
});
/** An account as others see it. */
export type Account = z.infer<typeof account>;

/** The rule of usernames: 3 to 32 letters, digits, dots, underscores and hyphens; unique whatever the case. */
export const username = z
  .string({ error: 'Username is required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Username is required' }),
    z.regex(/^[A-Za-z0-9._-]{3,32}$/, { error: 'Use 3 to 32 letters, digits, dots, underscores or hyphens' }),
  );

/** Shortest new passwords: staff 8, players 6 characters; the longest is 200. */
export const PASSWORD_MIN = { staff: 8, player: 6, max: 200 } as const;

/** The rule of new passwords for a role. */
export function newPassword(forRole: Role) {
  const min = forRole === 'user' ? PASSWORD_MIN.player : PASSWORD_MIN.staff;
  return z
    .string({ error: 'Password is required' })
    .check(
      z.minLength(1, { error: 'Password is required' }),
      z.minLength(min, { error: `Use at least ${min} characters` }),
      z.maxLength(PASSWORD_MIN.max, { error: `Use at most ${PASSWORD_MIN.max} characters` }),
    );
}

const note = z
  .string({ error: 'Note is a text' })
  .check(z.trim(), z.maxLength(500, { error: 'Use at most 500 characters' }));

const games = z
  .array(z.string(), { error: 'Games is a list of game ids' })
  .check(z.maxLength(500, { error: 'At most 500 games' }));

const dailyLimit = z.number({ error: 'Write a limit as a number, such as 500' }).check(
  z.refine((value) => hundredthsOf(value) !== null, {
    error: 'Write a limit as plain digits with at most 2 decimals, or leave it empty for none',
  }),
);

/** The older clients' fields that name the caller. Accepted for compatibility; a mismatch with the session is refused. */
const callerQuery = { id: z.optional(id), role: z.optional(z.string()) };

/** The body of a create: the form's fields. `refId` defaults to the caller when the caller is the level directly above. */
export function createBody(forRole: Role) {
  return z.object({
    username,
    password: newPassword(forRole),
    commission: z._default(percent, 0),
    note: z._default(note, 'add notes'),
    refId: z.optional(id),
    userStatus: z._default(z.boolean({ error: 'Status is true (active) or false' }), true),
    role: z.optional(z.literal(forRole, { error: `The role here is ${forRole}` })),
    games: z.optional(games),
  });
}

/** The body of an edit: only the fields that changed. The username can't change. */
export function updateBody(forRole: Role) {
  return z.object({
    password: z.optional(newPassword(forRole)),
    commission: z.optional(percent),
    note: z.optional(note),
    refId: z.optional(id),
    userStatus: z.optional(z.boolean({ error: 'Status is true (active) or false' })),
    games: z.optional(games),
    dailyLimit: z.optional(z.nullable(dailyLimit)),
  });
}

/** The fields of a credit transfer beside its target. `userId` and `authUser` are the older clients' names for the caller. */
export const transferFields = {
  transferAmount: amount,
  password: requiredText('Password is required', 200),
  userId: z.optional(id),
  authUser: z.optional(z.unknown()),
  note: z.optional(note),
};

/** The fields of a credit adjustment beside its target: at least 1 point, `credit` gives and `debit` takes back. */
export const adjustFields = {
  adjustAmount: amount.check(z.gte(1, { error: 'Amount must be greater than 0' })),
  transactionType: z._default(z.enum(['credit', 'debit'], { error: 'Transaction type is credit or debit' }), 'credit'),
  password: requiredText('Password is required', 200),
  userId: z.optional(id),
  authUser: z.optional(z.unknown()),
  note: z.optional(note),
};

/** What may go wrong when credit is moved. */
export const CREDIT_ERRORS: readonly ErrorCode[] = [
  'NOT_FOUND',
  'WRONG_PASSWORD',
  'INSUFFICIENT_CREDIT',
  'DAILY_LIMIT',
  'TARGET_INACTIVE',
  'IDEMPOTENCY_CONFLICT',
  'THROTTLED',
];

/** What a credit call answers: both balances as they now are, and the receiver. */
export const creditAnswer = z.object({
  ...success,
  receiverWallet: points,
  senderWallet: points,
  transferId: id,
  data: z.array(account),
});

const one = z.object({ ...success, data: account });

/** The media type of an Excel file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function routesOf(forRole: Role) {
  const prefix: (typeof ROLE_PREFIX)[Role] = ROLE_PREFIX[forRole];
  const managers = STAFF_ROLES.slice(0, Math.max(1, ROLES.indexOf(forRole)));
  return {
    create: route({
      method: 'POST',
      path: `${prefix}/create`,
      summary: `Creates a ${forRole} under the parent named by refId.`,
      access: managers,
      body: createBody(forRole),
      status: 201,
      response: one,
      errors: ['USERNAME_TAKEN', 'NOT_FOUND', 'COMMISSION_LIMIT'],
    }),
    all: route({
      method: 'GET',
      path: `${prefix}/all`,
      summary: `Lists the ${forRole}s in the caller's subtree; parentId keeps the direct children of one account.`,
      access: STAFF_ROLES,
      query: z.object({ ...listQuery, ...callerQuery, parentId: z.optional(id) }),
      response: z.object({ ...success, data: z.array(account), total: z.number() }),
    }),
    get: route({
      method: 'GET',
      path: `${prefix}/:id`,
      summary: `One ${forRole} of the caller's subtree, or the caller itself.`,
      access: 'session',
      params: { id },
      response: one,
      errors: ['NOT_FOUND'],
    }),
    toggleStatus: route({
      method: 'PATCH',
      path: `${prefix}/toggle-status/:userId/:action`,
      summary: `Activates or deactivates a ${forRole}; deactivating ends the sessions of its whole subtree.`,
      access: managers,
      params: {
        userId: id,
        action: z.enum(['activate', 'deactivate'], { error: 'The action is activate or deactivate' }),
      },
      response: one,
      errors: ['NOT_FOUND'],
    }),
    update: route({
      method: 'PUT',
      path: `${prefix}/:id`,
      summary: `Changes fields of a ${forRole}; a new password or a deactivation ends its sessions.`,
      access: managers,
      params: { id },
      body: updateBody(forRole),
      response: one,
      errors: ['NOT_FOUND', 'COMMISSION_LIMIT', 'RULE_REFUSED'],
    }),
    remove: route({
      method: 'DELETE',
      path: `${prefix}/:id`,
      summary: `Deletes a ${forRole} without children and undrawn tickets; its credit goes back to its parent.`,
      access: managers,
      params: { id },
      response: z.object({ ...success }),
      errors: ['NOT_FOUND', 'HAS_CHILDREN', 'HAS_OPEN_TICKETS', 'INSUFFICIENT_CREDIT'],
    }),
    removeAs: route({
      method: 'DELETE',
      path: `${prefix}/:id/:callerId`,
      summary: `Deletes a ${forRole}, as the older clients ask for it; callerId is the caller.`,
      access: managers,
      params: { id, callerId: id },
      response: z.object({ ...success }),
      errors: ['NOT_FOUND', 'IDENTITY_MISMATCH', 'HAS_CHILDREN', 'HAS_OPEN_TICKETS', 'INSUFFICIENT_CREDIT'],
    }),
    exportList: route({
      method: 'GET',
      path: `${prefix}/export`,
      summary: `Every ${forRole} that matches the search as an Excel file.`,
      access: STAFF_ROLES,
      query: z.object({
        search: listQuery.search,
        sort: listQuery.sort,
        parentId: z.optional(id),
        /** Of the times in the file; the server's where it is left out. */
        timeZone: z.optional(timeZone),
      }),
      file: XLSX_TYPE,
      response: z.unknown(),
    }),
    creditTransfer: route({
      method: 'POST',
      path: `${prefix}/credit-transfer`,
      summary: `Moves credit from the caller to a ${forRole} below it.`,
      access: managers,
      body: z.object({ toUserId: id, ...transferFields }),
      response: creditAnswer,
      errors: CREDIT_ERRORS,
    }),
    creditAdjust: route({
      method: 'POST',
      path: `${prefix}/credit-adjust`,
      summary: `Gives credit to a ${forRole} or takes it back; a superadmin adjusting itself issues or retires credit.`,
      access: managers,
      body: z.object({ toUserId: id, ...adjustFields }),
      response: creditAnswer,
      errors: CREDIT_ERRORS,
    }),
  };
}

/** The order of a list of accounts that was not asked for another: the newest first. */
export const ACCOUNT_ORDER = '-createdAt';

/** The calls of every level, by role. */
export const accountRoutes = {
  superadmin: routesOf('superadmin'),
  admin: routesOf('admin'),
  superdistributor: routesOf('superdistributor'),
  distributor: routesOf('distributor'),
  retailer: routesOf('retailer'),
  user: routesOf('user'),
};

/** `GET counts/usercount`: how many accounts of each level the caller's subtree holds. `count` is the players. */
export const userCount = route({
  method: 'GET',
  path: 'counts/usercount',
  summary: "How many accounts of each level are in the caller's subtree.",
  access: STAFF_ROLES,
  query: z.object({ ...callerQuery, currentrole: z.optional(z.string()) }),
  response: z.object({
    ...success,
    count: z.number(),
    countAdmins: z.number(),
    countSuperDistributors: z.number(),
    countDistributors: z.number(),
    countRetailers: z.number(),
  }),
});
