import { entryOf } from '@drawhouse/tlog/node/record-entries';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { batchesOf, selectBatched } from '../seal/row-batches.ts';
import { LineSplitter, type Copier } from '../../platform/db/sql/copy-rows.ts';
import type { Queryable } from '../../platform/db/database.ts';
import {
  BATCHED_TABLES,
  BATCHES,
  kindLine,
  SEALED_RECORDS,
  SEALED_TABLES,
  selectRecords,
} from '@drawhouse/rules/records/sealed-records';
import { CHANGED_ROWS, standsInNoLogSince, UNLOGGED, UNLOGGED_LINE } from '@drawhouse/rules/records/unlogged-changes';
import { sql } from '../../platform/db/sql/sql.ts';

/** Moved tables can contain future transaction ids. */
const HAS_BEEN = 'written_by < pg_snapshot_xmax(pg_current_snapshot())';

/** Rows a snapshot does not show. Each condition is a disjoint index range. */
function stretchesSince({ next, inProgress }: SnapshotTransactions, bound = HAS_BEEN): string[] {
  const later = `written_by >= '${next}'::xid8 and ${bound}`;
  const listed = inProgress.map((xid) => `'${xid}'::xid8`);
  return listed.length === 0 ? [later] : [later, `written_by in (${listed.join(', ')})`];
}

function writtenSince(shown: SnapshotTransactions, bound = HAS_BEEN): string {
  return `(${stretchesSince(shown, bound).join(' or ')})`;
}

function requireShown(snapshot: string): SnapshotTransactions {
  const shown = parseSnapshot(snapshot);
  if (!shown) throw new Error(`No such snapshot: ${snapshot}`);
  return shown;
}

const isOfNetworks = (table: string): boolean => SEALED_TABLES[table]!.key[0] === 'network_id';

/** Probes only each table's newest row, an index lookup in every plan. */
const PROBES = Object.entries(SEALED_TABLES).map(([table, { where }]) => {
  const condition = where ? `${where} and ${HAS_BEEN}` : HAS_BEEN;
  return (first: string) =>
    sql`coalesce((select written_by from ${sql.raw(table)} where ${sql.raw(condition)} order by written_by desc
      limit 1) >= ${first}::xid8, false)`;
});

/** May have unsealed rows. Runs every pass, hence prepared. */
async function tablesWritten(on: Copier, { first }: SnapshotTransactions, whole: readonly number[]): Promise<string[]> {
  const [row] = await on.query<{ found: boolean[] }>(
    sql`select ${sql.raw(crossNetworkComment('seals'))} array[${sql.join(PROBES.map((probe) => probe(first)))}] as found`.named(
      'tables written',
    ),
  );
  return Object.keys(SEALED_TABLES).filter(
    (table, at) => row!.found[at] === true || (whole.length > 0 && isOfNetworks(table)),
  );
}

/** Exact, unlike the table probe: ignores staged networks. */
export async function hasWritten(on: Queryable, before: string): Promise<boolean> {
  const since = writtenSince(requireShown(before));
  const probes = Object.entries(SEALED_TABLES).map(([table, { where }]) => {
    const conditions = [...(where ? [where] : []), isOfNetworks(table) ? ofNetworks(since) : since];
    return `exists (select from ${table} where ${conditions.join(' and ')})`;
  });
  const [row] = await on.query<{ waits: boolean }>(
    sql`select ${sql.raw(crossNetworkComment('seals'))} ${sql.raw(probes.join(' or '))} as waits`,
  );
  return row!.waits;
}

export interface WrittenRecords {
  /** Kind in SEALED_RECORDS, or {@link UNLOGGED}. */
  readonly table: string;
  readonly entries: readonly Uint8Array[];
}

/**
 * Yields rows that the earlier snapshot did not show, on one snapshot: some thousand records at a time, by table, then
 * unlogged changes. A later log may start after the database moved between clusters.
 */
export async function* readWritten(on: Copier, before: string, isFirst = true): AsyncGenerator<WrittenRecords> {
  const shown = before === '' ? undefined : requireShown(before);
  const since = shown ? writtenSince(shown) : 'true';
  // New or replaced networks are read completely.
  const whole = shown
    ? (await on.query<{ id: number }>(sql`select id from networks where ${sql.raw(since)}`)).map(({ id }) => id)
    : [];
  const written: string[] = [];
  const tables = shown ? await tablesWritten(on, shown, whole) : Object.keys(SEALED_TABLES);
  for (const kind of Object.keys(SEALED_RECORDS)) {
    for (const table of kind === BATCHES ? BATCHED_TABLES : [kind]) {
      for (const condition of tables.includes(table) ? conditionsOf(table, shown, whole) : [])
        for await (const entries of recordsOf(on, table, condition)) {
          yield { table: kind, entries };
          if (written.at(-1) !== kind) written.push(kind);
        }
    }
  }
  // Older data is judged by the audit alone.
  if (shown) yield* readUnlogged(on, { shown, isNew: isFirst ? since : writtenSince(shown, 'true') }, written);
}

async function* recordsOf(on: Copier, table: string, condition: string): AsyncGenerator<readonly Uint8Array[]> {
  if (!BATCHED_TABLES.includes(table)) {
    const rows = on.copy(selectRecords(table, condition, `${table} ${crossNetworkComment('seals')}`));
    return yield* entriesOf(table, kindLine(table), rows);
  }
  for await (const batches of batchesOf(table, on.copy(selectBatched(table, condition))))
    yield batches.map(({ line }) => Buffer.from(`${kindLine(BATCHES)}\n${line}`));
}

/**
 * Rows that no log row explains. Sealed now, because a later logged change would hide them. Data from another cluster
 * may have future transaction ids, hence `isNew`.
 */
async function* readUnlogged(
  on: Copier,
  { shown, isNew }: { readonly shown: SnapshotTransactions; readonly isNew: string },
  written: readonly string[],
): AsyncGenerator<WrittenRecords> {
  for (const table of written) {
    const rows = CHANGED_ROWS.get(table);
    if (rows === undefined) continue;
    // Other tables do not seal the network number, so it could be hidden for a moment.
    for (const condition of conditionsOf(table, shown, [])) {
      const where = sql.raw(`${crossNetworkComment('seals')} where ${condition} and ${standsInNoLogSince(isNew)}`);
      const select = sql`select of_table, key, written_by from (${sql.raw(rows)}) as c ${where}`;
      for await (const entries of entriesOf(UNLOGGED, UNLOGGED_LINE, on.copy(select.text)))
        yield { table: UNLOGGED, entries };
    }
  }
}

/** One index range at a time costs half of two combined. */
function conditionsOf(table: string, shown: SnapshotTransactions | undefined, whole: readonly number[]): string[] {
  if (!shown) return [isOfNetworks(table) ? ofNetworks('true') : 'true'];
  if (!isOfNetworks(table)) return stretchesSince(shown);
  const stretches = stretchesSince(shown).map((stretch) => ofNetworks(stretch));
  if (whole.length === 0) return stretches;
  const inComplete = `in (${whole.join(', ')})`;
  return [...stretches.map((stretch) => `${stretch} and network_id not ${inComplete}`), `network_id ${inComplete}`];
}

function ofNetworks(since: string): string {
  return `${since} and network_id in (select id from networks)`;
}

async function* entriesOf(table: string, line: string, rows: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array[]> {
  const kind = Buffer.from(`${line}\n`);
  const lines = new LineSplitter();
  for await (const chunk of rows) {
    const entries: Uint8Array[] = [];
    lines.take(chunk, (bytes, from, end) => entries.push(entryOf(table, kind, bytes.subarray(from, end))));
    if (entries.length > 0) yield entries;
  }
}

/** Shows everything below `first`, nothing from `next`, none of `inProgress`. */
interface SnapshotTransactions {
  readonly first: string;
  readonly next: string;
  readonly inProgress: readonly string[];
}

export function parseSnapshot(snapshot: string): SnapshotTransactions | undefined {
  const [, first, next, running] = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/.exec(snapshot) ?? [];
  if (first === undefined || next === undefined) return undefined;
  return { first, next, inProgress: running ? running.split(',') : [] };
}

/** The snapshot shows future transactions: it comes from a newer state or another cluster. */
export async function isAhead(on: Pick<Copier, 'query'>, snapshot: string): Promise<boolean> {
  const [row] = await on.query<{ is_ahead: boolean }>(
    sql`select pg_snapshot_xmax(${snapshot}::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as is_ahead`,
  );
  return row!.is_ahead;
}
