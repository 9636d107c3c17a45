import { formsOf, kindLine, SEALED_TABLES } from '@drawhouse/rules/sealed-records';
import type { RecordForm } from '@drawhouse/rules/sealed-records';
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
    Buffer.from(`${Buffer.from(kind).toString().slice(0, -1)}${HASHED}\n`),
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

/**
 * The columns of a record in the form of today, as COPY writes them: of an earlier form with what rows of then say in the columns that came since. Undefined where it has a
 * form that is not known, or is there by its hash.
 */
export function fieldsOfToday({
  table,
  version,
  fields,
  isHashed,
}: ReadRecord): Readonly<Record<string, string>> | undefined {
  const form = isHashed ? undefined : formsOf(table).find((one) => one.version === version);
  if (form?.columns.length !== fields.length) return undefined;
  return { ...Object.fromEntries(form.columns.map((column, at) => [column, fields[at]!])), ...form.later };
}

/** A line of a table in an earlier form; undefined where it has something in a column that came since which rows of then have not. */
function lineInForm(table: string, line: Uint8Array, { columns, later }: RecordForm): Uint8Array | undefined {
  const fields = Buffer.from(line).toString().slice(0, -1).split('\t');
  const named = new Map(formsOf(table)[0]!.columns.map((column, at) => [column, fields[at]]));
  if (Object.entries(later).some(([column, value]) => named.get(column) !== value)) return undefined;
  return Buffer.from(`${columns.map((column) => named.get(column)).join('\t')}\n`);
}

/** The entries that a row would have been sealed as in the forms that its table had before, as far as these can have it. */
export function earlierEntriesOf(table: string, line: Uint8Array): Uint8Array[] {
  return formsOf(table)
    .slice(1)
    .flatMap((form) => {
      const earlier = lineInForm(table, line, form);
      return earlier ? [entryOf(table, Buffer.from(`${kindLine(table, form.version)}\n`), earlier)] : [];
    });
}

/** The value of one column of a record, null where it has none there. Throws RangeError where there is no such column. */
export function valueOf({ table, version, fields }: Omit<ReadRecord, 'isHashed'>, column: string): string | null {
  const form = formsOf(table).find((one) => one.version === version);
  const text = form?.later[column] ?? fields[form?.columns.indexOf(column) ?? -1];
  if (text === undefined) throw new RangeError(`A record of ${table} has no ${column} here.`);
  return text === '\\N' ? null : unescaped(text);
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A value as it was before PostgreSQL's COPY wrote it. */
export function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_all, char: string) => ESCAPES[char] ?? char);
}
