import { ApiError } from '@drawhouse/session/api-client';
import { QueryClient, type QueryKey } from '@tanstack/react-query';

const RETRIES = 2;

/**
 * Retries server errors only: a refusal is final, and a lost connection is shown at once. A reconnect refetches
 * everything visible.
 */
function isWorthRetrying(failures: number, error: Error): boolean {
  const answered = !(error instanceof ApiError) || error.status >= 500;
  return answered && failures < RETRIES;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a connection, calls fail at once. The default would send them later without asking.
    queries: { retry: isWorthRetrying, staleTime: 5000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
});

/** Refetches queries whose keys have this prefix: visible ones now, others when shown. */
export function reload(...keys: readonly QueryKey[]): Promise<unknown> {
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
