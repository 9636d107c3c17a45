import type { Panel, PanelChange } from '@drawhouse/contract/live/live';
import { noteSaid } from '@drawhouse/session/said-failures';
import { whenLookedAt } from '../../../lib/lookedAt.ts';
import type { LiveSocket } from '../../../lib/socket.ts';

/** Joining waits this long, so that stepping through games does not join each of them. */
const JOIN_AFTER_MS = 300;
/** A connection that the server ended, or refused, is tried again after this. The client does the rest by itself. */
const RETRY_MS = 1_000;

/** Refusals that pass by themselves: the server could not answer at the moment. */
const PASSING: readonly string[] = ['NOT_READY', 'INTERNAL'];

/** How the panel's figures come: not yet, as they change, not at the moment, or not while other tabs have all connections. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'crowdedOut';

/** Whether the figures stand still. */
export function isLost(connection: Connection): boolean {
  return connection === 'reconnecting' || connection === 'crowdedOut';
}

/** Why the panel was refused. */
export interface PanelRefusal {
  code: string;
  message: string;
  requestId?: string;
}

/** A panel: one game of one admin. */
export interface PanelPair {
  readonly gameId: string;
  readonly adminId: string;
}

/** Who hears what comes of the room of a panel. */
export interface RoomListener {
  readonly onConnection: (connection: Connection) => void;
  /** The room is joined anew: it sends the whole panel first. */
  readonly onJoin: () => void;
  readonly onPanel: (panel: Panel) => void;
  /** What has changed, and maybe of another room. */
  readonly onChange: (change: PanelChange) => void;
  readonly onRefused: (refusal: PanelRefusal) => void;
}

/** The room of a panel on the live connection. */
export interface PanelRoom {
  /** Joins it anew, as a change was missed. */
  readonly join: () => void;
  /** Hears nothing more of it. */
  readonly leave: () => void;
}

/**
 * Enters the room of a panel as often as the live connection comes, and tells what it sends. A connection that other tabs have taken is
 * left to them until this one is looked at.
 */
export function enterRoom(socket: LiveSocket, { gameId, adminId }: PanelPair, listener: RoomListener): PanelRoom {
  const timers: { join?: Timer; retry?: Timer } = {};
  /** Other tabs have taken all connections of the session. Coming back by itself, this one would put one of them out in turn. */
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
    noteSaid(reason.message, reason.requestId);
    if (reason.code === 'TOO_MANY_SOCKETS') crowdedOut = true;
    else if (reason.code === 'THROTTLED') retry(join);
    else {
      if (PASSING.includes(reason.code)) retry(join);
      listener.onRefused(reason);
    }
  };
  const unlook = whenLookedAt(() => {
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
