import * as z from 'zod/mini';
import { account } from './accounts.ts';
import { id, points, requiredText, role, success, time } from './primitives.ts';
import { route } from './route.ts';

/** The signed-in account as the client keeps it. */
export const authUser = z.object({
  _id: id,
  username: z.string(),
  role,
  roles: role,
  walletBalance: points,
  userStatus: z.boolean(),
  uniqueId: z.string(),
});
/** The signed-in account as the client keeps it. */
export type AuthUser = z.infer<typeof authUser>;

/** `POST auth/login`. */
export const login = route({
  method: 'POST',
  path: 'auth/login',
  summary: 'Signs in. Wrong name and wrong password read alike and take alike long.',
  access: 'public',
  body: z.object({
    username: requiredText('Username is required'),
    password: z
      .string({ error: 'Password is required' })
      .check(
        z.minLength(1, { error: 'Password is required' }),
        z.minLength(3, { error: 'Password must be at least 6 characters' }),
        z.maxLength(200, { error: 'Use at most 200 characters' }),
      ),
    rememberMe: z.optional(z.boolean()),
  }),
  response: z.object({ ...success, token: z.string(), expiresAt: time, user: authUser, roles: role }),
  errors: ['WRONG_CREDENTIALS', 'ACCOUNT_INACTIVE', 'THROTTLED'],
});

/** `GET auth/session`: who is signed in, and until when. */
export const session = route({
  method: 'GET',
  path: 'auth/session',
  summary: 'The signed-in account and when its session ends.',
  access: 'session',
  response: z.object({ ...success, user: authUser, expiresAt: time }),
});

/** `GET auth/logout`: ends the session. It changes state, so it needs the header. */
export const logout = route({
  method: 'GET',
  path: 'auth/logout',
  summary: 'Signs out.',
  access: 'session',
  changesState: true,
  response: z.object({ ...success }),
});

/** `GET auth/userauth/:id`: the caller or an account below it. */
export const userAuth = route({
  method: 'GET',
  path: 'auth/userauth/:id',
  summary: 'The caller, or an account of its subtree.',
  access: 'session',
  params: { id },
  response: z.object({ ...success, data: account }),
  errors: ['NOT_FOUND'],
});
