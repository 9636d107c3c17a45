import { entryOf } from '@drawhouse/tlog/on-node-records';
import { overNetworks } from '../over-networks.ts';
import { CopiedLines } from './copied-lines.ts';
import { batchesOf, selectBatched } from './row-batches.ts';
import type { Copier } from '../db/copy-snapshot.ts';
import type { Queryable } from '../db/database.ts';
import { shownBy } from '../db/snapshots.ts';
import type { ShownTransactions } from '../db/snapshots.ts';
import {
  BATCHED_TABLES,
  BATCHES,
  kindLine,
  SEALED_RECORDS,
  SEALED_TABLES,
  selectRecords,
} from '@drawhouse/rules/sealed-records';
import { CHANGED_ROWS, standsInNoLogSince, UNLOGGED, UNLOGGED_LINE } from '@drawhouse/rules/unlogged-changes';

/** SQL for ids that have been: a table that was brought here from another cluster has such as are yet to come. */
const HAS_BEEN = 'written_by < pg_snapshot_xmax(pg_current_snapshot())';

/** Whatever a snapshot of PostgreSQL does not show: what was committed since, as SQL about a row's `written_by`. Each is a stretch of its index, and no row is in two of them. */
function stretchesSince({ next, underWay }: ShownTransactions, bound = HAS_BEEN): string[] {
  const later = `written_by >= '${next}'::xid8 and ${bound}`;
  const listed = underWay.map((xid) => `'${xid}'::xid8`);
  return listed.length === 0 ? [later] : [later, `written_by in (${listed.join(', ')})`];
}

/** The same as one condition. */
function writtenSince(shown: ShownTransactions, bound = HAS_BEEN): string {
  return `(${stretchesSince(shown, bound).join(' or ')})`;
}

/** What a snapshot shows. Throws where it is none. */
function requireShown(snapshot: string): ShownTransactions {
  const shown = shownBy(snapshot);
  if (!shown) throw new Error(`There is no such snapshot: ${snapshot}`);
  return shown;
}

const isOfNetworks = (table: string): boolean => SEALED_TABLES[table]!.key[0] === 'network_id';

/** SQL for which tables have a row that the transaction `$1` wrote, or a later one: of each the newest row is looked at, which its index finds whatever is asked for. */
const PROBES = Object.entries(SEALED_TABLES).map(([table, { where }]) => {
  const condition = where ? `${where} and ${HAS_BEEN}` : HAS_BEEN;
  return `coalesce((select written_by from ${table} where ${condition} order by written_by desc limit 1) >= $1::xid8, false)`;
});

/**
 * The tables in which there may be anything to be sealed: such as what was written by the first transaction that the snapshot may not show, or later. It is asked for with each
 * look: by its name it is planned but once.
 */
async function tablesWritten(on: Copier, { first }: ShownTransactions, whole: readonly number[]): Promise<string[]> {
  const [row] = await on.query<{ found: boolean[] }>(
    `select ${overNetworks('seals')} array[${PROBES.join(', ')}] as found`,
    [first],
    'tables written',
  );
  return Object.keys(SEALED_TABLES).filter(
    (table, at) => row!.found[at] === true || (whole.length > 0 && isOfNetworks(table)),
  );
}

/**
 * Whether there is anything to be sealed that a snapshot, in its text form, did not show. Of networks that stand beside nothing is: so this is exact, where the tables in
 * which to look may turn out to have nothing.
 */
export async function hasWritten(on: Queryable, before: string): Promise<boolean> {
  const since = writtenSince(requireShown(before));
  const probes = Object.entries(SEALED_TABLES).map(([table, { where }]) => {
    const conditions = [...(where ? [where] : []), isOfNetworks(table) ? ofNetworks(since) : since];
    return `exists (select from ${table} where ${conditions.join(' and ')})`;
  });
  const [row] = await on.query<{ waits: boolean }>(`select ${overNetworks('seals')} ${probes.join(' or ')} as waits`);
  return row!.waits;
}

/** The records of one table, as many as came at once. */
export interface WrittenRecords {
  /** A kind of SEALED_RECORDS, or {@link UNLOGGED}. */
  readonly table: string;
  /** Each an entry of the log. */
  readonly entries: readonly Uint8Array[];
}

/**
 * Reads, on one snapshot, every record that a snapshot before did not show: since the beginning where there was none. Some thousand at a time, table by table; then, of what people
 * change, what no row of the log names that the same transaction wrote. A log that is not the first may have begun as the database came from another cluster.
 */
export async function* readWritten(on: Copier, before: string, isFirst = true): AsyncGenerator<WrittenRecords> {
  const shown = before === '' ? undefined : requireShown(before);
  const since = shown ? writtenSince(shown) : 'true';
  // All of these is read: they are new here, or took the place of another one.
  const whole = shown
    ? (await on.query<{ id: number }>(`select id from networks where ${since}`)).map(({ id }) => id)
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
  // What was there before the first look is judged by the audit alone.
  if (shown) yield* readUnlogged(on, { shown, isNew: isFirst ? since : writtenSince(shown, 'true') }, written);
}

/** The records of the rows of a table, or of their batches. */
async function* recordsOf(on: Copier, table: string, condition: string): AsyncGenerator<readonly Uint8Array[]> {
  if (!BATCHED_TABLES.includes(table)) {
    const rows = on.copy(selectRecords(table, condition, `${table} ${overNetworks('seals')}`));
    return yield* entriesOf(table, kindLine(table), rows);
  }
  for await (const batches of batchesOf(table, on.copy(selectBatched(table, condition))))
    yield batches.map(({ line }) => Buffer.from(`${kindLine(BATCHES)}\n${line}`));
}

/**
 * Of the rows of some tables that were written since, those that nothing in the log tells of. It is asked now, and sealed: once something that is logged changes such a row too,
 * nothing else would tell. What came from another cluster has its clearings and networks with it, whose ids may be yet to come: they are `isNew`.
 */
async function* readUnlogged(
  on: Copier,
  { shown, isNew }: { readonly shown: ShownTransactions; readonly isNew: string },
  written: readonly string[],
): AsyncGenerator<WrittenRecords> {
  for (const table of written) {
    const rows = CHANGED_ROWS.get(table);
    if (rows === undefined) continue;
    // Of others the number of their network is not sealed, and could be made that of none for a moment.
    for (const condition of conditionsOf(table, shown, [])) {
      const select = `select of_table, key, written_by from (${rows}) as c ${overNetworks('seals')} where ${condition} and ${standsInNoLogSince(isNew)}`;
      for await (const entries of entriesOf(UNLOGGED, UNLOGGED_LINE, on.copy(select)))
        yield { table: UNLOGGED, entries };
    }
  }
}

/** SQL for what is to be read of a table: each for itself, as PostgreSQL reads one stretch of an index at half the cost of two at once. */
function conditionsOf(table: string, shown: ShownTransactions | undefined, whole: readonly number[]): string[] {
  if (!shown) return [isOfNetworks(table) ? ofNetworks('true') : 'true'];
  if (!isOfNetworks(table)) return stretchesSince(shown);
  const stretches = stretchesSince(shown).map((stretch) => ofNetworks(stretch));
  if (whole.length === 0) return stretches;
  const wholeOnes = `in (${whole.join(', ')})`;
  return [...stretches.map((stretch) => `${stretch} and network_id not ${wholeOnes}`), `network_id ${wholeOnes}`];
}

function ofNetworks(since: string): string {
  return `${since} and network_id in (select id from networks)`;
}

/** Rows in PostgreSQL's text form as entries: the line of their kind, and their own. */
async function* entriesOf(table: string, line: string, rows: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array[]> {
  const kind = Buffer.from(`${line}\n`);
  const lines = new CopiedLines();
  for await (const chunk of rows) {
    const entries: Uint8Array[] = [];
    lines.take(chunk, (bytes, from, end) => entries.push(entryOf(table, kind, bytes.subarray(from, end))));
    if (entries.length > 0) yield entries;
  }
}
