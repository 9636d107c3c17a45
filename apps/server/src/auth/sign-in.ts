import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Role } from '@drawhouse/contract/core/primitives';
import { effectivelyActive } from '../accounts/authority.ts';
import { recordSignIn } from '../accounts/read/own-account.ts';
import { requireOwnName } from '../cells/other-cell.ts';
import { appendActivity } from '../activity/append-activity.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { addressKey } from '../platform/http/request/address.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { shareNetworkLock } from '../activity/network-work/network-work.ts';
import type { Origin } from '../platform/http/handler.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { requireNotExcluded } from '../protection/player-standing.ts';
import { attempt } from './attempts/attempts.ts';
import type { Count } from './attempts/attempts.ts';
import {
  hasSignedInFrom,
  rememberAddress,
  rememberedSince,
  devicesSince,
  deviceHashOf,
  hasSignedInWith,
  rememberDevice,
} from './attempts/sign-in-history.ts';
import { inTurn, verifyPassword } from './passwords/password.ts';
import { openElevation } from './passwords/elevations.ts';
import { openSession, sessionIdOf } from './sessions/sessions.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { AUTH_SUBJECTS } from './auth-texts.ts';

interface Candidate {
  id: string;
  network_id: number;
  username: string;
  password_hash: string;
  deleted: boolean;
  known: boolean;
  on_device: boolean;
}

export interface SignedIn {
  readonly token: string;
  readonly expiresAt: Date;
  readonly user: AuthUser;
  readonly elevation?: string;
  readonly device?: string;
  readonly notice?: string | undefined;
}

interface Browser {
  readonly device: string | undefined;
  /** Clients without cookies get none; otherwise they would evict an account's browsers. */
  readonly isBrowser: boolean;
}

/**
 * Unknown names and wrong passwords look alike, timing included. Throws WRONG_CREDENTIALS, ACCOUNT_INACTIVE or
 * EXCLUDED, logged if the account exists; THROTTLED, logged as summary; NOT_READY; or OTHER_CELL.
 */
export async function signIn(
  services: Services,
  credentials: { username: string; password: string; elevation?: boolean | undefined },
  origin: Origin,
  browser: Browser,
): Promise<SignedIn> {
  const { db, clock } = services;
  const address = addressKey(origin.ip);
  const now = clock.now();
  const device = deviceHashOf(browser.device);
  const [named] = await db.query<Candidate>(
    sql`select id, network_id, username, password_hash, deleted_at is not null as deleted,
       ${hasSignedInFrom(sql`id`, address, rememberedSince(now))} as known,
       ${hasSignedInWith(sql`id`, device, devicesSince(now))} as on_device
     from accounts where lower(username) = lower(${credentials.username})`,
  );
  if (!named) await requireOwnName(services, credentials.username);
  const found = named?.deleted ? undefined : named;
  const loggedAs = named?.username ?? NOBODY;
  try {
    if (!(await isRight(services, { ...credentials, loggedAs }, found, origin, { address, device })))
      throw new CallError('WRONG_CREDENTIALS');
    return await openFor(services, found!, origin, { address, browser, elevation: credentials.elevation === true });
  } catch (error) {
    if (error instanceof CallError && LOGGED.has(error.code))
      await logRefusal(services, loggedAs, found, error, origin);
    throw error;
  }
}

/** Log text for unknown names, because people type passwords there. */
export const NOBODY = '(unknown name)';

/** Logged individually. Refusals before the password check are not. */
const LOGGED: ReadonlySet<string> = new Set(['WRONG_CREDENTIALS', 'ACCOUNT_INACTIVE', 'EXCLUDED']);

/**
 * Counts failures by name and address. At a known address only this pair counts, so strangers cannot slow the account.
 * A known browser has a separate count, unaffected by neighbors.
 */
function isRight(
  services: Services,
  { username, password, loggedAs }: { username: string; password: string; loggedAs: string },
  found: Candidate | undefined,
  origin: Origin,
  { address, device }: { readonly address: string; readonly device: Buffer | null },
): Promise<boolean> {
  const subject = found?.id ?? username.toLowerCase();
  const isKnown = found !== undefined && (found.known || found.on_device);
  const counts: Count[] = found?.on_device
    ? [{ scope: 'device', subject: `${subject} ${device!.toString('hex')}` }]
    : [{ scope: 'pair', subject: `${subject} ${address}` }];
  if (!isKnown) counts.push({ scope: 'address', subject: address }, { scope: 'name', subject });
  const as = { networkId: found?.network_id ?? ROOT_NETWORK, accountId: found?.id ?? null, username: loggedAs, origin };
  return inTurn(isKnown ? { lane: 'known', key: found.id } : { lane: 'stranger', key: address }, () =>
    attempt(services, counts, as, () => verifyPassword(password, found?.password_hash ?? null)),
  );
}

function openFor(
  services: Services,
  account: Candidate,
  origin: Origin,
  {
    address,
    browser,
    elevation: isElevated,
  }: { readonly address: string; readonly browser: Browser; readonly elevation: boolean },
): Promise<SignedIn> {
  const { id, network_id, username } = account;
  return services.db.transaction(async (tx) => {
    // A restore replaced the network since lookup.
    if (!(await shareNetworkLock(tx, network_id))) throw new CallError('NOT_READY');
    const at = services.clock.now();
    if (!(await effectivelyActive(tx, [id])).has(id)) throw new CallError('ACCOUNT_INACTIVE');
    if (!(await recordSignIn(tx, account, at))) throw new CallError('WRONG_CREDENTIALS');
    // After password check and account lock.
    const notice = await requireNotExcluded(tx, { networkId: network_id, id }, { at, timeZone: services.timeZone });
    const device = browser.isBrowser ? await rememberDevice(tx, id, browser.device, at) : undefined;
    const { replaced, ...session } = await openSession(services, tx, id, origin, { at, byToken: !isElevated, device });
    const elevation = isElevated ? await openElevation(tx, sessionIdOf(session.token), at) : undefined;
    await rememberAddress(tx, id, address, at);
    const subjects = ['Signed in', ...replaced.map((one) => AUTH_SUBJECTS.oldestSessionEnded(one.ip))];
    await appendActivity(
      tx,
      network_id,
      services,
      subjects.map((subject) => ({ accountId: id, username, subject, origin })),
    );
    return {
      ...session,
      user: await authUserOf(tx, id, services.timeZone),
      notice,
      ...(elevation !== undefined && { elevation }),
      ...(device !== undefined && { device }),
    };
  });
}

export async function authUserOf(on: Queryable, id: string, timeZone: string): Promise<AuthUser> {
  const [row] = await on.query<{
    username: string;
    role: Role;
    network_id: number;
    active: boolean;
    unique_id: string;
    test_network: boolean;
  }>(sql`select a.username, a.role, a.network_id, a.active, a.unique_id,
      coalesce((select up.test_network from accounts up where up.id = a.chain[2]), false) as test_network
    from accounts a where id = ${id}`);
  const { username, role, network_id, active, unique_id, test_network } = row!;
  const credit = await balanceOf(on, network_id, `credit:${id}`);
  return {
    _id: id,
    username,
    role,
    roles: role,
    walletBalance: pointsOf(credit),
    userStatus: active,
    uniqueId: unique_id,
    timeZone,
    testNetwork: test_network,
  };
}

async function logRefusal(
  services: Services,
  loggedAs: string,
  found: Candidate | undefined,
  error: CallError,
  origin: Origin,
): Promise<void> {
  await services.db.transaction((tx) =>
    appendActivity(tx, found?.network_id ?? ROOT_NETWORK, services, [
      {
        accountId: found?.id ?? null,
        username: loggedAs,
        subject: AUTH_SUBJECTS.signInRefused(error.message),
        origin,
      },
    ]),
  );
}
