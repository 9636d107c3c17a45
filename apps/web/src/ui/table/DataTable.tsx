import { TOTAL } from '@drawhouse/contract/core/list';
import { ActionIcon } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { prefetched } from '../../lib/lazyParts.ts';
import { cellOf, type DataColumn, type DataPager, type DataSort } from './columns/dataColumn.ts';
import { DataTableBody } from './DataTableBody.tsx';
import { DataTableHead } from './DataTableHead.tsx';
import { ErrorState } from '../page/PageStates.tsx';
import { LoadingOverlay } from '../page/Loading.tsx';
import { Pager } from './Pager.tsx';
import type { RowAction } from './rows/RowActions.tsx';
import { layOutTable, wholeOf, type TableLayout } from './columns/tableLayout.ts';
import type { RowSelection } from './rows/useSelection.ts';
import { usePrint } from '../print/print.ts';
import { useTableRows } from './useTableRows.ts';
import { useIsPhone, useWidth } from '../useWidth.ts';
import classes from './DataTable.module.css';
import { tableTexts } from '../listTexts.ts';

interface DataTableProps<Row> {
  label: string;
  /** Undefined while loading. Keep it stable between renders. */
  rows: readonly Row[] | undefined;
  /** Keep it stable between renders. */
  columns: readonly DataColumn<Row>[];
  rowKey: (row: Row) => string;
  rowLabel: (row: Row) => string;
  actions?: (row: Row) => readonly RowAction[];
  actionsName?: string | undefined;
  /** Opened by a click on the row's free area. Without it, the row's sheet opens, if any. */
  rowHref?: (row: Row) => string | null;
  /** Gives every row a sheet with this content. */
  details?: ((row: Row) => ReactNode) | undefined;
  numbered?: boolean;
  /** Default: `No`. */
  numberName?: string | undefined;
  /** Skeletons before the first rows, then an overlay. */
  loading?: boolean;
  error?: string | null;
  onRetry?: () => void;
  empty: ReactNode;
  sort?: DataSort | null;
  onSort?: (sort: DataSort) => void;
  pager?: DataPager;
  foot?: ReactNode;
  /** All rows are on this page. Default: the pager has one page. */
  whole?: boolean;
  firstNumber?: number | null;
  /** Enables paging in the browser. */
  pageSize?: number;
  /** Keeps the page when rows are refreshed. */
  keepsPage?: boolean;
  summary?: string;
  tools?: ReactNode;
  selection?: RowSelection<Row>;
  selectionBar?: ReactNode;
  /** Instead of the shown rows and columns. */
  printed?: { rows: readonly Row[] | undefined; columns: readonly DataColumn<Row>[] };
}

const useSheet = prefetched(() => import('./rows/RowSheet.tsx'));

const COARSE_QUERY = '(pointer: coarse)';
/** Used until rows are loaded. */
const USUAL_ICONS = 3;
const TOTALS = 'totals';

/**
 * Fills its page and scrolls inside, with sticky head and totals. Sorts and pages in the browser, or on the server with
 * `onSort` and `pager`.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, rowLabel, loading = false, error, selection, actions } = props;
  // Phones show priority columns only; wider tables as many as fit. A sheet has the rest.
  const phone = useIsPhone();
  const coarse = useMediaQuery(COARSE_QUERY, undefined, { getInitialValueInEffect: false }) ?? false;
  const { ref, width } = useWidth();
  const [opened, setOpened] = useState<string | null>(null);
  const { all, page, sort, sortBy, pager, before } = useTableRows(props);
  const layout = layOutTable(columns, extrasOf(props, page), { width, phone, coarse });
  const { shown, numbers, opener } = layout;
  const totals = columns.some((column) => column.footer !== undefined);

  return (
    <>
      <div className={classes.frame} {...frameState(props, pager)}>
        <div className={classes.holder}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard */}
          <section ref={ref} className={classes.scroll} aria-label={label} aria-busy={loading} tabIndex={0}>
            <table
              className={classes.table}
              data-phone={phone || undefined}
              style={phone ? undefined : { minWidth: layout.minWidth }}
            >
              <Widths placed={layout.placed} />
              <DataTableHead
                columns={shown}
                pageRows={page}
                rowKey={rowKey}
                selection={selection}
                numberName={numbers ? (props.numberName ?? tableTexts.no) : null}
                actionsName={layout.actions ? (props.actionsName ?? tableTexts.action) : null}
                sheet={opener}
                sort={sort}
                onSort={sortBy}
              />
              {!error && (
                <DataTableBody
                  columns={shown}
                  below={layout.below}
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
        {pager && (
          <Pager pager={pager} summary={rows === undefined || error ? '' : props.summary} tools={props.tools} />
        )}
        {props.foot}
        <OpenedRow {...props} opened={opened} onClose={() => setOpened(null)} />
      </div>
      <PrintedRows {...props} all={all} />
    </>
  );
}

function frameState<Row>({ rows, whole, error }: DataTableProps<Row>, pager: DataPager | undefined) {
  const isComplete = rows !== undefined && (whole ?? (!pager || pager.total <= pager.pageSize));
  return { 'data-whole': isComplete || undefined, 'data-waiting': (rows === undefined && !error) || undefined };
}

function Widths<Row>({ placed }: Pick<TableLayout<Row>, 'placed'>) {
  return (
    <colgroup>
      {placed.map((column) => (
        <col key={column.key} style={{ width: column.width }} />
      ))}
    </colgroup>
  );
}

function PrintedRows<Row extends object>(props: DataTableProps<Row> & { all: readonly Row[] }) {
  const print = usePrint();
  if (!print || props.rows === undefined) return null;
  return (
    <print.PrintedTable
      label={props.label}
      columns={wholeOf(props.printed?.columns ?? props.columns)}
      rows={props.printed?.rows ?? props.all}
      rowKey={props.rowKey}
      numberName={props.numbered ? (props.numberName ?? tableTexts.no) : null}
      empty={props.error ? null : props.empty}
    />
  );
}

function OpenedRow<Row>(props: DataTableProps<Row> & { opened: string | null; onClose: () => void }) {
  const { opened, onClose, columns, rowKey, rowLabel, actions, details } = props;
  const ofTotals = opened === TOTALS;
  const row = opened === null ? undefined : props.rows?.find((each) => rowKey(each) === opened);
  const sheet = useSheet(ofTotals || row !== undefined);
  if (!sheet) return null;
  return (
    <sheet.RowSheet
      title={ofTotals ? tableTexts.total : row ? rowLabel(row) : ''}
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
  // The column fits the longest set.
  const icons = rows ? Math.max(0, ...page.map((row) => iconsOf(actions?.(row) ?? []))) : USUAL_ICONS;
  return {
    selectable: selection !== undefined,
    numbered: numbered && firstNumber !== null,
    icons: actions ? icons : null,
    details: details !== undefined,
  };
}

function iconsOf(actions: readonly RowAction[]): number {
  const prominent = actions.filter((action) => action.prominent).length;
  return prominent < actions.length ? prominent + 1 : prominent;
}

interface DataTableFootProps<Row> {
  columns: readonly DataColumn<Row>[];
  /** Hidden columns too: if no visible column has a sum, all sums are side by side. */
  all: readonly DataColumn<Row>[];
  selectable: boolean;
  numbered: boolean;
  acting: boolean;
  /** Null if no column is hidden. */
  onOpen: (() => void) | null;
}

function DataTableFoot<Row>({ columns, all, selectable, numbered, acting, onOpen }: DataTableFootProps<Row>) {
  const labelled = columns.find((column) => column.footer === undefined);
  const leading = (selectable ? 1 : 0) + (numbered ? 1 : 0);
  if (!columns.some((column) => column.footer !== undefined))
    return (
      <tfoot className={classes.foot}>
        <tr>
          <td colSpan={leading + columns.length + (acting ? 1 : 0)}>
            <dl className={classes.sums}>
              <dt>{TOTAL}</dt>
              {all
                .filter((column) => column.footer !== undefined)
                .map((column) => (
                  <dd key={column.id}>
                    <span>{column.header}</span> {column.footer}
                  </dd>
                ))}
            </dl>
          </td>
          {onOpen && <td>&nbsp;</td>}
        </tr>
      </tfoot>
    );
  return (
    <tfoot className={classes.foot}>
      <tr>
        {selectable && <td>&nbsp;</td>}
        {numbered && <td className={classes.number}>&nbsp;</td>}
        {columns.map((column) => (
          <td key={column.id} data-align={column.align}>
            {column === labelled ? TOTAL : column.footer}
          </td>
        ))}
        {acting && <td>&nbsp;</td>}
        {onOpen && (
          <td className={classes.more}>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={tableTexts.allTotals} onClick={onOpen}>
              <IconChevronRight size={18} aria-hidden />
            </ActionIcon>
          </td>
        )}
      </tr>
    </tfoot>
  );
}
