import { activityLog } from '@drawhouse/contract/activity';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { listQueryOf, sortOf, sortText } from '../../lib/listSearch.ts';
import type { ListSearch } from '../../lib/listSearch.ts';
import { instantsOf } from '../../lib/periods.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useListUrl } from '../../lib/useListUrl.ts';
import { messages } from '../../messages.ts';
import { ColumnChooser } from '../../ui/ColumnChooser.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { DayInput } from '../../ui/DayInput.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { useColumnChoice } from '../../ui/useColumnChoice.ts';
import { ACTIVITY_COLUMNS } from './activityColumns.tsx';

/** What the signed-in account and everyone below it did, newest first unless sorted otherwise. */
export function ActivityPage({ search }: { search: ListSearch }) {
  const change = useListUrl(search);
  const choice = useColumnChoice('logactivities', ACTIVITY_COLUMNS);
  const sort = search.sort === 'createdAt' ? search.sort : '-createdAt';
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [queryKeys.activity, search],
    queryFn: ({ signal }) =>
      call(
        activityLog.route,
        {
          query: {
            ...listQueryOf(search),
            sort,
            ...(search.date !== '' && instantsOf({ from: search.date, to: search.date })),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={messages.activity.title}>
        <SearchField label="Search" value={search.search} onChange={(text) => change({ search: text })} />
        <DayInput
          aria-label="Date"
          placeholder="Any day"
          w={160}
          value={search.date}
          onChange={(date) => change({ date })}
        />
      </PageHeader>
      <DataTable
        label={messages.activity.title}
        rows={data?.data}
        columns={choice.shown}
        tools={<ColumnChooser choice={choice} />}
        rowKey={(row) => row._id}
        rowLabel={(row) => row.subject}
        numbered
        loading={isFetching}
        error={error && !data ? errorMessage(error) : null}
        onRetry={() => void refetch()}
        sort={sortOf(sort)}
        onSort={(order) => change({ sort: sortText(order) })}
        pager={{
          page: search.page,
          pageSize: search.pageSize,
          total: data?.total ?? 0,
          onPage: (page) => change({ page }),
          onPageSize: (pageSize) => change({ pageSize }),
        }}
        summary={messages.activity.footer(formatCount(data?.data.length ?? 0), formatCount(data?.total ?? 0))}
        empty={
          search.search !== '' || search.date !== '' ? (
            <EmptyState
              title="Nothing matches"
              text="No entry fits this search and this day."
              action={
                <Button variant="default" onClick={() => change({ search: '', date: '' })}>
                  Show all entries
                </Button>
              }
            />
          ) : (
            <EmptyState title="Nothing happened here" text="Every change and every sign-in is written down here." />
          )
        }
      />
    </>
  );
}
