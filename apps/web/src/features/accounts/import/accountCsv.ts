import type { ImportedRole, ImportField, ImportRow } from '@drawhouse/contract/accounts/bulk-accounts';
import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import { parseCsv } from 'hucre/csv';
import { importTexts } from './importTexts.ts';

export interface CsvRow {
  /** Counted from 1. */
  readonly line: number;
  readonly row: ImportRow;
  readonly role: string;
}

export interface ReadCsv {
  readonly rows: readonly CsvRow[];
  readonly problem: string | null;
}

/** Headers as in the exported lists. */
export const COLUMNS: Readonly<Record<ImportField, string>> = {
  username: 'UserName',
  password: 'Password',
  commission: 'Commission',
  note: 'Note',
  reference: 'Refer ID',
  status: 'Status',
};
export const ROLE_COLUMN = 'Role';
type Column = ImportField | typeof ROLE_COLUMN;
const FIELD_OF: ReadonlyMap<string, Column> = new Map([
  ...Object.entries(COLUMNS).map(([field, name]) => [plain(name), field as ImportField] as const),
  ['reference', 'reference'] as const,
  [plain(ROLE_COLUMN), ROLE_COLUMN] as const,
]);
/** Headings of other lists, compared as `plain` names. Nobody means them as a username. */
const HEADING =
  /^((user|player|retailer|superdistributor|distributor|account|login|member|customer)s?(name|id)?s?|names?|ids?)$/;
const CHOICES = Object.values(COLUMNS).join(', ');

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Spreadsheets save UTF-8, UTF-16 with a mark, or the Windows code page. */
export function decodeCsv(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Accepts commas, semicolons and tabs. The first line names the columns, unless there are only usernames. */
export function readAccountCsv(text: string): ReadCsv {
  const refused = (problem: string): ReadCsv => ({ rows: [], problem });
  // Excel's hint of the separator.
  const body = text.replace(/^\uFEFF?sep=.\r?\n/i, '');
  const skipped = body === text ? 0 : 1;
  const open = openQuote(body);
  if (open !== null) return refused(importTexts.lineHasQuoteThat(open + skipped));
  const records = recordsIn(body, skipped);
  const isBare = hasOnlyUsernames(records);
  const [head, ...rest] = isBare ? [{ cells: [COLUMNS.username], line: 0 }, ...records] : records;
  if (!head) return refused(importTexts.fileIsEmpty);
  const first = isBare ? rest[0]!.cells[0]!.trim() : '';
  if (HEADING.test(plain(first))) return refused(importTexts.firstLineLooksLike(first, COLUMNS.username));
  const names = head.cells.map((name) => name.trim());
  const fields = names.map((name) => FIELD_OF.get(plain(name)));
  if (!fields.includes('username')) return refused(importTexts.firstLineMustName(CHOICES));
  const unknown = names.find((name, nth) => name !== '' && fields[nth] === undefined);
  if (unknown !== undefined) return refused(importTexts.thereIsNoColumn(unknown, CHOICES));
  const twice = fields.find((field, nth) => field !== undefined && fields.indexOf(field) < nth);
  if (twice !== undefined)
    return refused(importTexts.columnStandsTwice(twice === ROLE_COLUMN ? twice : COLUMNS[twice]));
  if (rest.length === 0) return refused(importTexts.thereIsNoRow);
  if (rest.length > BULK_MAX) return refused(importTexts.fileHasRowsImport(rest.length, BULK_MAX));
  const long = rest.find(({ cells }) => cells.slice(names.length).some((cell) => cell.trim() !== ''));
  if (long) return refused(importTexts.lineHasFieldsBut(long.line, long.cells.length, names.length));
  return { problem: null, rows: rest.map(({ cells, line }) => ({ line, ...rowOf(fields, cells) })) };
}

interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

function hasOnlyUsernames(records: readonly CsvRecord[]): boolean {
  const hasOneColumn = records.length > 0 && records.every(({ cells }) => cells.length === 1);
  return hasOneColumn && !FIELD_OF.has(plain(records[0]!.cells[0]!));
}

/** Returns the line of a quote that never closes; null if all do. */
function openQuote(text: string): number | null {
  let open: number | null = null;
  for (const [nth, line] of text.split('\n').entries())
    if (line.split('"').length % 2 === 0) open = open === null ? nth + 1 : null;
  return open;
}

/** Skips blank rows. */
function recordsIn(text: string, skipped: number): CsvRecord[] {
  let line = skipped + 1;
  const records = parseCsv(text, { delimiter: separatorOf(text) }).map((row) => {
    const cells = row.map((cell) => (typeof cell === 'string' ? cell : ''));
    const record = { cells, line };
    line += cells.join('').split('\n').length;
    return record;
  });
  return records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

function separatorOf(text: string): string {
  const [head = ''] = text.split(/\r?\n|\r/, 1);
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: head.split(mark).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]!.mark;
}

function rowOf(fields: readonly (Column | undefined)[], record: readonly string[]): Omit<CsvRow, 'line'> {
  const row: ImportRow = {};
  let role = '';
  for (const [nth, field] of fields.entries())
    if (field === ROLE_COLUMN) role = record[nth] ?? '';
    else if (field) row[field] = record[nth] ?? '';
  return { row, role };
}

/** Null if a row of that role is imported as `level`. `names` is its plural. */
export function roleProblem(role: string, level: ImportedRole, names: string): string | null {
  const roleName = plain(role).replace(/s$/, '').replace('player', 'user');
  if (roleName === '' || roleName === level) return null;
  return roleName === 'admin' ? importTexts.adminsCantBeImported : importTexts.onlyAreImportedHere(names);
}

/** The byte order mark makes Excel read UTF-8. */
export const SAMPLE_CSV: string =
  '\uFEFF' +
  [Object.values(COLUMNS), ['anita', '', '2.5', 'add notes', '', 'Active'], ['kabir', '', '0', '', '', '']].join(
    '\r\n',
  ) +
  '\r\n';
