import { MAX_ENTRY_BYTES } from '@drawhouse/tlog/entry-bundles';
import { hash } from 'node:crypto';
import { overNetworks } from '../over-networks.ts';
import type { Copier } from '../db/copy-snapshot.ts';
import { kindLine, SEALED_TABLES, selectRecords } from '@drawhouse/rules/sealed-records';

const NEWLINE = 0x0a;
const TAB = 0x09;

/** Whatever a snapshot of PostgreSQL, in its text form, does not show: what was committed since, as SQL about a row's `written_by`. */
function writtenSince(snapshot: string, column = 'written_by'): string {
  const [, xmax, running = ''] = /^\d+:(\d+):((?:\d+(?:,\d+)*)?)$/.exec(snapshot) ?? [];
  if (xmax === undefined) throw new Error(`There is no such snapshot: ${snapshot}`);
  // A transaction that was under way then is one of those that it names, however long it took.
  const listed = running === '' ? [] : running.split(',').map((xid) => `'${xid}'::xid8`);
  const later = `${column} >= '${xmax}'::xid8`;
  return listed.length === 0 ? later : `(${later} or ${column} in (${listed.join(', ')}))`;
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

/** The entry of a row. One that is too long for the log stands there by its key and the SHA-256 of its line. */
export function entryOf(table: string, kind: Uint8Array, line: Uint8Array): Uint8Array {
  if (kind.length + line.length <= MAX_ENTRY_BYTES) return Buffer.concat([kind, line]);
  const named = line.subarray(0, keyLength(line, SEALED_TABLES[table]!.key.length));
  return Buffer.concat([Buffer.from(`${kindLine(table)} hashed\n`), named, Buffer.from(`\t${hash('sha256', line)}\n`)]);
}

/** How long the key of a row is in its line: so many columns, without the tab behind them. */
export function keyLength(line: Uint8Array, columns: number): number {
  let end = -1;
  for (let nth = 0; nth < columns; nth++) {
    const next = line.indexOf(TAB, end + 1);
    if (next < 0) return line.at(-1) === NEWLINE ? line.length - 1 : line.length;
    end = next;
  }
  return end;
}
