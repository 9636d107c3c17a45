import { ActionIcon, Checkbox, Skeleton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { cellOf } from './cellOf.ts';
import type { DataColumn } from './dataColumn.ts';
import type { Selection } from './useSelection.ts';
import classes from './DataTable.module.css';

interface DataTableBodyProps<Row> {
  columns: readonly DataColumn<Row>[];
  /** Undefined shows skeletons in the shape of rows. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  rowLabel: (row: Row) => string;
  selection: Selection<Row> | undefined;
  /** The number of the first row, or null without a column `No`. */
  numberFrom: number | null;
  /** Opens the sheet of a row where columns are hidden. */
  onOpen: ((key: string) => void) | null;
}

const SKELETON_ROWS = Array.from({ length: 8 }, (_, index) => index);
const SKELETON_WIDTHS = ['70%', '50%', '60%', '40%'];

/** The rows of a table. */
export function DataTableBody<Row>(props: DataTableBodyProps<Row>) {
  const { columns, rows, rowKey, rowLabel, selection, numberFrom, onOpen } = props;
  if (rows === undefined) {
    const box = { width: 16, align: undefined };
    const cells = [
      ...(selection ? [{ ...box, key: 'select' }] : []),
      ...(numberFrom === null ? [] : [{ ...box, key: 'number' }]),
      ...columns.map(({ id, align }) => ({ key: `column ${id}`, width: undefined, align })),
      ...(onOpen ? [{ ...box, key: 'more' }] : []),
    ];
    return (
      <tbody aria-hidden>
        {SKELETON_ROWS.map((row) => (
          <tr key={row}>
            {cells.map(({ key, width, align }, cell) => (
              <td key={key} className={key === 'select' ? classes.select : undefined}>
                <Skeleton
                  height={12}
                  width={width ?? SKELETON_WIDTHS[(row + cell) % SKELETON_WIDTHS.length]}
                  ml={align === 'right' ? 'auto' : undefined}
                />
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
        <tr key={rowKey(row)} data-selected={selection?.keys.has(rowKey(row)) || undefined}>
          {selection && (
            <td className={classes.select}>
              <Checkbox
                size="xs"
                aria-label={`Select ${rowLabel(row)}`}
                checked={selection.keys.has(rowKey(row))}
                onChange={(event) => selection.select([row], event.currentTarget.checked)}
              />
            </td>
          )}
          {numberFrom !== null && <td className={classes.number}>{numberFrom + index}</td>}
          {columns.map((column) => (
            <td key={column.id} data-align={column.align} data-pinned={column.pinned}>
              {cellOf(column, row)}
            </td>
          ))}
          {onOpen && (
            <td className={classes.more}>
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
