import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import { findAllUsers, type ReportUser } from '@drawhouse/contract/reports/report-users';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { compareNames } from '../format/format.ts';
import { callQuery } from './api.ts';

const SHOWN = 50;
const SETTLE_MS = 250;

export function useAccountSearch(typed: string): { found: readonly ReportUser[]; searching: boolean } {
  const [search] = useDebouncedValue(typed, SETTLE_MS);
  const { data, isFetching } = useQuery({
    ...callQuery(['accounts', 'report-users', search], findAllUsers.route, {
      query: { page: '1', pageSize: String(SHOWN), search: search || undefined },
    }),
    placeholderData: keepPreviousData,
  });
  return { found: data?.data ?? [], searching: isFetching || search !== typed };
}

export function accountQuery(level: Role, id: string) {
  return queryOptions(callQuery(['accounts', level, 'one', id], accountRoutes[level].get, { params: { id } }));
}

/** Only the superadmin of its own cell changes it. */
export function isElsewhere({ cell }: Pick<Account, 'cell'>): boolean {
  return cell?.isHere === false;
}

/** The superadmin gives credit to admins of all cells. */
export function movesCredit(account: Pick<Account, 'cell' | 'role'>): boolean {
  return account.role === 'admin' || !isElsewhere(account);
}

/** The admins that the superadmin can change here, in the order of their names. */
export function useAdminsHere() {
  return useQuery({
    ...callQuery(['accounts', 'admins by name'], accountLists.admin.route, { query: {} }),
    select: ({ data }) =>
      data.filter((admin) => !isElsewhere(admin)).toSorted((a, b) => compareNames(a.username, b.username)),
  });
}
