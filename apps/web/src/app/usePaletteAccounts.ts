import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { detailsPath } from '../lib/paths.ts';
import { queryKeys } from '../lib/queryKeys.ts';
import { useUser } from '../lib/useSession.ts';
import { accountItem, levelsOf } from './paletteItems.ts';
import type { PaletteItem } from './paletteItems.ts';

const SETTLE_MS = 200;
const SHORTEST_QUERY = 2;
const OF_EACH_LEVEL = 4;

/** The accounts below the signed-in one whose names match: a few of each level. */
export function usePaletteAccounts(typed: string): { items: readonly PaletteItem[]; searching: boolean } {
  const { role } = useUser();
  const text = typed.trim();
  const [query] = useDebouncedValue(text, SETTLE_MS);
  const asks = query.length >= SHORTEST_QUERY && text.length >= SHORTEST_QUERY;
  const found = useQueries({
    queries: levelsOf(role).map((level) => ({
      queryKey: [queryKeys.accounts, level, 'palette', query],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(
          accountLists[level].route,
          { query: { page: '1', pageSize: String(OF_EACH_LEVEL), search: query, sort: 'username' } },
          { signal },
        ),
      enabled: asks,
      placeholderData: keepPreviousData,
    })),
  });
  if (!asks) return { items: [], searching: false };
  const items = found.flatMap(({ data }) =>
    (data?.data ?? []).map((account) => accountItem(account, detailsPath(role, account.role, account._id))),
  );
  return { items, searching: query !== text || found.some((part) => part.isFetching) };
}
