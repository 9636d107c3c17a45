import {
  changePassword as changePasswordRoute,
  endOwnSession,
  forcedLogout,
  listSessions,
  login,
  logout,
  session,
  signup,
  userAuth,
} from '@drawhouse/contract/auth/auth';
import { confirmPassword } from '@drawhouse/contract/auth/confirm';
import { findAccount } from '../accounts/accounts.sql.ts';
import { lockTarget } from '../accounts/lock-target.ts';
import { requireRoleOf } from '../accounts/own-claims.ts';
import { signUp } from '../accounts/sign-up.ts';
import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/changes.ts';
import { runKeptCommand } from '../activity/run-command.ts';
import type { Services } from '../services.ts';
import { addressKey } from '../http/address.ts';
import { CallError } from '../http/http-errors.ts';
import { handle } from '../http/handler.ts';
import { areBooksClosed } from '../network-work/closed-books.ts';
import type { BoundRoute } from '../http/handler.ts';
import { changePassword } from './change-password.ts';
import { elevate } from './confirm-password.ts';
import { hashForSignUp } from './hash-for-sign-up.ts';
import { DEVICE_KEPT_MS } from './known-devices.ts';
import { createReturning } from './returning.ts';
import { endOwnSessions, endSession, endSessionsBelow, findSession, sessionsOf } from './sessions.ts';
import { authUserOf, signIn } from './sign-in.ts';

const SESSION_ENDED = changeOf('Session', 'Open', 'Ended');

/** The routes of signing in and out. */
export function authRoutes(services: Services, signupRetailer: string | undefined): BoundRoute<Actor>[] {
  const { db, clock } = services;
  return [
    loginRoute(services),
    handle(session, async (_input, { actor, token }) => {
      const { expiresAt } = await findSession(services, token!);
      const user = await authUserOf(db, actor.id, services.timeZone);
      return { user, expiresAt: expiresAt.toISOString(), restoring: await areBooksClosed(db, actor.networkId) };
    }),
    handle(confirmPassword, async ({ body }, call) => {
      const elevation = await elevate(services, call, body.password);
      return { message: 'Your password is confirmed.', elevation };
    }),
    handle(logout, async (_input, call) => {
      await runKeptCommand(services, call, async (tx) => {
        await endSession(services, tx, call.token!);
        return { result: undefined, subject: 'Signed out', changes: SESSION_ENDED };
      });
      call.setSessionCookie(null);
      return { message: 'You are signed out.' };
    }),
    handle(userAuth, async ({ params }, { actor }) => {
      const data = await findAccount(db, actor, clock.now(), { id: params.id });
      if (!data) throw new CallError('NOT_FOUND');
      return { data: { ...data, roles: data.role } };
    }),
    handle(signup, async ({ body }, { origin }) => {
      const { username, password } = body;
      const passwordHash = () => hashForSignUp(services, { username, password }, origin);
      const data = await signUp(services, signupRetailer, { username, passwordHash }, origin);
      return { message: 'Your account is ready. Please sign in.', data };
    }),
    handle(changePasswordRoute, async ({ body }, call) => {
      await changePassword(services, call, body);
      return { message: '✅ Password changed successfully!' };
    }),
    handle(forcedLogout, async ({ query }, call) => {
      requireRoleOf(call.actor, 'user', query.role);
      return runKeptCommand(services, call, async (tx) => {
        const { id, username } = await lockTarget(tx, call.actor, { id: query.id, role: 'user' });
        await endSessionsBelow(services, tx, id, 'itself');
        return {
          result: { message: `${username} has been signed out.` },
          subject: `Signed user ${username} out`,
          changes: changeOf('Sessions', null, 'Ended', username),
        };
      });
    }),
    handle(listSessions, async (_input, { actor, token }) => ({ data: await sessionsOf(services, actor.id, token!) })),
    handle(endOwnSession, async ({ params }, call) =>
      runKeptCommand(services, call, async (tx) => {
        if ((await endOwnSessions(services, tx, call.actor.id, { only: params.sessionId })) === 0)
          throw new CallError('NOT_FOUND');
        return {
          result: { message: 'That session is signed out.' },
          subject: 'Signed out one of their own sessions',
          changes: SESSION_ENDED,
        };
      }),
    ),
  ];
}

function loginRoute(services: Services): BoundRoute<Actor> {
  const returning = createReturning(services);
  return handle(
    login,
    async ({ body }, { origin, header, device: shown, setSessionCookie, setDeviceCookie }) => {
      // Browsers name the origin of each POST; programs do not.
      const browser = { device: shown, isBrowser: shown !== undefined || header('origin') !== undefined };
      const { token, expiresAt, user, notice, elevation, device } = await signIn(services, body, origin, browser);
      returning.note(user.username, addressKey(origin.ip));
      setSessionCookie(token);
      if (device !== undefined) setDeviceCookie(device, DEVICE_KEPT_MS);
      return {
        message: 'Login successful!',
        token,
        expiresAt: expiresAt.toISOString(),
        user,
        roles: user.role,
        ...(elevation !== undefined && { elevation }),
        ...(notice !== undefined && { notice }),
      };
    },
    { expects: returning.expects, take: ({ body }, address) => returning.take(body.username, address) },
  );
}
