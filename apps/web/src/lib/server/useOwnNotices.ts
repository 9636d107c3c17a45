import { markOwnNotices, ownNotices } from '@drawhouse/contract/auth/own-notices';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, callQuery } from './api.ts';

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

/** Marks the listed notices as read. Those that came since stay unread. */
export function useMarkOwnNotices() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (newestAt: string) => call(markOwnNotices, { body: { until: newestAt } }),
    onSettled: () => queries.invalidateQueries({ queryKey: QUERY_KEY }),
  });
}
