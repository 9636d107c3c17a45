import { createSessionCalls } from '@drawhouse/session/session-calls';
import { currentAddress, go } from '../navigation.ts';
import { call } from '../server/playerApi.ts';
import { routes } from '../server/playerRoutes.ts';
import * as session from './playerSession.ts';
import { endSession, getSession } from './playerSession.ts';
import { dropSlips } from '../betting/unsentSlips.ts';
import { beginWalletRead } from '../betting/wallet.ts';

/** Polled slowly, because placing a bet reports it at once. */
const POLL_EVERY_MS = 60_000;

export const { refreshSession, useRestoring, useClockDisagreement } = createSessionCalls(
  session,
  async (how) => {
    const token = getSession()?.token;
    const noteWallet = beginWalletRead();
    const answer = await call(routes.session, {}, how);
    const { walletBalance } = answer.user;
    if (!how.background && getSession()?.token === token) noteWallet({ walletBalance });
    return answer;
  },
  POLL_EVERY_MS,
);

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
  if (!/^\/(?:auth\/login|sign-in)$/.test(currentAddress().pathname)) go('/auth/login');
  return answered;
}
