import {
  changePassword as changePasswordRoute,
  confirmPassword,
  endOtherSessions,
  endOwnSession,
  forcedLogout,
  listSessions,
  login,
  logout,
  session,
  signup,
  userAuth,
} from '@drawhouse/contract/auth/auth';
import {
  finishSignIn as finishSignInRoute,
  signInFactors as signInFactorsRoute,
} from '@drawhouse/contract/auth/factors';
import { findAccount } from '../accounts/accounts.sql.ts';
import { lockTarget } from '../accounts/change/lock-target.ts';
import { requireRoleOf } from '../accounts/read/caller-identity-fields.ts';
import { signUp } from '../accounts/change/sign-up.ts';
import type { Actor } from '../accounts/authority.ts';
import { noticeTo } from '../activity/own-notices.ts';
import { changeOf } from '../activity/append-activity.ts';
import { runCommandDuringRestore } from '../activity/run-command.ts';
import type { Services } from '../platform/services.ts';
import { addressKey } from '../platform/http/request/address.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { handle, type BoundRoute, type Origin, type Call } from '../platform/http/handler.ts';
import { areBooksClosed } from '../activity/network-work/closed-books.ts';
import { elevate, requirePassword, wrongPassword } from './passwords/confirm-password.ts';
import { DEVICE_LIFETIME_MS, rememberedSince } from './attempts/sign-in-history.ts';
import {
  announceMoved,
  endOwnSessions,
  endSession,
  endSessionsBelow,
  resolveSession,
  sessionsOf,
  sessionIdOf,
} from './sessions/sessions.ts';
import { authUserOf } from './auth-user.ts';
import { finishSignIn, signIn, signInFactors, type SignedIn } from './sign-in.ts';
import { ownSite } from './factors/passkeys.ts';
import { factorsRoutes } from './factors/factors.routes.ts';
import type { FactorVault } from './factors/factor-vault.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { giveBack, reserve, type Count } from './attempts/attempts.ts';
import { requireGoodPassword, hashNewPassword } from './passwords/password-policy.ts';
import { hashPassword, inTurn } from './passwords/password.ts';
import { loginRoutes } from './logins/logins.routes.ts';
import { replaceOwnPassword } from './logins/own-password.ts';
import { loginOf, personKey } from './logins/person.ts';
import { endElevations } from './passwords/elevations.ts';
import { createRateLimit } from '../platform/http/limits/http-limits.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { AUTH_SUBJECTS, AUTH_TEXTS } from './auth-texts.ts';

const SESSION_ENDED = changeOf('Session', 'Open', 'Ended');
const otherSessionsEnded = (count: number) => (count === 0 ? [] : changeOf('Other sessions', String(count), '0'));

function personRoutes(services: Services, vault: FactorVault, houseName: () => Promise<string>): BoundRoute<Actor>[] {
  return [
    ...loginRoutes(services, vault),
    ...signInRoutes(services, vault),
    ...factorsRoutes(services, vault, houseName),
  ];
}

export function authRoutes(
  services: Services,
  vault: FactorVault,
  {
    signupRetailer,
    houseName,
  }: { readonly signupRetailer: string | undefined; readonly houseName: () => Promise<string> },
): BoundRoute<Actor>[] {
  const { db, clock } = services;
  return [
    ...personRoutes(services, vault, houseName),
    handle(session, async (_input, { actor, token }) => {
      const { expiresAt } = await resolveSession(services, token!);
      const user = await authUserOf(services, db, actor);
      return { user, expiresAt: expiresAt.toISOString(), restoring: await areBooksClosed(db, actor.networkId) };
    }),
    handle(confirmPassword, async ({ body }, call) => {
      const elevation = await elevate(services, vault, call, body);
      return { message: AUTH_TEXTS.confirmed, elevation };
    }),
    handle(logout, async (_input, call) => {
      await runCommandDuringRestore(services, call, async (tx) => {
        await endSession(services, tx, call.token!);
        return { result: undefined, subject: AUTH_SUBJECTS.signedOut, changes: SESSION_ENDED };
      });
      call.setSessionCookie(null);
      return { message: AUTH_TEXTS.signedOut };
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
      return { message: AUTH_TEXTS.signedUp, data };
    }),
    handle(changePasswordRoute, async ({ body }, call) => {
      await changePassword(services, call, body);
      return { message: AUTH_TEXTS.passwordChanged };
    }),
    handle(forcedLogout, async ({ query }, call) => {
      requireRoleOf(call.actor, 'user', query.role);
      return runCommandDuringRestore(services, call, async (tx) => {
        const { id, username } = await lockTarget(tx, call.actor, { id: query.id, role: 'user' });
        await endSessionsBelow(services, tx, id, 'itself');
        return {
          result: { message: AUTH_TEXTS.playerSignedOut(username) },
          subject: AUTH_SUBJECTS.playerSignedOut(username),
          changes: changeOf('Sessions', null, 'Ended', username),
        };
      });
    }),
    handle(endOtherSessions, async (_input, call) =>
      runCommandDuringRestore(services, call, async (tx) => {
        const ended = await endOwnSessions(services, tx, call.actor, { allBut: sessionIdOf(call.token!) });
        return {
          result: { message: AUTH_TEXTS.othersEnded },
          subject: ended === 0 ? null : AUTH_SUBJECTS.othersEnded,
          changes: otherSessionsEnded(ended),
        };
      }),
    ),
    handle(listSessions, async (_input, { actor, token }) => ({ data: await sessionsOf(services, actor, token!) })),
    handle(endOwnSession, async ({ params }, call) =>
      runCommandDuringRestore(services, call, async (tx) => {
        if ((await endOwnSessions(services, tx, call.actor, { deviceOf: params.sessionId })) === 0)
          throw new CallError('NOT_FOUND');
        return {
          result: { message: AUTH_TEXTS.sessionEnded },
          subject: AUTH_SUBJECTS.sessionEnded,
          changes: SESSION_ENDED,
        };
      }),
    ),
  ];
}

function signInRoutes(services: Services, vault: FactorVault): BoundRoute<Actor>[] {
  const returning = createReturning(services);
  const opened = (call: Call<Actor>, { username, token, expiresAt, user, notice, elevation, device }: SignedIn) => {
    returning.note(username, addressKey(call.origin.ip));
    call.setSessionCookie(token);
    if (device !== undefined) call.setDeviceCookie(device, DEVICE_LIFETIME_MS);
    return {
      message: AUTH_TEXTS.signedIn,
      token,
      expiresAt: expiresAt.toISOString(),
      user,
      roles: user.role,
      ...(elevation !== undefined && { elevation }),
      ...(notice !== undefined && { notice }),
    };
  };
  return [
    handle(
      login,
      async ({ body }, call) =>
        opened(call, await signIn(services, vault, body, call.origin, browserOf(services, call))),
      { expects: returning.expects, take: ({ body }, address) => returning.take(body.username, address) },
    ),
    handle(signInFactorsRoute, async ({ body }, call) =>
      signInFactors(services, vault, body.challenge, call.origin, browserOf(services, call)),
    ),
    handle(finishSignInRoute, async ({ body }, call) =>
      opened(call, await finishSignIn(services, vault, body, call.origin, browserOf(services, call))),
    ),
  ];
}

/** Browsers send `Origin` with each POST; programs do not. */
function browserOf(services: Services, { device, header }: Call<Actor>) {
  const isBrowser = device !== undefined || header('origin') !== undefined;
  return { device, site: ownSite(services, header), isBrowser };
}

/** Every sign-up counts, because it creates an account or reveals a taken name. */
async function hashForSignUp(
  services: Services,
  { username, password }: { username: string; password: string },
  origin: Origin,
): Promise<string> {
  await requireGoodPassword(password, { username }, 'password');
  const address = addressKey(origin.ip);
  const counts: Count[] = [{ scope: 'signup', subject: address }];
  return inTurn({ lane: 'stranger', key: address }, async () => {
    await reserve(services, counts, { networkId: ROOT_NETWORK, accountId: null, username, origin });
    try {
      return await hashPassword(password);
    } catch (error) {
      await giveBack(services, counts, false);
      throw error;
    }
  });
}

interface PasswordChange {
  readonly opass: string;
  readonly npass: string;
  readonly cpass: string;
}

/** Also ends the actor's other sessions and all elevations. */
async function changePassword(services: Services, call: Call<Actor>, change: PasswordChange): Promise<void> {
  if (change.npass !== change.cpass)
    throw new CallError('INVALID_INPUT', { fields: { cpass: AUTH_TEXTS.passwordsDiffer } });
  const from = await requirePassword(services, call, change.opass, 'opass');
  if (change.npass === change.opass)
    throw new CallError('INVALID_INPUT', { fields: { npass: AUTH_TEXTS.samePassword } });
  const to = await hashNewPassword(change.npass, call.actor, personKey(call.actor), 'npass');
  const current = sessionIdOf(call.token!);
  await runCommandDuringRestore(services, call, async (tx) => {
    if (!(await replaceOwnPassword(tx, call.actor, { from, to }))) throw wrongPassword('opass');
    const ended = await endOwnSessions(services, tx, call.actor, { allBut: current });
    await endElevations(tx, current);
    if (call.actor.duty) await announceMoved(services, tx, call.actor.id);
    return {
      result: undefined,
      subject: AUTH_SUBJECTS.passwordChanged,
      detail: noticeTo(call.actor, 'password'),
      changes: [...changeOf('Password', null, 'Changed'), ...otherSessionsEnded(ended)],
    };
  });
}

const EACH = { perSecond: 1, burst: 20 } as const;
/** Evicted addresses are read again on demand. */
const ADDRESSES_MAX = 1_000;

/** Accounts known at an address may sign in even if strangers have exhausted its budget. */
interface Returning {
  expects(this: void, address: string): Promise<boolean>;
  /** False for strangers, or if the name's own budget is exhausted. */
  take(username: string, address: string): Promise<boolean>;
  note(username: string, address: string): void;
}

/** Reads each address once, however many invented names arrive. */
function createReturning({ db, clock, team }: Services): Returning {
  const shared = { name: 'returning', team };
  const budgets = createRateLimit(EACH, () => clock.now().getTime(), { shared });
  const names = new Map<string, Promise<Set<string>>>();

  async function read(address: string): Promise<Set<string>> {
    const rows = await db.query<{ name: string }>(
      sql`select coalesce(l.username, lower(a.username)) as name from known_addresses k join accounts a on a.id = k.account_id
         left join ${loginOf('a', 'k')}
       where k.address = ${address} and k.last_at > ${rememberedSince(clock.now())} and a.deleted_at is null and l.removed_at is null`,
    );
    return new Set(rows.map((row) => row.name));
  }

  function namesAt(address: string): Promise<Set<string>> {
    const found = names.get(address) ?? read(address);
    names.delete(address);
    names.set(address, found);
    found.catch(() => names.get(address) === found && names.delete(address));
    if (names.size > ADDRESSES_MAX) names.delete(names.keys().next().value!);
    return found;
  }

  return {
    expects: async (address) => (await namesAt(address)).size > 0,
    async take(username, address) {
      const name = username.toLowerCase();
      return (await namesAt(address)).has(name) && budgets.take(`${name} ${address}`) === 0;
    },
    note(username, address) {
      void names.get(address)?.then(
        (known) => known.add(username.toLowerCase()),
        () => {},
      );
    },
  };
}
