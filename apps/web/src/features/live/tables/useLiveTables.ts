import { liveTables, type LiveTable } from '@drawhouse/contract/live/live-tables';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { useClockOffset } from '../drawClock.ts';

const EVERY_MS = 2_500;

export interface LiveTables {
  /** Unchanged tables keep their identity. */
  tables: readonly LiveTable[] | undefined;
  offset: number;
  at: string | undefined;
  error: string | null;
  retry: () => void;
}

export function useLiveTables(): LiveTables {
  const { data, error, refetch } = useQuery({
    queryKey: ['live', 'tables'],
    queryFn: async ({ signal, client, queryKey }) => {
      const background = client.getQueryData(queryKey) !== undefined;
      const answer = await call(liveTables, {}, { signal, background });
      return { ...answer, receivedAt: Date.now() };
    },
    refetchInterval: EVERY_MS,
    staleTime: 0,
  });
  // Keeps the error during retries, to avoid flicker.
  const [failure, setFailure] = useState<Error | null>(null);
  const visibleError = data ? error : (error ?? failure);
  if (visibleError !== failure) setFailure(visibleError);
  const offset = useClockOffset(data);

  return {
    tables: data?.data,
    offset,
    at: data?.serverTime,
    error: visibleError && errorMessage(visibleError),
    retry: () => void refetch(),
  };
}
