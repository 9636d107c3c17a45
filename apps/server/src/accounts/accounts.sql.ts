import { ACCOUNT_ORDER } from '@drawhouse/contract/accounts';
import type { Account } from '@drawhouse/contract/accounts';
import { percentOf, pointsOf } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { containing } from '../db/like-pattern.ts';
import type { Queryable } from '../db/database.ts';
import { WALLET_KINDS } from '../ledger/kinds.ts';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from './session-limits.ts';
import { inSubtree } from './authority.ts';

interface AccountRow {
  id: string;
  username: string;
  role: Role;
  unique_id: string;
  parent_id: string | null;
  parent_username: string | null;
  commission: number;
  note: string;
  active: boolean;
  inactive_above: { _id: string; username: string; role: Role } | null;
  credit: bigint;
  commission_balance: bigint;
  daily_limit: bigint | null;
  created_at: Date;
  last_login_at: Date | null;
  logged_in: boolean;
  games: { _id: string; gameId: string; gameName: string }[] | null;
}

/** What an account's row is made of, for an account called `a`; `$1` is the actor, `$2` the present time. */
const ACCOUNT = `
  a.id, a.username, a.role, a.unique_id, a.parent_id, a.commission, a.note, a.active, a.created_at, a.last_login_at, a.daily_limit,
  (select p.username from accounts p where p.id = a.parent_id) as parent_username,
  (select json_build_object('_id', up.id, 'username', up.username, 'role', up.role) from accounts up
   where up.id = any(a.chain) and up.id <> a.id and not up.active and ${inSubtree('up', '$1')}
   order by cardinality(up.chain) limit 1) as inactive_above,
  coalesce((select w.balance from wallets w where w.network_id = a.network_id and w.owner_id = a.id and w.kind = ${WALLET_KINDS.credit}), 0) as credit,
  coalesce((select w.balance from wallets w where w.network_id = a.network_id and w.owner_id = a.id and w.kind = ${WALLET_KINDS.commission}), 0) as commission_balance,
  exists (select from sessions s where s.account_id = a.id
            and s.last_used_at > $2::timestamptz - interval '${SESSION_IDLE_MS} ms'
            and s.created_at > $2::timestamptz - interval '${SESSION_MAX_MS} ms') as logged_in,
  case when a.role = 'admin' then
    (select coalesce(json_agg(json_build_object('_id', g.id, 'gameId', g.game_key, 'gameName', g.name) order by g.name), '[]')
     from network_games ng join games g on g.id = ng.game_id where ng.network_id = a.network_id)
  end as games`;

function toAccount(row: AccountRow): Account {
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
  };
}

/** One account of the actor's subtree (itself included), or undefined. `role` narrows it to one level. */
export async function findAccount(
  on: Queryable,
  actorId: string,
  at: Date,
  wanted: { id: string; role?: Role; parentId?: string },
): Promise<Account | undefined> {
  const [row] = await on.query<AccountRow>(
    `select ${ACCOUNT} from accounts a
     where a.id = $3 and ($4::text is null or a.role = $4) and ($5::uuid is null or a.parent_id = $5) and ${inSubtree('a', '$1')}`,
    [actorId, at, wanted.id, wanted.role ?? null, wanted.parentId ?? null],
  );
  return row && toAccount(row);
}

/** How a list can be sorted: the expression, the join that it needs, and whether it may be null: then null is the least. */
const SORTABLE: Record<string, { by: string; join?: string; nullable?: true }> = {
  username: { by: 'lower(a.username)' },
  uniqueId: { by: 'a.unique_id' },
  refId: {
    by: 'lower(p.username)',
    // Said in full, so that the parents' index gives the order: one that has children is not deleted.
    join: `join accounts p on p.id = a.parent_id and p.deleted_at is null and p.role =
             case $2 when 'admin' then 'superadmin' when 'superdistributor' then 'admin' when 'distributor' then 'superdistributor'
                     when 'retailer' then 'distributor' else 'retailer' end`,
  },
  walletBalance: {
    by: 'w.balance',
    join: `join wallets w on w.network_id = a.network_id and w.owner_id = a.id and w.kind = ${WALLET_KINDS.credit}`,
  },
  commission: { by: 'a.commission' },
  userStatus: { by: 'a.active' },
  isLoggedIn: {
    by: '(s.account_id is not null)',
    join: `left join (select distinct account_id from sessions
                      where last_used_at > $7::timestamptz - interval '${SESSION_IDLE_MS} ms'
                        and created_at > $7::timestamptz - interval '${SESSION_MAX_MS} ms') s on s.account_id = a.id`,
  },
  createdAt: { by: 'a.created_at' },
  lastLogin: { by: 'a.last_login_at', nullable: true },
};

/** The names of the fields that a list can be sorted by. */
export const SORT_FIELDS: readonly string[] = Object.keys(SORTABLE);

/** Which accounts of one level to list, and in what order. */
export interface AccountListing {
  readonly role: Role;
  /** Keeps the direct children of one account. */
  readonly parentId?: string;
  /** Part of the username, whatever the case; for players also of the parent's. */
  readonly search?: string;
  /** One of {@link SORT_FIELDS}, with - in front for descending; default the newest first. */
  readonly sort?: string;
}

/** The listed accounts below the actor, and for the superadmins' list the actor itself. `$1` is the actor. */
const LISTED = `a.role = $2 and ($2 = 'superadmin' or a.id <> $1) and ${inSubtree('a', '$1')}
  and ($3::uuid is null or a.parent_id = $3)
  and ($4::text is null or lower(a.username) like $4
       or ($2 = 'user' and a.parent_id in (select found.id from accounts found where found.role = 'retailer' and lower(found.username) like $4)))`;

function listedValues(actorId: string, { role, parentId, search }: AccountListing): unknown[] {
  return [actorId, role, parentId ?? null, containing(search?.toLowerCase())];
}

/** How many accounts a listing has. */
export async function countListed(on: Queryable, actorId: string, listing: AccountListing): Promise<number> {
  const isWhole = !listing.search && !listing.parentId && listing.role !== 'superadmin';
  const whole = isWhole ? await countInNetworks(on, actorId, listing.role) : undefined;
  if (whole !== undefined) return whole;
  const [row] = await on.query<{ total: bigint }>(
    `select count(*) as total from accounts a where ${LISTED}`,
    listedValues(actorId, listing),
  );
  return Number(row!.total);
}

/**
 * The same for who has whole networks below it, a superadmin or an admin, read from the index of the networks: a fifth of the
 * time. Undefined for everyone else.
 */
async function countInNetworks(on: Queryable, actorId: string, role: Role): Promise<number | undefined> {
  const networks = await on.query<{ id: number }>(
    `select n.network_id as id from accounts n where n.role = 'admin' and ${inSubtree('n', '$1')}`,
    [actorId],
  );
  if (networks.length === 0) return undefined;
  const [row] = await on.query<{ total: bigint }>(
    `select count(*) as total from accounts a
     where a.role = $2 and a.deleted_at is null and a.id <> $1 and a.network_id = any($3::int[])`,
    [actorId, role, networks.map(({ id }) => id)],
  );
  return Number(row!.total);
}

/** The clauses of a listing's order, forwards or backwards. `$7` is the present time where the join needs it. */
function orderOf(listing: AccountListing, backwards: boolean): { join: string; direction: string } {
  const sort = listing.sort ?? ACCOUNT_ORDER;
  const field = SORTABLE[sort.replace('-', '')] ?? SORTABLE['createdAt']!;
  // Superadmins have no reference to be sorted by.
  const isPlain = listing.role === 'superadmin' && field === SORTABLE['refId'];
  const { by, join = '', nullable } = isPlain ? SORTABLE['createdAt']! : field;
  const descending = sort.startsWith('-');
  const direction = descending === backwards ? 'asc' : 'desc';
  const nulls = nullable ? (direction === 'asc' ? 'nulls first' : 'nulls last') : '';
  return { join, direction: `order by ${by} ${direction} ${nulls}, a.id ${direction}` };
}

/**
 * The ids of a stretch of a listing, in its order. With a `total` a stretch in the second half is read from the end, so that the
 * last page costs what the first does.
 */
export async function listIds(
  on: Queryable,
  actorId: string,
  at: Date,
  listing: AccountListing,
  stretch: { limit: number; offset: number; total?: number },
): Promise<string[]> {
  const { offset, total } = stretch;
  const limit = Math.max(0, Math.min(stretch.limit, (total ?? Infinity) - offset));
  if (limit === 0) return [];
  const fromEnd = total !== undefined && offset > total / 2;
  const { join, direction } = orderOf(listing, fromEnd);
  const rows = await on.query<{ id: string }>(
    `select a.id from accounts a ${join} where ${LISTED} ${direction} limit $5 offset $6`,
    [
      ...listedValues(actorId, listing),
      limit,
      fromEnd ? total - offset - limit : offset,
      ...(join.includes('$7') ? [at] : []),
    ],
  );
  const ids = rows.map((row) => row.id);
  return fromEnd ? ids.toReversed() : ids;
}

/** A stretch of a search with its total: both from one look at every account, as no index finds a part of a name. */
async function searchIds(
  on: Queryable,
  actorId: string,
  at: Date,
  listing: AccountListing,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ ids: string[]; total: number }> {
  const { join, direction } = orderOf(listing, false);
  const rows = await on.query<{ id: string; total: bigint }>(
    `select a.id, count(*) over () as total from accounts a ${join} where ${LISTED} ${direction} limit $5 offset $6`,
    [...listedValues(actorId, listing), limit, offset, ...(join.includes('$7') ? [at] : [])],
  );
  // Past the end there is no row to say how many there are.
  const total = rows[0] ? Number(rows[0].total) : await countListed(on, actorId, listing);
  return { ids: rows.map((row) => row.id), total };
}

/** Accounts by their ids, in that order; those outside the actor's subtree are left out. */
export async function accountsById(
  on: Queryable,
  actorId: string,
  at: Date,
  ids: readonly string[],
): Promise<Account[]> {
  const rows = await on.query<AccountRow>(
    `select ${ACCOUNT} from unnest($3::uuid[]) with ordinality as wanted (id, place) join accounts a on a.id = wanted.id
     where ${inSubtree('a', '$1')} order by wanted.place`,
    [actorId, at, ids],
  );
  return rows.map(toAccount);
}

/** One stretch of a listing, and how many there are in all. */
export async function listAccounts(
  on: Queryable,
  actorId: string,
  at: Date,
  listing: AccountListing,
  stretch: { limit: number; offset: number },
): Promise<{ accounts: Account[]; total: number }> {
  if (listing.search) {
    const { ids, total } = await searchIds(on, actorId, at, listing, stretch);
    return { accounts: await accountsById(on, actorId, at, ids), total };
  }
  const total = await countListed(on, actorId, listing);
  const ids = await listIds(on, actorId, at, listing, { ...stretch, total });
  return { accounts: await accountsById(on, actorId, at, ids), total };
}

/** How many accounts of each level are below the actor. */
export async function countAccounts(on: Queryable, actorId: string): Promise<Partial<Record<Role, number>>> {
  const rows = await on.query<{ role: Role; n: bigint }>(
    `select a.role, count(*) as n from accounts a where a.id <> $1 and ${inSubtree('a', '$1')} group by a.role`,
    [actorId],
  );
  return Object.fromEntries(rows.map((row) => [row.role, Number(row.n)]));
}

/**
 * How many accounts below these are effectively active, staff and players apart: whom their deactivation puts out. Undefined where
 * one of them is not in the actor's subtree.
 */
export async function countActiveBelow(
  on: Queryable,
  actorId: string,
  ids: readonly string[],
): Promise<{ accounts: number; players: number } | undefined> {
  const [row] = await on.query<{ known: bigint; accounts: bigint; players: bigint }>(
    `with out as materialized (
       select coalesce(array_agg(o.id), '{}') as ids from accounts o
       where o.chain && $2::uuid[] and o.role <> 'user' and not o.active and ${inSubtree('o', '$1')}
     )
     select (select count(*) from accounts a where a.id = any($2::uuid[]) and ${inSubtree('a', '$1')}) as known,
            count(*) filter (where b.role <> 'user') as accounts,
            count(*) filter (where b.role = 'user') as players
     from accounts b, out
     where b.chain && $2::uuid[] and b.id <> all($2::uuid[]) and b.active and not b.chain && out.ids and ${inSubtree('b', '$1')}`,
    [actorId, ids],
  );
  if (Number(row!.known) < new Set(ids).size) return undefined;
  return { accounts: Number(row!.accounts), players: Number(row!.players) };
}
