import { liveResult } from '@drawhouse/contract/live/live-results';
import type { Panel } from '@drawhouse/contract/live/live';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import { useQuery } from '@tanstack/react-query';
import { call, errorMessage } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/queryKeys.ts';

export interface ResultSums {
  sums: RouteAnswer<typeof liveResult> | undefined;
  error: string | null;
  retry: () => void;
}

/** Cached forever and shared: totals of a settled draw never change. */
export function useResultSums({ gameId, adminId }: Pick<Panel, 'gameId' | 'adminId'>, drawId: string): ResultSums {
  const { data, error, refetch } = useQuery({
    queryKey: [queryKeys.live, 'result', drawId],
    queryFn: ({ signal }) => call(liveResult, { query: { gameId, adminId, drawId } }, { signal, background: true }),
    staleTime: Infinity,
  });
  return { sums: data, error: error && errorMessage(error), retry: () => void refetch() };
}
