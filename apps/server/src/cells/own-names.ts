import type { Queryable } from '../platform/db/database.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';

const PAGE = 5_000;

/** Returns values that belong to networks of other cells. */
export async function enterOwnNames(on: Queryable, db: Queryable, cell: OwnCell): Promise<readonly string[]> {
  const taken: string[] = [];
  const generations = await generationsOf(db);
  for await (const page of ownNames(db, cell))
    for (const [network, values] of page) {
      const generation = generations.get(network);
      if (generation === null) continue;
      const reserved = new Set(
        (await reserveFor(on, cell.name, network, values, generation)).map(({ value }) => value),
      );
      taken.push(...values.filter((value) => !reserved.has(value)));
    }
  return taken;
}

/** Returns generations of moved networks by admin. An undecided move counts for the old cell: null. */
async function generationsOf(db: Queryable): Promise<ReadonlyMap<string, number | null>> {
  const moved = await db.query<{ network: string; generation: number | null }>(
    sql`select n.admin_id as network, case when n.arrives or exists (select from fences f where f.network_id = n.id and f.arrives)
        then null else (select count(*)::int + 1 from moves m where m.network_id = n.id) end as generation
      from networks n where n.arrives or exists (select from moves m where m.network_id = n.id)
      ${sql.raw(crossNetworkComment('cells'))}`,
  );
  return new Map(moved.map(({ network, generation }) => [network, generation]));
}

export async function generationOf(db: Queryable, admin: string): Promise<number> {
  return (await generationsOf(db)).get(admin) ?? 1;
}

/** Deleted admins have an empty name. */
export function ownNetworks(db: Queryable): Promise<{ id: string; admin: string }[]> {
  return db.query(
    sql`select a.id, case when a.deleted_at is null then a.username else '' end as admin
      from networks n join accounts a on a.id = n.admin_id where not n.arrives ${sql.raw(crossNetworkComment('cells'))}`,
  );
}

export interface Differences {
  /** The directory lacks them or lists them under another network. */
  readonly missing: readonly string[];
  readonly unused: readonly string[];
}

export async function compareNames(on: Queryable, db: Queryable, cell: OwnCell): Promise<Differences> {
  const entered = await on.query<{ network: string; value: string; isNew: boolean }>(
    sql`select n.network, n.value, n.reserved_at > now() - interval '1 hour' as "isNew"
      from names n join places p on p.network = n.network where p.cell = ${cell.name}`,
  );
  const left = new Map(entered.map((name) => [name.value, name]));
  const missing: string[] = [];
  for await (const page of ownNames(db, cell))
    for (const [network, values] of page)
      for (const value of values) {
        if (left.get(value)?.network !== network) missing.push(value);
        left.delete(value);
      }
  // A newer reservation may belong to a running creation.
  const unused = [...left.values()].filter(({ isNew }) => !isNew).map(({ value }) => value);
  return { missing, unused };
}

/** Releases also places of networks whose creation failed. */
export async function releaseNames(on: Queryable, values: readonly string[], cell: OwnCell): Promise<void> {
  await on.query(sql`delete from names where value = any(${[...values]}::text[])`);
  await on.query(
    sql`delete from places p where p.cell = ${cell.name} and p.network <> ${cell.installation}
      and not exists (select from names n where n.network = p.network)`,
  );
}

async function* ownNames(db: Queryable, cell: OwnCell): AsyncGenerator<Map<string, string[]>> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db.query<{ id: string; network: string | null; username: string; unique_id: string }>(
      sql`select id, chain[2] as network, username, unique_id from accounts where id > ${last} order by id limit ${PAGE}`,
    );
    if (rows.length === 0) {
      yield await loginNames(db, cell);
      return;
    }
    last = rows.at(-1)!.id;
    const byNetwork = new Map<string, string[]>();
    for (const { network, username, unique_id } of rows) {
      const place = network ?? cell.installation;
      const values = byNetwork.get(place) ?? [];
      values.push(directoryName(username), unique_id);
      byNetwork.set(place, values);
    }
    yield byNetwork;
  }
}

async function loginNames(db: Queryable, { installation }: OwnCell): Promise<Map<string, string[]>> {
  const rows = await db.query<{ network: string | null; names: string[] }>(
    sql`select a.chain[2] as network, array_agg(l.username) as names from logins l
      join accounts a on a.id = l.account_id and a.network_id = l.network_id group by a.chain[2]
      ${sql.raw(crossNetworkComment('signIn'))}`,
  );
  return new Map(rows.map(({ network, names }) => [network ?? installation, names.map(directoryName)]));
}

export interface OwnCell {
  readonly name: string;
  /** Stands for the cell's superadmins in `places`. */
  readonly installation: string;
}

/** Unique ids consist of capitals and digits, so they never equal a username. */
export function directoryName(username: string): string {
  return username.toLowerCase();
}

/** Each account has one. */
export const isUniqueId = (value: Sql): Sql => sql`${value} <> lower(${value})`;

/**
 * The network gets its place first, even if a lost directory knew it only in an earlier cell. Values of the cell's
 * other networks count as free: the cell knows its accounts, and a failed creation leaves a name behind. Returns the
 * network's values. In order, so concurrent reservations do not deadlock.
 */
export async function reserveFor(
  on: Queryable,
  cell: string,
  network: string,
  values: readonly string[],
  generation = 1,
): Promise<{ value: string }[]> {
  await on.query(
    sql`insert into places (network, cell, generation) values (${network}, ${cell}, ${generation})
      on conflict (network) do update set (cell, generation, move_id) = (excluded.cell, excluded.generation, null)
      where excluded.generation > places.generation`,
  );
  return on.query(
    sql`insert into names (value, network) select value, ${network} from unnest(${values.toSorted()}::text[]) as value
      where ${livesIn(network, cell)}
      on conflict (value) do update set network = excluded.network where ${livesIn(sql`names.network`, cell)}
      returning value`,
  );
}

const livesIn = (network: string | Sql, cell: string): Sql =>
  sql`exists (select from places p where p.network = ${network} and p.cell = ${cell})`;
