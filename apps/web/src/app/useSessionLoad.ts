import { session as sessionRoute } from '@drawhouse/contract/auth';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError, call } from '../lib/api.ts';
import { queryKeys } from '../lib/queryKeys.ts';
import { endSession, updateSession } from '../lib/session.ts';
import { useSession } from '../lib/useSession.ts';

/**
 * Asks the server who is signed in and until when, and takes that over. A refusal clears the stored session; no answer
 * at all does not, so that a server that restarts signs nobody out.
 */
export function useSessionLoad(): UseQueryResult<unknown> {
  const token = useSession()?.token;
  return useQuery({
    queryKey: [queryKeys.session, token],
    queryFn: async ({ signal }) => {
      try {
        const answer = await call(sessionRoute, {}, { signal });
        updateSession(answer.user, answer.expiresAt);
        return answer;
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) endSession('ended', token);
        throw error;
      }
    },
    enabled: token !== undefined,
  });
}
