import { compareNames, hasAllWords } from '../../../lib/format/format.ts';
import { livePairs, type LivePair } from '@drawhouse/contract/games/game-pair';
import { useQuery } from '@tanstack/react-query';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { useUser } from '../../../lib/session/session.ts';
import { hasLiveMenu } from '../../staffPages.ts';

export interface AdminPanels {
  adminId: string;
  username: string;
  pairs: readonly LivePair[];
}

export function pairKey({ adminId, gameId }: LivePair): string {
  return `${adminId}/${gameId}`;
}

export function searchPairs(pairs: readonly LivePair[], search: string): readonly LivePair[] {
  return pairs.filter((pair) => hasAllWords(`${pair.gameName} ${pair.username}`, search));
}

/** Null if all panels are the user's own: their admin need not be named. */
export function groupsOfOthers(pairs: readonly LivePair[], ownId: string): readonly AdminPanels[] | null {
  if (pairs.every(({ adminId }) => adminId === ownId)) return null;
  const groups = new Map<string, AdminPanels & { pairs: LivePair[] }>();
  for (const pair of pairs) {
    const { adminId, username } = pair;
    const group = groups.get(adminId) ?? { adminId, username, pairs: [] };
    group.pairs.push(pair);
    groups.set(adminId, group);
  }
  return [...groups.values()].toSorted((a, b) => compareNames(a.username, b.username));
}

interface LivePairs {
  pairs: readonly LivePair[] | undefined;
  error: string | null;
  retry: () => void;
}

export function useLivePairs(): LivePairs {
  const user = useUser();
  const { data, error, refetch } = useQuery({
    ...callQuery(['games', 'pairs', user._id], livePairs, {}),
    enabled: hasLiveMenu(user.role),
  });
  return {
    pairs: data?.data,
    error: error && !data ? errorMessage(error) : null,
    retry: () => void refetch(),
  };
}
