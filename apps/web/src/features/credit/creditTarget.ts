import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';

export function creditTarget(level: Role, id: string) {
  return queryOptions({
    queryKey: [queryKeys.accounts, level, 'one', id],
    queryFn: ({ signal }) => call(accountRoutes[level].get, { params: { id } }, { signal }),
  });
}
