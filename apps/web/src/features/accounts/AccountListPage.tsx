import { accountRoutes } from '@drawhouse/contract/accounts';
import type { Account } from '@drawhouse/contract/accounts';
import { roleAbove } from '@drawhouse/contract/primitives';
import { Button, VisuallyHidden } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { sortOf, sortText } from '../../lib/listSearch.ts';
import type { ListSearch } from '../../lib/listSearch.ts';
import { createPath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useListUrl } from '../../lib/useListUrl.ts';
import { useUser } from '../../lib/useSession.ts';
import { messages } from '../../messages.ts';
import type { Level } from '../../messages.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { accountColumns } from './accountColumns.tsx';
import { ToggleStatusDialog } from './ToggleStatusDialog.tsx';

const texts = messages.accounts;

interface AccountListPageProps {
  level: Level;
  search: ListSearch;
}

/** The accounts of one level that the signed-in account may see; page, search and order live in the URL. */
export function AccountListPage({ level, search }: AccountListPageProps) {
  const { role } = useUser();
  const change = useListUrl(search);
  const [toggled, setToggled] = useState<Account | null>(null);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [queryKeys.accounts, level, search],
    queryFn: ({ signal }) =>
      call(
        accountRoutes[level].all,
        {
          query: {
            page: String(search.page),
            pageSize: String(search.pageSize),
            search: search.search || undefined,
            sort: search.sort || undefined,
            parentId: search.parentId || undefined,
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const columns = useMemo(() => accountColumns(role, level, setToggled), [role, level]);
  const add = (
    <Button component={PathLink} href={createPath(role, level)} leftSection={<IconPlus size={16} aria-hidden />}>
      {texts.add[level]}
    </Button>
  );
  const narrowed = search.search !== '' || search.parentId !== '';

  return (
    <>
      <PageHeader title={texts.titles[level]} action={add}>
        <SearchField
          label={level === 'user' ? 'Search by username or reference' : 'Search by username'}
          value={search.search}
          onChange={(text) => change({ search: text })}
          width={280}
        />
        {search.parentId !== '' && (
          <ParentFilter level={level} parentId={search.parentId} onClear={() => change({ parentId: '' })} />
        )}
      </PageHeader>
      <DataTable
        label={texts.titles[level]}
        rows={data?.data}
        columns={columns}
        rowKey={(row) => row._id}
        rowLabel={(row) => row.username}
        numbered
        loading={isFetching}
        error={error && !data ? errorMessage(error) : null}
        onRetry={() => void refetch()}
        sort={sortOf(search.sort)}
        onSort={(sort) => change({ sort: sortText(sort) })}
        pager={{
          page: search.page,
          pageSize: search.pageSize,
          total: data?.total ?? 0,
          onPage: (page) => change({ page }),
          onPageSize: (pageSize) => change({ pageSize }),
        }}
        empty={
          narrowed ? (
            <EmptyState
              title="Nothing matches"
              text={`No ${messages.dashboard.cards[level].toLowerCase()} fit this search.`}
              action={
                <Button variant="default" onClick={() => change({ search: '', parentId: '' })}>
                  Clear the search
                </Button>
              }
            />
          ) : (
            <EmptyState
              title={`No ${messages.dashboard.cards[level].toLowerCase()} yet`}
              text="They stand here as soon as the first one is created."
              action={add}
            />
          )
        }
      />
      <ToggleStatusDialog account={toggled} onClose={() => setToggled(null)} />
    </>
  );
}

function ParentFilter({ level, parentId, onClear }: { level: Level; parentId: string; onClear: () => void }) {
  const above = roleAbove(level) ?? 'superadmin';
  const { data } = useQuery({
    queryKey: [queryKeys.accounts, above, 'one', parentId],
    queryFn: ({ signal }) => call(accountRoutes[above].get, { params: { id: parentId } }, { signal }),
  });
  return (
    <Button variant="default" onClick={onClear} rightSection={<IconX size={14} aria-hidden />}>
      Below {data?.data.username ?? '…'}
      <VisuallyHidden>, show all again</VisuallyHidden>
    </Button>
  );
}
