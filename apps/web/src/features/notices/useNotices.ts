import { listNotices } from '@drawhouse/contract/notices/notices';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../../lib/server/api.ts';
import { useOwnNotices } from '../../lib/server/useOwnNotices.ts';

export type Notice = RouteAnswer<typeof listNotices>['data'][number];

/** Conditions may change at any time. */
const POLL_EVERY_MS = 10_000;

function useNoticeQuery(enabled: boolean) {
  return useQuery({
    ...callQuery(['notices'], listNotices, {}, { background: true }),
    refetchInterval: POLL_EVERY_MS,
    enabled,
  });
}

export function useNotices(enabled = true): RouteAnswer<typeof listNotices> | undefined {
  return useNoticeQuery(enabled).data;
}

export function useNoticesLoading(enabled: boolean): boolean {
  const own = useOwnNotices(enabled);
  return useNoticeQuery(enabled).isLoading || own.isLoading;
}

/** False for the server's setup, which persists until changed. */
export function isPassing({ code, until, detail, last, table }: Notice): boolean {
  return (
    until !== undefined ||
    detail !== undefined ||
    last !== undefined ||
    table !== undefined ||
    code === 'SELLING_STOPPED'
  );
}

export function needsPerson({ mark }: Notice, now: number = Date.now()): boolean {
  return mark === undefined || (mark.until !== null && Date.parse(mark.until) <= now);
}

/** Groups by kind, in order of the first of each; marked ones separately. */
export function groupNotices(notices: readonly Notice[]): readonly (readonly [Notice, ...Notice[]])[] {
  return [...Map.groupBy(notices, (notice) => `${notice.code} ${needsPerson(notice)}`).values()] as [
    Notice,
    ...Notice[],
  ][];
}
