import { ActionIcon, Skeleton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment, useRef, type MouseEvent as ReactMouseEvent } from 'react';
import { go } from '../../lib/navigation.ts';
import { cellOf, type DataColumn } from './columns/dataColumn.ts';
import type { TableLayout } from './columns/tableLayout.ts';
import { NameBelow } from '../mark/StackedText.tsx';
import { RowActions, type RowAction } from './rows/RowActions.tsx';
import { readRowClick } from './rows/rowClick.ts';
import { rowsBetween, type RowSelection } from './rows/useSelection.ts';
import { TickBox } from '../form/Choices.tsx';
import classes from './DataTable.module.css';
import { tableTexts } from '../listTexts.ts';

interface DataTableBodyProps<Row> {
  columns: readonly DataColumn<Row>[];
  below: TableLayout<Row>['below'];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  rowLabel: (row: Row) => string;
  selection: RowSelection<Row> | undefined;
  numberFrom: number | null;
  actions: ((row: Row) => readonly RowAction[]) | undefined;
  rowHref: ((row: Row) => string | null) | undefined;
  onOpen: ((key: string) => void) | null;
}

const SKELETON_ROWS = Array.from({ length: 8 }, (_, index) => index);
const SKELETON_WIDTHS = ['70%', '50%', '60%', '40%'];

export function DataTableBody<Row>(props: DataTableBodyProps<Row>) {
  const { rows, rowKey, selection, numberFrom } = props;
  const lastTicked = useRef<string>(null);
  if (rows === undefined) return <SkeletonBody {...props} />;

  /** With Shift, ticks every row since the last one. */
  function tick(row: Row, isOn: boolean, isRange: boolean) {
    const from = isRange ? lastTicked.current : null;
    selection?.select(rowsBetween(rows!, rowKey, from, row), isOn);
    lastTicked.current = rowKey(row);
  }

  return (
    <tbody>
      {rows.map((row, index) => (
        <BodyRow
          key={rowKey(row)}
          {...props}
          row={row}
          number={numberFrom === null ? null : numberFrom + index}
          onTick={tick}
        />
      ))}
    </tbody>
  );
}

function SkeletonBody<Row>({ columns, selection, numberFrom, actions, onOpen }: DataTableBodyProps<Row>) {
  const box = { width: 16, align: undefined };
  const cells = [
    ...(selection ? [{ ...box, key: 'select' }] : []),
    ...(numberFrom === null ? [] : [{ ...box, key: 'number' }]),
    ...columns.map(({ id, align }) => ({ key: `column ${id}`, width: undefined, align })),
    ...(actions ? [{ key: 'actions', width: undefined, align: undefined }] : []),
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

interface CellProps<Row> {
  column: DataColumn<Row>;
  below: readonly DataColumn<Row>[];
  row: Row;
}

function Cell<Row>({ column, below, row }: CellProps<Row>) {
  if (below.length === 0) return cellOf(column, row);
  return (
    <NameBelow name={undefined}>
      {cellOf(column, row)}
      <small>
        {below.map((hidden, index) => (
          <Fragment key={hidden.id}>
            {index > 0 && ', '}
            {hidden.align === 'right' && `${hidden.header} `}
            {cellOf(hidden, row)}
          </Fragment>
        ))}
      </small>
    </NameBelow>
  );
}

interface BodyRowProps<Row> extends DataTableBodyProps<Row> {
  row: Row;
  number: number | null;
  onTick: (row: Row, isOn: boolean, isRange: boolean) => void;
}

function BodyRow<Row>(props: BodyRowProps<Row>) {
  const { row, number, columns, below, rowKey, rowLabel, selection, actions, rowHref, onOpen, onTick } = props;
  const key = rowKey(row);
  const href = rowHref?.(row) ?? null;
  const selected = selection?.keys.has(key) ?? false;

  function open(event: ReactMouseEvent<HTMLElement>) {
    const where = readRowClick(event);
    if (where === 'elsewhere' && href !== null) window.open(href, '_blank');
    if (where !== 'here') return;
    if (href !== null) go.to(href);
    else onOpen?.(key);
  }

  return (
    // Keyboard users open the row by its link or its sheet button.
    <tr
      data-selected={selected || undefined}
      data-opens={onOpen !== null || href !== null || undefined}
      onClick={open}
      onAuxClick={open}
    >
      {selection && (
        <td className={classes.select} data-apart>
          <TickBox
            aria-label={tableTexts.select(rowLabel(row))}
            checked={selected}
            disabled={!selection.isSelectable(row)}
            onChange={({ currentTarget, nativeEvent }) =>
              onTick(row, currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </td>
      )}
      {number !== null && <td className={classes.number}>{number}</td>}
      {columns.map((column) => (
        <td key={column.id} data-align={column.align}>
          <Cell column={column} below={below(column)} row={row} />
        </td>
      ))}
      {actions && (
        <td data-apart>
          <RowActions of={rowLabel(row)} actions={actions(row)} />
        </td>
      )}
      {onOpen && (
        <td className={classes.more} data-apart>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={tableTexts.moreAbout(rowLabel(row))}
            data-opener
            onClick={() => onOpen(key)}
          >
            <IconChevronRight size={18} aria-hidden />
          </ActionIcon>
        </td>
      )}
    </tr>
  );
}
