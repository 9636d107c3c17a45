import type { Panel, PanelChange } from '@drawhouse/contract/live/live';
import { recordRequestId } from '@drawhouse/session/api-client';
import { onVisible } from '../../../../lib/server/pageVisibility.ts';
import type { LiveSocket } from '../../../../lib/server/socket.ts';

/** Stepping through games must not join each. */
const JOIN_AFTER_MS = 300;
/** The client retries other failures itself. */
const RETRY_MS = 1_000;

const PASSING: readonly string[] = ['NOT_READY', 'INTERNAL'];

/** `crowdedOut`: other tabs use all of the session's connections. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'crowdedOut';

export function isLost(connection: Connection): boolean {
  return connection === 'reconnecting' || connection === 'crowdedOut';
}

export interface PanelRefusal {
  code: string;
  message: string;
  requestId?: string;
}

export interface PanelPair {
  readonly gameId: string;
  readonly adminId: string;
}

export interface RoomListener {
  readonly onConnection: (connection: Connection) => void;
  readonly onJoin: () => void;
  readonly onPanel: (panel: Panel) => void;
  /** May belong to another room. */
  readonly onChange: (change: PanelChange) => void;
  readonly onRefused: (refusal: PanelRefusal) => void;
}

export interface PanelRoom {
  readonly join: () => void;
  readonly leave: () => void;
}

/** Joins the room on every connection. If other tabs take the connection, waits until this tab is visible again. */
export function enterRoom(socket: LiveSocket, { gameId, adminId }: PanelPair, listener: RoomListener): PanelRoom {
  const timers: { join?: Timer; retry?: Timer } = {};
  /** Reconnecting would evict another tab. */
  let crowdedOut = false;

  const join = () => {
    clearTimeout(timers.join);
    timers.join = setTimeout(() => {
      listener.onJoin();
      socket.emit('gameData', { adminId, gameId, changes: true });
    }, JOIN_AFTER_MS);
  };
  const retry = (act: () => void) => {
    clearTimeout(timers.retry);
    timers.retry = setTimeout(act, RETRY_MS);
  };
  const onConnect = () => {
    listener.onConnection('live');
    join();
  };
  const onLost = () => {
    listener.onConnection(crowdedOut ? 'crowdedOut' : 'reconnecting');
    clearTimeout(timers.retry);
    if (!socket.active && !crowdedOut) retry(() => socket.connect());
  };
  const onPanel = (panel: Panel) => {
    if (panel.gameId === gameId && panel.adminId === adminId) listener.onPanel(panel);
  };
  const onRefused = (reason: PanelRefusal) => {
    recordRequestId(reason.message, reason.requestId);
    if (reason.code === 'TOO_MANY_SOCKETS') crowdedOut = true;
    else if (reason.code === 'THROTTLED') retry(join);
    else {
      if (PASSING.includes(reason.code)) retry(join);
      listener.onRefused(reason);
    }
  };
  const unlook = onVisible(() => {
    if (!crowdedOut) return;
    crowdedOut = false;
    listener.onConnection('reconnecting');
    socket.connect();
  });

  socket.on('connect', onConnect);
  socket.on('disconnect', onLost);
  socket.on('connect_error', onLost);
  socket.on('responseData', onPanel);
  socket.on('panelChange', listener.onChange);
  socket.on('error', onRefused);
  if (socket.connected) onConnect();
  else if (!socket.active) socket.connect();

  return {
    join,
    leave() {
      clearTimeout(timers.join);
      clearTimeout(timers.retry);
      socket.off('connect', onConnect);
      socket.off('disconnect', onLost);
      socket.off('connect_error', onLost);
      socket.off('responseData', onPanel);
      socket.off('panelChange', listener.onChange);
      socket.off('error', onRefused);
      unlook();
    },
  };
}

type Timer = ReturnType<typeof setTimeout>;
