import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { FACTOR_FIELD_TEXTS } from '@drawhouse/contract/auth/auth-texts';
import { effectivelyActive } from '../accounts/authority.ts';
import { requireOwnName } from '../cells/other-cell.ts';
import { appendActivity, type Author } from '../activity/append-activity.ts';
import { noticeTo } from '../activity/own-notices.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Services } from '../platform/services.ts';
import { addressKey } from '../platform/http/request/address.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { inNetwork } from '../activity/network-work/network-work.ts';
import type { Origin } from '../platform/http/handler.ts';
import { authUserOf } from './auth-user.ts';
import { requireNotExcluded } from '../protection/player-standing.ts';
import { attempt, type Count } from './attempts/attempts.ts';
import {
  hasSignedInFrom,
  hasSignedInBefore,
  rememberAddress,
  rememberedSince,
  devicesSince,
  deviceHashOf,
  hasSignedInWith,
  rememberDevice,
} from './attempts/sign-in-history.ts';
import { recordSignIn } from './logins/own-password.ts';
import { personKey, personName } from './logins/person.ts';
import { requireAllowedPlace, WrongPlace } from './logins/allowed-place.ts';
import { inTurn, verifyPassword } from './passwords/password.ts';
import { requireCurrentPassword } from './passwords/sign-in-duties.ts';
import { openElevation } from './passwords/elevations.ts';
import { openSession, sessionIdOf } from './sessions/sessions.ts';
import type { FactorVault } from './factors/factor-vault.ts';
import { checkFactor } from './factors/check-factor.ts';
import { markOf, mayRemember, rememberFactor } from './factors/remembered-devices.ts';
import { offerFactors, openSecondStep, requireSecondStep } from './factors/second-step.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { AUTH_SUBJECTS } from './auth-texts.ts';

interface Candidate {
  signsInAs: string;
  id: string;
  networkId: number;
  username: string;
  login: number;
  name: string | null;
  password_hash: string;
  deleted: boolean;
  active: boolean;
  known: boolean;
  on_device: boolean;
}

export interface SignedIn {
  readonly username: string;
  readonly token: string;
  readonly expiresAt: Date;
  readonly user: AuthUser;
  readonly elevation?: string;
  readonly device?: string;
  readonly notice?: string | undefined;
}

interface SecondStep {
  readonly challenge: string;
  readonly code?: string | undefined;
  readonly passkey?: string | undefined;
  readonly remember?: boolean | undefined;
}

interface Browser {
  readonly device: string | undefined;
  readonly site: string | undefined;
  /** Clients without cookies would evict an account's browsers. */
  readonly isBrowser: boolean;
}

/**
 * Unknown names and wrong passwords look alike, timing included. Logs refusals of existing accounts, and THROTTLED as a
 * summary. Throws SECOND_FACTOR with a challenge for {@link finishSignIn}.
 */
export async function signIn(
  services: Services,
  vault: FactorVault,
  credentials: { username: string; password: string; elevation?: boolean | undefined },
  origin: Origin,
  browser: Browser,
): Promise<SignedIn> {
  const from = { address: addressKey(origin.ip), device: deviceHashOf(browser.device) };
  const named = await findCandidate(services, credentials.username, from);
  if (!named) await requireOwnName(services, credentials.username);
  const found = named?.deleted ? undefined : named;
  const loggedAs = named ? personName(named.username, named.name) : NOBODY;
  try {
    if (!(await isRight(services, { ...credentials, loggedAs }, found, origin, from)))
      throw new CallError('WRONG_CREDENTIALS');
    const elevation = credentials.elevation === true;
    const asks = { elevation, device: from.device, ip: origin.ip };
    const isRemembered = await requireSecondStep(services, vault, found!, asks);
    // A remembered device signs in without the factor, but confirms nothing.
    const opens = { address: from.address, browser, elevation: elevation && !isRemembered, byToken: !elevation };
    return await openFor(services, found!, origin, opens);
  } catch (error) {
    if (error instanceof CallError && LOGGED.has(error.code))
      await logRefusal(services, loggedAs, found, error, origin);
    throw error;
  }
}

/** Throws CHALLENGE_ENDED if the password changed since. */
export async function finishSignIn(
  services: Services,
  vault: FactorVault,
  { challenge, code, passkey, remember }: SecondStep,
  origin: Origin,
  browser: Browser,
): Promise<SignedIn> {
  const from = { address: addressKey(origin.ip), device: deviceHashOf(browser.device) };
  const { found, elevation, at } = await findPending(services, vault, challenge, from);
  const name = personName(found.username, found.name);
  if (code === undefined && passkey === undefined)
    throw new CallError('INVALID_INPUT', { fields: { code: FACTOR_FIELD_TEXTS.codeMissing } });
  const proof = code === undefined ? { answer: passkey!, challenge, since: at, site: browser.site } : { code };
  await checkFactor(services, vault, { ...found, personName: name, origin }, proof);
  try {
    const opens = { address: from.address, browser, elevation, byToken: !elevation, remember: remember === true };
    return await openFor(services, found, origin, opens);
  } catch (error) {
    if (error instanceof CallError && LOGGED.has(error.code)) await logRefusal(services, name, found, error, origin);
    throw error;
  }
}

export async function signInFactors(
  services: Services,
  vault: FactorVault,
  challenge: string,
  origin: Origin,
  browser: Browser,
): Promise<Awaited<ReturnType<typeof offerFactors>> & { readonly mayRemember: boolean }> {
  const from = { address: addressKey(origin.ip), device: deviceHashOf(browser.device) };
  const { found } = await findPending(services, vault, challenge, from);
  const offered = await offerFactors(services, found, { site: browser.site, challenge });
  return { ...offered, mayRemember: await mayRemember(services.db, found) };
}

async function findPending(
  services: Services,
  vault: FactorVault,
  challenge: string,
  from: Parameters<typeof findCandidate>[2],
): Promise<{ readonly found: Candidate; readonly elevation: boolean; readonly at: Date }> {
  const { username, passwordMark, elevation, at } = openSecondStep(services, vault, challenge);
  const found = await findCandidate(services, username, from);
  if (!found || found.deleted || markOf(found.password_hash) !== passwordMark) throw new CallError('CHALLENGE_ENDED');
  return { found, elevation, at };
}

async function findCandidate(
  { db, clock }: Services,
  username: string,
  { address, device }: { readonly address: string; readonly device: Buffer | null },
): Promise<Candidate | undefined> {
  const now = clock.now();
  const [found] = await db.query<Candidate>(
    sql`select c.*, ${hasSignedInFrom({ id: sql`c.id`, login: sql`c.login` }, address, rememberedSince(now))} as known,
       ${hasSignedInWith({ id: sql`c.id`, login: sql`c.login` }, device, devicesSince(now))} as on_device
     from (select id, network_id as "networkId", username, username as "signsInAs", 0 as login, null as name, password_hash,
         deleted_at is not null as deleted, true as active
       from accounts a where lower(username) = lower(${username})
         -- A network on its way here signs in where it is.
         and not exists (select from networks n where n.id = a.network_id and n.arrives)
       union all
       select a.id, l.network_id, a.username, l.username, l.number, l.name, l.password_hash,
         num_nonnulls(l.removed_at, a.deleted_at) > 0, l.active
       from logins l join accounts a on a.id = l.account_id and a.network_id = l.network_id
       where l.username = lower(${username})) as c ${sql.raw(crossNetworkComment('signIn'))}`,
  );
  return found;
}

/** Logged for unknown names, because people type passwords there. */
export const NOBODY = '(unknown name)';

/** Refusals before the password check are not logged individually. */
const LOGGED: ReadonlySet<string> = new Set(['WRONG_CREDENTIALS', 'ACCOUNT_INACTIVE', 'EXCLUDED', 'NOT_ALLOWED']);

/**
 * Counts only name and address at a known address, so strangers cannot slow the account. A known browser has a separate
 * count, unaffected by neighbors.
 */
function isRight(
  services: Services,
  { username, password, loggedAs }: { username: string; password: string; loggedAs: string },
  found: Candidate | undefined,
  origin: Origin,
  { address, device }: { readonly address: string; readonly device: Buffer | null },
): Promise<boolean> {
  const subject = found ? personKey(found) : username.toLowerCase();
  const isKnown = found !== undefined && (found.known || found.on_device);
  const counts: Count[] = found?.on_device
    ? [{ scope: 'device', subject: `${subject} ${device!.toString('hex')}` }]
    : [{ scope: 'pair', subject: `${subject} ${address}` }];
  if (!isKnown) counts.push({ scope: 'address', subject: address }, { scope: 'name', subject });
  const as = { ...authorOf(found, loggedAs), networkId: found?.networkId ?? ROOT_NETWORK, origin };
  return inTurn(isKnown ? { lane: 'known', key: subject } : { lane: 'stranger', key: address }, () =>
    attempt(services, counts, as, () => verifyPassword(password, found?.password_hash ?? null)),
  );
}

function authorOf(found: Candidate | undefined, loggedAs: string): Author {
  return { accountId: found?.id ?? null, login: found?.login, username: loggedAs };
}

interface Opening {
  readonly address: string;
  readonly browser: Browser;
  readonly elevation: boolean;
  readonly byToken: boolean;
  readonly remember?: boolean;
}

function openFor(
  services: Services,
  person: Candidate,
  origin: Origin,
  { address, browser, elevation: isElevated, byToken, remember = false }: Opening,
): Promise<SignedIn> {
  const { id, networkId } = person;
  return inNetwork(services.db, networkId, async (tx) => {
    const at = services.clock.now();
    if (!person.active || !(await effectivelyActive(tx, [id])).has(id)) throw new CallError('ACCOUNT_INACTIVE');
    const recorded = await recordSignIn(tx, person, person.password_hash, at);
    if (!recorded) throw new CallError('WRONG_CREDENTIALS');
    requireCurrentPassword(recorded, person.login, at);
    await requireAllowedPlace(tx, person, origin.ip, { at, timeZone: services.timeZone });
    const notice = await requireNotExcluded(tx, { networkId, id }, { at, timeZone: services.timeZone });
    const device = browser.isBrowser ? await rememberDevice(tx, person, browser.device, at) : undefined;
    const { replaced, ...session } = await openSession(services, tx, person, origin, {
      at,
      byToken,
      device,
    });
    if (remember && device !== undefined) await rememberFactor(tx, person, { device, origin, at });
    const elevation = isElevated ? await openElevation(tx, sessionIdOf(session.token), at) : undefined;
    const isNew = !person.known && !person.on_device && (await hasSignedInBefore(tx, person));
    await rememberAddress(tx, person, address, at);
    const subjects = ['Signed in', ...replaced.map((one) => AUTH_SUBJECTS.oldestSessionEnded(one.ip))];
    await appendActivity(
      tx,
      networkId,
      services,
      subjects.map((subject, index) => ({
        ...authorOf(person, personName(person.username, person.name)),
        subject,
        origin,
        ...(isNew && index === 0 && { detail: noticeTo(person, 'device') }),
      })),
    );
    return {
      ...session,
      username: person.signsInAs,
      user: await authUserOf(services, tx, person),
      notice,
      ...(elevation !== undefined && { elevation }),
      ...(device !== undefined && { device }),
    };
  });
}

const detailOf = (error: CallError) => error instanceof WrongPlace && { detail: { refusedPlace: true } };

async function logRefusal(
  services: Services,
  loggedAs: string,
  found: Candidate | undefined,
  error: CallError,
  origin: Origin,
): Promise<void> {
  const networkId = found?.networkId ?? ROOT_NETWORK;
  await inNetwork(services.db, networkId, (tx) =>
    appendActivity(tx, networkId, services, [
      { ...authorOf(found, loggedAs), subject: AUTH_SUBJECTS.signInRefused(error.message), origin, ...detailOf(error) },
    ]),
  );
}
