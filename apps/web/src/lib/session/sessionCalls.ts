import { confirmPassword, session as sessionRoute, logout } from '@drawhouse/contract/auth/auth';
import { createPageStore } from '@drawhouse/session/page-store';
import { createSessionCalls } from '@drawhouse/session/session-calls';
import { isUnconfirmed, keepElevation } from '@drawhouse/session/api-client';
import { call, errorMessage } from '../server/api.ts';
import * as session from './session.ts';
import { endSession, getSession } from './session.ts';
import { useCallback } from 'react';
import { notifications } from '@mantine/notifications';
import { commonTexts } from '../../commonTexts.ts';
import { failureNote } from '../RequestId.tsx';

/** Afterwards the next use asks the server again. */
const SESSION_CHECK_TTL_MS = 5 * 60 * 1000;
/** No event reports a restore that began elsewhere, nor a request for approval. */
const POLL_EVERY_MS = 15_000;

let lastCheck: { token: string; at: number } | null = null;
export const waitingApprovals = createPageStore(0);

export const { refreshSession, useRestoring, useClockDisagreement } = createSessionCalls(
  session,
  async (how) => {
    const token = getSession()?.token;
    if (token !== undefined && !how.background) lastCheck = { token, at: Date.now() };
    const answer = await call(sessionRoute, {}, how);
    waitingApprovals.set(answer.waitingApprovals ?? 0);
    return answer;
  },
  POLL_EVERY_MS,
);

export function isSessionCheckStale(token: string): boolean {
  return lastCheck?.token === token && Math.abs(Date.now() - lastCheck.at) > SESSION_CHECK_TTL_MS;
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
