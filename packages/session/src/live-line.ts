import { io, type Socket } from 'socket.io-client';
import { pingServer, socketQuery } from './server-reach.ts';
import { sessionEndOf, type SessionEnd } from './session-end.ts';

const RETRY_MS = 1000;

/** Retries every second, without limit. */
export function openLine(token: string | undefined, randomizationFactor: number): Socket {
  const line = io({
    auth: { token },
    query: socketQuery(token),
    transports: ['websocket', 'polling'],
    // Some networks block WebSockets.
    tryAllTransports: true,
    reconnectionDelay: RETRY_MS,
    reconnectionDelayMax: RETRY_MS,
    randomizationFactor,
  });
  return line.on('connect_error', ({ message }) => {
    // Some networks drop the WebSocket handshake silently.
    if (message === 'timeout') line.io.opts.transports = ['polling', 'websocket'];
  });
}

interface LineWatch {
  readonly token: string;
  readonly endSession: (why: SessionEnd, token: string) => void;
  readonly onConnect: (wasLost: boolean) => void;
  readonly onLost?: () => void;
  /** Newer pages of the session took over. */
  readonly onCrowdedOut: () => void;
  /** After a refusal that does not end the session. */
  readonly tryAgainMs?: number;
}

/** Ends the session when the server does. Returns a stop function. */
export function watchLine(line: Socket, watch: LineWatch): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasLost = false;
  let isCrowdedOut = false;
  const connectIn = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!line.active) line.connect();
    }, ms);
  };
  const listeners = {
    connect() {
      watch.onConnect(wasLost);
      wasLost = isCrowdedOut = false;
    },
    disconnect() {
      if (isCrowdedOut) return;
      wasLost = true;
      watch.onLost?.();
      // After a server-side disconnect, e.g. at session end, Socket.IO does not reconnect.
      if (line.active) void pingServer();
      else connectIn(RETRY_MS);
    },
    connect_error({ data }: Error & { data?: { code?: unknown } }) {
      const end = sessionEndOf(data?.code);
      if (end) return watch.endSession(end, watch.token);
      watch.onLost?.();
      if (!line.active) connectIn(watch.tryAgainMs ?? RETRY_MS);
    },
    error({ code }: { code: string }) {
      if (code !== 'TOO_MANY_SOCKETS') return;
      isCrowdedOut = true;
      watch.onCrowdedOut();
    },
  };
  for (const [event, listener] of Object.entries(listeners)) line.on(event, listener);
  return () => {
    clearTimeout(timer);
    for (const [event, listener] of Object.entries(listeners)) line.off(event, listener);
  };
}
