import type { LiveEvents } from '@drawhouse/contract/live/live';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import { getSession, onSession } from './session.ts';

/** The live connection: what the server sends, and what the client may send. */
export type LiveSocket = Socket<
  Pick<LiveEvents, 'responseData' | 'panelChange' | 'error'>,
  Pick<LiveEvents, 'gameData'>
>;

const RETRY_MS = 1000;
/** A tab without a panel keeps its connection so long, in case it opens the next one; then it leaves it to other tabs. */
const KEEP_MS = 10_000;

let socket: LiveSocket | undefined;
let socketToken: string | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

/** The one live connection of this tab, signed in with the session's token; it reconnects for ever, every second. */
export function liveSocket(): LiveSocket {
  clearTimeout(leaving);
  const token = getSession()?.token;
  if (socket && socketToken === token) return socket;
  socket?.disconnect();
  socketToken = token;
  socket = io({
    auth: { token },
    transports: ['websocket', 'polling'],
    // Some networks let no WebSocket through.
    tryAllTransports: true,
    reconnectionAttempts: Infinity,
    reconnectionDelay: RETRY_MS,
    reconnectionDelayMax: RETRY_MS,
    randomizationFactor: 0,
  });
  socket.on('connect_error', ({ message }) => {
    // Some networks swallow what begins a WebSocket, and say nothing.
    if (message === 'timeout') socket!.io.opts.transports = ['polling', 'websocket'];
  });
  return socket;
}

/**
 * Says that a panel needs the live connection no more. Where nobody else in this tab listens to it, it is given up after a while: a
 * session has only a few of them, and its tabs share them.
 */
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
