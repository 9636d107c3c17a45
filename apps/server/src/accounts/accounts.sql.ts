import type { Account } from '@drawhouse/contract/accounts/accounts';
import { percentOf, pointsOf, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import {
  inSubtree,
  accountsOfNetworks,
  narrowPredicate,
  selectVisible,
  wholeNetworks,
  type Viewer,
  type Networks,
  type Predicate,
} from '../platform/db/visibility-predicate.ts';
import type { Actor } from './authority.ts';
import { isOnline } from './read/online-sessions.ts';

export interface AccountRow {
  id: string;
  username: string;
  role: Role;
  unique_id: string;
  parent_id: string | null;
  parent_username: string | null;
  commission: number;
  commission_ceiling: number | null;
  table_line: bigint | null;
  note: string;
  active: boolean;
  inactive_above: { _id: string; username: string; role: Role } | null;
  credit: bigint;
  commission_balance: bigint;
  daily_limit: bigint | null;
  token_sessions: boolean;
  factor_roles: Role[];
  password_first: boolean;
  remember_devices: boolean;
  test_network: boolean;
  created_at: Date;
  last_login_at: Date | null;
  logged_in: boolean;
  games: { _id: string; gameId: string; gameName: string }[] | null;
}

export function accountColumns(actor: Viewer, at: Date): Sql {
  const network = networkOrColumnSql(singleNetworkOf(actor), 'a.network_id');
  return sql`
  a.id, a.username, a.role, a.unique_id, a.parent_id, a.commission, a.note, a.active, a.created_at, a.last_login_at,
    a.daily_limit, a.token_sessions, a.factor_roles, a.password_first, a.remember_devices, a.test_network,
  case when a.role = 'admin' then a.commission_ceiling end as commission_ceiling, a.table_line,
  (select p.username from accounts p where p.id = a.parent_id) as parent_username,
  (select json_build_object('_id', up.id, 'username', up.username, 'role', up.role) from accounts up
   where up.id = any(a.chain) and up.id <> a.id and not up.active and ${inSubtree('up', actor)}
   order by cardinality(up.chain) limit 1) as inactive_above,
  coalesce((select w.balance from wallets w
    where w.network_id = ${network} and w.owner_id = a.id and w.kind = ${sql.lit(WALLET_KINDS.credit)}), 0) as credit,
  coalesce((select w.balance from wallets w
    where w.network_id = ${network} and w.owner_id = a.id and w.kind = ${sql.lit(WALLET_KINDS.commission)}), 0) as commission_balance,
  ${isOnline('a', at)} as logged_in,
  case when a.role = 'admin' then
    (select coalesce(json_agg(json_build_object('_id', g.id, 'gameId', g.game_key, 'gameName', g.name)
      order by lower(g.name) collate natural_order), '[]')
     from network_games ng join games g on g.id = ng.game_id where ng.network_id = ${network})
  end as games`;
}

export function toAccount(row: AccountRow): Account {
  return {
    _id: row.id,
    username: row.username,
    role: row.role,
    uniqueId: row.unique_id,
    refId: row.parent_id === null ? null : { _id: row.parent_id, username: row.parent_username! },
    commission: percentOf(row.commission),
    note: row.note,
    userStatus: row.active,
    inactiveAbove: row.inactive_above,
    walletBalance: pointsOf(row.credit),
    wallet: [{ individualCredit: pointsOf(row.credit) }],
    commissionPoint: pointsOf(row.commission_balance),
    dailyLimit: row.daily_limit === null ? null : pointsOf(row.daily_limit),
    createdAt: row.created_at.toISOString(),
    lastLogin: row.last_login_at?.toISOString() ?? null,
    isLoggedIn: row.logged_in,
    ...(row.games && { games: row.games }),
    ...(row.commission_ceiling !== null && { commissionCeiling: percentOf(row.commission_ceiling) }),
    ...(row.role === 'admin' && { tableLine: row.table_line === null ? null : pointsOf(row.table_line) }),
    ...(row.role === 'admin' && {
      tokenSessions: row.token_sessions,
      factorRoles: row.factor_roles,
      passwordFirst: row.password_first,
      rememberDevices: row.remember_devices,
      testNetwork: row.test_network,
    }),
  };
}

export async function findAccount(
  on: Queryable,
  actor: Viewer,
  at: Date,
  { id, role, parentId }: { id: string; role?: Role; parentId?: string },
): Promise<Account | undefined> {
  const [row] = await on.query<AccountRow>(sql`select ${accountColumns(actor, at)} from accounts a
        where a.id = ${id} ${role === undefined ? sql`` : sql`and a.role = ${role}`}
          ${parentId === undefined ? sql`` : sql`and a.parent_id = ${parentId}`}
          and ${inSubtree('a', actor)}`);
  return row && toAccount(row);
}

/** Leaves out accounts outside the actor's subtree. */
export async function findAccounts(
  on: Queryable,
  actor: Viewer,
  at: Date,
  ids: readonly string[],
): Promise<Map<string, Account>> {
  const rows = await on.query<AccountRow>(
    sql`select ${accountColumns(actor, at)} from accounts a where a.id = any(${ids}::uuid[]) and ${inSubtree('a', actor)}`,
  );
  return new Map(rows.map((row) => [row.id, toAccount(row)]));
}

export async function networksOf(on: Queryable, { id, role, networkId }: NetworkMember): Promise<readonly number[]> {
  if (role !== 'superadmin') return [networkId];
  const networks = await on.query<{ id: number }>(
    sql`select a.network_id as id from accounts a where a.role = 'admin' and ${inSubtree('a', { id })}`.named(
      'networks-below',
    ),
  );
  return networks.map((network) => network.id);
}

/** All networks below a superadmin, an admin's own. Undefined for lower roles. */
export async function wholeNetworksOf(on: Queryable, actor: NetworkMember): Promise<Networks | undefined> {
  const hasWhole = actor.role === 'superadmin' || actor.role === 'admin';
  return hasWhole ? wholeNetworks(await networksOf(on, actor)) : undefined;
}

/** Five times faster than filtering by subtree. */
export function inNetworks(networks: Networks): Predicate {
  return narrowPredicate(accountsOfNetworks('a', networks), sql`a.deleted_at is null`);
}

export async function countAccounts(on: Queryable, actor: NetworkMember): Promise<Partial<Record<Role, number>>> {
  const networks = await wholeNetworksOf(on, actor);
  const rows = await on.query<{ role: Role; n: bigint }>(
    selectVisible({
      select: sql`a.role, count(*) as n`,
      from: sql`accounts a`,
      authority: networks ? inNetworks(networks) : inSubtree('a', actor),
      where: sql`a.id <> ${actor.id}`,
      by: sql`a.role`,
    }),
  );
  const byLevel = rows.toSorted((one, other) => ROLES.indexOf(one.role) - ROLES.indexOf(other.role));
  return Object.fromEntries(byLevel.map((row) => [row.role, Number(row.n)]));
}

export function listPlayers(
  on: Queryable,
  actor: NetworkMember,
  most: number,
): Promise<{ _id: string; username: string }[]> {
  return on.query(sql`select a.id as _id, a.username from accounts a where a.role = 'user' and ${inSubtree('a', actor)}
        order by lower(a.username) collate natural_order, a.id limit ${most}`);
}

type NetworkMember = Pick<Actor, 'id' | 'role' | 'networkId'>;

/** Staff and players separately. Undefined if an id is outside the actor's subtree. */
export async function countActiveBelow(
  on: Queryable,
  actor: NetworkMember,
  ids: readonly string[],
): Promise<{ accounts: number; players: number } | undefined> {
  const idArray = sql`${ids}::uuid[]`;
  const visible = selectVisible({
    select: sql`count(*)`,
    from: sql`accounts a`,
    authority: inSubtree('a', actor),
    where: sql`a.id = any(${idArray})`,
  });
  const out = selectVisible({
    select: sql`coalesce(array_agg(o.id), '{}') as ids`,
    from: sql`accounts o`,
    authority: inSubtree('o', actor),
    where: sql`o.chain && ${idArray} and o.role <> 'user' and not o.active`,
  });
  const counts = selectVisible({
    select: sql`(${visible}) as total, count(*) filter (where b.role <> 'user') as accounts,
      count(*) filter (where b.role = 'user') as players`,
    from: sql`accounts b, out`,
    authority: inSubtree('b', actor),
    where: sql`b.chain && ${idArray} and b.id <> all(${idArray}) and b.active and not b.chain && out.ids`,
  });
  const [row] = await on.query<{ total: bigint; accounts: bigint; players: bigint }>(
    sql`with out as materialized (${out}) ${counts}`,
  );
  if (Number(row!.total) < new Set(ids).size) return undefined;
  return { accounts: Number(row!.accounts), players: Number(row!.players) };
}

/** Default: net credit given to the network, at least 0. */
export const tableLine = (network: Sql): Sql =>
  sql`(select coalesce(admin.table_line, greatest(-border.balance, 0)) from networks own join accounts admin on admin.id = own.admin_id
    join wallets border on border.network_id = ${network} and border.owner_id = own.admin_id
      and border.kind = ${sql.lit(WALLET_KINDS.boundary)}
    where own.id = ${network})`;

/** The network's tables together are below its line, so no draw opens. */
export const tablesAreBelow = (network: Sql): Sql =>
  sql`(select coalesce(sum(each.balance), 0) from games g
    join wallets each on each.network_id = ${network} and each.owner_id = g.id and each.kind = ${sql.lit(WALLET_KINDS.table)})
    < -${tableLine(network)}`;

/** Hundredths of a percent. */
export const commissionCeiling = (network: Sql): Sql =>
  sql`(select admin.commission_ceiling from networks own join accounts admin on admin.id = own.admin_id where own.id = ${network})`;

export async function setStaffPlaces(
  tx: Tx,
  adminId: string,
  {
    addresses,
    starts,
    ends,
  }: { readonly addresses: readonly string[]; readonly starts: number | null; readonly ends: number | null },
): Promise<void> {
  await tx.query(
    sql`update accounts set staff_addresses = ${[...addresses]}::cidr[], staff_starts_minute = ${starts}, staff_ends_minute = ${ends}
      where id = ${adminId}`,
  );
}
