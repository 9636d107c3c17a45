import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { callQuery } from '../../lib/server/api.ts';
import { gameList } from '@drawhouse/contract/games/game-catalogue';

const SHOWING_ACCOUNTS: ReadonlySet<unknown> = new Set(['accounts', 'counts', 'games', 'credit']);

/** Invalidates all dependent queries, except those of a deleted account. */
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

export const GAMES = queryOptions(callQuery(['games', 'catalogue'], gameList.route, {}));
