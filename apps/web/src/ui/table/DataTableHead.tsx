import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { DataColumn, DataSort } from './columns/dataColumn.ts';
import type { RowSelection } from './rows/useSelection.ts';
import { TickBox } from '../form/Choices.tsx';
import classes from './DataTable.module.css';
import { tableTexts } from '../listTexts.ts';

interface DataTableHeadProps<Row> {
  columns: readonly DataColumn<Row>[];
  pageRows: readonly Row[];
  rowKey: (row: Row) => string;
  selection: RowSelection<Row> | undefined;
  numberName: string | null;
  actionsName: string | null;
  sheet: boolean;
  sort: DataSort | null;
  onSort: (id: string) => void;
}

export function DataTableHead<Row>(props: DataTableHeadProps<Row>) {
  const { columns, pageRows, rowKey, selection, numberName, actionsName, sheet, sort, onSort } = props;
  const selectable = selection ? pageRows.filter(selection.isSelectable) : [];
  const selected = selectable.filter((row) => selection!.keys.has(rowKey(row))).length;
  const all = selected > 0 && selected === selectable.length;
  return (
    <thead className={classes.head}>
      <tr>
        {selection && (
          <th scope="col" className={classes.select}>
            <TickBox
              aria-label={tableTexts.selectAllRowsThis}
              checked={all}
              indeterminate={selected > 0 && !all}
              disabled={selectable.length === 0}
              onChange={() => selection.select(selectable, !all)}
            />
          </th>
        )}
        {numberName !== null && <th scope="col">{numberName}</th>}
        {columns.map((column) => {
          const sorted = sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined;
          const Icon = sorted === 'ascending' ? IconArrowUp : sorted === 'descending' ? IconArrowDown : IconArrowsSort;
          return (
            <th
              key={column.id}
              scope="col"
              data-align={column.align}
              data-sortable={column.sortable || undefined}
              aria-sort={sorted}
            >
              {column.sortable ? (
                <button type="button" className={classes.sort} onClick={() => onSort(column.id)} data-sorted={sorted}>
                  <span>{column.header}</span>
                  <Icon size={14} aria-hidden className={classes.sortIcon} />
                </button>
              ) : (
                column.header
              )}
            </th>
          );
        })}
        {actionsName !== null && (
          <th scope="col" data-apart>
            {actionsName}
          </th>
        )}
        {sheet && (
          <th scope="col">
            <span className="unseen">{tableTexts.more}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
