import { kindLine, SEALED_TABLES } from '@drawhouse/rules/sealed-records';
import { hash } from 'node:crypto';
import { MAX_ENTRY_BYTES } from './entry-bundles.ts';

const NEWLINE = 0x0a;
const TAB = 0x09;
const HASHED = ' hashed';

/**
 * The entry of a row: the line of its kind, with its end, and the row as its line with its end. One that is too long for the log stands there by its key and the
 * SHA-256 of its line.
 */
export function entryOf(table: string, kind: Uint8Array, line: Uint8Array): Uint8Array {
  if (kind.length + line.length <= MAX_ENTRY_BYTES) return Buffer.concat([kind, line]);
  const named = line.subarray(0, keyLength(line, SEALED_TABLES[table]!.key.length));
  return Buffer.concat([
    Buffer.from(`${kindLine(table)}${HASHED}\n`),
    named,
    Buffer.from(`\t${hash('sha256', line)}\n`),
  ]);
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

/** An entry of the log as what it says. */
export interface ReadRecord {
  /** A table of {@link SEALED_TABLES}, or what else a log has, like `origins`. */
  readonly table: string;
  readonly version: number;
  /** Its columns in their order, as PostgreSQL's COPY writes them; of one that was too long the key alone, and its SHA-256. */
  readonly fields: readonly string[];
  readonly isHashed: boolean;
}

/** What an entry says. Throws RangeError where it is none. */
export function readRecord(entry: Uint8Array): ReadRecord {
  const text = Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength).toString();
  const [, table, version, hashed, line] = /^(\w+) (\d+)( hashed)?\n([^\n]*)\n$/.exec(text) ?? [];
  if (table === undefined || line === undefined)
    throw new RangeError('An entry has the line of its kind and one of its row.');
  return { table, version: Number(version), fields: line.split('\t'), isHashed: hashed !== undefined };
}

/** The value of one column of a record, null where it has none there. Throws RangeError where there is no such column. */
export function valueOf({ table, fields }: Pick<ReadRecord, 'table' | 'fields'>, column: string): string | null {
  const { key, columns } = SEALED_TABLES[table]!;
  const text = fields[[...key, ...columns].indexOf(column)];
  if (text === undefined) throw new RangeError(`A record of ${table} has no ${column} here.`);
  return text === '\\N' ? null : unescaped(text);
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A value as it was before PostgreSQL's COPY wrote it. */
export function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_all, char: string) => ESCAPES[char] ?? char);
}
