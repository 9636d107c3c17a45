import { childLists } from '@drawhouse/contract/account-lists';
import type { Account } from '@drawhouse/contract/accounts';
import { roleBelow } from '@drawhouse/contract/primitives';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../lib/api.ts';
import { listQueryOf } from '../../lib/listSearch.ts';
import type { ListSearch } from '../../lib/listSearch.ts';
import { fromDetailsPath } from '../../lib/paths.ts';
import type { AccountAction } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useListUrl } from '../../lib/useListUrl.ts';
import { useUser } from '../../lib/useSession.ts';
import { messages } from '../../messages.ts';
import type { Level } from '../../messages.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { AccountTable } from './AccountTable.tsx';
import { AddAccount } from './AddAccount.tsx';
import type { QuickAction } from './useQuickAction.tsx';
import classes from './ChildAccounts.module.css';

interface ChildAccountsProps {
  parent: Account;
  parentLevel: Exclude<Level, 'user'>;
  search: ListSearch;
  quick?: QuickAction | undefined;
}

/** The accounts directly below one account, with the button that adds another. */
export function ChildAccounts({ parent, parentLevel, search, quick }: ChildAccountsProps) {
  const level = roleBelow(parentLevel) as Level;
  const { role } = useUser();
  const change = useListUrl(search);
  const list = useQuery({
    queryKey: [queryKeys.accounts, level, 'children', parent._id, search],
    queryFn: ({ signal }) =>
      call(childLists[parentLevel].route, { params: { id: parent._id }, query: listQueryOf(search) }, { signal }),
    select: ({ children, total }) => ({ rows: children, total }),
    placeholderData: keepPreviousData,
  });
  const pathOf = useCallback(
    (action: AccountAction, row: Account) => fromDetailsPath(role, parentLevel, parent._id, action, row._id),
    [role, parentLevel, parent._id],
  );
  const title = messages.dashboard.cards[level];
  const add = {
    label: messages.accounts.addChild[level],
    href: fromDetailsPath(role, parentLevel, parent._id, 'create'),
  };
  return (
    <div className={classes.children}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <div className={classes.search}>
          <SearchField
            label="Search by username"
            value={search.search}
            onChange={(text) => change({ search: text })}
            width={240}
          />
        </div>
        <div className={classes.add}>
          <AddAccount {...add} />
        </div>
      </div>
      <AccountTable
        label={title}
        level={level}
        search={search}
        onChange={change}
        list={list}
        pathOf={pathOf}
        add={add}
        quick={quick}
      />
    </div>
  );
}
