import { login, logout, session, userAuth } from '@drawhouse/contract/auth';
import { findAccount } from '../accounts/accounts.sql.ts';
import type { Actor } from '../accounts/authority.ts';
import { runCommand } from '../activity/run-command.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { endSession, findSession } from './sessions.ts';
import { authUserOf, signIn } from './sign-in.ts';

/** The routes of signing in and out. */
export function authRoutes(services: Services): BoundRoute<Actor>[] {
  const { db, clock } = services;
  return [
    handle(login, async ({ body }, { origin, setSessionCookie }) => {
      const { token, expiresAt, user } = await signIn(services, body, origin);
      setSessionCookie(token);
      return { message: 'Login successful!', token, expiresAt: expiresAt.toISOString(), user, roles: user.role };
    }),
    handle(session, async (_input, { actor, token }) => {
      const { expiresAt } = await findSession(services, token!);
      return { user: await authUserOf(db, actor.id), expiresAt: expiresAt.toISOString() };
    }),
    handle(logout, async (_input, call) => {
      await runCommand(services, call, async (tx) => {
        await endSession(services, tx, call.token!);
        return { result: undefined, subject: 'Signed out' };
      });
      call.setSessionCookie(null);
      return {};
    }),
    handle(userAuth, async ({ params }, { actor }) => {
      const data = await findAccount(db, actor.id, clock.now(), { id: params.id });
      if (!data) throw new CallError('NOT_FOUND');
      return { data };
    }),
  ];
}
