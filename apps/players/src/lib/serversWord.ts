import { call, CallFailure } from './playerCall.ts';
import { routes } from './playerRoutes.ts';
import { endSession, getSession, updateSession } from './playerSession.ts';
import { noteWallet } from './wallet.ts';

/**
 * Asks the server who is signed in and until when, which keeps the session alive, and takes that over. A refusal ends the session here; no
 * answer at all does not, so that a server that is started anew signs nobody out. Throws what the call throws.
 */
export async function askServersWord(signal?: AbortSignal): Promise<void> {
  const token = getSession()?.token;
  try {
    const { user, expiresAt } = await call(routes.session, {}, { signal });
    if (getSession()?.token !== token) return;
    updateSession(user, expiresAt);
    noteWallet({ walletBalance: user.walletBalance });
  } catch (error) {
    if (error instanceof CallFailure && [400, 401, 403, 404].includes(error.status)) endSession('ended', token);
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
  return answered;
}
