import { session as sessionRoute } from '@drawhouse/contract/auth/auth';
import { noteRestoring } from '@drawhouse/session/network-restoring';
import { sessionFetchFailure } from '@drawhouse/session/session-fetch';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from './api.ts';
import { endSession, getSession, updateSession } from './session.ts';

/** A use that comes this long after the server's last word on the session's end asks for a new one. */
const WORD_GOOD_FOR_MS = 5 * 60 * 1000;

let asked: { token: string; at: number } | null = null;

/**
 * Asks the server who is signed in and until when, which keeps the session alive, and takes that over. A failure ends the session here,
 * unless no answer came or the server asks to try again: a server that restarts or is busy signs nobody out.
 */
export async function askSession(signal?: AbortSignal) {
  const token = getSession()?.token;
  if (token !== undefined) asked = { token, at: Date.now() };
  try {
    const answer = await call(sessionRoute, {}, { signal });
    if (getSession()?.token === token) updateSession(answer.user, answer.expiresAt);
    noteRestoring(answer.restoring);
    return answer;
  } catch (error) {
    if (error instanceof ApiError && sessionFetchFailure(error.status) === 'ended') endSession('ended', token);
    throw error;
  }
}

/** Whether it is long ago that the server was asked about this session; each use since then was only counted here. */
export function isWordOld(token: string): boolean {
  return asked?.token === token && Math.abs(Date.now() - asked.at) > WORD_GOOD_FOR_MS;
}
