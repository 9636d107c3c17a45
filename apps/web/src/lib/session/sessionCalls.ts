import { confirmPassword, session as sessionRoute, logout } from '@drawhouse/contract/auth/auth';
import { networkRestoring, followRestoring } from '@drawhouse/session/server-reach';
import { createPageStore } from '@drawhouse/session/page-store';
import { sessionFetchFailure } from '@drawhouse/session/session-end';
import { ApiError, isUnconfirmed, keepElevation } from '@drawhouse/session/api-client';
import { call, errorMessage } from '../server/api.ts';
import { endSession, getSession, updateSession, useSession } from './session.ts';
import { useEffect, useCallback } from 'react';
import { notifications } from '@mantine/notifications';
import { commonTexts } from '../../commonTexts.ts';
import { failureNote } from '../RequestId.tsx';

/** Afterwards the next use asks the server again. */
const SESSION_CHECK_TTL_MS = 5 * 60 * 1000;

let lastCheck: { token: string; at: number } | null = null;

/**
 * Extends the session. Signs out on failure, except without an answer or with a retryable one: a restarting or busy
 * server signs nobody out.
 */
export async function refreshSession(signal?: AbortSignal) {
  const token = getSession()?.token;
  if (token !== undefined) lastCheck = { token, at: Date.now() };
  try {
    const answer = await call(sessionRoute, {}, { signal });
    if (getSession()?.token === token) updateSession(answer.user, answer.expiresAt);
    networkRestoring.set(answer.restoring);
    waitingApprovals.set(answer.waitingApprovals ?? 0);
    return answer;
  } catch (error) {
    if (error instanceof ApiError && sessionFetchFailure(error.status) === 'ended') endSession('ended', token);
    throw error;
  }
}

export function isSessionCheckStale(token: string): boolean {
  return lastCheck?.token === token && Math.abs(Date.now() - lastCheck.at) > SESSION_CHECK_TTL_MS;
}

/** No event reports a restore that began elsewhere, nor a request for approval. */
const POLL_EVERY_MS = 15_000;

export const waitingApprovals = createPageStore(0);

async function askSession() {
  const answer = await call(sessionRoute, {}, { background: true });
  waitingApprovals.set(answer.waitingApprovals ?? 0);
  return answer;
}

/** Polling does not extend the session. */
export function useRestoring(): boolean {
  const restoring = networkRestoring.useValue();
  const session = useSession();
  const token = session?.user && session.token;
  useEffect(() => {
    if (token === undefined) return undefined;
    return followRestoring(askSession, POLL_EVERY_MS);
  }, [token]);
  return restoring && token !== undefined;
}

export function useSignOut(): () => Promise<void> {
  return useCallback(async () => {
    const answered = call(logout, {}, { fallback: commonTexts.auth.logoutFailed });
    // First: otherwise pending requests would fail and report an unexpected end.
    endSession('signed-out');
    try {
      await answered;
    } catch (error) {
      notifications.show({ color: 'red', message: failureNote(errorMessage(error)) });
    }
  }, []);
}

type Proof = { password: string } | { code: string } | { passkey: string; challenge: string };

/** Takes the password or a second factor. Keeps the elevation. */
export async function confirmSelf(proof: Proof): Promise<void> {
  try {
    const { elevation } = await call(confirmPassword, { body: proof });
    keepElevation(getSession()?.token ?? '', elevation, Date.now());
  } catch (error) {
    // The factor was added elsewhere: the page learns it, and asks for the code.
    if (isUnconfirmed(error)) await refreshSession();
    throw error;
  }
}
