import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { checked, type ListFilter } from './list-filters.ts';
import { listQuery, points, success, time, timeZone } from './primitives.ts';
import type { Permission } from './permissions.ts';
import type { Role } from './roles.ts';
import type { Access, Placeholders, Route } from './route.ts';
import { CORE_TEXTS } from './field-texts.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const CSV_TYPE = 'text/csv; charset=utf-8';

type Schema = z.ZodMiniType;
type Shape = Readonly<Record<string, Schema>>;

/** Decides cell, alignment and file format. `code`: read letter by letter. `day`: `2026-03-10`. */
export type ColumnKind = 'text' | 'code' | 'points' | 'percent' | 'count' | 'time' | 'day' | 'flag';

export type CellValue = string | number | boolean | null;

/** Without an account's role, the link resolves it first. */
export type ObjectRef =
  | { readonly kind: 'account'; readonly id: string; readonly role?: Role | null }
  | { readonly kind: 'ticket' | 'draw' | 'transaction'; readonly id: string }
  | { readonly kind: 'game'; readonly id: string; readonly adminId: string; readonly username: string };

export interface ListColumn<Row> {
  /** Key in `sort` and `totals`; also the row field, unless `value` is set. */
  readonly name: string;
  readonly kind: ColumnKind;
  readonly header: string;
  /** In px. */
  readonly width: number;
  /** Takes the free width of the table, for free text on one line. */
  readonly grows?: boolean;
  value?(this: void, row: Row): CellValue;
  about?(this: void, row: Row): ObjectRef | null;
  readonly sort?: boolean;
  /** Sums all matching rows, not one page. */
  readonly total?: boolean;
  /** Without it, files omit the column. */
  readonly export?: ExportColumn<Row>;
  /** Stays visible on narrow screens; other columns move to the row's sheet. */
  readonly priority?: boolean;
  /** Order of hiding on narrow screens: highest first, then rightmost. Default 0. */
  readonly yields?: number;
  /** While hidden, its value appears below the column of this name. */
  readonly under?: string;
  /** Only for sorting or files. */
  readonly onPage?: false;
}

export interface ExportColumn<Row> {
  readonly header?: string;
  /** In characters. */
  readonly width: number;
  /** Defaults to the page's value. Instants are ISO 8601; files write them in the viewer's time zone. */
  value?(this: void, row: Row): CellValue;
}

export interface ListFile {
  readonly name: string;
  readonly sheet: string;
  readonly title?: string;
  /** Default: `{path}/xlsx` and `{path}/csv`. */
  readonly paths?: { readonly xlsx?: string; readonly csv?: string };
  readonly columns?: readonly string[];
  readonly order?: string;
  /** Adds a first column `No` with row numbers. */
  readonly numbered?: true;
  readonly namesZone?: boolean;
}

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type FilterFields<Filters extends readonly ListFilter[]> = [Filters[number]] extends [never]
  ? unknown
  : Intersection<Filters[number]['fields']>;

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
 * `pages`: numbered. `keyset`: `before` (older) or `after` (newer) a row, for long lists that grow at one end. Keyset
 * lists sort by time only, every page costs the same, and `page=1` is accepted.
 */
type Paging = 'pages' | 'keyset';

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
  /** Below `/api/`. */
  readonly path: Path;
  readonly summary: string;
  readonly access: Access;
  readonly permission?: Permission | null;
  readonly params?: Params;
  readonly query?: Query;
  readonly row: Row;
  readonly columns: Columns;
  readonly filters?: Filters;
  readonly search?: string;
  /** `name`, or `-name` for descending. */
  readonly order?: string;
  readonly paging?: Pages;
  /** If not a UUID. Must accept {@link END}. */
  readonly cursor?: z.ZodMiniString;
  /** Keyset lists: beyond this many matches, answers `totalIsMore`. Default: counts all. */
  readonly countUpTo?: number;
  /** Default: `data`. */
  readonly rowsKey?: RowsKey;
  readonly extra?: Extra;
  readonly errors?: readonly ErrorCode[];
  readonly file?: ListFile;
}

type PageQuery<Pages extends Paging> = Omit<typeof listQuery, Pages extends 'keyset' ? 'page' : never> &
  (Pages extends 'keyset'
    ? { readonly page: typeof firstPage; readonly before: typeof keyCursor; readonly after: typeof keyCursor }
    : unknown);

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
  /** Same query as the page, without paging, plus `timeZone`. */
  readonly files: readonly ListFileRoute<Params, Query>[];
  readonly row: Row;
  readonly columns: readonly ListColumn<z.output<Row>>[];
  readonly sorts: readonly Names['sort'][];
  readonly totals: readonly Names['total'][];
  readonly filters: readonly (ListFilter & { readonly name: Names['filter'] })[];
  readonly search: string | undefined;
  readonly order: string;
  readonly paging: Pages;
  readonly countUpTo: number | undefined;
  readonly rowsKey: RowsKey;
  readonly file: ListFile | undefined;
}

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

export type FileFormat = 'xlsx' | 'csv';

export type ListRow<L> = L extends { row: infer Row extends Schema } ? z.output<Row> : never;

/** `after` means the oldest page, `before` the newest. */
export const END = '0';

const keyCursor = z.optional(
  z.string().check(z.regex(/^(0|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/, { error: CORE_TEXTS.wrongAfter })),
);

const firstPage = z.optional(
  z.literal('1', {
    error: CORE_TEXTS.onlyFirstPage,
  }),
);

const nothing = {} as const;

/** Present if the server has a standby for reports. */
const freshness = z.object({
  /** Includes everything committed up to this time. */
  asOf: time,
  /** `primary`: the standby is unreachable or too far behind. */
  from: z.enum(['standby', 'primary']),
});
export type Freshness = z.infer<typeof freshness>;
export const withFreshness = { freshness: z.optional(freshness) };

/** Present in a group of cells, for superadmins. */
const cellOfRow = z.object({ name: z.string(), isHere: z.boolean() });
export type CellOfRow = z.infer<typeof cellOfRow>;
export const withCell = { cell: z.optional(cellOfRow) };

/** Did not answer, so the figures lack its networks. Null: the directory did not answer. */
const missingCell = z.object({ cell: z.nullable(z.string()), networks: z.array(z.string()) });
export type MissingCell = z.infer<typeof missingCell>;
export const withMissingCells = { missingCells: z.optional(z.array(missingCell)) };

/** Derives route, query schema, files, OpenAPI, SQL order, totals and page. */
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
  const { path, summary, access, permission, params, row, columns, errors, file } = definition;
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
  const shared = { method: 'GET', access, permission, params, errors } as const;
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
        ...(Array.isArray(access) && access.includes('superadmin') && withMissingCells),
      }),
    },
    files: (file ? (['xlsx', 'csv'] as const) : []).map((format) => ({
      format,
      route: {
        ...shared,
        path: file?.paths?.[format] ?? `${path}/${format}`,
        summary: `${summary.replace(/\.$/, '')}: all matches, as a file (${format}).`,
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

function pageQueryOf(paging: Paging, cursor: z.ZodMiniString | undefined) {
  if (paging === 'pages') return { page: listQuery.page, pageSize: listQuery.pageSize };
  const next = cursor ? z.optional(cursor) : keyCursor;
  return { page: firstPage, before: next, after: next, pageSize: listQuery.pageSize };
}

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
 * Keyset lists add cursors `older` and `newer` (null at the ends), and `totalIsMore` if more than `total` rows match.
 */
type AnswerOfPage<Total extends string, Pages extends Paging> = {
  readonly total: z.ZodMiniNumber;
} & typeof withMissingCells &
  ([Total] extends [never]
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
    error: CORE_TEXTS.wrongSort(names),
  });
}

export function valueOf<Row>(column: ListColumn<Row>, row: Row): CellValue {
  return column.value ? column.value(row) : ((row as Record<string, CellValue>)[column.name] ?? null);
}

export const TOTAL = 'Total';
