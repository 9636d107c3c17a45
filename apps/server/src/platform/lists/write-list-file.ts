import { numberFormatOf, xlsxCell } from '@drawhouse/contract/core/file-format';
import {
  TOTAL,
  type CellValue,
  type ColumnKind,
  type FileFormat,
  type ListColumn,
} from '@drawhouse/contract/core/list';
import {
  aboutFile,
  aboutProperties,
  fileCellOf,
  fileColumns,
  fileHead,
  type AboutLine,
  type FileMeta,
} from '@drawhouse/contract/core/list-file';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { writeXlsxStream, writeXlsx, type WorkbookProperties } from 'hucre';
import type { Queryable, Reader } from '../db/database.ts';
import type { FileAnswer, FileDescription } from '../http/handler.ts';
import { scanAll, countForFile, type Search } from './scan-search.ts';
import { countCut, keysetChunks, type WantedCuts } from './read-keyset.ts';
import { findAll, isByKey, readByKeys, readSlice, type AnyQuery, type AnySource, type Wanted } from './read-list.ts';
import type { AnyList, ListCaller } from './list-source.ts';

const CHUNK_ROWS = 1_000;
/** Above any list not ordered by key. */
const ALL_ROWS = 1_000_000;
const NUMBER_COLUMN = { header: 'No', width: 8, kind: 'count' as ColumnKind };

type Cells = CellValue[];

export type FileLine = Readonly<Record<string, CellValue>>;

export interface FileRows {
  readonly count: number | null;
  readonly chunks: AsyncIterable<readonly unknown[]>;
  readonly ends?: readonly [first: FileLine, last: FileLine];
}

export interface FileOrder extends Partial<FileDescription> {
  readonly format: FileFormat;
  readonly query: AnyQuery;
  readonly by: ListCaller;
  readonly at: Date;
  readonly timeZone: string;
}

/** The file describes itself in Excel properties and in a header. */
export function writeListFile(
  list: AnyList,
  rows: FileRows,
  { format, query, by, at, timeZone, fileName, of: described, asOf }: FileOrder,
): FileAnswer {
  const file = list.file!;
  const columns = fileColumns(list);
  const formatTime = exportTime(timeZone);
  const of = asOf === undefined ? described : { ...described, 'As of': formatTime(asOf) };
  const order = file.order ?? list.order;
  const fileMeta: FileMeta = { by, at: at.toISOString(), timeZone, formatTime, query, order, of };
  let written = 0;
  const lines = linesOf(list, columns, rows, formatTime, (count) => (written = count));
  const heads = columns.map((column) => {
    const { header, width, kind } = fileHead(column);
    const zone = file.namesZone && kind === 'time' ? ` (${timeZone})` : '';
    return { header: header + zone, width, kind };
  });
  if (file.numbered) heads.unshift(NUMBER_COLUMN);
  return {
    fileName: `${fileName ?? file.name}.${format}`,
    rows: rows.count === null ? null : rows.count + (rows.ends ? 2 : 0) + (list.totals.length > 0 ? 1 : 0),
    about: inHeader(aboutFile(list, fileMeta, rows.count)),
    stream:
      format === 'xlsx'
        ? withProperties(
            writeXlsxStream(xlsxLines(heads, lines), {
              name: file.sheet,
              columns: heads.map(({ header, width, kind }) => ({ header, width, ...numberFormatOf(kind) })),
              freezePane: { rows: 1 },
            }),
            () => aboutProperties(aboutFile(list, fileMeta, written), fileMeta),
          )
        : writeCsv(
            heads.map(({ header }) => header),
            lines,
          ),
  };
}

async function* xlsxLines(
  heads: readonly { readonly kind: ColumnKind }[],
  lines: AsyncIterable<Cells>,
): AsyncGenerator<ReturnType<typeof xlsxCell>[]> {
  for await (const line of lines) yield line.map((cell, index) => xlsxCell(cell, heads[index]!.kind));
}

/** Percent-encoded for ASCII: `Title=Turnover+Report&…`. */
function inHeader(lines: readonly AboutLine[]): string {
  return new URLSearchParams(lines.map(([label, value]): [string, string] => [label, String(value)])).toString();
}

/** Rows and order as of now; skips rows deleted while reading. */
export async function openRows(on: Queryable, wanted: Wanted): Promise<FileRows> {
  const { source } = wanted;
  if (isByKey(wanted) && source.reading === 'rows') {
    const { total } = await findAll(on, wanted);
    return { count: total, chunks: rowsOf(source, alongKeys(on, wanted, total)) };
  }
  const all = await readSlice<{ key: string }>(on, wanted, { limit: ALL_ROWS });
  if (source.reading !== 'keysFirst') return { count: all.length, chunks: rowsOf(source, [all]) };
  const keys = all.map(({ key }) => key);
  return { count: keys.length, chunks: rowsOf(source, byKeys(on, wanted, keys)) };
}

export async function openKeysetRows(on: Queryable, wanted: WantedCuts): Promise<FileRows> {
  const count = await countCut(on, wanted, undefined);
  return { count, chunks: rowsOf(wanted.source, keysetChunks(on, wanted, { count, chunkRows: CHUNK_ROWS })) };
}

export async function openFoundRows(on: Reader, search: Search): Promise<FileRows> {
  const count = await countForFile(on, search);
  return { count, chunks: rowsOf(search.wanted.source, scanAll(on, search, CHUNK_ROWS)) };
}

async function* rowsOf(
  { toRow }: Pick<AnySource, 'toRow'>,
  chunks: AsyncIterable<object[]> | Iterable<object[]>,
): AsyncGenerator<unknown[]> {
  for await (const chunk of chunks) yield chunk.map((stored) => toRow(stored as never));
}

async function* alongKeys(on: Queryable, wanted: Wanted, total: number): AsyncGenerator<object[]> {
  let last: string | undefined;
  for (let left = total; left > 0; left -= CHUNK_ROWS) {
    const next = last === undefined ? undefined : { to: last };
    const chunk = await readSlice<{ key: string }>(on, wanted, { limit: Math.min(CHUNK_ROWS, left), next });
    if (chunk.length === 0) return;
    last = chunk.at(-1)!.key;
    yield chunk;
  }
}

async function* byKeys(on: Queryable, { source }: Wanted, keys: readonly string[]): AsyncGenerator<object[]> {
  for (let start = 0; start < keys.length; start += CHUNK_ROWS)
    yield await readByKeys(on, source, keys.slice(start, start + CHUNK_ROWS));
}

async function* linesOf(
  list: AnyList,
  columns: readonly ListColumn<unknown>[],
  { chunks, ends }: FileRows,
  formatTime: (iso: string) => string,
  onEnd: (count: number) => void,
): AsyncGenerator<Cells> {
  const numbered = list.file!.numbered === true;
  const sums = new Map(list.totals.map((name) => [name, 0]));
  const other = (line: FileLine): Cells => {
    const cells = columns.map(({ name, kind }): CellValue => {
      const value = line[name] ?? '';
      return kind === 'time' && value !== '' ? formatTime(value as string) : value;
    });
    return numbered ? ['', ...cells] : cells;
  };
  if (ends) yield other(ends[0]);
  let count = 0;
  for await (const chunk of chunks)
    for (const row of chunk) {
      count++;
      const cells = columns.map((column): CellValue => {
        const cell = fileCellOf(column, row, formatTime);
        const sum = sums.get(column.name);
        if (sum !== undefined) sums.set(column.name, sumPoints([sum, cell as number]));
        return cell;
      });
      yield numbered ? [count, ...cells] : cells;
    }
  if (ends) yield other(ends[1]);
  if (sums.size > 0) yield other({ [columns[0]!.name]: TOTAL, ...Object.fromEntries(sums) });
  onEnd(count);
}

/** Spreadsheets read `2026-03-10 15:30:00`. */
function exportTime(timeZone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  return (iso) => format.format(new Date(iso));
}

const PIECE_CHARS = 64 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

/** Spreadsheets may start a formula at text start, or after separators, past quotes and spaces. */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s\p{Cf}"]*[=+\-@|＝＋－＠｜﹢﹣﹦﹫])|^(?=[\t\r\n])/gu;
const PARTS = /[",;\t\r\n]/;

/**
 * Keeps numbers as numbers. Prefixes formula-like text with an apostrophe (OWASP), also full-width signs and text after
 * other locales' separators.
 */
export function csvCell(value: CellValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = value.replace(FORMULA, "'");
  return text === value && !PARTS.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}

export async function* writeCsv(
  heads: readonly string[],
  lines: AsyncIterable<readonly CellValue[]>,
): AsyncGenerator<Uint8Array> {
  let pending = `${BYTE_ORDER_MARK}${heads.map(csvCell).join(',')}`;
  for await (const line of lines) {
    pending += `\r\n${line.map(csvCell).join(',')}`;
    if (pending.length < PIECE_CHARS) continue;
    yield Buffer.from(pending);
    pending = '';
  }
  yield Buffer.from(pending);
}

/** Upper bound for workbook parts after the sheets. */
const TAIL_BYTES = 64 * 1024;
const SHEET = /^xl\/worksheets\//;
const TELLING = /^(\[Content_Types\]\.xml|_rels\/.*|docProps\/.*)$/;

/**
 * The Excel streamer cannot add properties. Passes rows through and replaces small trailing parts with those of an
 * empty workbook. Reads `properties` after the rows.
 */
export async function* withProperties(
  workbook: AsyncIterable<Uint8Array>,
  properties: () => WorkbookProperties,
): AsyncGenerator<Uint8Array> {
  const buffered: Uint8Array[] = [];
  let [bufferedBytes, sentBytes] = [0, 0];
  for await (const chunk of workbook) {
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    while (bufferedBytes - buffered[0]!.length >= TAIL_BYTES) {
      const first = buffered.shift()!;
      bufferedBytes -= first.length;
      sentBytes += first.length;
      yield first;
    }
  }
  const tail = Buffer.concat(buffered);
  const parts = partsOf(tail, sentBytes).filter(({ name }) => !TELLING.test(name));
  const sheets = parts.filter(({ name }) => SHEET.test(name)).map((_sheet, index) => ({ name: `${index}`, rows: [] }));
  const frame = Buffer.from(await writeXlsx({ sheets, properties: properties() }));
  const added = partsOf(frame, 0).filter(({ name }) => TELLING.test(name));
  // Replaced parts come last.
  let place = Math.max(...parts.map(({ end }) => end));
  yield tail.subarray(0, place - sentBytes);
  for (const { start, end, record } of added) {
    record.writeUInt32LE(place, RECORD.start);
    place += end - start;
    yield frame.subarray(start, end);
  }
  const records = [...parts, ...added].map(({ record }) => record);
  yield* records;
  const end = tail.subarray(-END.bytes);
  for (const at of [END.records, END.recordsInAll]) end.writeUInt16LE(records.length, at);
  end.writeUInt32LE(Buffer.concat(records).length, END.size);
  end.writeUInt32LE(place, END.start);
  yield end;
}

interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly record: Buffer;
}

/** Byte offsets in a directory record and in the end record. */
const RECORD = { nameLength: 28, extraLength: 30, commentLength: 32, start: 42, name: 46 };
const END = { bytes: 22, records: 8, recordsInAll: 10, size: 12, start: 16 };

function partsOf(tail: Buffer, offset: number): Part[] {
  const end = tail.subarray(-END.bytes);
  const directory = end.readUInt32LE(END.start);
  const parts: Omit<Part, 'end'>[] = [];
  for (let at = directory - offset; parts.length < end.readUInt16LE(END.records);) {
    const nameEnd = at + RECORD.name + tail.readUInt16LE(at + RECORD.nameLength);
    const past = nameEnd + tail.readUInt16LE(at + RECORD.extraLength) + tail.readUInt16LE(at + RECORD.commentLength);
    const record = tail.subarray(at, past);
    parts.push({
      name: tail.toString('utf8', at + RECORD.name, nameEnd),
      start: record.readUInt32LE(RECORD.start),
      record,
    });
    at = past;
  }
  return parts.map((part, index) => ({ ...part, end: parts[index + 1]?.start ?? directory }));
}
