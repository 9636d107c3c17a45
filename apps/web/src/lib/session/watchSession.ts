import { pingServer } from '@drawhouse/session/server-reach';
import { onVisible } from '../server/pageVisibility.ts';
import { endSession } from './session.ts';
import { sessionEndOf } from '@drawhouse/session/session-end';
import { liveSocket } from '../server/socket.ts';

/** After a disconnect by the server, which may have ended the session. */
const ASK_AGAIN_MS = 1000;
const TRY_AGAIN_MS = 30_000;

type Refused = Error & { data?: { code?: unknown } };

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
    // The server closed it, as at the session's end.
    if (!socket.active) connectIn(ASK_AGAIN_MS);
    else void pingServer();
  };
  const onRefused = (error: Refused): void => {
    const end = sessionEndOf(error.data?.code);
    if (end) endSession(end, token);
    else if (!socket.active) connectIn(TRY_AGAIN_MS);
  };
  const onConnect = (): void => {
    // The server may have restarted with another release.
    if (wasLost) void pingServer();
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
