import { propertyText } from './xlsx-text.ts';
import type { List } from './list.ts';
import type { ListFilter } from './list-filters.ts';
import { hundredthsOf, pointsText } from './primitives.ts';

/** The header of a file's answer that says what the file is, as `label=value&…`: a CSV has no other place that its readers pass over. */
export const ABOUT_HEADER = 'X-About';

/** Who made a file, when, and of what. */
export interface FileMade {
  readonly by: { readonly username: string; readonly role: string };
  /** ISO 8601. */
  readonly at: string;
  /** In which the times of the file are written. */
  readonly timeZone: string;
  /** Writes an instant in that time zone. */
  readonly formatTime: (iso: string) => string;
  /** What was asked for: search, sort and the fields of the filters, as the contract reads them. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The order where the query names none. */
  readonly order: string;
  /**
   * What else tells which rows these are, such as whose they are; also the words for what a filter keeps by its id, and the `Interval` where
   * the query names it by a day, or not at all.
   */
  readonly of?: Readonly<Record<string, string>> | undefined;
}

/** A line of what a file says of itself. */
export type AboutLine = readonly [label: string, value: string | number];

/**
 * What a file of a list says of itself, with the rows that it has; null where nobody knows yet. The interval of a list that is of no times
 * but of what is so now is the moment at which it was made.
 */
export function aboutFile(
  list: Pick<List, 'file' | 'filters'> & { columns: readonly { name: string; header: string }[] },
  { by, at, timeZone, formatTime, query, order, of = {} }: FileMade,
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
      .map((filter) => [filter.label, keptBy(filter, query, formatTime)] as const),
    ['Search', search === '' ? undefined : search],
    ['Sorted by', column && `${column.header}, ${sort.startsWith('-') ? 'descending' : 'ascending'}`],
    ['Rows', rows ?? undefined],
    ['Made by', `${by.username} (${by.role})`],
    ['Made at', formatTime(at)],
    ['Time zone', timeZone],
  ];
  return lines.filter((line): line is AboutLine => line[1] !== undefined);
}

/** The same as properties of an Excel file: those that every program shows, and each line as one of its own. */
export function aboutProperties(about: readonly AboutLine[], { by, at }: Pick<FileMade, 'by' | 'at'>) {
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

/** Which times a file has, by the filter of its list that keeps them. */
function timesIn(filter: ListFilter, query: FileMade['query'], formatTime: FileMade['formatTime']): string {
  const kept = keptBy(filter, query, formatTime);
  if (kept === undefined) return 'All times';
  return filter.kind === 'period' ? kept : `${filter.label} ${kept}`;
}

/** What a filter keeps, in words; undefined where it keeps everything. */
function keptBy(filter: ListFilter, query: FileMade['query'], formatTime: FileMade['formatTime']): string | undefined {
  const [from, to] = Object.keys(filter.fields).map((field) => query[field]);
  if (from === undefined && to === undefined) return undefined;
  if (filter.kind === 'choice') return filter.options![from as string];
  if (filter.kind === 'id') return String(from);
  const written = (end: unknown): string =>
    isOfTimes(filter) ? formatTime(end as string) : pointsText(hundredthsOf(end as number)!);
  if (from === undefined) return `up to ${written(to)}`;
  return to === undefined ? `from ${written(from)}` : `${written(from)} – ${written(to)}`;
}
