import { useMediaQuery } from '@mantine/hooks';
import {
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { ColumnDef, PaginationState, SortingState, Updater } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { partOf } from '../lib/part.ts';
import { cellOf } from './cellOf.ts';
import type { CellValue, DataColumn, DataPager, DataSort } from './dataColumn.ts';
import { DataTableBody } from './DataTableBody.tsx';
import { DataTableFoot } from './DataTableFoot.tsx';
import { DataTableHead } from './DataTableHead.tsx';
import { ErrorState } from './ErrorState.tsx';
import { LoadingOverlay } from './LoadingOverlay.tsx';
import { Pager } from './Pager.tsx';
import { fitColumns, widthOf } from './fitColumns.ts';
import type { RowAction } from './RowActions.tsx';
import { compareCells } from './sortRows.ts';
import type { Selection } from './useSelection.ts';
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
  /** The order of the rows: the server's with `onSort`; else the one that they come in, from which the table sorts them itself. */
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
  /** Stands at the left beneath the table in place of `1–25 of 312`. */
  summary?: string;
  /** Stands beside the page size: what else can be chosen about the table. */
  tools?: ReactNode;
  /** The rows that are selected; gives the table a leading column of checkboxes. */
  selection?: Selection<Row>;
  /** Stands beneath the rows while some are selected. */
  selectionBar?: ReactNode;
}

const useSheet = partOf(() => import('./RowSheet.tsx'));

/** Below this width a table keeps the columns that matter; above it, those that fit. The others open in a sheet. */
const PHONE_QUERY = '(max-width: 599px)';
const NUMBER_WIDTH = 60;
const CHECKBOX_WIDTH = 44;
/** The cell's padding, and each action that stands out or the menu of the others; as wide as a thumb where thumbs point. */
const ACTIONS_WIDTH = { fine: { padding: 26, each: 30 }, coarse: { padding: 20, each: 44 } };
/** The head of their column, in a wide font. */
const LEAST_ACTIONS_WIDTH = 72;
/** So many icons a row has until there is one that says how many. */
const USUAL_ICONS = 3;
const COARSE_QUERY = '(pointer: coarse)';
/** A narrower table does without the column `No`. */
const NUMBERED_FROM = 620;
const PHONE_AMOUNT_WIDTH = 124;
/** Of a head with its arrow: 13 px, bold. */
const HEAD_CHARACTER_WIDTH = 7.5;
const HEAD_PADDING = 44;
const SHEET_BUTTON_WIDTH = 44;
const TOTALS = 'totals';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  rowPaginationFeature,
  paginatedRowModel: createPaginatedRowModel(),
});

/**
 * A table that fills its page and scrolls inside, with a sticky head and a sticky totals row. Sorts and pages either in
 * the browser or, with `onSort` and `pager`, by asking the server.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, rowLabel, numbered = false, loading = false, error, onRetry, empty } = props;
  const {
    actions,
    rowHref,
    sort,
    onSort,
    pager,
    foot,
    firstNumber = 1,
    summary,
    tools,
    selection,
    selectionBar,
  } = props;
  const phone = useMediaQuery(PHONE_QUERY, undefined, { getInitialValueInEffect: false }) ?? false;
  const coarse = useMediaQuery(COARSE_QUERY, undefined, { getInitialValueInEffect: false }) ?? false;
  const { ref, width } = useWidth();
  const [ownSort, setOwnSort] = useState<SortingState>(sort && !onSort ? [sort] : []);
  const [ownPage, setOwnPage] = useState<PaginationState>({ pageIndex: 0, pageSize: props.pageSize ?? 0 });
  const [opened, setOpened] = useState<string | null>(null);

  const definitions = useMemo(() => columns.map((column) => definitionOf(column)), [columns]);
  const data = useMemo(() => [...(rows ?? [])], [rows]);
  const sorting: SortingState = onSort ? (sort ? [sort] : []) : ownSort;
  const pagesHere = !pager && props.pageSize !== undefined;
  // A search may have left fewer pages than there were.
  const ownPageIndex = Math.min(ownPage.pageIndex, Math.max(0, Math.ceil(data.length / ownPage.pageSize) - 1) || 0);

  function changeSort(updater: Updater<SortingState>) {
    const next = typeof updater === 'function' ? updater(sorting) : updater;
    if (!onSort) setOwnSort(next);
    else if (next[0]) onSort(next[0]);
  }

  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowKey,
    manualSorting: onSort !== undefined,
    manualPagination: !pagesHere,
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: { sorting, pagination: { ...ownPage, pageIndex: ownPageIndex } },
    onSortingChange: changeSort,
    onPaginationChange: setOwnPage,
  });

  const whole = columns.filter((column) => !column.phoneOnly);
  const showsNumbers = numbered && !phone && width >= NUMBERED_FROM && firstNumber !== null;
  const { padding, each } = coarse ? ACTIONS_WIDTH.coarse : ACTIONS_WIDTH.fine;
  const actionsWidth = Math.max(
    LEAST_ACTIONS_WIDTH,
    padding + each * iconsOf(rows && (rows[0] ? actions?.(rows[0]) : [])),
  );
  const showsActions = actions !== undefined && !phone;
  const fixedWidth =
    (selection ? CHECKBOX_WIDTH : 0) + (showsNumbers ? NUMBER_WIDTH : 0) + (showsActions ? actionsWidth : 0);
  const always = props.details ? SHEET_BUTTON_WIDTH : 0;
  const shown = phone
    ? keptOnPhone(columns)
    : fitColumns(whole, width - fixedWidth - always, SHEET_BUTTON_WIDTH - always);
  const hidesSome =
    always > 0 || (phone ? shown.length < columns.length || actions !== undefined : shown.length < whole.length);
  const pageRows = table.getRowModel().rows.map((row) => row.original);
  const totals = columns.some((column) => column.footer !== undefined);
  const offset = pager
    ? (pager.page - 1) * pager.pageSize
    : pagesHere
      ? ownPageIndex * ownPage.pageSize
      : (firstNumber ?? 1) - 1;
  const ownPager: DataPager | undefined = pagesHere
    ? {
        page: ownPageIndex + 1,
        pageSize: ownPage.pageSize,
        total: data.length,
        onPage: (page) => setOwnPage((now) => ({ ...now, pageIndex: page - 1 })),
        onPageSize: (size) => setOwnPage({ pageIndex: 0, pageSize: size }),
      }
    : undefined;
  const activePager = pager ?? ownPager;
  const minWidth = shown.reduce(
    (sum, column) => sum + widthOf(column),
    fixedWidth + (hidesSome ? SHEET_BUTTON_WIDTH : 0),
  );
  const openedRow = opened === null ? undefined : data.find((row) => rowKey(row) === opened);

  const sheetOpened = opened === TOTALS || openedRow !== undefined;
  const sheet = useSheet(sheetOpened);
  return (
    <div className={classes.frame}>
      <div className={classes.holder}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
        <section ref={ref} className={classes.scroll} aria-label={label} aria-busy={loading} tabIndex={0}>
          <table className={classes.table} data-phone={phone || undefined} style={phone ? undefined : { minWidth }}>
            <colgroup>
              {selection && <col style={{ width: CHECKBOX_WIDTH }} />}
              {showsNumbers && <col style={{ width: NUMBER_WIDTH }} />}
              {shown.map((column) => (
                <col key={column.id} style={{ width: phone ? phoneWidth(column, shown) : column.width }} />
              ))}
              {showsActions && <col style={{ width: actionsWidth }} />}
              {hidesSome && <col style={{ width: SHEET_BUTTON_WIDTH }} />}
            </colgroup>
            <DataTableHead
              columns={shown}
              pageRows={pageRows}
              rowKey={rowKey}
              selection={selection}
              numberName={showsNumbers ? (props.numberName ?? 'No') : null}
              actionsName={showsActions ? (props.actionsName ?? 'Action') : null}
              sheet={hidesSome}
              sort={sorting[0] ?? null}
              onSort={(id) => table.getColumn(id)?.toggleSorting()}
            />
            {!error && (
              <DataTableBody
                columns={shown}
                rows={rows === undefined ? undefined : pageRows}
                rowKey={rowKey}
                rowLabel={rowLabel}
                selection={selection}
                numberFrom={showsNumbers ? offset + 1 : null}
                actions={showsActions ? actions : undefined}
                rowHref={rowHref}
                onOpen={hidesSome ? setOpened : null}
              />
            )}
            {totals && pageRows.length > 0 && !error && (
              <DataTableFoot
                columns={shown}
                all={whole}
                selectable={selection !== undefined}
                numbered={showsNumbers}
                acting={showsActions}
                onOpen={hidesSome ? () => setOpened(TOTALS) : null}
              />
            )}
          </table>
          {error ? <ErrorState message={error} onRetry={onRetry} /> : rows?.length === 0 && !loading && empty}
        </section>
        <LoadingOverlay visible={loading && rows !== undefined} />
      </div>
      {selection && selection.keys.size > 0 && selectionBar}
      {activePager && <Pager pager={activePager} summary={rows === undefined || error ? '' : summary} tools={tools} />}
      {foot}
      {sheet && (
        <sheet.RowSheet
          title={opened === TOTALS ? 'Total' : openedRow ? rowLabel(openedRow) : ''}
          opened={sheetOpened}
          onClose={() => setOpened(null)}
          fields={whole
            .filter((column) => opened !== TOTALS || column.footer !== undefined)
            .map((column) => ({
              id: column.id,
              name: column.header,
              value: opened === TOTALS ? column.footer : openedRow && cellOf(column, openedRow),
            }))}
          actions={openedRow && actions ? actions(openedRow) : []}
        >
          {openedRow && props.details?.(openedRow)}
        </sheet.RowSheet>
      )}
    </div>
  );
}

/** How many icons the actions of a row take: those that stand out, and the menu of the others. */
function iconsOf(actions: readonly RowAction[] | undefined): number {
  if (!actions) return USUAL_ICONS;
  const prominent = actions.filter((action) => action.prominent).length;
  return prominent < actions.length ? prominent + 1 : prominent;
}

function definitionOf<Row extends object>(column: DataColumn<Row>): ColumnDef<typeof features, Row> {
  return {
    id: column.id,
    header: column.header,
    accessorFn: (row) => column.accessor?.(row) ?? null,
    enableSorting: column.sortable === true,
    sortDescFirst: false,
    sortFn: (a, b, id) => compareCells(a.getValue<CellValue>(id), b.getValue<CellValue>(id)),
  };
}

/** On a phone amounts and times take what they need, which is so much at least, and names share the rest. */
function phoneWidth<Row>(column: DataColumn<Row>, shown: readonly DataColumn<Row>[]): number | string {
  if (column.align !== 'right') return `${100 / shown.filter(({ align }) => align !== 'right').length}%`;
  const head = column.header.length * HEAD_CHARACTER_WIDTH + HEAD_PADDING;
  return Math.min(column.width ?? PHONE_AMOUNT_WIDTH, Math.max(PHONE_AMOUNT_WIDTH, head));
}

function keptOnPhone<Row>(columns: readonly DataColumn<Row>[]): readonly DataColumn<Row>[] {
  const kept = columns.filter((column) => column.priority || column.phoneOnly);
  return kept.length > 0 ? kept : columns.slice(0, 2);
}
