import { accountRoutes } from '@drawhouse/contract/accounts';
import type { Role } from '@drawhouse/contract/primitives';
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
const SHOWING_ACCOUNTS = [queryKeys.accounts, queryKeys.counts, queryKeys.games, queryKeys.credit];

/** Loads again what shows accounts, after one of them changed. */
export function useAccountsChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  return useCallback(
    () => Promise.all(SHOWING_ACCOUNTS.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
    [queries],
  );
}
