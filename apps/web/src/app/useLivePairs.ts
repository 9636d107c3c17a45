import { userGames } from '@drawhouse/contract/games';
import type { AdminGame } from '@drawhouse/contract/games';
import { useQuery } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { queryKeys } from '../lib/queryKeys.ts';
import { useUser } from '../lib/useSession.ts';
import { hasLiveMenu } from './staffPages.ts';

/** The game and admin pairs whose panels the signed-in account may open; undefined until they are known. */
export function useLivePairs(): readonly AdminGame[] | undefined {
  const user = useUser();
  const { data } = useQuery({
    queryKey: [queryKeys.games, 'usergames', user._id],
    queryFn: ({ signal }) => call(userGames, { params: { id: user._id } }, { signal }),
    enabled: hasLiveMenu(user.role),
  });
  return data?.adminGameList;
}
