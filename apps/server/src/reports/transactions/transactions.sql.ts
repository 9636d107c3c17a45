import { loggedPerson } from '../../activity/log-source.ts';
import { ROOT_NETWORK, TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { versionSince } from '../../ledger/movements.ts';
import type { WalletOf } from '../../ledger/wallets.ts';
import { clearedBefore } from '../../ledger/wallet-gaps.ts';
import type { Cut } from '../../platform/lists/list-source.ts';
import type { NumberRange } from '../../platform/lists/serve-history.ts';
import type { Period } from '../../platform/time/clock.ts';
import {
  eitherOf,
  inSubtreeEver,
  relatedToVisible,
  inVisibleKeys,
  type Viewer,
  type Predicate,
} from '../../platform/db/visibility-predicate.ts';
import {
  networkOrColumnSql,
  singleNetwork,
  singleNetworkOf,
  crossNetworkComment,
} from '../../platform/db/cross-network-sql.ts';

const { credit, commission, winnings, table, escrow, boundary, issuance } = WALLET_KINDS;
const OF_ACCOUNTS = sql.raw(`(${credit}, ${commission}, ${winnings})`);

/** No index covers transfers of some accounts by time. Scans from one end in spans doubling each time. */
const FIRST_SPAN = sql.raw("interval '10 minutes'");
const SPANS = 21;

/**
 * An account is involved; border crossings count once, by their half inside the network. If that
 * network is in another cell, the root's half counts until the credit has arrived.
 */
const SHOWN: Sql = sql`t.kind <> ${TRANSFER_KINDS.collect}
  and (t.network_id <> ${ROOT_NETWORK} or t.kind in (${TRANSFER_KINDS.issue}, ${TRANSFER_KINDS.retire})
    or t.reference in (select id from sent_credit
      where refusal is not null or settled_at is null and kind = ${TRANSFER_KINDS.give}))`;

/** True in whole networks below the actor, or with a wallet of its subtree, deleted accounts included. */
export function touchesSubtree(actor: Viewer): Predicate {
  const authority = inSubtreeEver('a', actor);
  const network = networkOrColumnSql(singleNetworkOf(actor), 't.network_id');
  return eitherOf(
    inVisibleKeys('t.network_id', {
      key: sql`n.id`,
      from: sql`networks n join accounts a on a.id = n.admin_id`,
      authority,
    }),
    relatedToVisible({
      from: sql`wallets w join accounts a on a.id = w.owner_id`,
      // Wallet numbers are unique per network only.
      where: sql`t.network_id = ${network} and w.network_id = ${network} and w.id in (t.from_wallet, t.to_wallet)`,
      authority,
    }),
  );
}

/** Includes past networks: history of deleted admins stays visible. */
export async function networksEverOf(on: Queryable, actorId: string): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    sql`select network_id as id from accounts where id = ${actorId}
     union select network_id from accounts where parent_id = ${actorId} and role = 'admin'`,
  );
  return rows.map(({ id }) => id);
}

/** Reads from the cut's end, no further than needed. `isPart` is a cheap filter for a subtree. */
export function transfersOfNetworks(networks: readonly number[], isPart: Sql, { from, until }: Period, cut: Cut): Sql {
  const start = cut.nextTo ?? sql`${cut.isDescending ? until : from}::timestamptz`;
  const beyond = (spans: Sql): Sql =>
    sql`${start} ${sql.raw(cut.isDescending ? '-' : '+')} ${FIRST_SPAN} * (power(2, ${spans}) - 1)`;
  const [near, far] = [beyond(sql`span.nth`), beyond(sql`span.nth + 1`)];
  const one = singleNetwork(networks);
  const ofNetworks =
    one === undefined ? sql`any(${networks}::int[]) ${sql.raw(crossNetworkComment('superadmin'))}` : sql`${one}::int`;
  const within = cut.isDescending ? sql`t.at <= ${near} and t.at > ${far}` : sql`t.at >= ${near} and t.at < ${far}`;
  return sql`(
    select t.* from generate_series(0, ${sql.lit(SPANS)} - 1) as span (nth) cross join lateral (
      select * from transfers t
      where ${within} and t.at >= ${from}::timestamptz and t.at < ${until}::timestamptz
        and t.network_id = ${ofNetworks} and ${SHOWN} and ${isPart} and ${cut.where} ${cut.order} limit ${cut.limit}
    ) t limit ${cut.limit}
  )`;
}

export function isOfSubtree(accountId: string, networkId: number): Sql {
  const wallets = sql`select w.id from accounts a join wallets w on w.network_id = ${networkId} and w.owner_id = a.id
    and w.kind in ${OF_ACCOUNTS}
    where a.network_id = ${networkId} and a.chain @> array[${accountId}]::uuid[]`;
  return sql`(t.from_wallet in (${wallets}) or t.to_wallet in (${wallets}))`;
}

/** Includes a superadmin's boundary wallets. */
async function walletsOf(on: Queryable, actor: Viewer, accountId: string): Promise<WalletOf[]> {
  const network = networkOrColumnSql(singleNetworkOf(actor), 'a.network_id');
  return on.query<WalletOf & object>(sql`select w.network_id as "networkId", w.id as "walletId" from accounts a
        join wallets w on w.network_id = ${network} and w.owner_id = a.id and w.kind in ${OF_ACCOUNTS} where a.id = ${accountId}
        union all
        select w.network_id, w.id from accounts a
        join wallets w on w.network_id = ${network} and w.owner_id = a.id and w.kind = ${boundary}
        where a.parent_id = ${accountId} and a.role = 'admin'`);
}

type WalletVersions = WalletOf & NumberRange;

export async function transfersOfAccount(
  on: Queryable,
  actor: Viewer,
  accountId: string,
  period: Period,
): Promise<Sql> {
  return transfersOfWallets(
    await Promise.all(
      (await walletsOf(on, actor, accountId)).map(async (wallet) => ({
        ...wallet,
        from: await versionSince(on, wallet, period.from),
        past: await versionSince(on, wallet, period.until),
      })),
    ),
  );
}

/** Subtrees up to these sizes are read wallet by wallet. */
const FEW_WALLETS = 400;
const FEW_MOVEMENTS = 20_000;

/**
 * Reads wallet histories of a small subtree; undefined if too large. One statement finds all positions by bisection,
 * like `versionSince`.
 */
export async function transfersOfFew(
  on: Queryable,
  { id, networkId }: { readonly id: string; readonly networkId: number },
  { from, until }: Period,
): Promise<Sql | undefined> {
  const mine = sql`select w.id, w.version from accounts a
    join wallets w on w.network_id = ${networkId} and w.owner_id = a.id and w.kind in ${OF_ACCOUNTS} and w.version > 0
    where a.network_id = ${networkId} and a.chain @> array[${id}]::uuid[] limit ${FEW_WALLETS + 1}`;
  const [found] = await on.query<{ count: bigint }>(sql`select count(*) as count from (${mine}) as mine`);
  if (found!.count > FEW_WALLETS) return undefined;
  const isBefore = (own: 'from' | 'to'): Sql =>
    sql`exists (select from transfers t where t.network_id = ${networkId} and t.${sql.raw(own)}_wallet = h.wallet
      and t.${sql.raw(own)}_version = h.low + h.size / 2 and t.at < h.at)`;
  const wasCleared = clearedBefore(
    { network: sql`${networkId}`, wallet: sql`h.wallet` },
    sql`h.low + h.size / 2`,
    sql`h.at`,
    'last_at',
  );
  const walletVersions = await on.query<WalletVersions>(sql`with recursive halving (wallet, bound, at, low, size) as (
        select mine.id, e.bound, e.at, 0::bigint, 1::bigint << (ceil(log(2.0, mine.version + 1))::int + 1)
        from (${mine}) as mine
        cross join (values ('since', ${from}::timestamptz), ('past', ${until}::timestamptz)) as e (bound, at)
        union all
        select h.wallet, h.bound, h.at,
               case when ${isBefore('from')} or ${isBefore('to')} or ${wasCleared} then h.low + h.size / 2 else h.low end, h.size / 2
        from halving h where h.size > 1
      )
      select ${networkId}::int as "networkId", wallet as "walletId", max(low + 1) filter (where bound = 'since') as "from",
             max(low + 1) filter (where bound = 'past') as past
      from halving where size = 1 group by wallet`);
  const movements = walletVersions.reduce((sum, range) => sum + (range.past - range.from), 0n);
  return movements > FEW_MOVEMENTS ? undefined : transfersOfWallets(walletVersions);
}

function transfersOfWallets(walletVersions: readonly WalletVersions[]): Sql {
  const one = singleNetwork([...new Set(walletVersions.map((s) => s.networkId))]);
  const side = (own: 'from' | 'to', not: Sql): Sql => sql`
    select t.* from unnest(${walletVersions.map((s) => s.networkId)}::int[], ${walletVersions.map((s) => s.walletId)}::int[],
                           ${walletVersions.map((s) => s.from)}::bigint[],
                             ${walletVersions.map((s) => s.past)}::bigint[]) as own (network_id, wallet, since, past)
    cross join lateral (
      select * from transfers t where t.network_id = ${networkOrColumnSql(one, 'own.network_id')} and t.${sql.raw(own)}_wallet = own.wallet
        and t.${sql.raw(own)}_version >= own.since and t.${sql.raw(own)}_version < own.past and ${SHOWN} ${not}
    ) t`;
  // Transfers between two listed wallets appear in both histories.
  const ids = sql`${walletVersions.map((s) => s.walletId)}::int[]`;
  return sql`(${side('from', sql``)} union all ${side(
    'to',
    sql`and not (t.from_wallet = any(${ids}) and exists (
    select from unnest(${walletVersions.map((s) => s.networkId)}::int[], ${ids}) as mine (network_id, wallet)
    where mine.network_id = t.network_id and mine.wallet = t.from_wallet))`,
  )})`;
}

/** Refused credit returns by another transfer, which is completed. */
export const transactionStatus: Sql = sql`coalesce((
  select case when s.settled_at is null then 'transit' when s.refusal is not null and s.transfer_id = t.id then 'refused' end
  from sent_credit s where s.id = t.reference and t.network_id = ${ROOT_NETWORK}), 'completed')`;

function sideOf(wallet: string, actor: Viewer): Sql {
  const network = networkOrColumnSql(singleNetworkOf(actor), 't.network_id');
  return sql`(
    select json_build_object('wallet', w.kind, 'id', a.id, 'username', a.username, 'role', a.role,
      'visible', a.chain @> array[${actor.id}]::uuid[], 'deleted', a.deleted_at is not null, 'depth', cardinality(a.chain),
      'distant', (select s.username || ' (' || s.cell || ')' from sent_credit s where w.kind = ${issuance} and s.id = t.reference),
      'game', (select g.name from games g where w.kind in (${table}, ${escrow}) and g.id = w.owner_id))
    from wallets w left join accounts a on a.id = case
      when w.kind in ${OF_ACCOUNTS} then w.owner_id
      -- The other side of a network's border is its admin's superadmin; of the root's, the admin.
      when w.kind = ${boundary} and w.network_id = ${ROOT_NETWORK} then w.owner_id
      when w.kind = ${boundary} then (select parent_id from accounts where id = w.owner_id) end
    where w.network_id = ${network} and w.id = t.${sql.raw(wallet)})`;
}

const PERSON = loggedPerson({ by: sql`t.actor_id`, of: 'transferId', id: sql`t.id`, from: sql`t.at` });

/** Parties are looked up only for rows of a page. */
export function transactionFor(actor: Viewer): Sql {
  return sql`t.id, t.at, t.kind, t.amount, t.note, t.reference,
    ${transactionStatus} as status,
    ${sideOf('from_wallet', actor)} as "from", ${sideOf('to_wallet', actor)} as "to",
    coalesce(
      (select json_build_object('id', a.id, 'username',
         coalesce(case when a.role <> 'user' and a.chain @> array[${actor.id}]::uuid[] then ${PERSON} end, a.username),
         'role', a.role, 'visible', a.chain @> array[${actor.id}]::uuid[])
       from accounts a where a.id = t.actor_id),
      -- Superadmin of the former installation, shown as this one's.
      (select json_build_object('id', viewer.chain[1], 'username', m.username, 'role', 'superadmin', 'visible', viewer.role = 'superadmin')
       from moved_activity m join accounts viewer on viewer.id = ${actor.id}::uuid
         where m.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 't.network_id')}
           and m.account_id = t.actor_id limit 1)) as actor`;
}
