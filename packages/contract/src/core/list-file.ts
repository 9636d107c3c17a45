import { propertyText } from './file-format.ts';
import type { ListFilter } from './list-filters.ts';
import { hundredthsOf, pointsText } from './primitives.ts';
import { valueOf, type List, type CellValue, type ColumnKind, type ListColumn } from './list.ts';

/** Describes an exported file as `label=value&…`, because CSV has no metadata. */
export const ABOUT_HEADER = 'X-About';

export interface FileMeta {
  readonly by: { readonly username: string; readonly role: string };
  readonly at: string;
  readonly timeZone: string;
  readonly formatTime: (iso: string) => string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly order: string;
  /** Such as the rows' owner, names for id filters, and `Interval` if the query names a day or none. */
  readonly of?: Readonly<Record<string, string>> | undefined;
}

export type AboutLine = readonly [label: string, value: string | number];

/** `rows` is null while unknown. For lists of current state, the interval is the creation time. */
export function aboutFile(
  list: Pick<List, 'file' | 'filters'> & { columns: readonly { name: string; header: string }[] },
  { by, at, timeZone, formatTime, query, order, of = {} }: FileMeta,
  rows: number | null,
): AboutLine[] {
  const interval = list.filters.find(isOfTimes);
  const sort = (query['sort'] as string | undefined) ?? order;
  const column = list.columns.find(({ name }) => name === sort.replace('-', ''));
  const search = query['search'] as string | undefined;
  const lines: (readonly [label: string, value: string | number | undefined])[] = [
    ['Title', list.file!.title ?? list.file!.sheet],
    ...Object.entries(of).filter(([label]) => label !== 'Interval'),
    ['Interval', of['Interval'] ?? (interval ? timesIn(interval, query, formatTime) : `As of ${formatTime(at)}`)],
    ...list.filters
      .filter((filter) => filter !== interval && of[filter.label] === undefined)
      .map((filter) => [filter.label, filterText(filter, query, formatTime)] as const),
    ['Search', search === '' ? undefined : search],
    ['Sorted by', column && `${column.header}, ${sort.startsWith('-') ? 'descending' : 'ascending'}`],
    ['Rows', rows ?? undefined],
    ['Made by', `${by.username} (${by.role})`],
    ['Made at', formatTime(at)],
    ['Time zone', timeZone],
  ];
  return lines.filter((line): line is AboutLine => line[1] !== undefined);
}

export function aboutProperties(about: readonly AboutLine[], { by, at }: Pick<FileMeta, 'by' | 'at'>) {
  const lines = about.map(
    ([label, value]) => [label, typeof value === 'string' ? propertyText(value) : value] as const,
  );
  return {
    title: String(lines[0]![1]),
    subject: String(lines.find(([label]) => label === 'Interval')![1]),
    creator: by.username,
    description: lines.map(([label, value]) => `${label}: ${value}`).join('\n'),
    created: new Date(at),
    modified: new Date(at),
    custom: Object.fromEntries(lines),
  };
}

function isOfTimes({ kind }: Pick<ListFilter, 'kind'>): boolean {
  return kind === 'period' || kind === 'days' || kind === 'day';
}

function timesIn(filter: ListFilter, query: FileMeta['query'], formatTime: FileMeta['formatTime']): string {
  const text = filterText(filter, query, formatTime);
  if (text === undefined) return 'All times';
  return filter.kind === 'period' ? text : `${filter.label} ${text}`;
}

/** Undefined if the filter keeps all rows. */
function filterText(
  filter: ListFilter,
  query: FileMeta['query'],
  formatTime: FileMeta['formatTime'],
): string | undefined {
  const [from, to] = Object.keys(filter.fields).map((field) => query[field]);
  if (from === undefined && to === undefined) return undefined;
  if (filter.kind === 'choice') return filter.options![from as string];
  if (filter.kind === 'id') return String(from);
  const written = (end: unknown): string =>
    isOfTimes(filter) ? formatTime(end as string) : pointsText(hundredthsOf(end as number)!);
  if (from === undefined) return `up to ${written(to)}`;
  return to === undefined ? `from ${written(from)}` : `${written(from)} – ${written(to)}`;
}

export function fileColumns<Row>(of: Pick<List, 'file'> & { columns: readonly ListColumn<Row>[] }): ListColumn<Row>[] {
  const exported = of.columns.filter((column) => column.export);
  const order = of.file?.columns;
  if (!order) return exported;
  return order.map((name) => exported.find((column) => column.name === name)!);
}

/** `width` in characters. */
export function fileHead({ header, kind, export: own }: ListColumn<never>): {
  header: string;
  width: number;
  kind: ColumnKind;
} {
  return { header: own?.header ?? header, width: own?.width ?? header.length, kind };
}

export function fileCellOf<Row>(
  column: ListColumn<Row>,
  row: Row,
  formatTime: (iso: string) => string,
): Exclude<CellValue, null> {
  const value = column.export?.value ? column.export.value(row) : valueOf(column, row);
  return column.kind === 'time' && typeof value === 'string' && value !== '' ? formatTime(value) : (value ?? '');
}
