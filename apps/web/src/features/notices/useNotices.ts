import { listNotices } from '@drawhouse/contract/notices/notices';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';

/** Milliseconds. Conditions may change at any time. */
const LOOK_EVERY_MS = 30_000;

/** Polls; undefined before the first answer. */
export function useNotices(): RouteAnswer<typeof listNotices> | undefined {
  const { data } = useQuery({
    queryKey: [queryKeys.notices],
    queryFn: ({ signal }) => call(listNotices, {}, { signal, background: true }),
    refetchInterval: LOOK_EVERY_MS,
  });
  return data;
}
