import { sql } from 'kysely';
import { ROOT_NETWORK } from '../activity/append-activity.ts';
import type { Queryable } from '../db/database.ts';
import { run } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '../ledger/kinds.ts';
import { versionSince } from '../ledger/statement.ts';
import type { WalletOf } from '../ledger/statement.ts';
import type { Cut } from '../lists/source.ts';

const { credit, commission, winnings, table, escrow, boundary } = WALLET_KINDS;
const OF_ACCOUNTS = sql.raw(`(${credit}, ${commission}, ${winnings})`);

/** Instants, both included. */
export interface Between {
  readonly from: Date;
  readonly to: Date;
}

/** Without an index by account and time the transfers of a day are looked through from one end, so much of it at a time. */
const STEP = sql.raw("interval '1 hour'");

/**
 * What of the transfers `t` is shown at all: those that an account takes part in, and what crosses the border of a network once, by its
 * half in the network.
 */
const SHOWN: Sql = sql`t.kind <> ${TRANSFER_KINDS.collect}
  and (t.network_id <> ${ROOT_NETWORK} or t.kind in (${TRANSFER_KINDS.issue}, ${TRANSFER_KINDS.retire}))`;

/** Whether an account of the actor's subtree, deleted ones included, has one of the two wallets of the transfer `t`. */
export function takesPartBelow(actorId: string): Sql {
  return sql`exists (
    select from wallets w join accounts a on a.id = w.owner_id
    where w.network_id = t.network_id and w.id in (t.from_wallet, t.to_wallet) and a.chain @> array[${actorId}]::uuid[])`;
}

/** The networks in which the actor has accounts, its own included. */
export async function networksOf(on: Queryable, actorId: string): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    `select network_id as id from accounts where id = $1
     union select network_id from accounts where parent_id = $1 and role = 'admin'`,
    [actorId],
  );
  return rows.map(({ id }) => id);
}

/**
 * The transfers `t` of networks, cut, hour by hour from the end at which the cut begins: as many hours are read as it takes. `isPart`
 * narrows them to a part of a network, by what costs little for each.
 */
export function transfersOfNetworks(networks: readonly number[], isPart: Sql, { from, to }: Between, cut: Cut): Sql {
  const start = cut.nextTo ?? sql`${cut.goesOlder ? to : from}::timestamptz`;
  const [end, step] = cut.goesOlder ? [from, sql`-${STEP}`] : [to, STEP];
  const [least, most] = cut.goesOlder ? [sql`span.at - ${STEP}`, sql`span.at`] : [sql`span.at`, sql`span.at + ${STEP}`];
  const within = cut.goesOlder ? sql`t.at > ${least} and t.at <= ${most}` : sql`t.at >= ${least} and t.at < ${most}`;
  return sql`(
    select t.* from generate_series(${start}, ${end}::timestamptz, ${step}) as span (at) cross join lateral (
      select * from transfers t
      where ${within} and t.at between ${from}::timestamptz and ${to}::timestamptz
        and t.network_id = any(${networks}::int[]) and ${SHOWN} and ${isPart} and ${cut.where} ${cut.order} limit ${cut.limit}
    ) t limit ${cut.limit}
  )`;
}

/** That a transfer `t` has a wallet of an account at or below another, in that one's network. */
export function isOfSubtree(accountId: string, networkId: number): Sql {
  const wallets = sql`select w.id from accounts a join wallets w on w.network_id = a.network_id and w.owner_id = a.id and w.kind in ${OF_ACCOUNTS}
    where a.network_id = ${networkId} and a.chain @> array[${accountId}]::uuid[]`;
  return sql`(t.from_wallet in (${wallets}) or t.to_wallet in (${wallets}))`;
}

/** The wallets of an account; of a superadmin also its side of the border of each network below it. */
async function walletsOf(on: Queryable, accountId: string): Promise<WalletOf[]> {
  return run<WalletOf & object>(
    on,
    sql`select w.network_id as "networkId", w.id as "walletId" from accounts a
        join wallets w on w.network_id = a.network_id and w.owner_id = a.id and w.kind in ${OF_ACCOUNTS} where a.id = ${accountId}
        union all
        select w.network_id, w.id from accounts a
        join wallets w on w.network_id = a.network_id and w.owner_id = a.id and w.kind = ${boundary}
        where a.parent_id = ${accountId} and a.role = 'admin'`,
  );
}

/** The transfers `t` of one account, found by the histories of its wallets. */
export async function transfersOfAccount(on: Queryable, accountId: string, between: Between): Promise<Sql> {
  const stretches = await Promise.all(
    (await walletsOf(on, accountId)).map(async (wallet) => ({
      ...wallet,
      from: await versionSince(on, wallet, between.from),
      past: await versionSince(on, wallet, new Date(between.to.getTime() + 1)),
    })),
  );
  const side = (own: 'from' | 'to', not: Sql): Sql => sql`
    select t.* from unnest(${stretches.map((s) => s.networkId)}::int[], ${stretches.map((s) => s.walletId)}::int[],
                           ${stretches.map((s) => s.from)}::bigint[], ${stretches.map((s) => s.past)}::bigint[]) as own (network_id, wallet, since, past)
    cross join lateral (
      select * from transfers t where t.network_id = own.network_id and t.${sql.raw(own)}_wallet = own.wallet
        and t.${sql.raw(own)}_version >= own.since and t.${sql.raw(own)}_version < own.past and ${SHOWN} ${not}
    ) t`;
  // What goes between two wallets of the account is in the histories of both.
  const ids = sql`${stretches.map((s) => s.walletId)}::int[]`;
  return sql`(${side('from', sql``)} union all ${side(
    'to',
    sql`and not (t.from_wallet = any(${ids}) and exists (
    select from unnest(${stretches.map((s) => s.networkId)}::int[], ${ids}) as mine (network_id, wallet)
    where mine.network_id = t.network_id and mine.wallet = t.from_wallet))`,
  )})`;
}

/** An account, a game or neither on one side of a transfer `t`, with its wallet. */
function sideOf(side: 'from' | 'to', actorId: string): Sql {
  const [wallet, account, game] = [`${side}_w`, `${side}_a`, `${side}_g`].map((name) => sql.raw(name)) as [
    Sql,
    Sql,
    Sql,
  ];
  return sql`
    join wallets ${wallet} on ${wallet}.network_id = t.network_id and ${wallet}.id = t.${sql.raw(side)}_wallet
    left join lateral (
      select a.id, a.username, a.role, a.chain, a.chain @> array[${actorId}]::uuid[] as visible from accounts a
      where a.id = case when ${wallet}.kind in ${OF_ACCOUNTS} then ${wallet}.owner_id
        -- Beyond the border of a network is the superadmin of its admin.
        when ${wallet}.kind = ${boundary} then (select parent_id from accounts where id = ${wallet}.owner_id) end
    ) ${account} on true
    left join games ${game} on ${wallet}.kind in (${table}, ${escrow}) and ${game}.id = ${wallet}.owner_id`;
}

/** What a row needs beside its transfer `t`: both sides, and who made it. */
export function sidesAndActor(actorId: string): Sql {
  return sql`${sideOf('from', actorId)} ${sideOf('to', actorId)} left join lateral (
    select a.id, a.username, a.role, a.chain @> array[${actorId}]::uuid[] as visible from accounts a where a.id = t.actor_id
  ) actor on true`;
}

/** What stands after SELECT, as {@link StoredTransaction}. */
export const TRANSACTION: Sql = sql`t.id, t.at, t.kind, t.amount, t.note, t.reference,
  ${sql.join(
    (['from', 'to'] as const).map((side) => {
      const s = (name: string): Sql => sql.raw(`${side}_${name}`);
      return sql`json_build_object('wallet', ${s('w')}.kind, 'id', ${s('a')}.id, 'username', ${s('a')}.username, 'role', ${s('a')}.role,
        'visible', ${s('a')}.visible, 'depth', cardinality(${s('a')}.chain), 'game', ${s('g')}.name) as ${sql.raw(`"${side}"`)}`;
    }),
  )},
  json_build_object('id', actor.id, 'username', actor.username, 'role', actor.role, 'visible', actor.visible) as actor`;
