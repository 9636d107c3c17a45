import { session as sessionRoute } from '@drawhouse/contract/auth/auth';
import { networkRestoring } from '@drawhouse/session/network-restoring';
import { sessionFetchFailure } from '@drawhouse/session/session-fetch';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../server/api.ts';
import { endSession, getSession, updateSession } from './session.ts';

/** Older confirmations of the session are stale: the next use asks the server again. */
const SESSION_CHECK_TTL_MS = 5 * 60 * 1000;

let asked: { token: string; at: number } | null = null;

/**
 * Refreshes the account and the session end, which extends the session. Signs out on failure, except without an answer
 * or with a retryable one: a restarting or busy server signs nobody out.
 */
export async function refreshSession(signal?: AbortSignal) {
  const token = getSession()?.token;
  if (token !== undefined) asked = { token, at: Date.now() };
  try {
    const answer = await call(sessionRoute, {}, { signal });
    if (getSession()?.token === token) updateSession(answer.user, answer.expiresAt);
    networkRestoring.set(answer.restoring);
    return answer;
  } catch (error) {
    if (error instanceof ApiError && sessionFetchFailure(error.status) === 'ended') endSession('ended', token);
    throw error;
  }
}

export function isSessionCheckStale(token: string): boolean {
  return asked?.token === token && Math.abs(Date.now() - asked.at) > SESSION_CHECK_TTL_MS;
}
