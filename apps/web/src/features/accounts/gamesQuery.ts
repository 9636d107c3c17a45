import { gameList } from '@drawhouse/contract/games/game-catalogue';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';

export const GAMES = queryOptions({
  queryKey: [queryKeys.games, 'catalogue'],
  queryFn: ({ signal }) => call(gameList.route, {}, { signal }),
});
