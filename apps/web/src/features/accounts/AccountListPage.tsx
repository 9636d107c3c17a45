import { accountLists } from '@drawhouse/contract/account-lists';
import type { Account } from '@drawhouse/contract/accounts';
import { roleAbove } from '@drawhouse/contract/primitives';
import { Button, Group, VisuallyHidden } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call, callFile } from '../../lib/api.ts';
import { listQueryOf } from '../../lib/listSearch.ts';
import { ownTimeZone } from '../../lib/format.ts';
import type { ListSearch } from '../../lib/listSearch.ts';
import { accountPath, createPath } from '../../lib/paths.ts';
import type { AccountAction } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useListUrl } from '../../lib/useListUrl.ts';
import { useUser } from '../../lib/useSession.ts';
import { messages } from '../../messages.ts';
import type { Level } from '../../messages.ts';
import { ExportButton } from '../../ui/ExportButton.tsx';
import { ExportProgress } from '../../ui/ExportProgress.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { useExport } from '../../lib/useExport.ts';
import { accountQuery } from './accountQueries.ts';
import { AccountTable } from './AccountTable.tsx';
import { AddAccount } from './AddAccount.tsx';
import type { QuickAction } from './useQuickAction.tsx';

const texts = messages.accounts;

interface AccountListPageProps {
  level: Level;
  search: ListSearch;
  /** What is done with a row without leaving the list. */
  quick?: QuickAction;
}

/** The accounts of one level that the signed-in account may see; page, search and order live in the URL. */
export function AccountListPage({ level, search, quick }: AccountListPageProps) {
  const { role } = useUser();
  const change = useListUrl(search);
  const list = useQuery({
    queryKey: [queryKeys.accounts, level, search],
    queryFn: ({ signal }) =>
      call(
        accountLists[level].route,
        { query: { ...listQueryOf(search), parentId: search.parentId || undefined } },
        { signal },
      ),
    select: ({ data, total }) => ({ rows: data, total }),
    placeholderData: keepPreviousData,
  });
  const pathOf = useCallback(
    (action: AccountAction, row: Account) => accountPath(role, level, action, row._id),
    [role, level],
  );
  const exporting = useExport(`${accountLists[level].file!.name}.xlsx`, (signal) =>
    callFile(
      accountLists[level].files[0]!.route,
      {
        query: {
          search: search.search || undefined,
          sort: search.sort || undefined,
          parentId: search.parentId || undefined,
          timeZone: ownTimeZone(),
        },
      },
      { signal },
    ),
  );
  const add = { label: texts.add[level], href: createPath(role, level) };

  return (
    <>
      <PageHeader
        title={texts.titles[level]}
        action={
          <Group gap="xs">
            <ExportButton exporting={exporting} name="Export" />
            <AddAccount {...add} />
          </Group>
        }
      >
        <SearchField
          label={level === 'user' ? 'Search by username or reference' : 'Search by username'}
          value={search.search}
          onChange={(text) => change({ search: text })}
          width={310}
        />
        {search.parentId !== '' && (
          <ParentFilter level={level} parentId={search.parentId} onClear={() => change({ parentId: '' })} />
        )}
      </PageHeader>
      <ExportProgress exporting={exporting} />
      <AccountTable
        label={texts.titles[level]}
        level={level}
        search={search}
        onChange={change}
        list={list}
        pathOf={pathOf}
        add={add}
        quick={quick}
      />
    </>
  );
}

function ParentFilter({ level, parentId, onClear }: { level: Level; parentId: string; onClear: () => void }) {
  const { data } = useQuery(accountQuery(roleAbove(level) ?? 'superadmin', parentId));
  return (
    <Button variant="default" onClick={onClear} rightSection={<IconX size={14} aria-hidden />}>
      Below {data?.data.username ?? '…'}
      <VisuallyHidden>, show all again</VisuallyHidden>
    </Button>
  );
}
