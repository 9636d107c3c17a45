import {
  addLogin as addLoginRoute,
  changeLogin as changeLoginRoute,
  endLoginSessions,
  listLogins,
  loginSessions,
  removeLogin as removeLoginRoute,
  setStaffPlaces,
  staffPlaces,
} from '@drawhouse/contract/logins/logins';
import {
  acceptInvitation as acceptInvitationRoute,
  inviteAccount as inviteAccountRoute,
  inviteLogin as inviteLoginRoute,
  readInvitation,
} from '@drawhouse/contract/auth/invitations';
import type { Actor } from '../../accounts/authority.ts';
import { handle, type BoundRoute, type Origin } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { AUTH_TEXTS } from '../auth-texts.ts';
import type { FactorVault } from '../factors/factor-vault.ts';
import { acceptInvitation, findInvited, inviteAccount, inviteLogin } from '../passwords/invitations.ts';
import { sessionsOf } from '../sessions/sessions.ts';
import { addLogin, changeLogin, removeLogin, signOutLogin } from './change-login.ts';
import { findLoginName, loginsOf } from './logins.sql.ts';
import { readPlaces, setPlaces } from './staff-places.ts';
import { LOGIN_TEXTS } from './logins-texts.ts';

export function loginRoutes(services: Services, vault: FactorVault): BoundRoute<Actor>[] {
  const { db, clock } = services;
  return [
    handle(listLogins, async (_input, { actor }: { actor: Actor }) => ({
      data: await loginsOf(db, actor, clock.now()),
    })),
    handle(addLoginRoute, ({ body }, call) => addLogin(services, call, body)),
    handle(changeLoginRoute, ({ params, body }, call) => changeLogin(services, call, Number(params.number), body)),
    handle(inviteLoginRoute, async ({ params }, call) => ({
      message: AUTH_TEXTS.invited,
      ...(await inviteLogin(services, vault, call, Number(params.number))),
    })),
    handle(inviteAccountRoute, async ({ params }, call) => ({
      message: AUTH_TEXTS.invited,
      ...(await inviteAccount(services, vault, call, params.accountId)),
    })),
    handle(readInvitation, async ({ body }) => {
      const { signsInAs: username, name, until } = await findInvited(services, vault, body.invitation);
      return { username, name, expiresAt: until.toISOString() };
    }),
    handle(acceptInvitationRoute, async ({ body }, { origin }: { origin: Origin }) => ({
      username: await acceptInvitation(services, vault, body, origin),
      message: AUTH_TEXTS.invitationAccepted,
    })),
    handle(removeLoginRoute, ({ params }, call) => removeLogin(services, call, Number(params.number))),
    handle(loginSessions, async ({ params }, { actor, token }) => {
      const login = Number(params.number);
      if ((await findLoginName(db, actor, login)) === undefined)
        throw new CallError('NOT_FOUND', { message: LOGIN_TEXTS.notFound });
      return { data: await sessionsOf(services, { id: actor.id, login }, token!) };
    }),
    handle(staffPlaces, ({ params }, { actor }: { actor: Actor }) => readPlaces(db, actor, params.adminId)),
    handle(setStaffPlaces, ({ params, body }, call) => setPlaces(services, call, params.adminId, body)),
    handle(endLoginSessions, ({ params, query }, call) =>
      signOutLogin(services, call, Number(params.number), query.sessionId),
    ),
  ];
}
