import type { Change } from '@drawhouse/contract/activity/activity';
import { mayDecide, permissionsOf, ROLE_RIGHTS, type Permission } from '@drawhouse/contract/core/permissions';
import { hundredthsOf, pointsText } from '@drawhouse/contract/core/primitives';
import {
  changeLogin as changeLoginRoute,
  LOGIN_LIMITS,
  type Login,
  type LoginTerms,
} from '@drawhouse/contract/logins/logins';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../../accounts/authority.ts';
import { NAMES_LOCK, temporaryUntil, usedNames } from '../../accounts/change/insert-account.ts';
import { requireDistinctName } from '../../accounts/change/misleading-names.ts';
import { changeOf } from '../../activity/append-activity.ts';
import { noticeTo } from '../../activity/own-notices.ts';
import { runCommand, runCommandDuringRestore, underRules } from '../../activity/run-command.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Call } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { readAddresses, shownAddress } from '../../platform/http/request/address.ts';
import type { Services } from '../../platform/services.ts';
import { hashNewPassword } from '../passwords/password-policy.ts';
import { announceMoved, endOwnSessions } from '../sessions/sessions.ts';
import {
  clockOf,
  lockApprovalRules,
  lockLogin,
  lockLogins,
  loginsOf,
  type LoginRow,
  type StoredTerms,
} from './logins.sql.ts';
import { LOGIN_SUBJECTS, LOGIN_TEXTS } from './logins-texts.ts';
import { personKey } from './person.ts';
import { readPersons } from './separate-persons.ts';

const NUMBERS_MAX = 32_767;

interface Changed {
  readonly message: string;
  readonly data: Login;
}

function storedTerms({ name, role, permissions, games, dailyLimit, addresses, hours }: LoginTerms): StoredTerms {
  const chosen = permissions ?? [];
  return {
    name,
    role,
    permissions: ROLE_RIGHTS[role].optional.filter((permission) => chosen.includes(permission)),
    games: [...new Set(games ?? [])].toSorted(),
    daily_limit: dailyLimit === undefined || dailyLimit === null ? null : hundredthsOf(dailyLimit)!,
    addresses: readAddresses(addresses ?? []),
    starts_minute: hours ? minuteOf(hours.from) : null,
    ends_minute: hours ? minuteOf(hours.to) : null,
  };
}

export function minuteOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return hours! * 60 + minutes!;
}

/** The password is temporary, because the owner knows it. */
export async function addLogin(
  services: Services,
  call: Call<Actor>,
  { username, password, ...requested }: LoginTerms & { username: string; password: string },
): Promise<Changed> {
  const { actor } = call;
  const terms = storedTerms(requested);
  const name = username.toLowerCase();
  const hash = await hashNewPassword(password, { username: name }, personKey(actor));
  return runCommand(services, call, async (tx, at) => {
    const { last, names } = await lockLogins(tx, actor);
    if (names.length >= LOGIN_LIMITS.logins)
      throw new CallError('RULE_REFUSED', { message: LOGIN_TEXTS.tooMany(LOGIN_LIMITS.logins) });
    if (last >= NUMBERS_MAX) throw new CallError('RULE_REFUSED', { message: LOGIN_TEXTS.numbersUsed });
    const number = last + 1;
    requireOwnNameOf(terms, number, names);
    await requireDistinctName(tx, name, actor);
    await reserveName(services, tx, actor, name);
    await tx.query(
      sql`insert into logins (network_id, account_id, number, created_at, username, name, role, permissions, games, daily_limit,
          addresses, starts_minute, ends_minute, password_hash, password_set_at, password_set_by, password_set_by_login,
          temporary_until)
        values (${actor.networkId}, ${actor.id}, ${number}, ${at}, ${name}, ${terms.name}, ${terms.role},
          ${[...terms.permissions]}::text[], ${[...terms.games]}::uuid[], ${terms.daily_limit}, ${[...terms.addresses]}::cidr[],
          ${terms.starts_minute}, ${terms.ends_minute}, ${hash}, ${at}, ${actor.id}, ${actor.login},
          ${temporaryUntil(at)})`,
    );
    const [data] = await loginsOf(tx, actor, at, number);
    const apart = { field: 'role', message: LOGIN_TEXTS.rightsApart };
    return {
      guarded: isWider(NO_RIGHTS, terms)
        ? underRules(actor, { kind: 'guards', networkId: actor.networkId, apart })
        : [],
      result: { message: LOGIN_TEXTS.added(terms.name), data: data! },
      subject: LOGIN_SUBJECTS.added(terms.name, actor.username),
      detail: { ofLogin: number },
      changes: [...changeOf('Username', null, name), ...termChanges(null, terms)],
    };
  });
}

type Rights = Omit<StoredTerms, 'name'>;

const NO_RIGHTS: Rights = {
  role: 'reports',
  permissions: [],
  games: [],
  daily_limit: null,
  addresses: [],
  starts_minute: null,
  ends_minute: null,
};

function isWider(before: Rights, after: Rights): boolean {
  const [had, has] = [before, after].map(({ role, permissions }) => permissionsOf(role, permissions));
  const isLonger = (was: readonly string[], is: readonly string[]): boolean =>
    was.length > 0 && (is.length === 0 || is.some((each) => !was.includes(each)));
  return (
    has!.some((permission) => !had!.includes(permission)) ||
    isLonger(before.games, after.games) ||
    isLonger(before.addresses, after.addresses) ||
    (before.daily_limit !== null && (after.daily_limit === null || after.daily_limit > before.daily_limit)) ||
    (before.starts_minute !== null &&
      (before.starts_minute !== after.starts_minute || before.ends_minute !== after.ends_minute))
  );
}

/** The log shows these names, so they must differ. */
function requireOwnNameOf(
  { name }: StoredTerms,
  own: number,
  names: readonly { readonly number: number; readonly name: string }[],
): void {
  if (names.some((other) => other.number !== own && other.name.toLowerCase() === name.toLowerCase()))
    throw new CallError('INVALID_INPUT', { fields: { name: LOGIN_TEXTS.nameTaken } });
}

/** Accounts and logins share one namespace, across all cells of a group. */
async function reserveName({ directory }: Services, tx: Tx, { chain }: Actor, name: string): Promise<void> {
  // Last lock before the insert, as when accounts are added.
  await tx.query(sql`select pg_advisory_xact_lock(${sql.lit(NAMES_LOCK)})`);
  const isUsed = (await usedNames(tx, [name])).has(name);
  if (isUsed || (directory && !(await directory.reserve(chain[1] ?? null, [name])).has(name)))
    throw new CallError('USERNAME_TAKEN', { fields: { username: LOGIN_TEXTS.usernameTaken } });
}

/** A new password or a deactivation ends the login's sessions; they follow other changes at once. */
export async function changeLogin(
  services: Services,
  call: Call<Actor>,
  number: number,
  { active, password, ...requested }: LoginTerms & { active: boolean; password?: string | undefined },
): Promise<Changed> {
  const { actor } = call;
  const terms = storedTerms(requested);
  const hash = password === undefined ? null : await hashForLogin(services, actor, number, password);
  return runCommandDuringRestore(services, call, async (tx, at) => {
    await lockHouseRules(tx, actor);
    const { names } = await lockLogins(tx, actor);
    const before = await requireLogin(tx, actor, number);
    requireOwnNameOf(terms, number, names);
    await tx.query(
      sql`update logins set name = ${terms.name}, role = ${terms.role}, permissions = ${[...terms.permissions]}::text[],
          games = ${[...terms.games]}::uuid[], daily_limit = ${terms.daily_limit}, addresses = ${[...terms.addresses]}::cidr[],
          starts_minute = ${terms.starts_minute}, ends_minute = ${terms.ends_minute}, active = ${active}
        where network_id = ${actor.networkId} and account_id = ${actor.id} and number = ${number}`,
    );
    if (hash !== null) await setPassword(tx, actor, number, { hash, at });
    if (before.active) await requireHouseDecider(tx, actor, before);
    const changes = [
      ...termChanges(before, terms),
      ...changeOf('Status', statusOf(before.active), statusOf(active)),
      ...(hash === null ? [] : changeOf('Password', null, 'Changed')),
    ];
    if (hash !== null || !active) await endOwnSessions(services, tx, { id: actor.id, login: number }, 'all');
    else if (changes.length > 0) await announceMoved(services, tx, actor.id);
    const [data] = await loginsOf(tx, actor, at, number);
    const hasMore = active && isWider(before.active ? before : NO_RIGHTS, terms);
    return {
      guarded: hasMore ? underRules(actor, { kind: 'guards', networkId: actor.networkId }) : [],
      result: { message: LOGIN_TEXTS.changed(terms.name), data: data! },
      subject: changes.length === 0 ? null : LOGIN_SUBJECTS.changed(terms.name, actor.username),
      detail: {
        ofLogin: number,
        ...noticeTo({ id: actor.id, login: number }, hash === null ? 'rights' : 'password'),
      },
      changes,
    };
  });
}

async function hashForLogin({ db }: Services, actor: Actor, number: number, password: string): Promise<string> {
  const [login] = await db.query<{ username: string; password_hash: string }>(
    sql`select username, password_hash from logins
      where network_id = ${actor.networkId} and account_id = ${actor.id} and number = ${number} and removed_at is null`,
  );
  if (!login) throw new CallError('NOT_FOUND', { message: LOGIN_TEXTS.notFound });
  return hashNewPassword(password, { username: login.username, oldHash: login.password_hash }, personKey(actor));
}

/** Nobody knows the new password: the person accepts an invitation. Ends the login's sessions. */
export async function resetLoginPassword(
  services: Services,
  call: Call<Actor>,
  number: number,
  hash: string,
): Promise<void> {
  const { actor } = call;
  await runCommandDuringRestore(services, call, async (tx, at) => {
    const { name } = await requireLogin(tx, actor, number);
    await setPassword(tx, actor, number, { hash, at });
    await endOwnSessions(services, tx, { id: actor.id, login: number }, 'all');
    return {
      result: undefined,
      subject: LOGIN_SUBJECTS.invited(name, actor.username),
      detail: { ofLogin: number, ...noticeTo({ id: actor.id, login: number }, 'password') },
      changes: changeOf('Password', null, 'Changed'),
    };
  });
}

async function setPassword(
  tx: Tx,
  actor: Actor,
  number: number,
  { hash, at }: { readonly hash: string; readonly at: Date },
): Promise<void> {
  await tx.query(
    sql`update logins set password_hash = ${hash}, password_set_at = ${at}, password_set_by = ${actor.id},
        password_set_by_login = ${actor.login}, temporary_until = ${temporaryUntil(at)}
      where network_id = ${actor.networkId} and account_id = ${actor.id} and number = ${number}`,
  );
}

/** Allowed during a restore, because it protects the account. */
export async function removeLogin(services: Services, call: Call<Actor>, number: number): Promise<{ message: string }> {
  const { actor } = call;
  return runCommandDuringRestore(services, call, async (tx, at) => {
    await lockHouseRules(tx, actor);
    await lockLogins(tx, actor);
    const before = await requireLogin(tx, actor, number);
    const { name } = before;
    await tx.query(
      sql`update logins set removed_at = ${at}, active = false
        where network_id = ${actor.networkId} and account_id = ${actor.id} and number = ${number}`,
    );
    if (before.active) await requireHouseDecider(tx, actor, before);
    await endOwnSessions(services, tx, { id: actor.id, login: number }, 'all');
    return {
      result: { message: LOGIN_TEXTS.removed(name) },
      subject: LOGIN_SUBJECTS.removed(name, actor.username),
      detail: { ofLogin: number },
      changes: changeOf('Status', 'Active', 'Removed'),
    };
  });
}

async function lockHouseRules(tx: Tx, { networkId }: Actor): Promise<void> {
  if (networkId === ROOT_NETWORK) await lockApprovalRules(tx, networkId);
}

/** If `before` is the last decider under the house's guard rule, no login could be widened again. */
async function requireHouseDecider(tx: Tx, { id, networkId }: Actor, before: Rights): Promise<void> {
  const decides = (has: readonly Permission[]): boolean => mayDecide(changeLoginRoute, has);
  if (networkId !== ROOT_NETWORK || !decides(permissionsOf(before.role, before.permissions))) return;
  const [rule] = await tx.query(
    sql`select from approval_rules where network_id = ${networkId} and kind = 'guards' and above is not null`,
  );
  if (!rule) return;
  const logins = (await readPersons(tx, [id])).filter(({ login }) => login !== 0);
  if (!logins.some(({ permissions }) => decides(permissions)))
    throw new CallError('RULE_REFUSED', { message: LOGIN_TEXTS.lastDecider });
}

export async function signOutLogin(
  services: Services,
  call: Call<Actor>,
  number: number,
  sessionId: string | undefined,
): Promise<{ message: string }> {
  const { actor } = call;
  return runCommandDuringRestore(services, call, async (tx) => {
    const { name } = await requireLogin(tx, actor, number);
    const which = sessionId === undefined ? 'all' : { deviceOf: sessionId };
    const ended = await endOwnSessions(services, tx, { id: actor.id, login: number }, which);
    return {
      result: { message: LOGIN_TEXTS.signedOut(name) },
      subject: ended === 0 ? null : LOGIN_SUBJECTS.signedOut(name, actor.username),
      detail: { ofLogin: number },
      changes: changeOf('Sessions', String(ended), 'Ended'),
    };
  });
}

async function requireLogin(tx: Tx, actor: Actor, number: number): Promise<LoginRow> {
  const login = await lockLogin(tx, actor, number);
  if (!login) throw new CallError('NOT_FOUND', { message: LOGIN_TEXTS.notFound });
  return login;
}

const statusOf = (active: boolean): string => (active ? 'Active' : 'Inactive');

function termChanges(before: StoredTerms | null, after: StoredTerms): Change[] {
  const [was, is] = [before && words(before), words(after)];
  return Object.keys(is).flatMap((what) => changeOf(what, was?.[what] ?? null, is[what]!));
}

function words(terms: StoredTerms): Record<string, string | null> {
  return {
    Name: terms.name,
    Role: terms.role,
    Permissions: terms.permissions.join(', ') || null,
    Games: terms.games.join(', ') || null,
    'Daily limit': terms.daily_limit === null ? null : pointsText(terms.daily_limit),
    'Allowed addresses': terms.addresses.map(shownAddress).join(', ') || null,
    Hours: terms.starts_minute === null ? null : `${clockOf(terms.starts_minute)} to ${clockOf(terms.ends_minute!)}`,
  };
}
