import { turnoverReport } from '@drawhouse/contract/reports';
import type { TurnoverRow } from '@drawhouse/contract/reports';
import { Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowLeft, IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { homePath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useGo } from '../../lib/useGo.ts';
import { useUser } from '../../lib/useSession.ts';
import { messages } from '../../messages.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { Points } from '../../ui/Points.tsx';
import { HeadButton } from '../../ui/HeadButton.tsx';
import { exportXlsx } from '../../lib/exportXlsx.ts';
import { PeriodBar } from '../../ui/PeriodBar.tsx';
import { DATE_RANGE, instantsOf, resolvePeriod } from '../../lib/periods.ts';
import { REPORT } from './reportMessages.ts';
import { columnWidth, POINT_COLUMNS, readCount, readSort, sortedRows, sortText, totalsOf } from './turnoverRows.ts';
import type { TurnoverTotals } from './turnoverRows.ts';
import { readSearch, searchPath } from './turnoverSearch.ts';
import type { TurnoverSearch } from './turnoverSearch.ts';
import { TurnoverSummary } from './TurnoverSummary.tsx';
import { useToday } from '../../lib/useToday.ts';
import classes from './TurnoverPage.module.css';

const PAGE_SIZE = 25;
/** The order in which the server answers. */
const SERVER_ORDER = { id: 'username', desc: false };
const NO_ROWS: readonly TurnoverRow[] = [];

/** The turnover report: what was played below each child of an account, with a way down to its children and up again. */
export function TurnoverPage() {
  const user = useUser();
  const go = useGo();
  const path = useLocation({ select: (location) => location.pathname });
  const today = useToday();
  const found: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const search = readSearch(found);
  const { range, period } = resolvePeriod(search, new Date(`${today}T12:00:00`));
  const instants = instantsOf(range);
  const query = useQuery({
    queryKey: [queryKeys.reports, 'turnover', search.id ?? user._id, instants],
    queryFn: ({ signal }) => call(turnoverReport.route, { query: { id: search.id, ...instants } }, { signal }),
    placeholderData: keepPreviousData,
  });
  const report = query.data;
  const sortName = search.sort;
  const sort = readSort(sortName);
  const rows = useMemo(() => (report ? sortedRows(report.data, readSort(sortName)) : undefined), [report, sortName]);
  const totals = useMemo(() => totalsOf(report?.data ?? NO_ROWS), [report]);
  const pageSize = readCount(search.pageSize, PAGE_SIZE);
  const lastPage = Math.max(1, Math.ceil((rows?.length ?? 0) / pageSize));
  const page = Math.min(readCount(search.page, 1), rows ? lastPage : Infinity);
  const pageRows = useMemo(() => rows?.slice((page - 1) * pageSize, page * pageSize), [rows, page, pageSize]);

  const show = (change: Partial<TurnoverSearch>) => go.to(searchPath(path, { ...search, page: 1, ...change }));
  const days = { startDate: range.from, endDate: range.to, period };
  const drillHref = (account: { id: string; role: string }) =>
    searchPath(path, { ...days, role: account.role, id: account.id, sort: search.sort, pageSize: search.pageSize });
  const columns = useMemo(
    () => columnsOf(report?.data ?? NO_ROWS, totals, (row) => (row.role === 'user' ? null : drillHref(row))),
    // oxlint-disable-next-line react/exhaustive-deps -- drillHref is made of these
    [report, totals, path, range.from, range.to, period, search.sort, search.pageSize],
  );

  const parents = report?.parents ?? [];
  const above = parents.at(-2);
  const levels = report ? REPORT.levels[report.role] : null;
  const { saving, save } = useExport(rows ?? NO_ROWS, totals);

  return (
    <>
      <PageHeader
        title={levels ? `${REPORT.title}: ${levels}` : REPORT.title}
        action={
          <Group gap="xs" wrap="nowrap">
            <HeadButton
              name={REPORT.back}
              icon={IconArrowLeft}
              variant="default"
              onClick={() => go.back(above ? drillHref(above) : homePath(user.role))}
            />
            <HeadButton
              name={messages.exports.xls}
              icon={IconDownload}
              disabled={!rows || rows.length === 0}
              loading={saving}
              onClick={() => void save()}
            />
          </Group>
        }
      >
        <PeriodBar
          period={period}
          range={range}
          onPeriod={(chosen) => show({ period: chosen, startDate: undefined, endDate: undefined })}
          onRange={({ from, to }) => show({ period: DATE_RANGE, startDate: from, endDate: to })}
        />
      </PageHeader>
      <Chain parents={parents} hrefOf={drillHref} />
      {!query.isError && <TurnoverSummary summary={report?.summary} />}
      <DataTable
        label={levels ? `${REPORT.title}: ${levels}` : REPORT.title}
        rows={pageRows}
        columns={columns}
        rowKey={(row) => row.id}
        rowLabel={(row) => row.username}
        rowHref={(row) => (row.role === 'user' ? null : drillHref(row))}
        numbered
        loading={query.isFetching && (query.isPending || query.isPlaceholderData)}
        error={query.isError ? errorMessage(query.error) : null}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState
            title={`No ${levels?.toLowerCase() ?? 'accounts'} below ${parents.at(-1)?.username ?? 'this account'}`}
            text="Each of them has a row here, with what was played below it in the period."
          />
        }
        sort={sort ?? SERVER_ORDER}
        onSort={(chosen) => show({ sort: sortText(chosen) })}
        pager={{
          page,
          pageSize,
          total: rows?.length ?? 0,
          onPage: (chosen) => show({ page: chosen }),
          onPageSize: (size) => show({ pageSize: size === PAGE_SIZE ? undefined : size }),
        }}
      />
    </>
  );
}

interface ChainProps {
  parents: readonly { id: string; username: string; role: string }[];
  hrefOf: (account: { id: string; role: string }) => string;
}

/** The accounts from the caller down to the one whose children are shown. */
function Chain({ parents, hrefOf }: ChainProps) {
  return (
    <nav className={classes.chain} aria-label="Chain of accounts">
      <ol>
        {parents.map((parent, index) => (
          <li key={parent.id}>
            {index === parents.length - 1 ? (
              <span aria-current="page">{parent.username}</span>
            ) : (
              <PathLink href={hrefOf(parent)}>{parent.username}</PathLink>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function columnsOf(
  rows: readonly TurnoverRow[],
  totals: TurnoverTotals,
  hrefOf: (row: TurnoverRow) => string | null,
): DataColumn<TurnoverRow>[] {
  return [
    {
      id: 'username',
      header: REPORT.id,
      accessor: (row) => row.username,
      cell: (row) => {
        const href = hrefOf(row);
        return href === null ? (
          row.username
        ) : (
          <PathLink href={href} title={row.username}>
            {row.username}
          </PathLink>
        );
      },
      sortable: true,
      width: 128,
      footer: REPORT.total,
      priority: true,
    },
    ...POINT_COLUMNS.map(({ id, header }): DataColumn<TurnoverRow> => ({
      id,
      header,
      accessor: (row) => row[id],
      cell: (row) => <Points value={row[id]} />,
      align: 'right',
      sortable: true,
      width: columnWidth(id, rows, totals[id]),
      footer: <Points value={totals[id]} />,
      priority: id === 'net',
    })),
  ];
}

/** Saves what the table holds, all pages and the Total, as an Excel file. */
function useExport(rows: readonly TurnoverRow[], totals: TurnoverTotals) {
  const [saving, setSaving] = useState(false);
  async function save() {
    setSaving(true);
    try {
      await exportXlsx(
        'TurnoverReport.xlsx',
        'Turnover Report',
        [
          { header: 'No', width: 8 },
          { header: REPORT.id, width: 30 },
          ...POINT_COLUMNS.map(({ header }) => ({ header, width: 16, points: true })),
        ],
        [
          ...rows.map((row, index) => [index + 1, row.username, ...POINT_COLUMNS.map(({ id }) => row[id])]),
          [null, REPORT.total, ...POINT_COLUMNS.map(({ id }) => totals[id])],
        ],
      );
    } catch {
      notifications.show({ message: REPORT.exportFailed, color: 'red' });
    } finally {
      setSaving(false);
    }
  }
  return { saving, save };
}
