import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { sessionFetchFailure, sessionFetchPause } from '@drawhouse/session/session-fetch';
import { ApiError } from '@drawhouse/session/api-client';
import { askSession } from '../lib/askSession.ts';
import { queryKeys } from '../lib/queryKeys.ts';
import { useSession } from '../lib/useSession.ts';

/** Asks the server who is signed in and until when, once for each session of this tab. */
export function useSessionLoad(): UseQueryResult<unknown> {
  const token = useSession()?.token;
  return useQuery({
    queryKey: [queryKeys.session, token],
    queryFn: ({ signal }) => askSession(signal),
    enabled: token !== undefined,
    refetchOnWindowFocus: false,
    // Any failure that leaves the session standing passes by itself.
    retry: (_, error) => !(error instanceof ApiError) || sessionFetchFailure(error.status) !== 'ended',
    retryDelay: (failures) => sessionFetchPause(failures + 1),
  });
}
