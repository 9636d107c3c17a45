import { PARENT_LABEL, type accountLists } from '@drawhouse/contract/accounts/account-lists';
import { roleAbove, type Role } from '@drawhouse/contract/core/primitives';
import { allOf, naturalOrder, sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Described, Expressed, Expression, ListRequest, ListSource } from '../../platform/lists/list-source.ts';
import { networkOrColumnSql, singleNetworkOf } from '../../platform/db/cross-network-sql.ts';
import { inSubtree, selectVisible } from '../../platform/db/visibility-predicate.ts';
import { accountColumns, inNetworks, toAccount, wholeNetworksOf, type AccountRow } from '../accounts.sql.ts';
import type { Actor } from '../authority.ts';
import { onlineAccounts } from './online-sessions.ts';

type Source = ListSource<(typeof accountLists)[Role], AccountRow>;

/** One level below the actor. The superadmin list includes the actor. */
export function accountSource(
  { actor, at, on }: Pick<ListRequest<unknown, Actor>, 'actor' | 'at' | 'on'>,
  role: Role,
  parentId?: string,
): Source {
  const created = sql`a.created_at`;
  const balance: Expression = {
    by: sql`w.balance`,
    join: sql`join wallets w on w.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'a.network_id')} and w.owner_id = a.id
      and w.kind = ${sql.lit(WALLET_KINDS.credit)}`,
  };
  const session = sql`left join ${onlineAccounts(at)} s on s.account_id = a.id`;
  return {
    from: sql`accounts a`,
    authority: inSubtree('a', actor),
    where: allOf([
      sql`a.role = ${role}`,
      ...(role === 'superadmin' ? [] : [sql`a.id <> ${actor.id}`]),
      ...(parentId === undefined ? [] : [sql`a.parent_id = ${parentId}`]),
    ]),
    key: sql`a.id`,
    select: accountColumns(actor, at),
    toRow: toAccount,
    // Each row reads five tables; its sort position needs one index only.
    reading: 'keysFirst',
    ...(parentId === undefined && role !== 'superadmin' && { countAll: () => countInNetworks(on, actor, role) }),
    order: {
      username: naturalOrder(sql`a.username`),
      uniqueId: sql`a.unique_id`,
      refId: role === 'superadmin' ? created : parentNameSql(role),
      walletBalance: balance,
      commission: sql`a.commission`,
      userStatus: sql`a.active`,
      isLoggedIn: { by: sql`(s.account_id is not null)`, join: session },
      createdAt: created,
      lastLogin: { by: sql`a.last_login_at`, nullable: true },
    },
    filters: {
      parentId: sql`a.parent_id`,
      state: (state) => (state === 'active' ? sql`a.active` : sql`not a.active`),
      balance,
      created,
      online: (online): Expressed => ({
        by: online === 'yes' ? sql`s.account_id is not null` : sql`s.account_id is null`,
        join: session,
      }),
    },
    search: searchOf(role),
  };
}

export function searchOf(role: Role): (pattern: string) => Sql {
  return (pattern) => {
    const name = pattern.toLowerCase();
    return role === 'user'
      ? sql`(lower(a.username) like ${name} or a.parent_id in (select found.id from accounts found
        where found.role = 'retailer' and lower(found.username) like ${name}))`
      : sql`lower(a.username) like ${name}`;
  };
}

export async function referenceOf({
  actor,
  query,
  on,
}: Pick<ListRequest<(typeof accountLists)[Role], Actor>, 'actor' | 'query' | 'on'>): Promise<Described> {
  const [parent] = await on.query<{ username: string }>(
    sql`select a.username from accounts a where a.id = ${query.parentId ?? null}::uuid and ${inSubtree('a', actor)}`,
  );
  return parent ? { [PARENT_LABEL]: parent.username } : {};
}

/** Uses the parents' index for the order. Parents of living accounts are never deleted. */
function parentNameSql(role: Role): Expression {
  return {
    by: naturalOrder(sql`p.username`),
    join: sql`join accounts p on p.id = a.parent_id and p.deleted_at is null and p.role = ${roleAbove(role)}`,
  };
}

export async function countInNetworks(on: Queryable, actor: Actor, role: Role): Promise<number | undefined> {
  const networks = await wholeNetworksOf(on, actor);
  if (!networks) return undefined;
  const [row] = await on.query<{ total: bigint }>(
    selectVisible({
      select: sql`count(*) as total`,
      from: sql`accounts a`,
      authority: inNetworks(networks),
      where: sql`a.role = ${role} and a.id <> ${actor.id}`,
    }),
  );
  return Number(row!.total);
}
