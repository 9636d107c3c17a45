import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';

/** The query of one account; the same wherever it is shown, so that it is asked once. */
export function accountQuery(level: Role, id: string) {
  return queryOptions({
    queryKey: [queryKeys.accounts, level, 'one', id],
    queryFn: ({ signal }) => call(accountRoutes[level].get, { params: { id } }, { signal }),
  });
}

/** What shows accounts, their numbers, their games or the credit that a deletion gives back. */
const SHOWING_ACCOUNTS: ReadonlySet<unknown> = new Set([
  queryKeys.accounts,
  queryKeys.counts,
  queryKeys.games,
  queryKeys.credit,
]);

/** Loads again what shows accounts, after one of them changed; what is about a deleted one alone is not asked again. */
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
