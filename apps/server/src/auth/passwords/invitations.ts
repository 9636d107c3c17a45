import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { lockTarget } from '../../accounts/change/lock-target.ts';
import { resetPassword } from '../../accounts/read/own-account.ts';
import { temporaryUntil } from '../../accounts/change/insert-account.ts';
import type { Actor } from '../../accounts/authority.ts';
import { findAccount } from '../../accounts/accounts.sql.ts';
import { appendActivity, changeOf } from '../../activity/append-activity.ts';
import { requireOpenBooks } from '../../activity/network-work/closed-books.ts';
import { noticeTo } from '../../activity/own-notices.ts';
import { runCommand } from '../../activity/run-command.ts';
import { inNetwork } from '../../activity/network-work/network-work.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call, Origin } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { AUTH_SUBJECTS, AUTH_TEXTS } from '../auth-texts.ts';
import { openChallenge, sealChallenge } from '../factors/challenge.ts';
import type { FactorVault } from '../factors/factor-vault.ts';
import { markOf } from '../factors/remembered-devices.ts';
import { resetLoginPassword } from '../logins/change-login.ts';
import { replaceOwnPassword } from '../logins/own-password.ts';
import { personKey, personName, type Person } from '../logins/person.ts';
import { endSessionsBelow } from '../sessions/sessions.ts';
import { hashRandomPassword } from './password.ts';
import { hashNewPassword } from './password-policy.ts';

/**
 * Nobody knows the current password, and the secret is bound to it. So nothing of the secret is stored, and any new
 * password or later invitation ends it.
 */
const content = z.object({ id: z.string(), login: z.number(), passwordMark: z.string() });

interface Invitation {
  readonly invitation: string;
  readonly expiresAt: string;
}

const unknownPassword = (): Promise<string> => hashRandomPassword(randomBytes(32).toString('base64url'));

function seal(
  services: Services,
  vault: FactorVault,
  { id, login }: Pick<Person, 'id' | 'login'>,
  hash: string,
): Invitation {
  const invitation = sealChallenge(services, vault, 'invitation', { id, login, passwordMark: markOf(hash) });
  return { invitation, expiresAt: temporaryUntil(services.clock.now()).toISOString() };
}

export async function inviteLogin(
  services: Services,
  vault: FactorVault,
  call: Call<Actor>,
  login: number,
): Promise<Invitation> {
  const hash = await unknownPassword();
  await resetLoginPassword(services, call, login, hash);
  return seal(services, vault, { id: call.actor.id, login }, hash);
}

/** Throws NOT_FOUND for players too: they keep the given password. */
export async function inviteAccount(
  services: Services,
  vault: FactorVault,
  call: Call<Actor>,
  accountId: string,
): Promise<Invitation> {
  const { actor } = call;
  const account = await findAccount(services.db, actor, services.clock.now(), { id: accountId });
  if (!account || account.role === 'user') throw new CallError('NOT_FOUND');
  const { role } = account;
  const hash = await unknownPassword();
  await runCommand(services, call, async (tx, at) => {
    const { id, username, network_id: networkId } = await lockTarget(tx, actor, { id: accountId, role });
    if (role !== 'admin') await requireOpenBooks(tx, networkId);
    await resetPassword(tx, { id, setBy: actor.id }, hash, at);
    await endSessionsBelow(services, tx, id, 'itself');
    return {
      result: undefined,
      subject: AUTH_SUBJECTS.invited(`${role} ${username}`),
      detail: { accountId: id, password: 'changed', ...noticeTo({ id, login: 0 }, 'password') },
      changes: changeOf('Password', null, 'Changed', username),
    };
  });
  return seal(services, vault, { id: accountId, login: 0 }, hash);
}

interface Invited extends Person {
  readonly signsInAs: string;
  readonly username: string;
  /** Null for the owner login. */
  readonly name: string | null;
  readonly hash: string;
  readonly until: Date;
}

/** Throws CHALLENGE_ENDED if used, replaced or expired, and OTHER_CELL. */
export async function findInvited(services: Services, vault: FactorVault, invitation: string): Promise<Invited> {
  const { id, login, passwordMark } = openInvitation(services, vault, invitation);
  const [found] = await services.db.query<Invited & Record<string, unknown>>(
    sql`select a.id, a.network_id as "networkId", ${login}::int as login, a.username, l.name,
        coalesce(l.username, a.username) as "signsInAs", coalesce(l.password_hash, a.password_hash) as hash,
        coalesce(case when l.number is null then a.temporary_until else l.temporary_until end, '-infinity') as until
      from accounts a left join logins l on l.network_id = a.network_id and l.account_id = a.id and l.number = ${login}
        and l.active and l.removed_at is null ${sql.raw(crossNetworkComment('signIn'))}
      where a.id = ${id} and a.deleted_at is null and (${login} = 0 or l.number is not null)`,
  );
  if (!found && (await hasLeft(services, id)))
    throw new CallError('CHALLENGE_ENDED', { message: AUTH_TEXTS.invitationLeft });
  if (!found || markOf(found.hash) !== passwordMark || found.until <= services.clock.now()) throw ended();
  return found;
}

/** Deleted accounts remain. The new cell of a moved one has another key, so only a new invitation opens there. */
async function hasLeft({ db, directory }: Services, id: string): Promise<boolean> {
  const account = sql`select from accounts where id = ${id} ${sql.raw(crossNetworkComment('signIn'))}`;
  return directory !== undefined && (await db.query(account)).length === 0;
}

function openInvitation(services: Services, vault: FactorVault, challenge: string): z.infer<typeof content> {
  try {
    return openChallenge(services, vault, 'invitation', { challenge, schema: content }).content;
  } catch (error) {
    throw error instanceof CallError && error.code === 'CHALLENGE_ENDED' ? ended() : error;
  }
}

const ended = (): CallError => new CallError('CHALLENGE_ENDED', { message: AUTH_TEXTS.invitationEnded });

/** Works once. Returns the name to sign in with. */
export async function acceptInvitation(
  services: Services,
  vault: FactorVault,
  { invitation, password }: { readonly invitation: string; readonly password: string },
  origin: Origin,
): Promise<string> {
  const invited = await findInvited(services, vault, invitation);
  const { id: accountId, login, networkId, username, name, signsInAs, hash: from } = invited;
  const to = await hashNewPassword(password, { username: signsInAs }, personKey(invited));
  await inNetwork(services.db, networkId, async (tx) => {
    if (!(await replaceOwnPassword(tx, invited, { from, to }))) throw ended();
    const by = { accountId, login, username: personName(username, name), origin };
    const changes = changeOf('Password', null, 'Changed');
    const entry = { subject: AUTH_SUBJECTS.invitationAccepted, changes, detail: noticeTo(invited, 'password') };
    await appendActivity(tx, networkId, services, [{ ...by, ...entry }]);
  });
  return signsInAs;
}
