import { queryOptions } from '@tanstack/react-query';
import { callQuery } from '../../lib/server/api.ts';
import { queryClient } from '../../lib/server/queryClient.ts';
import { gameList } from '@drawhouse/contract/games/game-catalogue';

const SHOWING_ACCOUNTS: ReadonlySet<unknown> = new Set(['accounts', 'counts', 'games', 'credit']);

/** Refetches what shows accounts, except a deleted account. */
export function reloadAccounts(deletedId?: string): Promise<unknown> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      SHOWING_ACCOUNTS.has(queryKey[0]) && (deletedId === undefined || !queryKey.includes(deletedId)),
  });
}

export const GAMES = queryOptions(callQuery(['games', 'catalogue'], gameList.route, {}));
