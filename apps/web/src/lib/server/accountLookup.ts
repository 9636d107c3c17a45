import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import { findAllUsers } from '@drawhouse/contract/reports/report-users';
import type { ReportUser } from '@drawhouse/contract/reports/report-users';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { queryKeys } from './queryKeys.ts';

const SHOWN = 50;
const SETTLE_MS = 250;

export function useAccountSearch(typed: string): { found: readonly ReportUser[]; searching: boolean } {
  const [search] = useDebouncedValue(typed, SETTLE_MS);
  const { data, isFetching } = useQuery({
    queryKey: [queryKeys.accounts, 'report-users', search],
    queryFn: ({ signal }) =>
      call(
        findAllUsers.route,
        { query: { page: '1', pageSize: String(SHOWN), search: search || undefined } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  return { found: data?.data ?? [], searching: isFetching || search !== typed };
}

export function accountQuery(level: Role, id: string) {
  return queryOptions({
    queryKey: [queryKeys.accounts, level, 'one', id],
    queryFn: ({ signal }) => call(accountRoutes[level].get, { params: { id } }, { signal }),
  });
}
