import { Button, Group } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { lazy, Suspense, useMemo } from 'react';
import type { ReactNode } from 'react';
import { keepHidden } from '../lib/columnChoice.ts';
import { formatCount } from '../lib/format.ts';
import { clearing, firstNumberOf, sortOf, sortText, viewOf } from '../lib/listUrl.ts';
import { partOf } from '../lib/part.ts';
import type { ListView } from '../lib/useList.ts';
import { useSavedViews } from '../lib/useSavedViews.ts';
import { commonTexts } from '../commonTexts.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import type { DataColumn } from './dataColumn.ts';
import { DataTable } from './DataTable.tsx';
import { EmptyState } from './EmptyState.tsx';
import { ExportButton } from './ExportButton.tsx';
import { FilterBar } from './FilterBar.tsx';
import { dataColumns } from './listColumns.tsx';
import type { Cells } from './listColumns.tsx';
import { PageHeader } from './PageHeader.tsx';
import type { PeriodBar } from './PeriodBar.tsx';
import type { RowAction } from './RowActions.tsx';
import { useColumnChoice } from './useColumnChoice.ts';
import type { RowSelection } from './useSelection.ts';
import { ViewsMenu } from './ViewsMenu.tsx';
import classes from './Pager.module.css';

interface ListPageProps<Row> {
  /** The list as its URL shows it. */
  view: ListView<Row>;
  title: string;
  /** Whose list it is, beside the title, and where that name leads. */
  of?: string | undefined;
  ofHref?: string | undefined;
  /** Stands within a page of its own title, whose part it is. */
  section?: boolean;
  /** What its rows are called where none is left: `players`. */
  rowsName: string;
  rowKey: (row: Row) => string;
  /** Names a row: the title of its sheet, and of what is done with it. */
  rowLabel: (row: Row) => string;
  /** Cells that are not what the kind of their column says. Keep it stable between renders. */
  cells?: Cells<Row>;
  /** Columns of a phone, for what several of the others say together. Keep them stable between renders. */
  phone?: readonly DataColumn<Row>[];
  actions?: (row: Row) => readonly RowAction[];
  /** What their column is called; `Action` unless said otherwise. */
  actionsName?: string;
  /** The page of a row, which a click on it opens. */
  rowHref?: (row: Row) => string | null;
  /** What a row opens beside its columns. */
  details?: (row: Row) => ReactNode;
  /** In the head before and after the buttons of the files: the way back, the main action. */
  back?: ReactNode;
  action?: ReactNode;
  /** Chosen beside the filters. */
  controls?: ReactNode;
  /** What the chips of ids say, by the names of their filters. */
  chips?: Readonly<Record<string, string>>;
  /** `PeriodBar`, where the list is about a period. */
  Periods?: typeof PeriodBar;
  /** Stands over the table. */
  children?: ReactNode;
  /** What stands there where nothing narrows it and it has no rows. */
  empty: { title: string; text: string; action?: ReactNode };
  /** Stands in place of rows whatever narrows it. */
  instead?: ReactNode;
  /** Says how many rows are shown of how many. */
  summary?: (shown: string, total: string) => string;
  /** A leading column `No`; only lists with numbered pages have one unless said otherwise. */
  numbered?: boolean;
  selection?: RowSelection<Row>;
  selectionBar?: ReactNode;
}

const StepPager = lazy(async () => ({ default: (await import('./StepPager.tsx')).StepPager }));
/** Few visits export anything. */
const useProgress = partOf(() => import('./ExportProgress.tsx'));
const NO_CELLS = {};
const NO_ROWS: readonly never[] = [];

/**
 * The page of a list of the contract: its head with files, search, filters and saved views, and its table with all that the URL
 * says about it. Whoever has a list gives what differs.
 */
export function ListPage<Row extends object>(props: ListPageProps<Row>) {
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
  const progress = useProgress(view.xlsx.state !== null || view.csv.state !== null);
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
      {progress &&
        [view.xlsx, view.csv].map((each) => (
          <progress.ExportProgress key={each === view.xlsx ? 'xlsx' : 'csv'} exporting={each} />
        ))}
      {props.children}
      <DataTable
        label={title}
        rows={rows}
        columns={shown}
        rowKey={props.rowKey}
        rowLabel={props.rowLabel}
        {...(props.actions && { actions: props.actions })}
        actionsName={props.actionsName}
        {...(props.rowHref && { rowHref: props.rowHref })}
        numbered={props.numbered ?? list.paging === 'pages'}
        loading={view.loading}
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
              foot: (
                <Suspense fallback={<div className={classes.pager} />}>
                  <StepPager view={view} first={firstNumber} summary={summary} tools={tools} />
                </Suspense>
              ),
            })}
        {...(summary !== undefined && { summary })}
        {...(selection && { selection, selectionBar })}
        details={props.details}
        empty={props.instead || <Empty rowsName={props.rowsName} empty={props.empty} view={view} narrowed={narrowed} />}
      />
    </>
  );
}

function HeadActions<Row>({ view, back, action }: ListPageProps<Row>) {
  const has = (format: string) => view.list.files.some((file) => file.format === format);
  return (
    <Group gap="xs" wrap="nowrap">
      {back}
      {has('xlsx') && <ExportButton exporting={view.xlsx} name={commonTexts.exports.xls} />}
      {has('csv') && <ExportButton exporting={view.csv} name={commonTexts.exports.csv} icon={IconFileTypeCsv} />}
      {action}
    </Group>
  );
}

interface EmptyProps<Row> extends Pick<ListPageProps<Row>, 'view' | 'rowsName' | 'empty'> {
  narrowed: readonly string[];
}

/** What stands in place of rows: what would be here, or the way out of what has left none. */
function Empty<Row>({ view, rowsName, empty, narrowed }: EmptyProps<Row>) {
  if (view.list.paging === 'keyset' && view.total > 0) {
    return (
      <EmptyState
        title="Nothing more here"
        text={`The other ${rowsName} stand on other pages.`}
        action={
          <Button variant="default" onClick={() => view.change({})}>
            Show the newest
          </Button>
        }
      />
    );
  }
  if (narrowed.length === 0) return <EmptyState {...empty} />;
  const isSearched = narrowed.includes('search');
  const isFiltered = narrowed.some((name) => name !== 'search');
  const by = isSearched && isFiltered ? 'this search and these filters' : isSearched ? 'this search' : 'these filters';
  return (
    <EmptyState
      title="Nothing matches"
      text={`No ${rowsName} fit ${by}.`}
      action={
        <Button variant="default" onClick={() => view.change(clearing(view.list))}>
          Clear {isSearched && isFiltered ? 'search and filters' : isSearched ? 'the search' : 'the filters'}
        </Button>
      }
    />
  );
}

interface SectionHeaderProps {
  title: string;
  /** The one main action, at the end of the line. */
  action?: ReactNode;
  /** Filters, on the same line where there is room. */
  children?: ReactNode;
}

/** The head of a list that is part of a page. */
function SectionHeader({ title, action, children }: SectionHeaderProps) {
  return (
    <div className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.filters}>{children}</div>
      <div className={classes.action}>{action}</div>
    </div>
  );
}
