import { markOwnNotices, ownNotices } from '@drawhouse/contract/auth/own-notices';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, callQuery } from './api.ts';
import { reload } from './queryClient.ts';

const QUERY_KEY = ['notices', 'own'] as const;
const POLL_EVERY_MS = 60_000;

/** Notices to the signed-in person, whatever its rights. */
export function useOwnNotices(enabled = true) {
  return useQuery({
    ...callQuery(QUERY_KEY, ownNotices, {}, { background: true }),
    refetchInterval: POLL_EVERY_MS,
    enabled,
  });
}

/** Notices that came since stay unread. */
export function useMarkOwnNotices() {
  return useMutation({
    mutationFn: (newestAt: string) => call(markOwnNotices, { body: { until: newestAt } }),
    onSettled: () => reload(QUERY_KEY),
  });
}
