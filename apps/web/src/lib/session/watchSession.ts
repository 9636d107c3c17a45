import { watchLine } from '@drawhouse/session/live-line';
import { pingServer } from '@drawhouse/session/server-reach';
import { onVisible } from '../server/pageVisibility.ts';
import { endSession } from './session.ts';
import { liveSocket } from '../server/socket.ts';

const TRY_AGAIN_MS = 30_000;

/**
 * Ends the session when the server does: the live connection drops and reconnecting is refused. Tabs of one browser
 * share one connection, guarded by a lock. A tab whose connection is evicted waits until it is visible again;
 * reconnecting at once would evict another. Returns a stop function.
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
        const unlook = onVisible(() => {
          unlook();
          begin();
        });
        stop.signal.addEventListener('abort', unlook);
      });
      stop.signal.addEventListener('abort', leave);
    });
  const begin = (): void => {
    // Browsers withhold locks on plain http outside localhost. There, every tab connects.
    if ('locks' in navigator) {
      navigator.locks.request(`session ${token}`, { signal: stop.signal }, hold).catch(() => undefined);
    } else void hold();
  };
  begin();
  return () => stop.abort();
}

function watchSocket(token: string, onCrowdedOut: () => void): () => void {
  const socket = liveSocket();
  const stop = watchLine(socket, {
    token,
    endSession,
    // The server may have restarted with another release.
    onConnect: (wasLost) => wasLost && void pingServer(),
    onCrowdedOut,
    tryAgainMs: TRY_AGAIN_MS,
  });
  if (!socket.connected && !socket.active) socket.connect();
  return stop;
}
