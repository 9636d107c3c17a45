import { ActionIcon, Skeleton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { cellOf } from './cellOf.ts';
import type { DataColumn } from './dataColumn.ts';
import classes from './DataTable.module.css';

interface DataTableBodyProps<Row> {
  columns: readonly DataColumn<Row>[];
  /** Undefined shows skeletons in the shape of rows. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  rowLabel: (row: Row) => string;
  /** The number of the first row, or null without a column `No`. */
  numberFrom: number | null;
  /** Opens the sheet of a row where columns are hidden. */
  onOpen: ((key: string) => void) | null;
}

const SKELETON_ROWS = Array.from({ length: 8 }, (_, index) => index);
const SKELETON_WIDTHS = ['70%', '50%', '60%', '40%'];

/** The rows of a table. */
export function DataTableBody<Row>({ columns, rows, rowKey, rowLabel, numberFrom, onOpen }: DataTableBodyProps<Row>) {
  if (rows === undefined) {
    const cells = columns.length + (numberFrom === null ? 0 : 1) + (onOpen ? 1 : 0);
    return (
      <tbody aria-hidden>
        {SKELETON_ROWS.map((row) => (
          <tr key={row}>
            {Array.from({ length: cells }, (_, cell) => (
              <td key={cell}>
                <Skeleton height={12} width={SKELETON_WIDTHS[(row + cell) % SKELETON_WIDTHS.length]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    );
  }
  return (
    <tbody>
      {rows.map((row, index) => (
        <tr key={rowKey(row)}>
          {numberFrom !== null && <td className={classes.number}>{numberFrom + index}</td>}
          {columns.map((column) => (
            <td key={column.id} data-align={column.align} data-pinned={column.pinned}>
              {cellOf(column, row)}
            </td>
          ))}
          {onOpen && (
            <td>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`More about ${rowLabel(row)}`}
                onClick={() => onOpen(rowKey(row))}
              >
                <IconChevronRight size={18} aria-hidden />
              </ActionIcon>
            </td>
          )}
        </tr>
      ))}
    </tbody>
  );
}
