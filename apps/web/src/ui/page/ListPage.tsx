import type { Route } from '@drawhouse/contract/core/route';
import { richText } from '@drawhouse/session/rich-text';
import { Button, Group, Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useMemo, type ReactNode, useState, useSyncExternalStore } from 'react';
import { keepHidden, useSavedViews, columnsKey, parseHidden } from '../../lib/list/savedViews.ts';
import { formatCount } from '../../lib/format/format.ts';
import { clearFiltersChange, firstNumberOf, sortOf, sortText, viewOf } from '../../lib/list/listUrl.ts';
import { lazyPart, prefetched } from '../../lib/lazyParts.ts';
import type { ListView } from '../../lib/list/useList.ts';
import { isOfFirstCell } from '../../lib/session/rights.ts';
import type { DataColumn } from '../table/columns/dataColumn.ts';
import { DataTable } from '../table/DataTable.tsx';
import { EmptyState } from './PageStates.tsx';
import { ExportMenu } from '../export/ExportMenu.tsx';
import { FilterBar } from '../filter/FilterBar.tsx';
import { dataColumns, type Cells } from '../table/columns/listColumns.tsx';
import { FirstCellNote, FreshnessNote, MissingCellsNote } from './Notes.tsx';
import { PageHeader } from './PageHeader.tsx';
import type { PeriodBar } from '../filter/PeriodBar.tsx';
import type { RowAction } from '../table/rows/RowActions.tsx';
import type { RowSelection } from '../table/rows/useSelection.ts';
import { usePrint, useRowsToPrint } from '../print/print.ts';
import { ViewsMenu } from '../filter/ViewsMenu.tsx';
import classes from '../table/Pager.module.css';
import { pageTexts } from '../uiTexts.ts';
import { TickBox } from '../form/Choices.tsx';
import { readStored, subscribeStored } from '../../lib/devicePreferences.ts';
import { tableTexts } from '../listTexts.ts';

interface ListPageProps<Row> {
  view: ListView<Row>;
  title: string;
  of?: string | undefined;
  ofHref?: string | undefined;
  section?: boolean;
  rowsName: string;
  rowKey: (row: Row) => string;
  rowLabel: (row: Row) => string;
  /** Cells by column. Keep it stable between renders. */
  cells?: Cells<Row>;
  /** Combine several columns. Keep them stable between renders. */
  phone?: readonly DataColumn<Row>[];
  actions?: (row: Row) => readonly RowAction[];
  actionsName?: string;
  rowHref?: (row: Row) => string | null;
  /** Route of the actions, if only the first cell may take it. */
  route?: Pick<Route, 'inFirstCell'>;
  details?: (row: Row) => ReactNode;
  back?: ReactNode;
  action?: ReactNode;
  controls?: ReactNode;
  chips?: Readonly<Record<string, string>>;
  Periods?: typeof PeriodBar;
  children?: ReactNode;
  /** After the table. */
  below?: ReactNode;
  empty: { title: string; text: string; action?: ReactNode };
  instead?: ReactNode;
  summary?: (shown: string, total: string) => string;
  /** Default: only for lists with numbered pages. */
  numbered?: boolean;
  selection?: RowSelection<Row>;
  selectionBar?: ReactNode;
}

const StepPager = lazyPart(
  async () => (await import('../table/StepPager.tsx')).StepPager,
  <div className={classes.pager} />,
);
/** Few visits export anything. */
const useProgress = prefetched(() => import('../export/ExportProgress.tsx'));
const NO_CELLS = {};
const NO_ROWS: readonly never[] = [];

export function ListPage<Row extends object>(props: ListPageProps<Row>) {
  const isElsewhere = isOfFirstCell(props.route);
  const { view, title, section = false, cells = NO_CELLS, phone, selection, selectionBar } = props;
  const { list, state, rows, total, totals, narrowed, change } = view;
  const columns = useMemo(
    () => dataColumns(list.columns, cells, rows ?? NO_ROWS, totals),
    [list.columns, cells, rows, totals],
  );
  const choice = useColumnChoice(view.name, columns);
  const shown = useMemo(() => [...(phone ?? []), ...choice.shown], [phone, choice.shown]);
  const saved = useSavedViews(view.name);
  const hidden = choice.choosable.filter((column) => !column.shown).map((column) => column.id);
  const Head = section ? SectionHeader : PageHeader;
  const tools = <ColumnChooser choice={choice} />;
  const sort = sortOf(state['sort'] ?? list.order);
  const summary = rows && props.summary?.(formatCount(rows.length), view.totalText);
  const firstNumber = firstNumberOf(state, sort.desc ? view.newer : view.older);
  const toPrint = useRowsToPrint(view, title);
  const toPageSize = (pageSize: number) => change({ pageSize });

  return (
    <>
      <Head title={title} of={props.of} ofHref={props.ofHref} action={<HeadActions {...props} />}>
        {props.controls}
        <FilterBar view={view} chips={props.chips} Periods={props.Periods} />
        <ViewsMenu
          saved={saved}
          current={{ state: viewOf(state), hidden }}
          onApply={({ state: kept, hidden: columnsLeft }) => {
            keepHidden(view.name, new Set(columnsLeft));
            view.show(state['pageSize'] === undefined ? kept : { ...kept, pageSize: state['pageSize'] });
          }}
        />
      </Head>
      <Exporting view={view} toPrint={toPrint} chips={props.chips} />
      <FreshnessNote freshness={view.freshness} />
      <MissingCellsNote missing={view.missingCells} />
      {isElsewhere && <FirstCellNote />}
      {props.children}
      <DataTable
        label={title}
        rows={rows}
        columns={shown}
        rowKey={props.rowKey}
        rowLabel={props.rowLabel}
        {...(props.actions && !isElsewhere && { actions: props.actions })}
        actionsName={props.actionsName}
        {...(props.rowHref && { rowHref: props.rowHref })}
        numbered={props.numbered ?? list.paging === 'pages'}
        loading={view.loading}
        printed={{ rows: toPrint.rows ?? rows, columns }}
        error={view.error}
        onRetry={view.retry}
        sort={sort}
        onSort={(by) => change({ sort: sortText(by) === list.order ? undefined : sortText(by) })}
        tools={tools}
        {...(list.paging === 'pages'
          ? {
              pager: {
                page: view.page,
                pageSize: view.pageSize,
                total,
                onPage: (page) => change({ page: page === 1 ? undefined : page }),
                onPageSize: toPageSize,
              },
            }
          : {
              firstNumber,
              whole: view.older === null && view.newer === null,
              foot: <StepPager view={view} first={firstNumber} summary={summary} tools={tools} />,
            })}
        {...(summary !== undefined && { summary })}
        {...(selection && { selection, selectionBar })}
        details={props.details}
        empty={props.instead || <Empty {...props} narrowed={narrowed} />}
      />
      {props.below}
    </>
  );
}

interface ExportingProps<Row> extends Pick<ListPageProps<Row>, 'view' | 'chips'> {
  toPrint: ReturnType<typeof useRowsToPrint<Row>>;
}

function Exporting<Row>({ view, toPrint, chips }: ExportingProps<Row>) {
  const print = usePrint();
  const { xlsx, csv } = view;
  const progress = useProgress([xlsx, csv, toPrint].some(({ state }) => state !== null));
  return (
    <>
      {progress && (
        <>
          <progress.ExportProgress exporting={xlsx} />
          <progress.ExportProgress exporting={csv} />
          <progress.ExportProgress exporting={toPrint} />
        </>
      )}
      {print && (
        <print.PrintedFilters view={view} rows={toPrint.rows ?? view.rows} isAll={toPrint.isAll} chips={chips} />
      )}
    </>
  );
}

function HeadActions<Row>({ view, back, action, route }: ListPageProps<Row>) {
  return (
    <Group gap="xs">
      {back}
      <ExportMenu view={view} />
      {!isOfFirstCell(route) && action}
    </Group>
  );
}

interface EmptyProps<Row> extends Pick<ListPageProps<Row>, 'view' | 'rowsName' | 'empty' | 'route'> {
  narrowed: readonly string[];
}

function Empty<Row>({ view, rowsName, empty, route, narrowed }: EmptyProps<Row>) {
  if (view.list.paging === 'keyset' && view.total > 0) {
    return (
      <EmptyState
        title={pageTexts.nothingOnThisPage}
        text={pageTexts.otherAreOnOther(rowsName)}
        action={
          <Button variant="default" onClick={() => view.change({})}>
            {pageTexts.showNewest}
          </Button>
        }
      />
    );
  }
  if (narrowed.length === 0) return <EmptyState {...empty} action={!isOfFirstCell(route) && empty.action} />;
  const isSearched = narrowed.includes('search');
  const isFiltered = narrowed.some((name) => name !== 'search');
  const by = isSearched && isFiltered ? pageTexts.thisSearchAndThese : isSearched ? 'this search' : 'these filters';
  return (
    <EmptyState
      title={pageTexts.noMatches}
      text={`No ${rowsName} match ${by}.`}
      action={
        <Button variant="default" onClick={() => view.change(clearFiltersChange(view.list))}>
          {richText(pageTexts.clearNarrowing, {
            narrowing:
              isSearched && isFiltered ? pageTexts.searchAndFilters : isSearched ? 'the search' : 'the filters',
          })}
        </Button>
      }
    />
  );
}

interface SectionHeaderProps {
  title: string;
  action?: ReactNode;
  children?: ReactNode;
}

function SectionHeader({ title, action, children }: SectionHeaderProps) {
  return (
    <div className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.filters}>{children}</div>
      <div className={classes.action}>{action}</div>
    </div>
  );
}

function ColumnChooser<Row>({ choice }: { choice: ColumnChoice<Row> }) {
  const [opened, setOpened] = useState(false);
  const hidden = choice.choosable.filter((column) => !column.shown).length;
  return (
    <Popover opened={opened} onChange={setOpened} position="top-end" trapFocus returnFocus width={220}>
      <Popover.Target>
        <Button
          className={classes.chooser}
          variant="default"
          size="xs"
          leftSection={<IconColumns3 size={14} aria-hidden />}
          onClick={() => setOpened((now) => !now)}
        >
          {hidden === 0 ? tableTexts.columns : tableTexts.columnsHidden(hidden)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={tableTexts.columns}>
        <fieldset className={classes.list} aria-label={tableTexts.columnsShow}>
          {choice.choosable.map((column) => (
            <TickBox
              key={column.id}
              label={column.header}
              checked={column.shown}
              onChange={() => choice.toggle(column.id)}
            />
          ))}
        </fieldset>
        <Button variant="default" size="xs" disabled={hidden === 0} onClick={choice.showAll}>
          {tableTexts.showAll}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ColumnChoice<Row> {
  shown: readonly DataColumn<Row>[];
  choosable: readonly { id: string; header: string; shown: boolean }[];
  toggle: (id: string) => void;
  showAll: () => void;
}

/** Stores the choice on this device. The first column always shows. `columns` must be stable. */
function useColumnChoice<Row>(list: string, columns: readonly DataColumn<Row>[]): ColumnChoice<Row> {
  const text = useSyncExternalStore(subscribeStored, () => readStored(columnsKey(list)));
  return useMemo(() => {
    const hidden = parseHidden(text);
    const mayHide = columns.filter((_, index) => index > 0);
    return {
      shown: columns.filter((column) => !mayHide.includes(column) || !hidden.has(column.id)),
      choosable: mayHide.map(({ id, header }) => ({ id, header, shown: !hidden.has(id) })),
      toggle: (id) => {
        const next = new Set(hidden);
        if (!next.delete(id)) next.add(id);
        keepHidden(list, next);
      },
      showAll: () => keepHidden(list, new Set()),
    };
  }, [text, columns, list]);
}
