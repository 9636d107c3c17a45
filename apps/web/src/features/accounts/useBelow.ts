import { BELOW_MAX, belowCount } from '@drawhouse/contract/accounts/account-counts';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import type { Below } from './toggleConsequence.ts';

/** Null while loading, for too many accounts, and for levels without descendants. */
export function useBelow(accounts: readonly Pick<Account, '_id' | 'role'>[]): Below | null {
  const ids = accounts.map(({ _id }) => _id).join(',');
  const { data } = useQuery({
    queryKey: [queryKeys.accounts, 'below', ids],
    queryFn: ({ signal }) => call(belowCount, { query: { ids } }, { signal }),
    enabled: accounts.length > 0 && accounts.length <= BELOW_MAX && accounts[0]?.role !== 'user',
    staleTime: 0,
  });
  return data ?? null;
}
