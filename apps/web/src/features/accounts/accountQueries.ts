import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';

export function accountQuery(level: Role, id: string) {
  return queryOptions({
    queryKey: [queryKeys.accounts, level, 'one', id],
    queryFn: ({ signal }) => call(accountRoutes[level].get, { params: { id } }, { signal }),
  });
}

const SHOWING_ACCOUNTS: ReadonlySet<unknown> = new Set([
  queryKeys.accounts,
  queryKeys.counts,
  queryKeys.games,
  queryKeys.credit,
]);

/** Invalidates dependent queries, except those of a deleted account. */
export function useAccountsChanged(): (deletedId?: string) => Promise<unknown> {
  const queries = useQueryClient();
  return useCallback(
    (deletedId) =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) =>
          SHOWING_ACCOUNTS.has(queryKey[0]) && (deletedId === undefined || !queryKey.includes(deletedId)),
      }),
    [queries],
  );
}
