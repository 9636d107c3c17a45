import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { checked } from './list-filters.ts';
import type { ListFilter } from './list-filters.ts';
import { CSV_TYPE, XLSX_TYPE } from './media-types.ts';
import { listQuery, points, success, timeZone } from './primitives.ts';
import type { Access, Placeholders, Route } from './route.ts';

type Schema = z.ZodMiniType;
type Shape = Readonly<Record<string, Schema>>;

/** What a column's values are: the page takes its cell and its side from it, a file its format. `code` is text that is read letter by letter. */
export type ColumnKind = 'text' | 'code' | 'points' | 'percent' | 'count' | 'time' | 'flag';

/** A value as a file has it, and as a page shows it where it has no cell of its own. */
export type CellValue = string | number | boolean | null;

/** One column of a list, for its page, its order, its totals and its files alike. */
export interface ListColumn<Row> {
  /** What it is called in `sort` and in `totals`; the field of the row where there is no `value`. */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly header: string;
  /** On the page, in px: the least that it needs. */
  readonly width: number;
  /** The value of a row; its field `name` where it is left out. */
  value?(this: void, row: Row): CellValue;
  /** The list can be sorted by it. */
  readonly sort?: boolean;
  /** Its sum over all that matches, not one page, is in the answer, under the table and at the end of files. */
  readonly total?: boolean;
  /** In files; left out of them without it. */
  readonly export?: ExportColumn<Row>;
  /** Stays on a phone, and wherever not all columns fit; the others open in the row's sheet. */
  readonly priority?: boolean;
  /** Where not all columns fit, the highest goes first; 0 by default, and of equals the one further right. */
  readonly yields?: number;
  /** False for what a list is only sorted by or has in its files. */
  readonly onPage?: false;
}

/** How a column stands in files. */
export interface ExportColumn<Row> {
  /** Where it is not that of the page. */
  readonly header?: string;
  /** In characters. */
  readonly width: number;
  /** Where it is not that of the page; instants as ISO 8601, which a file writes in the reader's time zone. */
  value?(this: void, row: Row): CellValue;
}

/** The files of a list. */
export interface ListFile {
  /** Without its ending. */
  readonly name: string;
  /** The sheet of the Excel file. */
  readonly sheet: string;
  /** What the file says that it is, in its properties; what the sheet is called where it is left out. */
  readonly title?: string;
  /** Where they are; `{path}/xlsx` and `{path}/csv` unless the specification has another place. */
  readonly paths?: { readonly xlsx?: string; readonly csv?: string };
  /** The names of its columns in their order, where it is not that of the page. */
  readonly columns?: readonly string[];
  /** Its order where none was asked for and it is not that of the page. */
  readonly order?: string;
  /** Numbers its rows, in a first column `No`. */
  readonly numbered?: true;
  /** Names the time zone in the headers of times, for files that are read elsewhere. */
  readonly namesZone?: boolean;
}

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type FilterFields<Filters extends readonly ListFilter[]> = [Filters[number]] extends [never]
  ? unknown
  : Intersection<Filters[number]['fields']>;

/** The names of a list's columns that it can be sorted by and that have totals, and of its filters. */
export interface ListNames {
  readonly sort: string;
  readonly total: string;
  readonly filter: string;
}
type NamesOf<Columns extends readonly ListColumn<never>[], Filters extends readonly ListFilter[]> = {
  readonly sort: Extract<Columns[number], { readonly sort: true }>['name'];
  readonly total: Extract<Columns[number], { readonly total: true }>['name'];
  readonly filter: [Filters[number]] extends [never] ? never : Filters[number]['name'];
};

/**
 * Numbered pages, or, for lists that are long and grow at one end, pages next to a row: `before` the older ones, `after` the newer ones.
 * The first one may be asked for as `page=1` too. Such a list is in the order of time, whichever of its columns it is sorted by, and any of its pages costs what the first does.
 */
type Paging = 'pages' | 'keyset';

/** What {@link list} is told. */
export interface ListDefinition<
  Path extends string,
  Row extends Schema,
  Columns extends readonly ListColumn<z.output<Row>>[],
  Filters extends readonly ListFilter[],
  Params extends Shape,
  Query extends Shape,
  Extra extends Shape,
  RowsKey extends string,
  Pages extends Paging,
> {
  /** Below `/api/`, as of any route. */
  readonly path: Path;
  /** One sentence for the API's description. */
  readonly summary: string;
  readonly access: Access;
  readonly params?: Params;
  /** What the query has beside page, order, search and filters. */
  readonly query?: Query;
  readonly row: Row;
  readonly columns: Columns;
  /** What people narrow it by. */
  readonly filters?: Filters;
  /** A text that narrows it. What is searched, for the field's label; left out, there is no search. */
  readonly search?: string;
  /** The order that was not asked for: `name`, or `-name` for descending. */
  readonly order?: string;
  /** Numbered pages where it is left out. */
  readonly paging?: Pages;
  /** How a cursor is written next to which a page of a keyset list begins, where it is not a UUID; {@link END} is one of them. */
  readonly cursor?: z.ZodMiniString;
  /** Of a keyset list: matching rows are counted so far; of more the answer says `totalIsMore`. To the last one where it is left out. */
  readonly countUpTo?: number;
  /** The key of the rows in the answer; `data` unless the specification has another. */
  readonly rowsKey?: RowsKey;
  /** What the answer has beside rows and totals. */
  readonly extra?: Extra;
  readonly errors?: readonly ErrorCode[];
  readonly file?: ListFile;
}

type PageQuery<Pages extends Paging> = Omit<typeof listQuery, Pages extends 'keyset' ? 'page' : never> &
  (Pages extends 'keyset'
    ? { readonly page: typeof firstPage; readonly before: typeof keyCursor; readonly after: typeof keyCursor }
    : unknown);

/** A list as one value: its call, its files, and what page and file make of its rows. Server and web are given nothing else. */
export interface List<
  Path extends string = string,
  Row extends Schema = Schema,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Answer extends Shape = Shape,
  RowsKey extends string = string,
  Names extends ListNames = ListNames,
  Pages extends Paging = Paging,
> {
  readonly route: Route<Path, Params, z.ZodMiniObject<Query>, z.ZodMiniUndefined, z.ZodMiniObject<Answer>>;
  /** The routes of its files; none without `file`. They take the query of the page but the page, and a `timeZone`. */
  readonly files: readonly ListFileRoute<Params, Query>[];
  readonly row: Row;
  readonly columns: readonly ListColumn<z.output<Row>>[];
  /** The names of the columns that it can be sorted by. */
  readonly sorts: readonly Names['sort'][];
  /** The names of the columns that have totals. */
  readonly totals: readonly Names['total'][];
  readonly filters: readonly (ListFilter & { readonly name: Names['filter'] })[];
  readonly search: string | undefined;
  readonly order: string;
  readonly paging: Pages;
  readonly countUpTo: number | undefined;
  readonly rowsKey: RowsKey;
  readonly file: ListFile | undefined;
}

/** One file of a list. */
export interface ListFileRoute<Params extends Shape = Shape, Query extends Shape = Shape> {
  readonly format: FileFormat;
  readonly route: Route<
    string,
    Params,
    z.ZodMiniObject<Omit<Query, PageField> & { readonly timeZone: z.ZodMiniOptional<typeof timeZone> }>,
    z.ZodMiniUndefined,
    z.ZodMiniUnknown
  >;
}
type PageField = 'page' | 'pageSize' | 'before' | 'after';

/** What a list's files are written as. */
export type FileFormat = 'xlsx' | 'csv';

/** The row of a list. */
export type ListRow<L> = L extends { row: infer Row extends Schema } ? z.output<Row> : never;

/** Where a page of a keyset list begins that is next to no row: `after` it is the oldest page, `before` it the newest. */
export const END = '0';

/** The cursor of a row of a keyset list whose keys are UUIDs that sort by time, as the answer gives it in `older` or `newer`: the key. */
const keyCursor = z.optional(
  z
    .string()
    .check(z.regex(/^(0|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/, { error: 'Give what the last page answered' })),
);

/** What clients that number every page ask a keyset list for at first. */
const firstPage = z.optional(
  z.literal('1', {
    error:
      'Of this list only the first page has a number: give page=1, or before, with what the last page answered as older',
  }),
);

/** No fields. */
const nothing = {} as const;

/** Declares a list: from this one value come its route, query schema, files, OpenAPI, SQL order and totals, and its page. */
export function list<
  const Path extends string,
  Row extends Schema,
  const Columns extends readonly ListColumn<z.output<Row>>[],
  const Filters extends readonly ListFilter[] = readonly [],
  Params extends Readonly<Record<Placeholders<Path>, Schema>> = Readonly<Record<Placeholders<Path>, Schema>>,
  Query extends Shape = typeof nothing,
  Extra extends Shape = typeof nothing,
  const RowsKey extends string = 'data',
  const Pages extends Paging = 'pages',
>(
  definition: ListDefinition<Path, Row, Columns, Filters, Params, Query, Extra, RowsKey, Pages> &
    ([Placeholders<Path>] extends [never] ? unknown : { params: Params }),
): List<
  Path,
  Row,
  Params,
  PageQuery<Pages> & FilterFields<Filters> & Query,
  typeof success &
    Extra & { readonly [K in RowsKey]: z.ZodMiniArray<Row> } & AnswerOfPage<NamesOf<Columns, Filters>['total'], Pages>,
  RowsKey,
  NamesOf<Columns, Filters>,
  Pages
> {
  const { path, summary, access, params, row, columns, errors, file } = definition;
  const filters = definition.filters ?? [];
  const paging = definition.paging ?? 'pages';
  const rowsKey = definition.rowsKey ?? 'data';
  const sorts = columns.filter((column) => column.sort).map((column) => column.name);
  const totals = columns.filter((column) => column.total).map((column) => column.name);
  const narrowing = {
    ...definition.query,
    ...(definition.search !== undefined && { search: listQuery.search }),
    ...(sorts.length > 0 && { sort: z.optional(sortBy(sorts)) }),
    ...Object.assign({}, ...filters.map((filter) => filter.fields)),
  };
  const shared = { method: 'GET', access, params, errors } as const;
  const stoppable: readonly ErrorCode[] = ['REPORT_STOPPED', ...(errors ?? [])];
  return {
    route: {
      ...shared,
      errors: stoppable,
      path,
      summary,
      query: checked(z.object({ ...pageQueryOf(paging, definition.cursor), ...narrowing }), filters),
      response: z.object({
        ...success,
        ...definition.extra,
        [rowsKey]: z.array(row),
        ...pageAnswerOf(paging, totals),
      }),
    },
    files: (file ? (['xlsx', 'csv'] as const) : []).map((format) => ({
      format,
      route: {
        ...shared,
        path: file?.paths?.[format] ?? `${path}/${format}`,
        summary: `${summary.replace(/\.$/, '')}: all that matches, as a file (${format}).`,
        query: checked(z.object({ ...narrowing, timeZone: z.optional(timeZone) }), filters),
        file: format === 'xlsx' ? XLSX_TYPE : CSV_TYPE,
        response: z.unknown(),
      },
    })),
    row,
    columns,
    sorts,
    totals,
    filters,
    search: definition.search,
    order: definition.order ?? columns[0]!.name,
    paging,
    countUpTo: definition.countUpTo,
    rowsKey,
    file,
  } as never;
}

/** What the query of a list says of the page. */
function pageQueryOf(paging: Paging, cursor: z.ZodMiniString | undefined) {
  if (paging === 'pages') return { page: listQuery.page, pageSize: listQuery.pageSize };
  const next = cursor ? z.optional(cursor) : keyCursor;
  return { page: firstPage, before: next, after: next, pageSize: listQuery.pageSize };
}

/** What the answer of a list has beside its rows. */
function pageAnswerOf(paging: Paging, totals: readonly string[]) {
  return {
    total: z.number(),
    ...(totals.length > 0 && { totals: z.object(Object.fromEntries(totals.map((name) => [name, points]))) }),
    ...(paging === 'keyset' && {
      totalIsMore: z.boolean(),
      older: z.nullable(z.string()),
      newer: z.nullable(z.string()),
    }),
  };
}

/**
 * What every list's answer has: `totals` where columns have them. Where pages lie next to a row `older` and `newer`, the cursors next to
 * which the neighbours begin, null at the ends, and whether there are more rows than `total`.
 */
type AnswerOfPage<Total extends string, Pages extends Paging> = { readonly total: z.ZodMiniNumber } & ([Total] extends [
  never,
]
  ? unknown
  : { readonly totals: z.ZodMiniObject<{ readonly [K in Total]: z.ZodMiniNumber }> }) &
  (Pages extends 'keyset'
    ? {
        readonly totalIsMore: z.ZodMiniBoolean;
        readonly older: z.ZodMiniNullable<z.ZodMiniString>;
        readonly newer: z.ZodMiniNullable<z.ZodMiniString>;
      }
    : unknown);

function sortBy(names: readonly string[]): Schema {
  return z.enum(Object.fromEntries(names.flatMap((name) => [name, `-${name}`]).map((each) => [each, each])), {
    error: `Sort by one of ${names.join(', ')}, with - in front for descending`,
  });
}

/** The value of a column of a row, for its page. */
export function valueOf<Row>(column: ListColumn<Row>, row: Row): CellValue {
  return column.value ? column.value(row) : ((row as Record<string, CellValue>)[column.name] ?? null);
}

/** What stands in front of the sums of a list, under its table and in its files. */
export const TOTAL = 'Total';
