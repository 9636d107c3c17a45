import { TABLE_OWNERS } from '../../config/tables/table-owners.ts';
import {
  withDedicatedConnections,
  type DedicatedConnection,
} from '../../platform/db/connection/dedicated-connections.ts';
import { copierOn, type Copier } from '../../platform/db/sql/copy-rows.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { leastIdAt } from '../../platform/db/sql/uuids.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { columnsByTable, copiedNames } from '../backup-tables.ts';
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
        await requireEqual(ends, order, 'old');
        await useIndexes(ends);
        return await act({
          async complete() {
            await untilFenced(ends, order);
            await requireEqual(ends, order, 'new');
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

/** Old rows never change, so these are compared while the network is in use. The column has an index. */
const TIMES: Readonly<Record<string, 'at' | 'id'>> = { transfers: 'at', tickets: 'id' };

/** The planner expects far more new rows than there are, and would read the history of all networks while one is closed. */
async function useIndexes({ source, target }: Ends): Promise<void> {
  for (const end of [source, target]) {
    await end.query(sql`select brin_summarize_new_values('transfers_at')`);
    await end.query(sql`set enable_seqscan = off`);
  }
}

/** Rows come in any order, so it is a sum. */
type Digest = { readonly table: string; readonly rows: string; readonly digest: string | null };

/** One round trip per side, because the network is closed meanwhile. */
async function requireEqual(
  { source, target, columnsOf }: Ends,
  { networkId, before }: ReplicationOrder,
  rows: 'old' | 'new',
): Promise<void> {
  const within = (table: string): Sql => {
    const time = TIMES[table];
    if (time === undefined) return sql``;
    return sql`and ${sql.raw(time)} ${sql.raw(rows === 'old' ? '<' : '>=')} ${time === 'at' ? before : leastIdAt(before)}`;
  };
  const digests = (rows === 'old' ? Object.keys(TIMES) : [...replicatedTables()]).map(
    (table) => sql`select ${literal(table)} as table, count(*) as rows,
        sum(hashtextextended(row(${sql.raw(columnsOf.get(table)!.join(', '))})::text, 0)) as digest
      from ${sql.raw(table)} where network_id = ${networkId} ${within(table)}`,
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
