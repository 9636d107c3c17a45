import { formsOf, kindLine, SEALED_TABLES } from '@drawhouse/rules/sealed-records';
import { unescaped } from '@drawhouse/tlog/on-node-records';

/** A row as it was sealed: its columns by their names, as PostgreSQL writes them, null where they have no value. */
export type SealedRow = Readonly<Record<string, string | null>>;

/** A record of the log, read. */
export type SealedEntry = {
  readonly table: string;
  /** Null where it can't be read here: it has another form, or is there by its hash alone. */
  readonly row: SealedRow | null;
};

const lists = new Map(
  Object.keys(SEALED_TABLES).flatMap((table) =>
    formsOf(table).map(({ version, columns, later }) => [kindLine(table, version), { table, columns, later }] as const),
  ),
);

/** The table and columns of an entry: the line of its kind, and one line of PostgreSQL's COPY. */
export function readEntry(entry: Uint8Array): SealedEntry {
  const text = Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength).toString('utf8');
  const end = text.indexOf('\n');
  const kind = text.slice(0, end);
  const known = lists.get(kind);
  if (!known) return { table: kind.split(' ')[0]!, row: null };
  const fields = text.slice(end + 1, -1).split('\t');
  if (fields.length !== known.columns.length || !text.endsWith('\n')) return { table: known.table, row: null };
  const own = known.columns.map((name, at) => [name, fields[at]!] as const);
  const all = [...own, ...Object.entries(known.later)].map(([name, field]) => [name, valueOf(field)]);
  return { table: known.table, row: Object.fromEntries(all) as SealedRow };
}

function valueOf(field: string): string | null {
  if (field === '\\N') return null;
  return field.includes('\\') ? unescaped(field) : field;
}

/** A value of a column that has one. Throws where it has none. */
export function given(row: SealedRow, column: string): string {
  const value = row[column];
  if (value == null) throw new RangeError(`${column} has no value.`);
  return value;
}

/** The members of an array of PostgreSQL that need no quotes, as ids. */
export function membersOf(array: string): readonly string[] {
  return array === '{}' ? [] : array.slice(1, -1).split(',');
}
