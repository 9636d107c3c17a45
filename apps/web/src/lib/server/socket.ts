import type { LiveEvents } from '@drawhouse/contract/live/live';
import { openLine } from '@drawhouse/session/live-line';
import type { Socket } from 'socket.io-client';
import { getSession, onSession } from '../session/session.ts';

export type LiveSocket = Socket<
  Pick<LiveEvents, 'responseData' | 'panelChange' | 'error'>,
  Pick<LiveEvents, 'gameData'>
>;

/** Leaves time to open the next panel. Then the connection is free for other tabs. */
const KEEP_MS = 10_000;

let socket: LiveSocket | undefined;
let socketToken: string | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

/** Each tab has one. */
export function liveSocket(): LiveSocket {
  clearTimeout(leaving);
  return (socket ??= openLine((socketToken = getSession()?.token), 0));
}

/** Keeps the connection if another listener of this tab uses it. Tabs share the session's few connections. */
export function leaveSocket(): void {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    if (!socket?.hasListeners('disconnect')) socket?.disconnect();
  }, KEEP_MS);
}

onSession(() => {
  if (getSession()?.token === socketToken) return;
  socket?.disconnect();
  socket = undefined;
});
