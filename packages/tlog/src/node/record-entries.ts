import { RECORD_VERSION, recordColumns, SEALED_RECORDS, SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { hash } from 'node:crypto';
import { MAX_ENTRY_BYTES } from '../tiles.ts';

const NEWLINE = 0x0a;
const TAB = 0x09;
const HASHED = ' hashed';

/** Joins kind line and row line. If too long, contains the key and the SHA-256 of the row line. */
export function entryOf(table: string, kind: Uint8Array, line: Uint8Array): Uint8Array {
  if (kind.length + line.length <= MAX_ENTRY_BYTES) return Buffer.concat([kind, line]);
  const named = line.subarray(0, keyLength(line, SEALED_TABLES[table]!.key.length));
  return Buffer.concat([
    Buffer.from(`${Buffer.from(kind).toString().slice(0, -1)}${HASHED}\n`),
    named,
    Buffer.from(`\t${hash('sha256', line)}\n`),
  ]);
}

/** Counts the bytes of the first `columns` columns, without the trailing tab. */
export function keyLength(line: Uint8Array, columns: number): number {
  let end = -1;
  for (let nth = 0; nth < columns; nth++) {
    const next = line.indexOf(TAB, end + 1);
    if (next < 0) return line.at(-1) === NEWLINE ? line.length - 1 : line.length;
    end = next;
  }
  return end;
}

export interface ReadRecord {
  readonly table: string;
  readonly version: number;
  /** Columns in COPY format. Long records: key and SHA-256 only. */
  readonly fields: readonly string[];
  readonly isHashed: boolean;
}

export function readRecord(entry: Uint8Array): ReadRecord {
  const record = recordIn(entry);
  if (!record) throw new RangeError('An entry has the line of its kind and one of its row.');
  return record;
}

/** Undefined without an entry, or if it is damaged. */
export function recordIn(entry: Uint8Array | undefined): ReadRecord | undefined {
  if (!entry) return undefined;
  const text = Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength).toString();
  const [, table, version, hashed, line] = /^(\w+) (\d+)( hashed)?\n([^\n]*)\n$/.exec(text) ?? [];
  if (table === undefined || line === undefined) return undefined;
  return { table, version: Number(version), fields: line.split('\t'), isHashed: hashed !== undefined };
}

/** True for records in the current format. */
export function isSealedRow({ table, version }: ReadRecord): boolean {
  return table in SEALED_RECORDS && version === RECORD_VERSION;
}

/** Returns values in COPY format. Undefined for other formats and hashed records. */
export function namedFields(record: ReadRecord): Readonly<Record<string, string>> | undefined {
  const { table, fields, isHashed } = record;
  if (isHashed || !isSealedRow(record)) return undefined;
  const columns = recordColumns(table);
  if (columns.length !== fields.length) return undefined;
  return Object.fromEntries(columns.map((column, at) => [column, fields[at]!]));
}

export function valueOf(record: ReadRecord, column: string): string | null {
  const { table, fields } = record;
  const text = isSealedRow(record) ? fields[recordColumns(table).indexOf(column)] : undefined;
  if (text === undefined) throw new RangeError(`A record of ${table} has no ${column} here.`);
  return text === '\\N' ? null : unescapeField(text);
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Undoes COPY escapes. */
export function unescapeField(text: string): string {
  return text.replace(/\\(.)/g, (_all, char: string) => ESCAPES[char] ?? char);
}
