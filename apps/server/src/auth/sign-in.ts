import type { AuthUser } from '@drawhouse/contract/auth';
import { pointsOf } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { effectivelyActive } from '../accounts/authority.ts';
import { appendActivity, ROOT_NETWORK } from '../activity/append-activity.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import type { Origin } from '../http/handler.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { verifyPassword } from './password.ts';
import { openSession } from './sessions.ts';
import { clearAttempts, countAttempt } from './throttle.ts';

interface Candidate {
  id: string;
  network_id: string;
  username: string;
  password_hash: string;
}

/** A new session with its token. */
export interface SignedIn {
  readonly token: string;
  readonly expiresAt: Date;
  readonly user: AuthUser;
}

/**
 * Signs in. A wrong name and a wrong password answer alike and take alike long. Throws WRONG_CREDENTIALS, ACCOUNT_INACTIVE
 * or THROTTLED; each refusal is logged, in the network of the account if there is one.
 */
export async function signIn(
  services: Services,
  credentials: { username: string; password: string },
  origin: Origin,
): Promise<SignedIn> {
  const { db, clock } = services;
  const [found] = await db.query<Candidate>(
    'select id, network_id, username, password_hash from accounts where lower(username) = lower($1) and deleted_at is null',
    [credentials.username],
  );
  try {
    await countAttempt(services, credentials.username, origin.ip);
    if (!(await verifyPassword(credentials.password, found?.password_hash ?? null)))
      throw new CallError('WRONG_CREDENTIALS');
    const signedIn = await db.transaction(async (tx) => {
      const at = clock.now();
      if (!(await effectivelyActive(tx, [found!.id])).has(found!.id)) throw new CallError('ACCOUNT_INACTIVE');
      const session = await openSession(tx, found!.id, origin, at);
      await tx.query('update accounts set last_login_at = greatest(last_login_at, $2) where id = $1', [found!.id, at]);
      await appendActivity(tx, found!.network_id, services, [
        { accountId: found!.id, username: found!.username, subject: 'Signed in', origin },
      ]);
      return { ...session, user: await authUserOf(tx, found!.id) };
    });
    await clearAttempts(services, credentials.username, origin.ip);
    return signedIn;
  } catch (error) {
    if (error instanceof CallError) await logRefusal(services, credentials.username, found, error, origin);
    throw error;
  }
}

/** The account as the signed-in client keeps it. */
export async function authUserOf(on: Queryable, id: string): Promise<AuthUser> {
  const [row] = await on.query<{
    username: string;
    role: Role;
    network_id: string;
    active: boolean;
    unique_id: string;
  }>('select username, role, network_id, active, unique_id from accounts where id = $1', [id]);
  const { username, role, network_id, active, unique_id } = row!;
  const credit = await balanceOf(on, network_id, { ownerId: id, kind: 'credit' });
  return {
    _id: id,
    username,
    role,
    roles: role,
    walletBalance: pointsOf(credit),
    userStatus: active,
    uniqueId: unique_id,
  };
}

async function logRefusal(
  services: Services,
  name: string,
  found: Candidate | undefined,
  error: CallError,
  origin: Origin,
): Promise<void> {
  await services.db.transaction((tx) =>
    appendActivity(tx, found?.network_id ?? ROOT_NETWORK, services, [
      {
        accountId: found?.id ?? null,
        username: name.slice(0, 200),
        subject: `Sign-in refused: ${error.message}`,
        origin,
      },
    ]),
  );
}
