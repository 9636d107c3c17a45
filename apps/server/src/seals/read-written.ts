import { MAX_ENTRY_BYTES } from '@drawhouse/tlog/entry-bundles';
import { entryOf } from '@drawhouse/tlog/on-node-records';
import { overNetworks } from '../over-networks.ts';
import type { Copier } from '../db/copy-snapshot.ts';
import type { Queryable } from '../db/database.ts';
import { kindLine, SEALED_TABLES, selectRecords } from '@drawhouse/rules/sealed-records';

const NEWLINE = 0x0a;

/** Whatever a snapshot of PostgreSQL, in its text form, does not show: what was committed since, as SQL about a row's `written_by`. */
function writtenSince(snapshot: string, column = 'written_by'): string {
  const [, xmax, running = ''] = /^\d+:(\d+):((?:\d+(?:,\d+)*)?)$/.exec(snapshot) ?? [];
  if (xmax === undefined) throw new Error(`There is no such snapshot: ${snapshot}`);
  // A transaction that was under way then is one of those that it names, however long it took.
  const listed = running === '' ? [] : running.split(',').map((xid) => `'${xid}'::xid8`);
  // A table that was brought here from another cluster has ids that are yet to come.
  const later = `${column} >= '${xmax}'::xid8 and ${column} < pg_snapshot_xmax(pg_current_snapshot())`;
  return listed.length === 0 ? `(${later})` : `(${later} or ${column} in (${listed.join(', ')}))`;
}

const isOfNetworks = (table: string): boolean => SEALED_TABLES[table]!.key[0] === 'network_id';

/** Which rows of all tables are to be read. */
interface Looked {
  /** SQL about `written_by`. */
  readonly since: string;
  /** Networks of which all is read: they are new here, or took the place of another one. */
  readonly whole: readonly number[];
}

/** The tables in which there is anything to be sealed. Of what stands beside no network is sealed. */
async function tablesWritten(on: Copier, { since, whole }: Looked): Promise<string[]> {
  const tables = Object.keys(SEALED_TABLES);
  const probes = tables.map((table) => {
    const { where } = SEALED_TABLES[table]!;
    return `exists (select from ${table} where ${where ? `${where} and ` : ''}${since})`;
  });
  const [row] = await on.query<{ found: boolean[] }>(
    `select ${overNetworks('seals')} array[${probes.join(', ')}] as found`,
  );
  return tables.filter((table, at) => row!.found[at] === true || (whole.length > 0 && isOfNetworks(table)));
}

/**
 * Whether there is anything to be sealed that a snapshot, in its text form, did not show. Of networks that stand beside nothing is: so this is exact, where the tables in
 * which to look may turn out to have nothing.
 */
export async function hasWritten(on: Queryable, before: string): Promise<boolean> {
  const since = writtenSince(before);
  const probes = Object.entries(SEALED_TABLES).map(([table, { where }]) => {
    const conditions = [...(where ? [where] : []), isOfNetworks(table) ? ofNetworks(since, []) : since];
    return `exists (select from ${table} where ${conditions.join(' and ')})`;
  });
  const [row] = await on.query<{ waits: boolean }>(`select ${overNetworks('seals')} ${probes.join(' or ')} as waits`);
  return row!.waits;
}

/** The records of one table, as many as came at once. */
export interface WrittenRecords {
  readonly table: string;
  /** Each an entry of the log. */
  readonly entries: readonly Uint8Array[];
}

/**
 * Reads, on one snapshot, every record that a snapshot before did not show: since the beginning where there was none. Some thousand at a time, table by table.
 */
export async function* readWritten(on: Copier, before: string): AsyncGenerator<WrittenRecords> {
  const since = before === '' ? 'true' : writtenSince(before);
  const whole =
    before === '' ? [] : (await on.query<{ id: number }>(`select id from networks where ${since}`)).map(({ id }) => id);
  for (const table of await tablesWritten(on, { since, whole })) {
    const condition = isOfNetworks(table) ? ofNetworks(since, whole) : since;
    for await (const entries of entriesOf(
      table,
      on.copy(selectRecords(table, condition, `${table} ${overNetworks('seals')}`)),
    ))
      yield { table, entries };
  }
}

function ofNetworks(since: string, whole: readonly number[]): string {
  const live = `(${since} and network_id in (select id from networks))`;
  return whole.length === 0 ? live : `(${live} or network_id in (${whole.join(', ')}))`;
}

/** Rows in PostgreSQL's text form as entries: the line of their kind, and their own. */
async function* entriesOf(table: string, rows: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array[]> {
  const kind = Buffer.from(`${kindLine(table)}\n`);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of rows) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      lines.push(bytes.subarray(from, end + 1));
      from = end + 1;
    }
    const entries = entriesOfLines(table, kind, lines);
    rest = bytes.subarray(from);
    if (entries.length > 0) yield entries;
  }
}

/** The entries of some rows, in memory that they share. */
function entriesOfLines(table: string, kind: Uint8Array, lines: readonly Uint8Array[]): Uint8Array[] {
  const all = Buffer.allocUnsafe(lines.reduce((sum, line) => sum + kind.length + line.length, 0));
  let end = 0;
  return lines.map((line) => {
    if (kind.length + line.length > MAX_ENTRY_BYTES) return entryOf(table, kind, line);
    const start = end;
    all.set(kind, start);
    all.set(line, start + kind.length);
    end = start + kind.length + line.length;
    return all.subarray(start, end);
  });
}
