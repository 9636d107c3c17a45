import { PERMISSIONS, permissionsOf, type LoginRole, type Permission } from '@drawhouse/contract/core/permissions';
import { NOBODY } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { AUTH_TEXTS } from '../auth-texts.ts';
import { personName } from './person.ts';

const DAY_MS = 86_400_000;
/** Setter and owner of a newer password may be one person. */
const PASSWORD_SETTER_MS = 7 * DAY_MS;

export interface PersonId {
  readonly id: string;
  readonly login: number;
}

export interface KnownPerson extends PersonId {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly setBy: string | null;
  /** Null: any login of the setter's account. */
  readonly setByLogin: number | null;
  readonly setAt: Date | null;
}

export async function readPersons(on: Queryable, accountIds: readonly string[]): Promise<KnownPerson[]> {
  type Row = Omit<KnownPerson, 'name' | 'permissions'> & {
    readonly username: string;
    readonly loginName: string | null;
    readonly role: LoginRole | null;
    readonly chosen: string[] | null;
  };
  const rows = await on.query<Row>(
    sql`select a.id, 0::smallint as login, a.username, null as "loginName", null as role, null::text[] as chosen,
        a.password_set_by as "setBy", null::smallint as "setByLogin", a.password_set_at as "setAt"
      from accounts a where a.id = any(${accountIds}::uuid[])
      union all select a.id, l.number, a.username, l.name, l.role, l.permissions, l.password_set_by, l.password_set_by_login,
        l.password_set_at
      from accounts a join logins l on l.network_id = a.network_id and l.account_id = a.id and l.active and l.removed_at is null
      ${sql.raw(crossNetworkComment('persons'))}
      where a.id = any(${accountIds}::uuid[])`.named('persons-of-accounts'),
  );
  return rows.map(({ username, loginName, role, chosen, ...row }) => ({
    ...row,
    name: personName(username, loginName),
    permissions: role === null ? PERMISSIONS : permissionsOf(role, chosen ?? []),
  }));
}

export const isSamePerson = (one: PersonId, other: PersonId): boolean =>
  one.id === other.id && one.login === other.login;

interface SharedPassword {
  readonly of: KnownPerson;
  /** Null: an unknown person at the server shell. Undefined: a third person, who set the passwords of both. */
  readonly setter: KnownPerson | null | undefined;
  readonly setAt: Date;
}

/**
 * Finds a reason why two logins may be one person. Within 7 days, one set the password of the other (creation counts),
 * an unknown person set one from the server shell, or a third person set both. A later change does not help: anyone who
 * knew the password could make it. For a login that its owner made in that time, the owner's password counts too.
 * `all` includes the owners.
 */
export function findSharedPassword(
  one: KnownPerson,
  other: KnownPerson,
  all: readonly KnownPerson[],
  now: Date,
): SharedPassword | undefined {
  const pairs = [
    [one, other],
    [other, one],
  ] as const;
  for (const [person, setter] of pairs)
    for (const { of, by, login, at: setAt } of settingsOf(person, all, now)) {
      if (by === NOBODY) return { of, setter: null, setAt };
      if (by === setter.id && (login ?? setter.login) === setter.login) return { of, setter, setAt };
    }
  for (const first of settingsOf(one, all, now))
    for (const second of settingsOf(other, all, now)) {
      const isSame = first.login === null || second.login === null || first.login === second.login;
      const { of, at: setAt } = first.at < second.at ? first : second;
      if (first.by === second.by && isSame) return { of, setter: undefined, setAt };
    }
  return undefined;
}

interface Setting {
  readonly of: KnownPerson;
  readonly by: string;
  readonly login: number | null;
  readonly at: Date;
}

/** Returns the recent setter of a person's password. If the owner set it, also who set the owner's password. */
function settingsOf(of: KnownPerson, all: readonly KnownPerson[], now: Date): readonly Setting[] {
  const set = recentSetting(of, now);
  if (!set) return [];
  const owner =
    of.login !== 0 && set.by === of.id ? all.find((person) => isSamePerson(person, { ...of, login: 0 })) : undefined;
  return [{ of, ...set }, ...(owner ? settingsOf(owner, all, now) : [])];
}

function recentSetting(
  { id, login, setAt, setBy, setByLogin }: KnownPerson,
  now: Date,
): Omit<Setting, 'of'> | undefined {
  if (setAt === null || setBy === null || setAt.getTime() <= now.getTime() - PASSWORD_SETTER_MS) return undefined;
  const isOwn = setBy === id && (setByLogin ?? login) === login;
  return isOwn ? undefined : { by: setBy, login: setByLogin, at: setAt };
}

/** Returns both persons, read again. */
export async function requireSeparatePersons(
  on: Queryable,
  first: PersonId,
  second: PersonId,
  now: Date,
): Promise<readonly [KnownPerson, KnownPerson]> {
  const persons = await readPersons(on, [...new Set([first.id, second.id])]);
  const [one, other] = [first, second].map((id) => persons.find((person) => isSamePerson(person, id)));
  if (!one || !other) throw new CallError('SESSION_ENDED');
  const shared = findSharedPassword(one, other, persons, now);
  if (!shared) return [one, other];
  const { of, setter, setAt } = shared;
  const reason =
    setter === null
      ? AUTH_TEXTS.setByStranger(of.name)
      : setter === undefined
        ? AUTH_TEXTS.bothSetByOne(one.name)
        : isSamePerson(setter, second)
          ? AUTH_TEXTS.youSetPassword(of.name)
          : AUTH_TEXTS.theySetPassword(setter.name);
  const leftMs = setAt.getTime() + PASSWORD_SETTER_MS - now.getTime();
  throw new CallError('RULE_REFUSED', { message: AUTH_TEXTS.retryIn(reason, inWords(leftMs)) });
}

/** `6 days`, or hours below two days. Rounded up. */
function inWords(ms: number): string {
  const hours = Math.ceil(ms / 3_600_000);
  return hours >= 48 ? `${Math.ceil(ms / DAY_MS)} days` : hours === 1 ? '1 hour' : `${hours} hours`;
}
