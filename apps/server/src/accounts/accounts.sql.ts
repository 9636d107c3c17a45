import type { Account } from '@drawhouse/contract/accounts';
import { percentOf, pointsOf } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import type { Queryable } from '../db/database.ts';
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
  credit: bigint;
  commission_balance: bigint;
  created_at: Date;
  last_login_at: Date | null;
  logged_in: boolean;
  games: { _id: string; gameId: string; gameName: string }[] | null;
}

/** What an account's row is made of, for an account called `a`; `$1` is the actor, `$2` the present time. */
const ACCOUNT = `
  a.id, a.username, a.role, a.unique_id, a.parent_id, a.commission, a.note, a.active, a.created_at, a.last_login_at,
  (select p.username from accounts p where p.id = a.parent_id) as parent_username,
  coalesce((select w.balance from wallets w where w.network_id = a.network_id and w.owner_id = a.id and w.kind = 'credit' and w.game_id is null), 0) as credit,
  coalesce((select w.balance from wallets w where w.network_id = a.network_id and w.owner_id = a.id and w.kind = 'commission' and w.game_id is null), 0) as commission_balance,
  exists (select from sessions s where s.account_id = a.id
            and s.last_used_at > $2::timestamptz - interval '${SESSION_IDLE_MS} ms'
            and s.created_at > $2::timestamptz - interval '${SESSION_MAX_MS} ms') as logged_in,
  case when a.role = 'admin' then
    (select coalesce(json_agg(json_build_object('_id', g.id, 'gameId', g.game_id, 'gameName', g.name) order by g.name), '[]')
     from network_games ng join games g on g.id = ng.game_id where ng.network_id = a.id)
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
    walletBalance: pointsOf(row.credit),
    wallet: [{ individualCredit: pointsOf(row.credit) }],
    commissionPoint: pointsOf(row.commission_balance),
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
  wanted: { id: string; role?: Role },
): Promise<Account | undefined> {
  const [row] = await on.query<AccountRow>(
    `select ${ACCOUNT} from accounts a
     where a.id = $3 and ($4::text is null or a.role = $4) and ${inSubtree('a', '$1')}`,
    [actorId, at, wanted.id, wanted.role ?? null],
  );
  return row && toAccount(row);
}

/** The fields that a list can be sorted by, with what each means in SQL. */
const SORTABLE: Record<string, string> = {
  username: 'lower(a.username)',
  uniqueId: 'a.unique_id',
  refId: 'parent_username',
  walletBalance: 'credit',
  commission: 'a.commission',
  userStatus: 'a.active',
  isLoggedIn: 'logged_in',
  createdAt: 'a.created_at',
  lastLogin: 'a.last_login_at',
};

/** Which accounts of one level to list, and how. */
export interface AccountListing {
  readonly role: Role;
  /** Keeps the direct children of one account. */
  readonly parentId?: string;
  /** Part of the username, whatever the case; for players also of the parent's. */
  readonly search?: string;
  /** A field of {@link SORTABLE}, with - in front for descending; default the newest first. */
  readonly sort?: string;
  readonly limit: number;
  readonly offset: number;
}

/** The names of the fields that a list can be sorted by. */
export const SORT_FIELDS: readonly string[] = Object.keys(SORTABLE);

/** One page of a level's accounts below the actor, and how many there are in all. */
export async function listAccounts(
  on: Queryable,
  actorId: string,
  at: Date,
  listing: AccountListing,
): Promise<{ accounts: Account[]; total: number }> {
  const descending = listing.sort?.startsWith('-') ?? true;
  const field = SORTABLE[listing.sort?.replace('-', '') ?? 'createdAt'] ?? SORTABLE['createdAt']!;
  const where = `a.role = $3 and ($3 = 'superadmin' or a.id <> $1) and ${inSubtree('a', '$1')}
    and ($4::uuid is null or a.parent_id = $4)
    and ($5::text is null or a.username ilike $5
         or ($3 = 'user' and exists (select from accounts p where p.id = a.parent_id and p.username ilike $5)))`;
  const values = [
    actorId,
    at,
    listing.role,
    listing.parentId ?? null,
    listing.search ? `%${listing.search.replace(/[\\%_]/g, '\\$&')}%` : null,
  ];
  const rows = await on.query<AccountRow>(
    `select ${ACCOUNT} from accounts a where ${where}
     order by ${field} ${descending ? 'desc' : 'asc'} nulls last, a.id limit $6 offset $7`,
    [...values, listing.limit, listing.offset],
  );
  const [count] = await on.query<{ total: bigint }>(
    `select count(*) as total from accounts a where $2::timestamptz is not null and ${where}`,
    values,
  );
  return { accounts: rows.map(toAccount), total: Number(count!.total) };
}

/** How many accounts of each level are below the actor. */
export async function countAccounts(on: Queryable, actorId: string): Promise<Partial<Record<Role, number>>> {
  const rows = await on.query<{ role: Role; n: bigint }>(
    `select a.role, count(*) as n from accounts a where a.id <> $1 and ${inSubtree('a', '$1')} group by a.role`,
    [actorId],
  );
  return Object.fromEntries(rows.map((row) => [row.role, Number(row.n)]));
}
