import type { LiveEvents } from '@drawhouse/contract/live';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import { getSession, subscribeSession } from './session.ts';

/** The live connection: what the server sends, and what the client may send. */
export type LiveSocket = Socket<Pick<LiveEvents, 'responseData' | 'error'>, Pick<LiveEvents, 'gameData'>>;

const RETRY_MS = 1000;

let socket: LiveSocket | undefined;
let socketToken: string | undefined;

/** The one live connection of this tab, signed in with the session's token; it reconnects for ever, every second. */
export function liveSocket(): LiveSocket {
  const token = getSession()?.token;
  if (socket && socketToken === token) return socket;
  socket?.disconnect();
  socketToken = token;
  socket = io({
    auth: { token },
    transports: ['websocket', 'polling'],
    reconnectionAttempts: Infinity,
    reconnectionDelay: RETRY_MS,
    reconnectionDelayMax: RETRY_MS,
    randomizationFactor: 0,
  });
  return socket;
}

subscribeSession(() => {
  if (!socket || getSession()?.token === socketToken) return;
  socket.disconnect();
  socket = undefined;
  socketToken = undefined;
});
