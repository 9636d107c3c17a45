import { TABLE_OWNERS } from '../../config/tables/table-owners.ts';
import {
  withDedicatedConnections,
  type DedicatedConnection,
} from '../../platform/db/connection/dedicated-connections.ts';
import { copierOn, type Copier } from '../../platform/db/sql/copy-rows.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { leastIdAt } from '../../platform/db/sql/uuids.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { columnsByTable, copiedNames, partition } from '../backup-tables.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';

export interface ReplicationOrder {
  readonly from: string;
  readonly to: string;
  readonly networkId: number;
  readonly signal: AbortSignal;
  /** Rows from before are complete: their transactions have ended. */
  readonly before: Date;
}

export interface Replication {
  /** Waits for the fence, which follows all earlier commits. Then compares all rows and ends the replication. */
  complete(this: void): Promise<void>;
}

/** Gives up a slow copy after this time with a closed network. */
const FENCE_ARRIVES_MS = 20_000;
const PAUSE = sql`select pg_sleep(0.02)`;

/** Tables whose rows are equal in every cell. Others are copied once the network is closed. */
export function replicatedTables(): ReadonlySet<string> {
  return new Set(
    copiedNames().filter((table) => {
      const { backup, ofRoot } = TABLE_OWNERS[table]!;
      return backup === undefined && !ofRoot;
    }),
  );
}

export function withReplication<T>(order: ReplicationOrder, act: (replication: Replication) => Promise<T>): Promise<T> {
  return withDedicatedConnections(order.from, 1, order.signal, ([source]) =>
    withDedicatedConnections(order.to, 1, order.signal, async ([target]) => {
      const ends = await endsOf(source!, target!, order);
      let isEnded = false;
      const end = async (): Promise<void> => {
        isEnded = true;
        await ends.target.query(sql`drop subscription ${ends.name}`);
        await ends.source.query(sql`drop publication ${ends.name}`);
      };
      await begin(ends, order);
      try {
        await untilCopied(ends);
        const { old, rest } = await divideRows(ends, order);
        await requireEqual(ends, old);
        // The planner expects too many rows: it would read all networks', and start workers.
        for (const side of [ends.source, ends.target])
          await side.query(sql`set enable_seqscan = off; set max_parallel_workers_per_gather = 0`);
        return await act({
          async complete() {
            await untilFenced(ends, order);
            await requireEqual(ends, await rest());
            await end();
          },
        });
      } finally {
        if (!isEnded) await end();
      }
    }),
  );
}

interface Ends {
  readonly source: Copier;
  readonly target: Copier;
  readonly name: Sql;
  readonly quoted: Sql;
  readonly columnsOf: ReadonlyMap<string, readonly string[]>;
}

async function endsOf(
  source: DedicatedConnection,
  target: DedicatedConnection,
  { networkId }: ReplicationOrder,
): Promise<Ends> {
  const name = sql.raw(`drawhouse_move_${networkId}`);
  const on = copierOn(source);
  const columnsOf = await columnsByTable(on);
  return { source: on, target: copierOn(target), name, quoted: literal(name.text), columnsOf };
}

/** The slot comes first, because a subscription within one cluster would wait for itself. */
async function begin(
  { source, target, name, quoted, columnsOf }: Ends,
  { from, networkId }: ReplicationOrder,
): Promise<void> {
  for (const end of [target, source]) {
    await end.query(sql`select end_replication(${quoted})`);
    await end.query(sql`set timezone = 'UTC'`);
  }
  const tables = [...replicatedTables(), 'fences'].map(
    (table) => `${table} (network_id, ${columnsOf.get(table)!.join(', ')}) where (network_id = ${networkId})`,
  );
  await source.query(sql`create publication ${name} for table ${sql.raw(tables.join(', '))}`);
  await source.query(sql`select pg_create_logical_replication_slot(${quoted}, 'pgoutput')`);
  await target.query(
    sql`create subscription ${name} connection ${literal(from)} publication ${name}
     with (create_slot = false, slot_name = ${quoted}, copy_data = true, origin = none)`,
  );
}

async function untilCopied({ target, quoted }: Ends): Promise<void> {
  const left = sql`select from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid
    where s.subname = ${quoted} and r.srsubstate <> 'r' limit 1`;
  while ((await target.query(left)).length > 0) await pause({ target, quoted });
}

/** PostgreSQL repeats a failed copy forever. */
async function pause({ target, quoted }: Pick<Ends, 'target' | 'quoted'>): Promise<void> {
  await target.query(PAUSE);
  const failed = await target.query(
    sql`select from pg_stat_subscription_stats where subname = ${quoted} and apply_error_count + sync_error_count > 0`,
  );
  if (failed.length > 0) throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.replicationFailed });
}

/** The fence commits after all commands, and replication keeps the order of commits. */
async function untilFenced({ target, quoted }: Ends, { networkId }: ReplicationOrder): Promise<void> {
  const untilMs = performance.now() + FENCE_ARRIVES_MS;
  while ((await target.query(sql`select from fences where network_id = ${networkId}`)).length === 0) {
    if (performance.now() > untilMs) throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.replicationSlow });
    await pause({ target, quoted });
  }
}

/** Only restores and clearings write these, and neither runs beside a move. */
const STILL = /^(undone_|clear|wallet_gaps$|activity_gaps$)/;

/** At the target, only the apply worker writes rows of ended draws. */
const OF_DRAWS = [
  'exposures',
  'draw_settlements',
  'draw_settlings',
  'settlement_pieces',
  'player_settlements',
  'settled_remainders',
  'ticket_wins',
];

/** FROM clauses by table. */
type Rows = ReadonlyMap<string, Sql>;

interface Parts {
  /** Compared while the network is in use. */
  readonly old: Rows;
  readonly rest: (this: void) => Promise<Rows>;
}

/** Rows of the rest are found by index, except claims and prints. */
async function divideRows({ source, target }: Ends, { networkId, before }: ReplicationOrder): Promise<Parts> {
  const least = leastIdAt(before);
  const [since] = await source.query<{ late: string[]; xid: string }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid, array(
        select id from draws where network_id = ${networkId} and id < ${least}
          and (finished_at is null or finished_at >= ${before})) as late`,
  );
  const { late, xid } = since!;
  // A draw that was bought ahead, or awaits an outside result, is old.
  const ofDraws = (column: Sql, draws = late) => sql`(${column} >= ${least} or ${column} = any(${draws}::uuid[]))`;
  for (const end of [source, target]) {
    await end.query(sql`create temp table compared (wallet int primary key, version bigint not null)`);
    await end.query(
      sql`insert into compared select from_wallet, max(from_version) from transfers
        where network_id = ${networkId} and at < ${before} group by from_wallet`,
    );
  }
  const newer = new Map([
    ['tickets', sql`id >= ${least}`],
    ['ticket_claims', sql`claimed_at >= ${before}`],
    ['ticket_prints', sql`printed_at >= ${before}`],
    ['draws', ofDraws(sql`id`)],
    ...OF_DRAWS.map((table) => [table, ofDraws(sql`draw_id`)] as const),
  ]);
  const where = (table: string, condition = sql`true`) =>
    [table, sql`${sql.raw(table)} where network_id = ${networkId} and ${condition}`] as const;
  const [still, others] = partition([...replicatedTables()], (table) => STILL.test(table));
  const oldTransfers = sql`transfers join compared on wallet = from_wallet and version >= from_version where network_id = ${networkId}`;
  // An index by time shares its ranges with rows of other networks.
  const newTransfers = sql`(select t.* from wallets w left join compared c on c.wallet = w.id cross join lateral (
      select * from transfers where network_id = w.network_id and from_wallet = w.id
        and from_version > coalesce(c.version, 0) offset 0) as t
      where w.network_id = ${networkId} and w.version > coalesce(c.version, 0)) as t`;
  return {
    old: new Map([
      ...still.map((table) => where(table)),
      ...[...newer].map(([table, is]) => where(table, sql`not ${is}`)),
      ['transfers', oldTransfers],
    ]),
    async rest() {
      // Corrections and late beacons change draws that have ended.
      const changed = await source.query<{ id: string }>(
        sql`select id from draws where network_id = ${networkId} and written_by >= ${xid}::xid8`,
      );
      const draws = [...late, ...changed.map(({ id }) => id)];
      return new Map([
        ...others.map((table) => where(table, newer.get(table))),
        where('draws', ofDraws(sql`id`, draws)),
        ['transfers', newTransfers],
      ]);
    },
  };
}

/** Rows come in any order, so it is a sum. */
type Digest = { readonly table: string; readonly rows: string; readonly digest: string | null };

async function requireEqual({ source, target, columnsOf }: Ends, rows: Rows): Promise<void> {
  const digests = [...rows].map(
    ([table, from]) => sql`select ${literal(table)} as table, count(*) as rows,
        sum(hashtextextended(row(${sql.raw(columnsOf.get(table)!.join(', '))})::text, 0)) as digest from ${from}`,
  );
  const all = digests.reduce((some, next) => sql`${some} union all ${next}`);
  const [there, here] = await Promise.all([source.query<Digest>(all), target.query<Digest>(all)]);
  const different = there.find(({ table, rows: count, digest }) => {
    const same = here.find((other) => other.table === table);
    return count !== same?.rows || digest !== same.digest;
  });
  if (different) throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.otherRows(different.table) });
}

const literal = (text: string): Sql => sql.raw(`'${text.replaceAll("'", "''")}'`);
