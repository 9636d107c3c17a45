import type { LiveEvents } from '@drawhouse/contract/live/live';
import { socketQuery } from '@drawhouse/session/server-reach';
import { io, type Socket } from 'socket.io-client';
import { getSession, onSession } from '../session/session.ts';

export type LiveSocket = Socket<
  Pick<LiveEvents, 'responseData' | 'panelChange' | 'error'>,
  Pick<LiveEvents, 'gameData'>
>;

const RETRY_MS = 1000;
/** Leaves time to open the next panel. Then the connection is free for other tabs. */
const KEEP_MS = 10_000;

let socket: LiveSocket | undefined;
let socketToken: string | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

/** Each tab has one. Retries every second, without limit. */
export function liveSocket(): LiveSocket {
  clearTimeout(leaving);
  const token = getSession()?.token;
  if (socket && socketToken === token) return socket;
  socket?.disconnect();
  socketToken = token;
  socket = io({
    auth: { token },
    query: socketQuery(token),
    transports: ['websocket', 'polling'],
    // Some networks block WebSockets.
    tryAllTransports: true,
    reconnectionAttempts: Infinity,
    reconnectionDelay: RETRY_MS,
    reconnectionDelayMax: RETRY_MS,
    randomizationFactor: 0,
  });
  socket.on('connect_error', ({ message }) => {
    // Some networks drop the WebSocket handshake silently.
    if (message === 'timeout') socket!.io.opts.transports = ['polling', 'websocket'];
  });
  return socket;
}

/** Keeps the connection if another listener of this tab uses it. Tabs share the session's few connections. */
export function leaveSocket(): void {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    if (!socket?.hasListeners('disconnect')) socket?.disconnect();
  }, KEEP_MS);
}

onSession(() => {
  if (!socket || getSession()?.token === socketToken) return;
  socket.disconnect();
  socket = undefined;
  socketToken = undefined;
});
