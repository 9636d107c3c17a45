import { liveTables } from '@drawhouse/contract/live/live-tables';
import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorMessage } from '../../../lib/api.ts';
import { queryKeys } from '../../../lib/queryKeys.ts';
import { addClockSample, clockOffset } from '../drawClock.ts';

/** The tables are asked for again so often, while somebody looks. */
const EVERY_MS = 2_500;

/** All live panels as they now are. */
export interface LiveTables {
  /** Undefined until they are there. A table that did not change stays the same object. */
  tables: readonly LiveTable[] | undefined;
  /** Milliseconds that the server's clock is ahead of ours. */
  offset: number;
  /** When the server told them. */
  at: string | undefined;
  /** Why they could not be loaded, or are not up to date. */
  error: string | null;
  retry: () => void;
}

/** The live panels of the signed-in operator, asked for again and again without keeping the session alive. */
export function useLiveTables(): LiveTables {
  const { data, error, refetch } = useQuery({
    queryKey: [queryKeys.live, 'tables'],
    queryFn: async ({ signal, client, queryKey }) => {
      const background = client.getQueryData(queryKey) !== undefined;
      const answer = await call(liveTables, {}, { signal, background });
      return { ...answer, receivedAt: Date.now() };
    },
    refetchInterval: EVERY_MS,
    staleTime: 0,
  });
  // Each try begins without the error of the one before: shown by itself that would come and go every few seconds.
  const [failure, setFailure] = useState<Error | null>(null);
  const told = data ? error : (error ?? failure);
  if (told !== failure) setFailure(told);
  const [clock, setClock] = useState<{ of: string; samples: readonly number[] }>({ of: '', samples: [] });
  if (data && clock.of !== data.serverTime)
    setClock({ of: data.serverTime, samples: addClockSample(clock.samples, data.serverTime, data.receivedAt) });

  return {
    tables: data?.data,
    offset: clockOffset(clock.samples),
    at: data?.serverTime,
    error: told && errorMessage(told),
    retry: () => void refetch(),
  };
}
