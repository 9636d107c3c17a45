import type { Role } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '@drawhouse/contract/auth/auth';
import { setStaffPlaces } from '../../accounts/accounts.sql.ts';
import { appendActivity, changeOf, type ActivityEntry } from '../../activity/append-activity.ts';
import { noticeTo } from '../../activity/own-notices.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { addressIn, addressKey } from '../../platform/http/request/address.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import { shareNetworkLock } from '../../activity/network-work/network-work.ts';
import { requireNotExcluded } from '../../protection/player-standing.ts';
import type { Services } from '../../platform/services.ts';
import { clearAttempts, isOfAccount, readSlowed, type ClearedAttempts, type ThrottledCount } from './attempts.ts';
import { forgetDevices } from '../factors/remembered-devices.ts';
import { deleteFactors, readFactors } from '../factors/factors.sql.ts';
import { placeWords } from '../logins/staff-places.ts';
import { resetOwnPassword } from '../logins/own-password.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { hashPassword } from '../passwords/password.ts';
import { announceMoved, endOwnSessions, endSessionsBelow } from '../sessions/sessions.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { timeWords } from '../../protection/protection-texts.ts';
import { AUTH_TEXTS, AUTH_SUBJECTS } from '../auth-texts.ts';

/** Not a valid username. */
const SHELL = '(shell)';

export interface ShownAccount {
  readonly id: string;
  readonly networkId: number;
  readonly username: string;
  readonly role: Role;
  readonly lastSignIn: Date | null;
  /** Topmost inactive account of the chain; it blocks sign-in. */
  readonly disabled: string | null;
  readonly sessions: number;
  readonly slowed: readonly ThrottledCount[];
}

interface AccountRow extends Omit<ShownAccount, 'slowed'> {
  readonly deletedAt: Date | null;
}

async function readAccounts(on: Queryable, now: Date, where: Sql): Promise<AccountRow[]> {
  return on.query<AccountRow>(
    sql`select a.id, a.network_id as "networkId", a.username, a.role, a.last_login_at as "lastSignIn", a.deleted_at as "deletedAt",
       (select up.username from accounts up where up.id = any(a.chain) and not up.active order by cardinality(up.chain)
         limit 1) as disabled,
       (select count(*)::int from sessions s where s.account_id = a.id
          and s.last_used_at > ${now}::timestamptz - interval '${sql.lit(SESSION_IDLE_MS)} ms'
            and s.created_at > ${now}::timestamptz - interval '${sql.lit(SESSION_MAX_MS)} ms') as sessions
     from accounts a where ${where} order by cardinality(a.chain), a.role, lower(a.username) collate natural_order`,
  );
}

export async function listForShell(on: Queryable, roles: readonly Role[], now: Date): Promise<ShownAccount[]> {
  const slowed = await readSlowed(on, now);
  const rows = await readAccounts(on, now, sql`a.deleted_at is null and a.role = any(${roles}::text[])`);
  return rows.map((row) => ({ ...row, slowed: slowed.filter((count) => isOfAccount(count, row.id)) }));
}

export async function slowedAddresses(on: Queryable, now: Date): Promise<ThrottledCount[]> {
  return (await readSlowed(on, now)).filter(({ scope }) => scope === 'address');
}

interface PersonRow extends AccountRow {
  readonly login: number;
}

async function findLogin(on: Queryable, now: Date, username: string): Promise<PersonRow | undefined> {
  const [login] = await on.query<{ id: string; number: number; username: string }>(
    sql`select a.id, l.number, l.username from logins l join accounts a on a.id = l.account_id and a.network_id = l.network_id
      where l.username = lower(${username}) and l.removed_at is null ${sql.raw(crossNetworkComment('signIn'))}`,
  );
  const [account] = login ? await readAccounts(on, now, sql`a.id = ${login.id}`) : [];
  return login && account && { ...account, username: login.username, login: login.number };
}

/** Ignores case. */
async function requireAccount(
  { timeZone }: Pick<Services, 'timeZone'>,
  on: Queryable,
  username: string,
  now: Date,
): Promise<PersonRow> {
  const [account] = await readAccounts(on, now, sql`lower(a.username) = lower(${username})`);
  const found = account ? { ...account, login: 0 } : await findLogin(on, now, username);
  if (!found) throw new Error(AUTH_TEXTS.noAccount(username));
  if (found.deletedAt) throw new Error(AUTH_TEXTS.deleted(found.username, timeWords(found.deletedAt, timeZone)));
  return found;
}

export interface Shell {
  readonly command: string;
  readonly osUser: string | undefined;
}

export function shellEntry(
  { command, osUser }: Shell,
  entry: Pick<ActivityEntry, 'subject' | 'detail' | 'changes'>,
): ActivityEntry {
  return {
    ...entry,
    accountId: null,
    username: SHELL,
    subject: AUTH_SUBJECTS.fromShell(entry.subject, osUser),
    origin: { ...NOWHERE, url: command },
  };
}

async function remainingObstacles(services: Services, tx: Tx, account: AccountRow, at: Date): Promise<string[]> {
  const { id, networkId, username, disabled } = account;
  const sentences = disabled === null ? [] : [disabledWords(username, disabled)];
  if (account.role !== 'user') return sentences;
  try {
    await requireNotExcluded(tx, { networkId, id }, { at, timeZone: services.timeZone });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    sentences.push(AUTH_TEXTS.excluded(username, error.message));
  }
  return sentences;
}

export function disabledWords(username: string, disabled: string): string {
  return disabled === username ? AUTH_TEXTS.inactive(username) : AUTH_TEXTS.inactiveAbove(disabled, username);
}

function onAccount<T>(
  services: Services,
  username: string,
  act: (tx: Tx, account: PersonRow, at: Date) => Promise<T>,
): Promise<T> {
  return services.db.transaction(async (tx) => {
    const at = services.clock.now();
    const { id, networkId } = await requireAccount(services, tx, username, at);
    if (!(await shareNetworkLock(tx, networkId))) throw new Error(AUTH_TEXTS.restoring(username));
    await tx.query(sql`select from accounts where id = ${id} for no key update`);
    return act(tx, await requireAccount(services, tx, username, at), at);
  });
}

export interface Reset {
  readonly username: string;
  readonly role: Role;
  readonly ended: number;
  readonly id: string;
  readonly networkId: number;
  readonly stillOut: readonly string[];
}

async function endSessionsOf(services: Services, tx: Tx, { id, login, sessions }: PersonRow): Promise<number> {
  if (login !== 0) return endOwnSessions(services, tx, { id, login }, 'all');
  await endSessionsBelow(services, tx, id, 'itself');
  return sessions;
}

/** Inactive accounts stay inactive. */
export async function resetFromShell(
  services: Services,
  shell: Shell,
  username: string,
  password: string,
): Promise<Reset> {
  const passwordHash = await hashPassword(password);
  return onAccount(services, username, async (tx, account, at) => {
    const { id, role, networkId, login } = account;
    await resetOwnPassword(tx, account, passwordHash, at);
    const ended = await endSessionsOf(services, tx, account);
    await clearAttempts(services, tx, { accountId: id });
    await appendActivity(tx, networkId, services, [
      shellEntry(shell, {
        subject: AUTH_SUBJECTS.passwordGiven(login === 0 ? role : 'login', account.username),
        detail: {
          // The audit recognizes this text: the setter is unknown.
          ...(login === 0 ? { accountId: id, password: 'from the shell' } : { ofLogin: login }),
          ...noticeTo(account, 'password'),
        },
        changes: [
          ...changeOf('Password', null, 'Changed', account.username),
          ...changeOf('Sessions', String(ended), '0', account.username),
        ],
      }),
    ]);
    return {
      username: account.username,
      role,
      ended,
      id,
      networkId,
      stillOut: await remainingObstacles(services, tx, account, at),
    };
  });
}

export interface FactorReset {
  readonly username: string;
  readonly removed: number;
}

/** Helps a login that lost every factor. Also ends its sessions. */
export function resetFactorFromShell(services: Services, shell: Shell, username: string): Promise<FactorReset> {
  return onAccount(services, username, async (tx, account) => {
    const { id, role, networkId, login } = account;
    const factors = await readFactors(tx, account);
    if (factors.length === 0) return { username: account.username, removed: 0 };
    await deleteFactors(
      tx,
      account,
      factors.map(({ number }) => number),
    );
    await forgetDevices(tx, account);
    const ended = await endSessionsOf(services, tx, account);
    await appendActivity(tx, networkId, services, [
      shellEntry(shell, {
        subject: AUTH_SUBJECTS.factorsReset(login === 0 ? role : 'login', account.username),
        detail: { ...(login === 0 ? { accountId: id } : { ofLogin: login }), ...noticeTo(account, 'factor') },
        changes: [
          ...changeOf('Second factor', factors.map(({ name }) => name).join(', '), null, account.username),
          ...changeOf('Sessions', String(ended), '0', account.username),
        ],
      }),
    ]);
    return { username: account.username, removed: factors.length };
  });
}

export interface PlacesReset {
  /** The login, or the admin of the account's network. */
  readonly of: string;
  readonly isChanged: boolean;
}

/** Lets a login, or all staff of the network of an account, sign in from anywhere at any time. */
export function resetPlacesFromShell(services: Services, shell: Shell, username: string): Promise<PlacesReset> {
  return onAccount(services, username, async (tx, account) => {
    const { id, networkId, login } = account;
    const [before] = await tx.query<{
      id: string;
      of: string;
      addresses: string[];
      starts: number | null;
      ends: number | null;
    }>(
      login === 0
        ? sql`select n.id, n.username as of, n.staff_addresses::text[] as addresses, n.staff_starts_minute as starts,
            n.staff_ends_minute as ends
          from networks t join accounts n on n.id = t.admin_id where t.id = ${networkId} for no key update of n`
        : sql`select ${id}::uuid as id, username as of, addresses::text[] as addresses, starts_minute as starts, ends_minute as ends
          from logins where network_id = ${networkId} and account_id = ${id} and number = ${login} for no key update`,
    );
    if (!before) throw new Error(AUTH_TEXTS.noPlaces(account.username));
    const changes = Object.entries(placeWords(before)).flatMap(([what, was]) => changeOf(what, was, null, before.of));
    if (changes.length === 0) return { of: before.of, isChanged: false };
    if (login === 0) await setStaffPlaces(tx, before.id, { addresses: [], starts: null, ends: null });
    else
      await tx.query(
        sql`update logins set addresses = '{}', starts_minute = null, ends_minute = null
          where network_id = ${networkId} and account_id = ${id} and number = ${login}`,
      );
    await announceMoved(services, tx, before.id);
    const detail = login === 0 ? { adminId: before.id } : { ofLogin: login, ...noticeTo(account, 'rights') };
    await appendActivity(tx, networkId, services, [
      shellEntry(shell, { subject: AUTH_SUBJECTS.placesReset(before.of), detail, changes }),
    ]);
    return { of: before.of, isChanged: true };
  });
}

interface Unlocking {
  readonly networkId: number;
  readonly shell: Shell;
  readonly of: string;
  readonly username?: string;
  readonly detail?: NonNullable<ActivityEntry['detail']>;
}

async function logForgotten(
  services: Services,
  tx: Tx,
  { networkId, shell, of, username, detail }: Unlocking,
  forgotten: ClearedAttempts,
): Promise<void> {
  if (forgotten === 'nothing') return;
  const entry =
    forgotten === 'full'
      ? {
          subject: AUTH_SUBJECTS.unlocked(of),
          changes: changeOf('Sign-ins after too many wrong passwords', 'Slowed down', 'Normal', username),
        }
      : {
          subject: AUTH_SUBJECTS.attemptsCleared(of),
          changes: changeOf('Wrong passwords', 'Counted', 'Forgotten', username),
        };
  await appendActivity(tx, networkId, services, [shellEntry(shell, { ...entry, detail })]);
}

export interface Unlocked {
  readonly username: string;
  readonly forgotten: ClearedAttempts;
  readonly stillOut: readonly string[];
}

export function unlockFromShell(services: Services, shell: Shell, username: string): Promise<Unlocked> {
  return onAccount(services, username, async (tx, account, at) => {
    const { id, role, networkId } = account;
    const forgotten = await clearAttempts(services, tx, { accountId: id });
    const of = { of: `${role} ${account.username}`, username: account.username, detail: { accountId: id } };
    await logForgotten(services, tx, { networkId, shell, ...of }, forgotten);
    return { username: account.username, forgotten, stillOut: await remainingObstacles(services, tx, account, at) };
  });
}

/** Unknown accounts are slowed by address. */
export async function unlockAddress(services: Services, shell: Shell, address: string): Promise<ClearedAttempts> {
  const ip = addressIn(address.replace(/::\/64$/, '::'));
  if (ip === undefined) throw new Error(AUTH_TEXTS.notAddress(address));
  return services.db.transaction(async (tx) => {
    const forgotten = await clearAttempts(services, tx, { address: addressKey(ip) });
    await logForgotten(
      services,
      tx,
      { networkId: ROOT_NETWORK, shell, of: `the address ${addressKey(ip)}` },
      forgotten,
    );
    return forgotten;
  });
}
