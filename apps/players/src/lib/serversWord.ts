import { noteRestoring } from '@drawhouse/session/network-restoring';
import { sessionFetchFailure } from '@drawhouse/session/session-fetch';
import { ApiError } from '@drawhouse/session/api-client';
import { currentAddress, go } from './navigation.ts';
import { call } from './playerApi.ts';
import { routes } from './playerRoutes.ts';
import { endSession, getSession, updateSession } from './playerSession.ts';
import { noteWallet } from './wallet.ts';

/**
 * Asks the server who is signed in and until when, which keeps the session alive, and takes that over. A failure ends the session here,
 * unless no answer came or the server asks to try again: a server that restarts signs nobody out. Throws the failure of the call.
 */
export async function askServersWord(signal?: AbortSignal): Promise<void> {
  const token = getSession()?.token;
  try {
    const { user, expiresAt, restoring } = await call(routes.session, {}, { signal });
    if (getSession()?.token !== token) return;
    noteRestoring(restoring);
    updateSession(user, expiresAt);
    noteWallet({ walletBalance: user.walletBalance });
  } catch (error) {
    if (error instanceof ApiError && sessionFetchFailure(error.status) === 'ended') endSession('ended', token);
    throw error;
  }
}

/** Signs out here and at the server. Answers what went wrong there; here nobody is signed in any more. */
export async function signOut(): Promise<unknown> {
  const answered = call(routes.logout, {}, { keepalive: true }).then(
    () => undefined,
    (error: unknown) => error,
  );
  // Not after the answer: what the page still asks for would be refused before it, and be said to be an end that nobody asked for.
  endSession('signed-out');
  // From a public page too, which stays where it is.
  if (!/^\/(?:auth\/login|sign-in)$/.test(currentAddress().path)) go('/auth/login');
  return answered;
}
