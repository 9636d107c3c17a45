import type { FileFormat, List, MissingCell } from '@drawhouse/contract/core/list';
import type { FileAnswer, FileDescription } from '../platform/http/handler.ts';
import type { ListCaller } from '../platform/lists/list-source.ts';
import { limitOfPage } from '../platform/lists/serve-list.ts';
import { writeListFile } from '../platform/lists/write-list-file.ts';
import { CELLS_TEXTS } from './cells-texts.ts';
import {
  mergeKeysetPages,
  mergeRows,
  orderOf,
  sumRowsBy,
  sumTotals,
  takeRows,
  type ListAnswer,
  type Row,
} from './merge-lists.ts';
import { MERGED_LISTS } from './merged-reads.ts';

const LARGEST_PAGE = 500;

export type Query = Readonly<Record<string, unknown>>;

export interface Source {
  readonly cell: string;
  readonly isHere: boolean;
  /** Null if it does not know the object asked for, or does not answer. */
  readonly read: (query: Query) => Promise<object | null>;
}

export interface ListReading {
  readonly list: List;
  readonly query: Query;
  readonly caller: ListCaller;
  readonly sources: readonly Source[];
  /** Grows while cells are asked. */
  readonly missing: readonly MissingCell[];
}

/** Null if no cell knows the account that the list is about. */
export async function mergedPage(reading: ListReading): Promise<object | null> {
  const { list, query, caller } = reading;
  const limit = limitOfPage(query, isNarrowed(list, query));
  const page = list.paging === 'keyset' ? await keysetPage(reading, limit) : await numberedPage(reading, limit);
  if (!page) return null;
  const { rows, answers, figures } = page;
  const [first] = answers;
  return {
    ...first,
    ...sumTotals(answers, list.totals),
    ...figures,
    ...MERGED_LISTS[list.route.path]!.extra?.(answers, caller),
    ...oldestOf(answers),
    [list.rowsKey]: rows,
    ...missingIn(reading),
  };
}

/** Cells with a standby for reports say up to when it has everything. */
function oldestOf(answers: readonly ListAnswer[]): Pick<ListAnswer, 'freshness'> {
  const all = answers.flatMap(({ freshness }) => freshness ?? []);
  const [oldest] = all.toSorted((one, other) => Date.parse(one.asOf) - Date.parse(other.asOf));
  return oldest ? { freshness: oldest } : {};
}

const missingIn = ({ missing }: Pick<ListReading, 'missing'>): object =>
  missing.length > 0 ? { missingCells: missing } : {};

interface MergedPage {
  readonly rows: readonly Row[];
  readonly answers: readonly [ListAnswer, ...ListAnswer[]];
  readonly figures: object;
}

async function keysetPage(reading: ListReading, limit: number): Promise<MergedPage | null> {
  const { list, query, sources } = reading;
  const answers = await answersOf(sources, query, list);
  if (!answers) return null;
  const { rows, ...figures } = mergeKeysetPages(list, answers, {
    ...query,
    isNewestFirst: sortIn(query, list).startsWith('-'),
    limit,
  });
  return { rows, answers, figures };
}

async function numberedPage(reading: ListReading, limit: number): Promise<MergedPage | null> {
  const { list, query, sources } = reading;
  const { sumBy } = MERGED_LISTS[list.route.path]!;
  const offset = (((query['page'] as number | undefined) ?? 1) - 1) * limit;
  const size = sumBy === undefined ? Math.min(offset + limit, LARGEST_PAGE) : LARGEST_PAGE;
  const answers = await answersOf(sources, { ...query, page: 1, pageSize: size }, list);
  if (!answers) return null;
  const rows = rowsInOrder(reading, answers, size);
  if (sumBy !== undefined) {
    const summed = sumRowsBy(await takeRows(rows, 0, Infinity), sumBy).toSorted(orderOf(list, sortIn(query, list)));
    return { rows: summed.slice(offset, offset + limit), answers, figures: { total: summed.length } };
  }
  const total = answers.reduce((sum, answer) => sum + answer.total, 0);
  return { rows: await takeRows(rows, offset, limit), answers, figures: { total } };
}

/** Each answer keeps its source, because unknown objects have none. */
interface Answered extends ListAnswer {
  readonly source: Source;
}

async function answersOf(
  sources: readonly Source[],
  query: Query,
  { rowsKey }: Pick<List, 'rowsKey'>,
): Promise<readonly [Answered, ...Answered[]] | null> {
  const found = await Promise.all(
    sources.map(async (source) => {
      const answer = (await source.read(query)) as ListAnswer | null;
      if (!answer) return [];
      const cell = { name: source.cell, isHere: source.isHere };
      const rows = (answer[rowsKey] as Row[]).map((row) => ({ ...row, cell }));
      return [{ ...answer, [rowsKey]: rows, source }];
    }),
  );
  const answers = found.flat();
  return answers.length > 0 ? (answers as unknown as readonly [Answered, ...Answered[]]) : null;
}

/** In the order of the list. Reads further pages when they are needed. */
function rowsInOrder({ list, query }: ListReading, answers: readonly Answered[], size: number): AsyncGenerator<Row> {
  const streams = answers.map((first) => rowsOf(list, query, first, size));
  return mergeRows(streams, orderOf(list, sortIn(query, list)));
}

async function* rowsOf(list: List, query: Query, first: Answered, size: number): AsyncGenerator<Row> {
  let page: ListAnswer = first;
  for (let number = 1; ; number++) {
    const rows = page[list.rowsKey] as Row[];
    yield* rows;
    if (rows.length < size) return;
    const next = await answersOf([first.source], { ...query, page: number + 1, pageSize: size }, list);
    if (!next) return;
    [page] = next;
  }
}

const sortIn = (query: Query, { order }: Pick<List, 'order'>): string => (query['sort'] as string | undefined) ?? order;

function isNarrowed({ filters }: Pick<List, 'filters'>, query: Query): boolean {
  const narrowing = ['search', ...filters.flatMap(({ fields }) => Object.keys(fields))];
  return narrowing.some((name) => query[name] !== undefined);
}

interface FileOrder {
  readonly format: FileFormat;
  readonly at: Date;
  readonly timeZone: string;
  /** By this cell. Null if only another cell knows the account. */
  readonly description: FileDescription | null;
}

/** Null if no cell knows the account that the list is about. */
export async function mergedFile(
  reading: ListReading,
  { format, at, timeZone, description }: FileOrder,
): Promise<FileAnswer | null> {
  const { list, sources, missing } = reading;
  const { timeZone: zone, ...query } = reading.query;
  const sorted = { ...reading, query: { ...query, ...(list.file!.order !== undefined && { sort: list.file!.order }) } };
  const first = (await mergedPage({ ...sorted, query: { ...sorted.query, pageSize: 1 } })) as ListAnswer | null;
  if (!first) return null;
  const of = {
    ...description?.of,
    ...notesOf(first),
    Cells: sources.map(({ cell }) => cell).join(', '),
    ...(missing.length > 0 && {
      [CELLS_TEXTS.notIncluded]: missing.map(({ cell, networks }) => CELLS_TEXTS.missing(cell, networks)).join('; '),
    }),
  };
  const asOf = first.freshness?.asOf ?? description?.asOf;
  const count = first.totalIsMore ? null : first.total;
  return writeListFile(
    list,
    { count, chunks: pagesOf(sorted, missing.length) },
    {
      format,
      query,
      by: reading.caller,
      at,
      timeZone: (zone as string | undefined) ?? timeZone,
      ...description,
      of,
      asOf,
    },
  );
}

/** Notes on rows that were cleared, or undone by a restore, in any cell. */
function notesOf({ cleared, undone }: ListAnswer): Record<string, string> {
  return {
    ...(typeof cleared === 'string' && { Cleared: cleared }),
    ...(typeof undone === 'string' && { Undone: undone }),
  };
}

/** Breaks off if a cell fails that the file does not name as missing. */
async function* pagesOf(reading: ListReading, missingInFile: number): AsyncGenerator<readonly Row[]> {
  const { list, missing } = reading;
  for await (const rows of list.paging === 'keyset' ? keysetPages(reading) : numberedPages(reading)) {
    if (missing.length > missingInFile) throw new Error(`${missing.at(-1)!.cell} failed while a file was written`);
    yield rows;
  }
}

async function* keysetPages(reading: ListReading): AsyncGenerator<readonly Row[]> {
  const { list, query } = reading;
  const goesOlder = sortIn(query, list).startsWith('-');
  for (let place: Query = {}; ;) {
    const page = await keysetPage({ ...reading, query: { ...query, ...place, pageSize: LARGEST_PAGE } }, LARGEST_PAGE);
    if (!page) return;
    yield page.rows;
    const { older, newer } = page.figures as ListAnswer;
    const next = goesOlder ? older : newer;
    if (next === null || next === undefined) return;
    place = goesOlder ? { before: next } : { after: next };
  }
}

/** Reads each page of a cell once. Sums of days fit on one page. */
async function* numberedPages(reading: ListReading): AsyncGenerator<readonly Row[]> {
  const { list, query, sources } = reading;
  if (MERGED_LISTS[list.route.path]!.sumBy !== undefined) {
    const page = await numberedPage({ ...reading, query: { ...query, page: 1 } }, Number.MAX_SAFE_INTEGER);
    if (page) yield page.rows;
    return;
  }
  const answers = await answersOf(sources, { ...query, page: 1, pageSize: LARGEST_PAGE }, list);
  if (!answers) return;
  let rows: Row[] = [];
  for await (const row of rowsInOrder(reading, answers, LARGEST_PAGE)) {
    rows.push(row);
    if (rows.length < LARGEST_PAGE) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}
