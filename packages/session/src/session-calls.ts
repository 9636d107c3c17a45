import type { session as sessionRoute } from '@drawhouse/contract/auth/auth';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { useEffect } from 'react';
import { ApiError, type CallOptions } from './api-client.ts';
import { followRestoring, networkRestoring } from './server-reach.ts';
import { sessionFetchFailure } from './session-end.ts';
import type { SessionStore } from './session-store.ts';

type Answer = RouteAnswer<typeof sessionRoute>;

/** Lets the server answer after the device wakes up. */
const DOUBT_MS = 4000;

export function createSessionCalls(
  session: Pick<SessionStore, 'getSession' | 'updateSession' | 'endSession' | 'useSession' | 'useSessionTime'>,
  ask: (how: CallOptions) => Promise<Answer>,
  pollEveryMs: number,
) {
  /**
   * Extends the session. Signs out on failure, except without an answer or with a retryable one: a restarting or busy
   * server signs nobody out.
   */
  async function refreshSession(signal?: AbortSignal): Promise<Answer> {
    const token = session.getSession()?.token;
    try {
      const answer = await ask({ signal });
      if (session.getSession()?.token === token) {
        networkRestoring.set(answer.restoring);
        session.updateSession(answer.user, answer.expiresAt);
      }
      return answer;
    } catch (error) {
      if (error instanceof ApiError && sessionFetchFailure(error.status) === 'ended')
        session.endSession('ended', token);
      throw error;
    }
  }

  /** Polling does not extend the session. */
  function useRestoring(): boolean {
    const restoring = networkRestoring.useValue();
    const token = session.useSession()?.token;
    useEffect(() => {
      if (token === undefined) return undefined;
      return followRestoring(() => ask({ background: true }), pollEveryMs);
    }, [token]);
    return restoring && token !== undefined;
  }

  /** If only one clock says that time is up, asks the server. Without a timely answer, ends the session. */
  function useClockDisagreement(): void {
    const token = session.useSession()?.token;
    const isDoubtful = session.useSessionTime().phase === 'doubtful';
    useEffect(() => {
      if (isDoubtful) refreshSession(AbortSignal.timeout(DOUBT_MS)).catch(() => session.endSession('ended', token));
    }, [isDoubtful, token]);
  }

  return { refreshSession, useRestoring, useClockDisagreement };
}
