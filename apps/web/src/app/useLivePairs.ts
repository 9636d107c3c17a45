import { livePairs } from '@drawhouse/contract/games/live-pairs';
import type { LivePair } from '@drawhouse/contract/games/live-pairs';
import { useQuery } from '@tanstack/react-query';
import { call, errorMessage } from '../lib/api.ts';
import { queryKeys } from '../lib/queryKeys.ts';
import { useUser } from '../lib/useSession.ts';
import { hasLiveMenu } from './staffPages.ts';

export interface LivePairs {
  /** Undefined while loading. */
  pairs: readonly LivePair[] | undefined;
  error: string | null;
  retry: () => void;
}

export function useLivePairs(): LivePairs {
  const user = useUser();
  const { data, error, refetch } = useQuery({
    queryKey: [queryKeys.games, 'pairs', user._id],
    queryFn: ({ signal }) => call(livePairs, {}, { signal }),
    enabled: hasLiveMenu(user.role),
  });
  return {
    pairs: data?.data,
    error: error && !data ? errorMessage(error) : null,
    retry: () => void refetch(),
  };
}
