import { networkRestoring, followRestoring } from '@drawhouse/session/server-reach';
import { sessionFetchFailure } from '@drawhouse/session/session-end';
import { ApiError } from '@drawhouse/session/api-client';
import { currentAddress, go } from '../navigation.ts';
import { call } from '../server/playerApi.ts';
import { routes } from '../server/playerRoutes.ts';
import { endSession, getSession, updateSession, useSession } from './playerSession.ts';
import { dropSlips } from '../betting/unsentSlips.ts';
import { beginWalletRead } from '../betting/wallet.ts';
import { useEffect } from 'react';

/** Extends the session. Failures end it, except missing answers and retry codes: a server restart signs nobody out. */
export async function refreshSession(signal?: AbortSignal): Promise<void> {
  const token = getSession()?.token;
  const noteWallet = beginWalletRead();
  try {
    const { user, expiresAt, restoring } = await call(routes.session, {}, { signal });
    if (getSession()?.token !== token) return;
    networkRestoring.set(restoring);
    updateSession(user, expiresAt);
    noteWallet({ walletBalance: user.walletBalance });
  } catch (error) {
    if (error instanceof ApiError && sessionFetchFailure(error.status) === 'ended') endSession('ended', token);
    throw error;
  }
}

/** Ends the session at once, before the server answers. Resolves to the server's error, if any. */
export async function signOut(): Promise<unknown> {
  const answered = call(routes.logout, {}, { keepalive: true }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const accountId = getSession()?.user?._id;
  if (accountId !== undefined) dropSlips(localStorage, accountId);
  // Ends first: otherwise, pending requests would fail and report an unexpected end.
  endSession('signed-out');
  // Also from public pages, which would otherwise stay.
  if (!/^\/(?:auth\/login|sign-in)$/.test(currentAddress().path)) go('/auth/login');
  return answered;
}

/** Polled slowly, because placing a bet reports it at once. */
const LOOK_EVERY_MS = 60_000;

/** Polling does not extend the session. */
export function useRestoreInProgress(): boolean {
  const restoring = networkRestoring.useValue();
  const token = useSession()?.token;
  useEffect(() => {
    if (token === undefined) return undefined;
    return followRestoring(() => call(routes.session, {}, { background: true }), LOOK_EVERY_MS);
  }, [token]);
  return restoring && token !== undefined;
}
