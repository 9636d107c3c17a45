import * as z from 'zod/mini';
import { account, newPassword, username } from '../accounts/accounts.ts';
import {
  ownId,
  done,
  id,
  ownPassword,
  points,
  requiredText,
  role,
  STAFF_ROLES,
  success,
  time,
} from '../core/primitives.ts';
import { LOGIN_ROLES, PERMISSIONS } from '../core/permissions.ts';
import { normalized } from '../core/names.ts';
import { ELEVATION_HEADER, ELEVATION_MINUTES, route } from '../core/route.ts';
import { FACTOR_FIELD_TEXTS, PASSWORD_FIELD_TEXTS, PASSWORD_LEAST, SIGN_IN_TEXTS } from './auth-texts.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';

/** Without a call. Source: docs/spec/accounts-and-credit.md §9. */
export const SESSION_IDLE_MS: number = 30 * 60_000;

export const SESSION_MAX_MS: number = 12 * 60 * 60_000;

/** Code of an app, or a recovery code. Blanks and hyphens are ignored. */
export const factorCode = z
  .string({ error: FACTOR_FIELD_TEXTS.codeMissing })
  .check(
    z.minLength(1, { error: FACTOR_FIELD_TEXTS.codeMissing }),
    z.maxLength(40, { error: FACTOR_FIELD_TEXTS.wrongCodeForm }),
    z.regex(/^\s*([0-9]{3}\s?[0-9]{3}|([0-9a-zA-Z]{4}[\s-]?){6})\s*$/, { error: FACTOR_FIELD_TEXTS.wrongCodeForm }),
  );

/** Opaque to clients. */
export const sealedOr = (missing: string) =>
  z.string({ error: missing }).check(z.regex(/^[\w.-]{20,1000}$/, { error: missing }));

export const sealedText = sealedOr(FACTOR_FIELD_TEXTS.challengeMissing);

/** JSON of the browser's WebAuthn answer. */
export const passkeyAnswer = z
  .string({ error: FACTOR_FIELD_TEXTS.passkeyMissing })
  .check(z.minLength(20, { error: FACTOR_FIELD_TEXTS.passkeyMissing }), z.maxLength(12_000));

export const authUser = z.object({
  _id: id,
  username: z.string(),
  role,
  roles: role,
  walletBalance: points,
  userStatus: z.boolean(),
  uniqueId: z.string(),
  timeZone: z.string(),
  testNetwork: z.boolean(),
  /** Superadmin of a cell that takes house, games, times and schedules over from the first one. */
  followsFirstCell: z.optional(z.literal(true)),
  /** Absent for players and owners, who may do all that the account may. */
  login: z.optional(
    z.object({
      number: z.number(),
      name: z.string(),
      role: z.enum(LOGIN_ROLES),
      permissions: z.array(z.enum(PERMISSIONS)),
      games: z.array(id),
    }),
  ),
  /** If so, it confirms sensitive calls. */
  secondFactor: z.boolean(),
  /** Somebody else set the password: calls answer CHANGE_PASSWORD until it is changed. */
  mustChangePassword: z.boolean(),
  /** Calls answer ADD_FACTOR until a second factor is added. */
  mustAddFactor: z.boolean(),
});
export type AuthUser = z.infer<typeof authUser>;

export const login = route({
  method: 'POST',
  path: 'auth/login',
  summary:
    'Signs in. A wrong name and a wrong password give the same answer after the same time. With `elevation: true` it ' +
    'also returns an elevation, and the session cannot make sensitive calls by its token alone; without it, no ' +
    'elevation is returned. A login with a second factor answers SECOND_FACTOR and a `challenge` for `auth/factor`.',
  access: 'public',
  sensitive: false,
  body: z.object({
    // Normalized like stored names, but not checked against the other rules of usernames.
    username: requiredText(SIGN_IN_TEXTS.usernameMissing).check(...normalized),
    password: z
      .string({ error: SIGN_IN_TEXTS.passwordMissing })
      .check(
        z.minLength(1, { error: SIGN_IN_TEXTS.passwordMissing }),
        z.minLength(PASSWORD_LEAST, { error: SIGN_IN_TEXTS.passwordShort }),
        z.maxLength(200, { error: CORE_TEXTS.tooLong(200) }),
      ),
    rememberMe: z.optional(z.boolean()),
    /** The session never makes sensitive calls without an elevation. */
    elevation: z.optional(z.boolean({ error: CORE_TEXTS.trueOrFalse })),
  }),
  response: z.object({
    ...success,
    token: z.string(),
    expiresAt: time,
    user: authUser,
    roles: role,
    /** Present if requested. Keep it only in memory; send it in the `Elevation` header. */
    elevation: z.optional(z.string()),
    notice: z.optional(z.string()),
  }),
  errors: ['NOT_ALLOWED', 'WRONG_CREDENTIALS', 'SECOND_FACTOR', 'ACCOUNT_INACTIVE', 'EXCLUDED', 'OTHER_CELL'],
});

export const session = route({
  method: 'GET',
  path: 'auth/session',
  summary: 'The signed-in account, when its session ends, and whether its network is being restored.',
  access: 'session',
  permission: null,
  response: z.object({
    ...success,
    user: authUser,
    expiresAt: time,
    /** During a restore, the server refuses changes to the network's books. */
    restoring: z.boolean(),
    /** Only for staff who may read the list of requests. */
    waitingApprovals: z.optional(z.number()),
  }),
});

/** A GET that changes state, so it needs the token header. */
export const logout = route({
  method: 'GET',
  path: 'auth/logout',
  summary: 'Signs out.',
  access: 'session',
  permission: null,
  sensitive: false,
  changesState: true,
  response: done,
});

export const userAuth = route({
  method: 'GET',
  path: 'auth/userauth/:id',
  summary: 'The caller, or an account of its subtree.',
  access: 'session',
  permission: 'lists',
  params: { id },
  response: z.object({ ...success, data: z.object({ ...account.shape, roles: role }) }),
  errors: ['NOT_FOUND'],
});

/** The settings name the retailer. */
export const signup = route({
  method: 'POST',
  path: 'auth/signup',
  summary: 'Creates a player below the retailer named in the settings; refused if they name none.',
  access: 'public',
  sensitive: false,
  body: z.object({ username, password: newPassword }),
  status: 201,
  response: z.object({ ...success, data: z.object({ _id: id, username: z.string(), uniqueId: z.string() }) }),
  errors: ['NOT_ALLOWED', 'USERNAME_TAKEN', 'NETWORK_RESTORING'],
});

export const forcedLogout = route({
  method: 'GET',
  path: 'app/logout',
  summary: "Ends all sessions of a player of the caller's subtree.",
  access: STAFF_ROLES,
  permission: 'accounts',
  sensitive: false,
  changesState: true,
  query: z.object({ id, role: z.optional(z.string()) }),
  response: done,
  errors: ['NOT_FOUND', 'IDENTITY_MISMATCH'],
});

/** Misspelled in the specification. */
export const changePassword = route({
  method: 'POST',
  path: 'users/chnagepassword',
  summary: "Changes the caller's password and ends its other sessions.",
  access: 'session',
  permission: null,
  sensitive: 'asks',
  body: z.object({
    userId: ownId,
    opass: z
      .string({ error: PASSWORD_FIELD_TEXTS.oldMissing })
      .check(z.minLength(1, { error: PASSWORD_FIELD_TEXTS.oldMissing }), z.maxLength(200)),
    npass: z
      .string({ error: PASSWORD_FIELD_TEXTS.newMissing })
      .check(
        z.minLength(1, { error: PASSWORD_FIELD_TEXTS.newMissing }),
        z.maxLength(200, { error: CORE_TEXTS.tooLong(200) }),
      ),
    cpass: z
      .string({ error: PASSWORD_FIELD_TEXTS.confirmMissing })
      .check(z.minLength(1, { error: PASSWORD_FIELD_TEXTS.confirmMissing }), z.maxLength(200)),
  }),
  response: done,
  errors: ['IDENTITY_MISMATCH', 'WRONG_PASSWORD'],
});

/** All sessions of one browser. Without cookies, each sign-in counts as a new device. */
export const ownDevice = z.object({
  _id: z.string(),
  createdAt: time,
  lastUsedAt: time,
  ipAddress: z.string(),
  userAgent: z.string(),
  current: z.boolean(),
});
export type OwnDevice = z.infer<typeof ownDevice>;

export const listSessions = route({
  method: 'GET',
  path: 'auth/sessions',
  summary: 'Lists the devices on which the caller is signed in: the current one first, then by last use.',
  access: 'session',
  permission: null,
  response: z.object({ ...success, data: z.array(ownDevice) }),
});

export const endOtherSessions = route({
  method: 'DELETE',
  path: 'auth/sessions',
  summary: "Ends all of the caller's sessions but the current one.",
  access: 'session',
  permission: null,
  sensitive: 'elevation',
  response: done,
});

export const endOwnSession = route({
  method: 'DELETE',
  path: 'auth/sessions/:sessionId',
  summary: "Signs out a device: ends one of the caller's own sessions and all others of the same device.",
  access: 'session',
  permission: null,
  sensitive: 'elevation',
  params: { sessionId: z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: PASSWORD_FIELD_TEXTS.wrongSession })) },
  response: done,
  errors: ['NOT_FOUND'],
});

export const confirmPassword = route({
  method: 'POST',
  path: 'auth/confirm',
  summary:
    "Checks the caller's password, or its second-factor code, and returns an elevation, which sensitive calls " +
    'carry in the header ' +
    `${ELEVATION_HEADER}. It expires ${ELEVATION_MINUTES.idle} minutes after its last use, and after ` +
    `${ELEVATION_MINUTES.most} at most.`,
  access: 'session',
  permission: null,
  sensitive: false,
  body: z.object({
    password: z.optional(ownPassword),
    code: z.optional(factorCode),
    /** Needs the `challenge` of `auth/confirm/options`. */
    passkey: z.optional(passkeyAnswer),
    challenge: z.optional(sealedText),
  }),
  response: z.object({ ...done.shape, elevation: z.string() }),
  errors: ['WRONG_PASSWORD', 'WRONG_FACTOR', 'CONFIRM_FACTOR', 'CHALLENGE_ENDED'],
});
