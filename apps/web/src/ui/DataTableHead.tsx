import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { DataColumn, DataSort } from './dataColumn.ts';
import classes from './DataTable.module.css';

interface DataTableHeadProps<Row> {
  columns: readonly DataColumn<Row>[];
  numbered: boolean;
  /** A last column for the button that opens the row sheet. */
  sheet: boolean;
  sort: DataSort | null;
  onSort: (id: string) => void;
}

/** The sticky head of a table; a sortable column's name is a button. */
export function DataTableHead<Row>({ columns, numbered, sheet, sort, onSort }: DataTableHeadProps<Row>) {
  return (
    <thead className={classes.head}>
      <tr>
        {numbered && <th scope="col">No</th>}
        {columns.map((column) => {
          const sorted = sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined;
          const Icon = sorted === 'ascending' ? IconArrowUp : sorted === 'descending' ? IconArrowDown : IconArrowsSort;
          return (
            <th key={column.id} scope="col" data-align={column.align} data-pinned={column.pinned} aria-sort={sorted}>
              {column.sortable ? (
                <button type="button" className={classes.sort} onClick={() => onSort(column.id)} data-sorted={sorted}>
                  {column.header}
                  <Icon size={14} aria-hidden className={classes.sortIcon} />
                </button>
              ) : (
                column.header
              )}
            </th>
          );
        })}
        {sheet && (
          <th scope="col">
            <span className={classes.unseen}>More</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
