import * as z from 'zod/mini';
import { dailyLimit, newPassword, username } from '../accounts/accounts.ts';
import { ownDevice } from '../auth/auth.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { requiredName } from '../core/names.ts';
import { LOGIN_ROLES, PERMISSIONS } from '../core/permissions.ts';
import { done, id, points, requiredText, STAFF_ROLES, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { LOGIN_FIELD_TEXTS } from './login-texts.ts';

/** Limits without removed logins. */
export const LOGIN_LIMITS = { logins: 100, addresses: 20 } as const;

/** The owner login is the account itself. */
export const GIVEN_ROLES = LOGIN_ROLES.slice(1) as Exclude<(typeof LOGIN_ROLES)[number], 'owner'>[];

const clockTime = z
  .string({ error: LOGIN_FIELD_TEXTS.wrongClock })
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: LOGIN_FIELD_TEXTS.wrongClock }));

const places = {
  addresses: z.optional(
    z
      .array(requiredText(CORE_TEXTS.wrongAddress, 50), { error: LOGIN_FIELD_TEXTS.noAddresses })
      .check(
        z.maxLength(LOGIN_LIMITS.addresses, { error: LOGIN_FIELD_TEXTS.tooManyAddresses(LOGIN_LIMITS.addresses) }),
      ),
  ),
  /** Hours of work. An end before the start is on the next day. */
  hours: z.optional(z.nullable(z.object({ from: clockTime, to: clockTime }, { error: LOGIN_FIELD_TEXTS.bothHours }))),
};

/** Empty or missing lists restrict nothing. */
const terms = {
  name: requiredName(LOGIN_FIELD_TEXTS.nameMissing, 64),
  role: z.enum(GIVEN_ROLES, { error: CORE_TEXTS.oneOf('The role', GIVEN_ROLES) }),
  /** Adds to those of the role: `results` of a table, `exports` of reports, everything of a custom login. */
  permissions: z.optional(
    z.array(z.enum(PERMISSIONS), { error: LOGIN_FIELD_TEXTS.wrongPermissions }).check(z.maxLength(50)),
  ),
  games: z.optional(z.array(id, { error: LOGIN_FIELD_TEXTS.wrongGames }).check(z.maxLength(500))),
  dailyLimit: z.optional(dailyLimit),
  ...places,
};
const termsObject = z.object(terms);
export type LoginTerms = z.infer<typeof termsObject>;

export const login = z.object({
  number: z.number(),
  username: z.string(),
  name: z.string(),
  role: z.enum(LOGIN_ROLES),
  permissions: z.array(z.enum(PERMISSIONS)),
  games: z.array(id),
  dailyLimit: z.nullable(points),
  addresses: z.array(z.string()),
  hours: z.nullable(z.object({ from: z.string(), to: z.string() })),
  active: z.boolean(),
  createdAt: time,
  lastLogin: z.nullable(time),
  devices: z.number(),
});
export type Login = z.infer<typeof login>;

const owner = { access: STAFF_ROLES, permission: 'logins' } as const;
/** 1 to 32,767. */
const number = z.string().check(z.regex(/^[1-9]\d{0,4}$/, { error: CORE_TEXTS.wholeNumber(1, 32_767) }));
const params = { number };
const changed = z.object({ ...done.shape, data: login });

export const listLogins = route({
  ...owner,
  method: 'GET',
  path: 'logins',
  summary: "Lists the logins of the caller's account by number, without removed ones.",
  response: z.object({ ...success, data: z.array(login) }),
});

export const addLogin = route({
  ...owner,
  method: 'POST',
  path: 'logins',
  summary: "Adds a login to the caller's account: one person's name, password and role.",
  approval: ['guards'],
  sensitive: 'elevation',
  body: z.object({ username, password: newPassword, ...terms }),
  status: 201,
  response: changed,
  errors: ['USERNAME_TAKEN'],
});

export const changeLogin = route({
  ...owner,
  method: 'PUT',
  path: 'logins/:number',
  summary: "Changes a login of the caller's account. A new password or a deactivation ends its sessions.",
  approval: ['guards'],
  sensitive: 'elevation',
  params,
  body: z.object({
    ...terms,
    password: z.optional(newPassword),
    active: z.boolean({ error: CORE_TEXTS.trueOrFalse }),
  }),
  response: changed,
  errors: ['NOT_FOUND'],
});

export const removeLogin = route({
  ...owner,
  method: 'DELETE',
  path: 'logins/:number',
  summary: "Removes a login of the caller's account for good and ends its sessions. Its username stays taken.",
  sensitive: 'elevation',
  params,
  response: done,
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});

export const loginSessions = route({
  ...owner,
  method: 'GET',
  path: 'logins/:number/sessions',
  summary: "Lists the devices on which a login of the caller's account is signed in, by last use.",
  params,
  response: z.object({ ...success, data: z.array(ownDevice) }),
  errors: ['NOT_FOUND'],
});

export const endLoginSessions = route({
  ...owner,
  method: 'DELETE',
  path: 'logins/:number/sessions',
  summary: "Signs out a login of the caller's account on all its devices, or on that of one session.",
  sensitive: false,
  params,
  query: z.object({ sessionId: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))) }),
  response: done,
  errors: ['NOT_FOUND'],
});

const placesOfStaff = z.object({
  addresses: z.array(z.string()),
  hours: z.nullable(z.object({ from: z.string(), to: z.string() })),
});
export type PlacesOfStaff = z.infer<typeof placesOfStaff>;

const ofNetwork = { access: ['superadmin', 'admin'], permission: 'settings', params: { adminId: id } } as const;

export const staffPlaces = route({
  ...ofNetwork,
  method: 'GET',
  path: 'staffplaces/:adminId',
  summary: 'From where and when the staff of a network may sign in and work.',
  response: z.object({ ...success, data: placesOfStaff }),
  errors: ['NOT_FOUND'],
});

export const setStaffPlaces = route({
  ...ofNetwork,
  method: 'PUT',
  path: 'staffplaces/:adminId',
  summary:
    'Sets from where and when the staff of a network may sign in and work, its admin and owner logins included. Refused if ' +
    'the caller itself would be shut out. A wider setting may need an approval.',
  approval: ['guards'],
  sensitive: 'elevation',
  body: z.object(places),
  response: z.object({ ...done.shape, data: placesOfStaff }),
  errors: ['NOT_FOUND'],
});
