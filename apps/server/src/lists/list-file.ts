import { TOTAL } from '@drawhouse/contract/list';
import type { CellValue, FileFormat, ListColumn } from '@drawhouse/contract/list';
import { fileCellOf, fileColumns, fileHead } from '@drawhouse/contract/list-file';
import { sumPoints } from '@drawhouse/contract/primitives';
import { writeCsvStream, writeXlsxStream } from 'hucre';
import type { Queryable } from '../db/database.ts';
import type { FileAnswer } from '../http/handler.ts';
import { findAll, isByKey, readByKeys, readStretch } from './read-list.ts';
import type { Wanted } from './read-list.ts';
import type { AnyList } from './source.ts';

/** Rows are read in pieces of this size, so that the whole list is never in memory. */
const PIECE_ROWS = 1_000;
/** More rows than any list has whose order is not that of its keys. */
const ALL_ROWS = 1_000_000;
const NUMBER_COLUMN = { header: 'No', width: 8 };
const POINTS_FORMAT = '#,##0.00';

type Cells = CellValue[];

/** All that is wanted of a list as a file, streamed. Its rows and their order are those of its start; what is deleted meanwhile is left out. */
export async function writeListFile(
  on: Queryable,
  list: AnyList,
  wanted: Wanted,
  format: FileFormat,
  timeZone: string,
): Promise<FileAnswer> {
  const file = list.file!;
  const columns = fileColumns(list);
  const { rows: count, pieces } = await openPieces(on, wanted);
  const rows = linesOf(list, columns, wanted, pieces, exportTime(timeZone));
  const heads = columns.map((column) => {
    const { header, width, points } = fileHead(column);
    const zone = file.namesZone && column.kind === 'time' ? ` (${timeZone})` : '';
    return { header: header + zone, width, ...(points && { numFmt: POINTS_FORMAT }) };
  });
  if (file.numbered) heads.unshift(NUMBER_COLUMN);
  return {
    fileName: `${wanted.source.fileName ?? file.name}.${format}`,
    rows: count + (list.totals.length > 0 ? 1 : 0),
    stream:
      format === 'xlsx'
        ? writeXlsxStream(rows, { name: file.sheet, columns: heads, freezePane: { rows: 1 } })
        : writeCsvStream(rows, { headers: heads.map(({ header }) => header), bom: true, escapeFormulae: true }),
  };
}

/** The rows as they are stored, in pieces, and how many there are. */
async function openPieces(
  on: Queryable,
  wanted: Wanted,
): Promise<{ rows: number; pieces: AsyncIterable<object[]> | Iterable<object[]> }> {
  const { source } = wanted;
  if (isByKey(wanted) && source.reading === 'rows') {
    const { total } = await findAll(on, wanted);
    return { rows: total, pieces: alongKeys(on, wanted, total) };
  }
  const all = await readStretch<{ key: string }>(on, wanted, { limit: ALL_ROWS });
  if (source.reading !== 'keysFirst') return { rows: all.length, pieces: [all] };
  const keys = all.map(({ key }) => key);
  return { rows: keys.length, pieces: byKeys(on, wanted, keys) };
}

/** Pieces each of which begins where the one before ended: nothing but a piece is ever held. */
async function* alongKeys(on: Queryable, wanted: Wanted, total: number): AsyncGenerator<object[]> {
  let last: string | undefined;
  for (let left = total; left > 0; left -= PIECE_ROWS) {
    const next = last === undefined ? undefined : { to: last };
    const piece = await readStretch<{ key: string }>(on, wanted, { limit: Math.min(PIECE_ROWS, left), next });
    if (piece.length === 0) return;
    last = piece.at(-1)!.key;
    yield piece;
  }
}

async function* byKeys(on: Queryable, { source }: Wanted, keys: readonly string[]): AsyncGenerator<object[]> {
  for (let start = 0; start < keys.length; start += PIECE_ROWS)
    yield await readByKeys(on, source, keys.slice(start, start + PIECE_ROWS));
}

/** The lines of a file below its heads: a row each, and the sums of what stands above at the end. */
async function* linesOf(
  list: AnyList,
  columns: readonly ListColumn<unknown>[],
  { source }: Wanted,
  pieces: AsyncIterable<object[]> | Iterable<object[]>,
  formatTime: (iso: string) => string,
): AsyncGenerator<Cells> {
  const toRow = source.toRow as (stored: object) => unknown;
  const numbered = list.file!.numbered === true;
  const sums = new Map(list.totals.map((name) => [name, 0]));
  let count = 0;
  for await (const piece of pieces)
    for (const stored of piece) {
      const row = toRow(stored);
      count++;
      const cells = columns.map((column): CellValue => {
        const cell = fileCellOf(column, row, formatTime);
        const sum = sums.get(column.name);
        if (sum !== undefined) sums.set(column.name, sumPoints([sum, cell as number]));
        return cell;
      });
      yield numbered ? [count, ...cells] : cells;
    }
  if (sums.size === 0) return;
  const total = columns.map((column, index): CellValue => sums.get(column.name) ?? (index === 0 ? TOTAL : ''));
  yield numbered ? ['', ...total] : total;
}

/** Writes instants as a spreadsheet reads them, `2026-03-10 15:30:00`, in a time zone. */
function exportTime(timeZone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  return (iso) => format.format(new Date(iso));
}
