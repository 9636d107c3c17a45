import type { Login } from '@drawhouse/contract/logins/logins';
import { permissionsOf } from '@drawhouse/contract/core/permissions';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '@drawhouse/contract/auth/auth';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { shownAddress } from '../../platform/http/request/address.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Person } from './person.ts';

type Account = Pick<Person, 'id' | 'networkId'>;

export interface StoredTerms {
  readonly name: string;
  readonly role: Exclude<Login['role'], 'owner'>;
  readonly permissions: readonly string[];
  readonly games: readonly string[];
  readonly daily_limit: bigint | null;
  readonly addresses: readonly string[];
  /** Minutes of the day. */
  readonly starts_minute: number | null;
  readonly ends_minute: number | null;
}

export interface LoginRow extends StoredTerms {
  readonly number: number;
  readonly username: string;
  readonly active: boolean;
  readonly password_hash: string;
  readonly created_at: Date;
  readonly last_login_at: Date | null;
}

const LOGIN = sql`l.number, l.username, l.name, l.role, l.permissions, l.games, l.daily_limit, l.addresses::text[] as addresses,
  l.starts_minute, l.ends_minute, l.active, l.password_hash, l.created_at, l.last_login_at`;

const ofAccount = ({ id, networkId }: Account): Sql => sql`l.network_id = ${networkId} and l.account_id = ${id}`;

export async function loginsOf(
  on: Queryable,
  account: Account,
  at: Date,
  number: number | null = null,
): Promise<Login[]> {
  const rows = await on.query<LoginRow & { devices: number }>(
    sql`select ${LOGIN}, (select count(distinct coalesce(s.device_hash, s.token_hash))::int from sessions s
        where s.account_id = l.account_id and s.login = l.number and s.last_used_at > ${new Date(at.getTime() - SESSION_IDLE_MS)}
          and s.created_at > ${new Date(at.getTime() - SESSION_MAX_MS)}) as devices
      from logins l where ${ofAccount(account)} and l.removed_at is null and (${number}::int is null or l.number = ${number})
      order by l.number`,
  );
  return rows.map(shown);
}

function shown({ devices, ...row }: LoginRow & { readonly devices: number }): Login {
  return {
    number: row.number,
    username: row.username,
    name: row.name,
    role: row.role,
    permissions: [...permissionsOf(row.role, row.permissions)],
    games: [...row.games],
    dailyLimit: row.daily_limit === null ? null : pointsOf(row.daily_limit),
    addresses: row.addresses.map(shownAddress),
    hours: row.starts_minute === null ? null : { from: clockOf(row.starts_minute), to: clockOf(row.ends_minute!) },
    active: row.active,
    createdAt: row.created_at.toISOString(),
    lastLogin: row.last_login_at?.toISOString() ?? null,
    devices,
  };
}

export function clockOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

export async function lockLogin(tx: Tx, account: Account, number: number): Promise<LoginRow | undefined> {
  const [row] = await tx.query<LoginRow>(
    sql`select ${LOGIN} from logins l where ${ofAccount(account)} and l.number = ${number} and l.removed_at is null for update`,
  );
  return row;
}

export async function findLoginName(on: Queryable, account: Account, number: number): Promise<string | undefined> {
  const [row] = await on.query<{ name: string }>(
    sql`select l.name from logins l where ${ofAccount(account)} and l.number = ${number} and l.removed_at is null`,
  );
  return row?.name;
}

/** Take it before any account: a rule must not begin while the last login that may decide is removed. */
export async function lockApprovalRules(tx: Tx, networkId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('approval rules ' || ${networkId}::int, 0))`);
}

/** Numbers and names of logins must be unique. */
export async function lockLogins(
  tx: Tx,
  account: Account,
): Promise<{ readonly last: number; readonly names: readonly { readonly number: number; readonly name: string }[] }> {
  await tx.query(sql`select from accounts where id = ${account.id} for no key update`);
  const rows = await tx.query<{ number: number; name: string; removed: boolean }>(
    sql`select l.number, l.name, l.removed_at is not null as removed from logins l where ${ofAccount(account)} order by l.number`,
  );
  return { last: rows.at(-1)?.number ?? 0, names: rows.filter(({ removed }) => !removed) };
}
