import { accountLists } from '@drawhouse/contract/account-lists';
import type { Account } from '@drawhouse/contract/accounts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { errorMessage } from '../../lib/api.ts';
import { sortOf, sortText } from '../../lib/listSearch.ts';
import type { ListSearch } from '../../lib/listSearch.ts';
import { detailsPath } from '../../lib/paths.ts';
import type { AccountAction } from '../../lib/paths.ts';
import { useUser } from '../../lib/useSession.ts';
import type { Level } from '../../messages.ts';
import { ColumnChooser } from '../../ui/ColumnChooser.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { useColumnChoice } from '../../ui/useColumnChoice.ts';
import { useSelection } from '../../ui/useSelection.ts';
import { AccountActionDialog } from './AccountActionDialog.tsx';
import type { Asked } from './accountActions.ts';
import { AccountsEmpty } from './AccountsEmpty.tsx';
import { accountColumns } from './accountColumns.tsx';
import type { AddAccountLink } from './AddAccount.tsx';
import { BulkActions } from './BulkActions.tsx';
import { BulkStatusDialog } from './BulkStatusDialog.tsx';
import type { BulkAsked } from './BulkStatusDialog.tsx';
import { rowActionsOf } from './rowActionsOf.ts';
import { useQuickAction } from './useQuickAction.tsx';
import type { QuickAction } from './useQuickAction.tsx';

function keyOf(account: Account): string {
  return account._id;
}

interface AccountTableProps {
  label: string;
  level: Level;
  search: ListSearch;
  onChange: (change: Partial<ListSearch>) => void;
  /** The page that the search asks for. */
  list: UseQueryResult<{ rows: readonly Account[]; total: number }>;
  /** The page of a form about a row. Keep it stable between renders. */
  pathOf: (action: AccountAction, row: Account) => string;
  /** The page that adds an account, which an empty list leads to as well. */
  add: AddAccountLink;
  quick?: QuickAction | undefined;
}

/** A page of accounts of one level, with what can be done with each. */
export function AccountTable(props: AccountTableProps) {
  const { label, level, search, onChange, list, pathOf, add } = props;
  const quick = useQuickAction(props.quick);
  const { rows, total = 0 } = list.data ?? {};
  const { role: viewer } = useUser();
  const [asked, setAsked] = useState<Asked | null>(null);
  const columns = useMemo(() => accountColumns(viewer, level), [viewer, level]);
  const choice = useColumnChoice(`accounts-${level}`, columns);
  const selection = useSelection<Account>(keyOf, `${level} ${search.parentId} ${search.search}`);
  const [bulk, setBulk] = useState<BulkAsked | null>(null);
  // What stands on this page is newer than what was known when a row was selected.
  const selected = selection.rows.map((row) => rows?.find((fresh) => fresh._id === row._id) ?? row);
  // The last row of the last page may be gone, and an old link may ask for a page that is no more.
  const pastEnd = !list.isFetching && rows?.length === 0 && total > 0;
  useEffect(() => {
    if (pastEnd) onChange({ page: Math.ceil(total / search.pageSize) });
  }, [pastEnd, onChange, total, search.pageSize]);
  return (
    <>
      <DataTable
        label={label}
        rows={rows}
        columns={choice.shown}
        rowKey={keyOf}
        rowLabel={(row) => row.username}
        rowHref={(row) => detailsPath(viewer, level, row._id)}
        actions={(row) => [
          ...quick.actionsOf(row),
          ...rowActionsOf(
            row,
            (action) => pathOf(action, row),
            (action) => setAsked({ action, account: row }),
          ),
        ]}
        numbered
        loading={list.isFetching}
        error={list.error && !rows ? errorMessage(list.error) : null}
        onRetry={() => void list.refetch()}
        sort={sortOf(search.sort || accountLists[level].order)}
        onSort={(sort) => onChange({ sort: sortText(sort) })}
        pager={{
          page: search.page,
          pageSize: search.pageSize,
          total,
          onPage: (page) => onChange({ page }),
          onPageSize: (pageSize) => onChange({ pageSize }),
        }}
        tools={<ColumnChooser choice={choice} />}
        selection={selection}
        selectionBar={
          <BulkActions
            level={level}
            accounts={selected}
            onAsk={(action) => setBulk({ action, accounts: selected })}
            onClear={selection.clear}
          />
        }
        empty={
          <AccountsEmpty
            level={level}
            narrowed={search.search !== '' || search.parentId !== ''}
            onClear={() => onChange({ search: '', parentId: '' })}
            add={add}
          />
        }
      />
      {quick.dialog}
      <BulkStatusDialog
        level={level}
        asked={bulk}
        onDone={(accounts) => selection.select(accounts, false)}
        onClose={() => setBulk(null)}
      />
      <AccountActionDialog
        asked={asked}
        onClose={() => setAsked(null)}
        onRemoved={() => asked && selection.select([asked.account], false)}
      />
    </>
  );
}
