import { ExactPoints } from '@drawhouse/contract/core/hundredths';
import { valueOf, type ListColumn } from '@drawhouse/contract/core/list';
import type { ReactNode } from 'react';
import { formatCount, formatPoints } from '../../../lib/format/format.ts';
import type { DataColumn } from './dataColumn.ts';
import { DateTime } from '../../mark/DateTime.tsx';
import { ObjectLink } from '../../mark/ObjectLink.tsx';
import { Points } from '../../mark/Points.tsx';
import classes from '../Pager.module.css';
import { tableTexts } from '../../listTexts.ts';

export type Cells<Row> = Readonly<Record<string, (row: Row) => ReactNode>>;

/** 13 px tabular figures. */
const CHARACTER_WIDTH = 7.5;
const CELL_PADDING = 24;

export function dataColumns<Row>(
  columns: readonly ListColumn<Row>[],
  cells: Cells<Row>,
  rows: readonly Row[],
  totals: Readonly<Record<string, number>> | undefined,
): readonly DataColumn<Row>[] {
  const shown = columns.filter((column) => column.onPage !== false);
  return shown.map((column) => {
    const total = column.total ? totals?.[column.name] : undefined;
    return {
      id: column.name,
      header: column.header,
      accessor: (row) => valueOf(column, row),
      cell: (row) => linkedCell(column, row, cells[column.name]),
      align: isNumber(column) ? 'right' : 'left',
      width: widthOf(column, rows, total),
      grows: column.grows,
      sortable: column.sort === true,
      footer: total === undefined ? undefined : <Points value={total} />,
      priority: column.priority,
      yields: column.yields,
      under: column.under,
    };
  });
}

function isNumber({ kind }: ListColumn<never>): boolean {
  return kind === 'points' || kind === 'percent' || kind === 'count';
}

/** `20 Nov 2025, 22:33` in the widest common font. */
const LEAST_TIME_WIDTH = 160;

/** Amounts and times are never truncated. */
function widthOf<Row>(column: ListColumn<Row>, rows: readonly Row[], total: number | undefined): number {
  if (column.kind === 'time') return Math.max(column.width, LEAST_TIME_WIDTH);
  if (column.kind !== 'points') return column.width;
  const amounts = [total, ...rows.map((row) => valueOf(column, row))].filter(
    (value) => typeof value === 'number' || (value as unknown) instanceof ExactPoints,
  ) as number[];
  const longest = Math.max(0, ...amounts.map((amount) => formatPoints(amount).length));
  return Math.max(column.width, Math.ceil(longest * CHARACTER_WIDTH) + CELL_PADDING);
}

function linkedCell<Row>(column: ListColumn<Row>, row: Row, own: ((row: Row) => ReactNode) | undefined): ReactNode {
  const cell = own ? own(row) : plainCell(column, row);
  const about = column.about?.(row) ?? null;
  return about === null || cell === null ? cell : <ObjectLink about={about}>{cell}</ObjectLink>;
}

function plainCell<Row>(column: ListColumn<Row>, row: Row): ReactNode {
  const value = valueOf(column, row);
  if (column.kind === 'time') return <DateTime value={value === null ? null : String(value)} />;
  if (value === null || value === '') return null;
  switch (column.kind) {
    case 'points':
      return <Points value={value as number} />;
    case 'count':
      return formatCount(Number(value));
    case 'percent':
      return `${formatPoints(Number(value))}\u{a0}%`;
    case 'flag':
      return value ? tableTexts.yes : tableTexts.no;
    case 'code':
      return (
        <span className={classes.code} title={String(value)}>
          {value}
        </span>
      );
    case 'day':
    case 'text':
      return <span title={String(value)}>{value}</span>;
  }
}
