import { lookForServer } from '@drawhouse/session/server-reach';
import { whenLookedAt } from './lookedAt.ts';
import { endSession } from './session.ts';
import { sessionEndOf } from '@drawhouse/session/session-end';
import { liveSocket } from './socket.ts';

/** After the server has closed a connection it is asked for again so soon, to hear whether the session still stands. */
const ASK_AGAIN_MS = 1000;
/** A connection that is refused for another reason is tried again so soon. */
const TRY_AGAIN_MS = 30_000;

/** Why the server refuses a live connection: a code of the contract in `data`. */
type Refused = Error & { data?: { code?: unknown } };

/**
 * Ends the session here as soon as the server has ended it: the live connection is cut then, and refused when it is asked for again.
 * Of the tabs of one browser that share a session one holds the connection, and the others follow it. One that has to give its
 * connection up to newer tabs leaves the watch to them until it is looked at again: coming back at once it would put one of them out
 * in turn. Answers how to stop.
 */
export function watchSession(token: string): () => void {
  const stop = new AbortController();
  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      const leave = (): void => {
        stop.signal.removeEventListener('abort', leave);
        unwatch();
        resolve();
      };
      const unwatch = watchSocket(token, () => {
        leave();
        const unlook = whenLookedAt(() => {
          unlook();
          begin();
        });
        stop.signal.addEventListener('abort', unlook);
      });
      stop.signal.addEventListener('abort', leave);
    });
  const begin = (): void => {
    // Browsers withhold locks on plain http outside localhost: there every tab has a connection of its own.
    if ('locks' in navigator) {
      navigator.locks.request(`session ${token}`, { signal: stop.signal }, hold).catch(() => undefined);
    } else void hold();
  };
  begin();
  return () => stop.abort();
}

function watchSocket(token: string, onCrowdedOut: () => void): () => void {
  const socket = liveSocket();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasLost = false;
  const connectIn = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!socket.active) socket.connect();
    }, ms);
  };
  const onLost = (): void => {
    wasLost = true;
    // What the client does not try again by itself was closed by the server, as when the session ends.
    if (!socket.active) connectIn(ASK_AGAIN_MS);
    else void lookForServer();
  };
  const onRefused = (error: Refused): void => {
    const end = sessionEndOf(error.data?.code);
    if (end) endSession(end, token);
    else if (!socket.active) connectIn(TRY_AGAIN_MS);
  };
  const onConnect = (): void => {
    // The server may have been started anew, with another release.
    if (wasLost) void lookForServer();
    wasLost = false;
  };
  const onError = ({ code }: { code: string }): void => {
    if (code === 'TOO_MANY_SOCKETS') onCrowdedOut();
  };
  socket.on('error', onError);
  socket.on('disconnect', onLost);
  socket.on('connect_error', onRefused);
  socket.on('connect', onConnect);
  if (!socket.connected && !socket.active) socket.connect();
  return () => {
    clearTimeout(timer);
    socket.off('error', onError);
    socket.off('disconnect', onLost);
    socket.off('connect_error', onRefused);
    socket.off('connect', onConnect);
  };
}
