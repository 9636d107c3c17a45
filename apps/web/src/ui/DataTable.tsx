import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { partOf } from '../lib/part.ts';
import { cellOf } from './cellOf.ts';
import type { DataColumn, DataPager, DataSort } from './dataColumn.ts';
import { DataTableBody } from './DataTableBody.tsx';
import { DataTableFoot } from './DataTableFoot.tsx';
import { DataTableHead } from './DataTableHead.tsx';
import { ErrorState } from './ErrorState.tsx';
import { LoadingOverlay } from './LoadingOverlay.tsx';
import { Pager } from './Pager.tsx';
import type { RowAction } from './RowActions.tsx';
import { layOutTable, wholeOf } from './tableLayout.ts';
import type { RowSelection } from './useSelection.ts';
import { useTableRows } from './useTableRows.ts';
import { useWidth } from './useWidth.ts';
import classes from './DataTable.module.css';

interface DataTableProps<Row> {
  /** What the rows are, for those who do not see the page's title. */
  label: string;
  /** Undefined until they are loaded. Keep it stable between renders. */
  rows: readonly Row[] | undefined;
  /** Keep it stable between renders (a constant, or memoized). */
  columns: readonly DataColumn<Row>[];
  rowKey: (row: Row) => string;
  /** Names a row: the title of its sheet on a phone. */
  rowLabel: (row: Row) => string;
  /** What can be done with a row: a column of their own, and by name in the row's sheet. */
  actions?: (row: Row) => readonly RowAction[];
  /** What their column is called; `Action` unless said otherwise. */
  actionsName?: string | undefined;
  /** The page of a row: a click anywhere on it that is nothing else's opens it. Without one the row's sheet opens, if it has one. */
  rowHref?: (row: Row) => string | null;
  /** What a row opens beside its columns: then each has a sheet. */
  details?: ((row: Row) => ReactNode) | undefined;
  /** A leading column of numbers. */
  numbered?: boolean;
  /** What it is called; `No` unless said otherwise. */
  numberName?: string | undefined;
  /** A request is in flight. Without rows it shows skeletons, with rows an overlay. */
  loading?: boolean;
  /** Why the rows could not be loaded. */
  error?: string | null;
  onRetry?: () => void;
  /** What stands there when there are no rows. */
  empty: ReactNode;
  /** The order of the rows, with `onSort` the server's. Without that they stand as they come, until the table sorts them itself. */
  sort?: DataSort | null;
  onSort?: (sort: DataSort) => void;
  /** Pages of the server. */
  pager?: DataPager;
  /** Stands beneath the table in place of a pager. */
  foot?: ReactNode;
  /** The number of the first row where there is no pager; null where it is not known, and the numbers are left out. */
  firstNumber?: number | null;
  /** Pages the rows in the browser, this many at once. */
  pageSize?: number;
  /** New rows are the same ones as they are by now, so it stays at its page. */
  keepsPage?: boolean;
  /** Stands at the left beneath the table in place of `1–25 of 312`. */
  summary?: string;
  /** Stands beside the page size: what else can be chosen about the table. */
  tools?: ReactNode;
  /** The rows that are selected; gives the table a leading column of checkboxes. */
  selection?: RowSelection<Row>;
  /** Stands beneath the rows while some are selected. */
  selectionBar?: ReactNode;
}

const useSheet = partOf(() => import('./RowSheet.tsx'));

/** Below this width a table keeps the columns that matter; above it, those that fit. The others open in a sheet. */
const PHONE_QUERY = '(max-width: 599px)';
const COARSE_QUERY = '(pointer: coarse)';
/** So many icons a row has until there is one that says how many. */
const USUAL_ICONS = 3;
const TOTALS = 'totals';

/**
 * A table that fills its page and scrolls inside, with a sticky head and a sticky totals row. Sorts and pages either in
 * the browser or, with `onSort` and `pager`, by asking the server.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, rowLabel, loading = false, error, selection, actions } = props;
  const phone = useMediaQuery(PHONE_QUERY, undefined, { getInitialValueInEffect: false }) ?? false;
  const coarse = useMediaQuery(COARSE_QUERY, undefined, { getInitialValueInEffect: false }) ?? false;
  const { ref, width } = useWidth();
  const [opened, setOpened] = useState<string | null>(null);
  const { page, sort, sortBy, pager, before } = useTableRows(props);
  const layout = layOutTable(columns, extrasOf(props, page), { width, phone, coarse });
  const { shown, numbers, opener } = layout;
  const totals = columns.some((column) => column.footer !== undefined);

  return (
    <div className={classes.frame}>
      <div className={classes.holder}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
        <section ref={ref} className={classes.scroll} aria-label={label} aria-busy={loading} tabIndex={0}>
          <table
            className={classes.table}
            data-phone={phone || undefined}
            style={phone ? undefined : { minWidth: layout.minWidth }}
          >
            <colgroup>
              {layout.placed.map((column) => (
                <col key={column.key} style={{ width: column.width }} />
              ))}
            </colgroup>
            <DataTableHead
              columns={shown}
              pageRows={page}
              rowKey={rowKey}
              selection={selection}
              numberName={numbers ? (props.numberName ?? 'No') : null}
              actionsName={layout.actions ? (props.actionsName ?? 'Action') : null}
              sheet={opener}
              sort={sort}
              onSort={sortBy}
            />
            {!error && (
              <DataTableBody
                columns={shown}
                rows={rows === undefined ? undefined : page}
                rowKey={rowKey}
                rowLabel={rowLabel}
                selection={selection}
                numberFrom={numbers ? before + 1 : null}
                actions={layout.actions ? actions : undefined}
                rowHref={props.rowHref}
                onOpen={opener ? setOpened : null}
              />
            )}
            {totals && page.length > 0 && !error && (
              <DataTableFoot
                columns={shown}
                all={wholeOf(columns)}
                selectable={selection !== undefined}
                numbered={numbers}
                acting={layout.actions}
                onOpen={opener ? () => setOpened(TOTALS) : null}
              />
            )}
          </table>
          {error ? (
            <ErrorState message={error} onRetry={props.onRetry} />
          ) : (
            rows?.length === 0 && !loading && props.empty
          )}
        </section>
        <LoadingOverlay visible={loading && rows !== undefined} />
      </div>
      {selection && selection.keys.size > 0 && props.selectionBar}
      {pager && <Pager pager={pager} summary={rows === undefined || error ? '' : props.summary} tools={props.tools} />}
      {props.foot}
      <OpenedRow {...props} opened={opened} onClose={() => setOpened(null)} />
    </div>
  );
}

/** The sheet of a row, by its key, or of the totals. */
function OpenedRow<Row>(props: DataTableProps<Row> & { opened: string | null; onClose: () => void }) {
  const { opened, onClose, columns, rowKey, rowLabel, actions, details } = props;
  const ofTotals = opened === TOTALS;
  const row = opened === null ? undefined : props.rows?.find((each) => rowKey(each) === opened);
  const sheet = useSheet(ofTotals || row !== undefined);
  if (!sheet) return null;
  return (
    <sheet.RowSheet
      title={ofTotals ? 'Total' : row ? rowLabel(row) : ''}
      opened={ofTotals || row !== undefined}
      onClose={onClose}
      fields={wholeOf(columns)
        .filter((column) => !ofTotals || column.footer !== undefined)
        .map((column) => ({
          id: column.id,
          name: column.header,
          value: ofTotals ? column.footer : row && cellOf(column, row),
        }))}
      actions={row && actions ? actions(row) : []}
    >
      {row && details?.(row)}
    </sheet.RowSheet>
  );
}

function extrasOf<Row>(props: DataTableProps<Row>, page: readonly Row[]) {
  const { rows, selection, numbered = false, firstNumber, actions, details } = props;
  // Rows differ in what can be done with them: the column has room for all.
  const icons = rows ? Math.max(0, ...page.map((row) => iconsOf(actions?.(row) ?? []))) : USUAL_ICONS;
  return {
    selectable: selection !== undefined,
    numbered: numbered && firstNumber !== null,
    icons: actions ? icons : null,
    details: details !== undefined,
  };
}

/** How many icons the actions of a row take: those that stand out, and the menu of the others. */
function iconsOf(actions: readonly RowAction[]): number {
  const prominent = actions.filter((action) => action.prominent).length;
  return prominent < actions.length ? prominent + 1 : prominent;
}
