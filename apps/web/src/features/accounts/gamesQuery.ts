import { gameList } from '@drawhouse/contract/games/game-catalogue';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';

/** The games of the catalogue, of which an admin gets some or all. */
export const GAMES = queryOptions({
  queryKey: [queryKeys.games, 'catalogue'],
  queryFn: ({ signal }) => call(gameList.route, {}, { signal }),
});
