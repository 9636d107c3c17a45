import { TOTAL } from '@drawhouse/contract/core/list';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { formatCalendarDay, formatCount, formatDateTime, timeZoneName } from '../../lib/format/format.ts';
import { filterText } from '../../lib/list/filterText.ts';
import { sortOf } from '../../lib/list/listUrl.ts';
import type { ListView } from '../../lib/list/useList.ts';
import { useUser } from '../../lib/session/session.ts';
import { PlainTimes } from '../mark/DateTime.tsx';
import { ServerDaysNote } from '../page/Notes.tsx';
import { cellOf, type DataColumn } from '../table/columns/dataColumn.ts';
import './paper.css';
import classes from './PrintedPage.module.css';
import { printTexts } from '../listTexts.ts';

export { readAllPages } from '../../lib/list/readAllPages.ts';

export function PrintedHead() {
  const user = useUser();
  const [at] = useState(() => new Date().toISOString());
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@page { @top-left { content: ${JSON.stringify(document.title)}; font: 8pt sans-serif; } }`);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, []);
  return (
    <p className={classes.made}>
      {printTexts.printedByTimesIn(formatDateTime(at), user.username, timeZoneName().replaceAll('_', ' '))}{' '}
      <ServerDaysNote />
    </p>
  );
}

interface PrintedFiltersProps<Row> {
  view: ListView<Row>;
  rows: readonly Row[] | undefined;
  isAll: boolean;
  chips: Readonly<Record<string, string>> | undefined;
}

export function PrintedFilters<Row>({ view, rows, isAll, chips }: PrintedFiltersProps<Row>) {
  const { list, state, period } = view;
  const count = rows?.length ?? 0;
  const { id, desc } = sortOf(state['sort'] ?? list.order);
  const { from, to } = period.range;
  const sorted = list.columns.find(({ name }) => name === id)?.header;
  const lines: readonly (readonly [string, string | false | null | undefined])[] = [
    ...list.filters.map((filter) => {
      if (filter.kind === 'period') return ['Period', daysText(from, to)] as const;
      const isSet = state[filter.name] !== undefined;
      return [filter.label, filter.kind === 'id' ? isSet && chips?.[filter.name] : filterText(filter, state)] as const;
    }),
    ['Search', state['search']],
    [printTexts.sortedBy, sorted && `${sorted}, ${desc ? 'descending' : 'ascending'}`],
    ['Rows', isAll ? formatCount(count) : printTexts.narrowFiltersPrintOthers(formatCount(count), view.totalText)],
  ];
  return (
    <dl className={classes.filters}>
      {lines.map(
        ([name, text]) =>
          text && (
            <div key={name}>
              <dt>{`${name}:`}</dt> <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function daysText(from: string, to: string): string {
  return from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)} – ${formatCalendarDay(to)}`;
}

/** Pixels. Wider tables are printed in landscape. */
const UPRIGHT_WIDTH = 700;
const USUAL_WIDTH = 90;

interface PrintedTableProps<Row> {
  label: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  numberName: string | null;
  empty: ReactNode;
}

/** Repeats the head on each sheet; the totals follow the last row. */
export function PrintedTable<Row>({ label, columns, rows, rowKey, numberName, empty }: PrintedTableProps<Row>) {
  const width = columns.reduce((sum, column) => sum + (column.width ?? USUAL_WIDTH), 0);
  const isSummed = columns.some(({ footer }) => footer !== undefined);
  const labelled = columns.find(({ footer }) => footer === undefined);
  if (rows.length === 0)
    return (
      <div className={classes.printed} data-printed>
        {empty}
      </div>
    );
  return (
    <PlainTimes value>
      <div className={classes.printed} data-printed data-wide={width > UPRIGHT_WIDTH || undefined}>
        <table aria-label={label}>
          <thead>
            <tr>
              {numberName !== null && <th data-align="right">{numberName}</th>}
              {columns.map(({ id, header, align }) => (
                <th key={id} data-align={align}>
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={rowKey(row)}>
                {numberName !== null && <td data-align="right">{index + 1}</td>}
                {columns.map((column) => (
                  <td key={column.id} data-align={column.align}>
                    {cellOf(column, row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {isSummed && (
            <tfoot>
              <tr>
                {numberName !== null && <td>&nbsp;</td>}
                {columns.map((column) => (
                  <td key={column.id} data-align={column.align}>
                    {column === labelled ? TOTAL : column.footer}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </PlainTimes>
  );
}
