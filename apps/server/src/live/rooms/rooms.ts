import type { RejectedConnections } from '../../platform/http/limits/connections.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { PanelKey } from '../../platform/services.ts';
import type { PairRow } from '../../games/games.sql.ts';
import { connectionOf, cutOff, type LiveSocket } from '../sockets/live-socket.ts';
import {
  enterRoom,
  isIn,
  isReadDue,
  readDueMs,
  newRoom,
  roomKeyOf,
  type UpdateMode,
  type Room,
  type RoomMembers,
} from './room.ts';

/** Stalled sockets are cut; browsers reconnect and get a whole panel. */
const STALLED_AFTER_MS = 10_000;

export interface Rooms {
  enter(socket: LiveSocket, pair: PairRow, mode: UpdateMode): void;
  readonly changed: (panel: PanelKey) => void;
  /** Rereads its rooms and removes sockets no longer above it. */
  adminMoved(adminId: string): void;
  /** Rereads every room. */
  readonly missed: () => void;
  close(): void;
}

interface RoomMeans {
  readonly members: Pick<RoomMembers, 'hasChanges' | 'isEmpty'>;
  readonly read: (room: Room) => Promise<number>;
  readonly clock: Clock;
  readonly note: RejectedConnections['note'];
}

interface OpenRooms {
  readonly byKey: Map<string, Room>;
  closed: boolean;
}

/**
 * One read serves all members. Busy sockets get a whole panel later, so at most one is pending per socket; stalled
 * sockets are cut.
 */
export function createRooms({ members, read, clock, note }: RoomMeans): Rooms {
  const open: OpenRooms = { byKey: new Map(), closed: false };

  function schedule(room: Room, atLeastMs = 0): void {
    if (room.reading || open.closed) return;
    clearTimeout(room.timer);
    const inMs = readDueMs(room, members.hasChanges(room)) - performance.now();
    room.timer = setTimeout(() => check(room), Math.max(inMs, atLeastMs)).unref();
  }

  function readAnew(room: Room): void {
    room.changed = true;
    schedule(room);
  }

  function check(room: Room): void {
    room.timer = undefined;
    if (members.isEmpty(room)) {
      open.byKey.delete(roomKeyOf(room.panel));
      return;
    }
    const nowMs = performance.now();
    room.checkedAtMs = nowMs;
    cutOffStalled(room, clock.now().getTime(), note);
    if (isReadDue(room, members.hasChanges(room), nowMs)) void read(room).then((againMs) => schedule(room, againMs));
    else schedule(room);
  }

  return {
    enter(socket, pair, mode) {
      const panel = { networkId: pair.network_id, gameKey: pair.game_key };
      const key = roomKeyOf(panel);
      const room = open.byKey.get(key) ?? newRoom(panel);
      open.byKey.set(key, room);
      enterRoom(socket, room, mode);
      schedule(room);
    },
    changed(panel) {
      const room = open.byKey.get(roomKeyOf(panel));
      if (room && !room.changed) readAnew(room);
    },
    adminMoved(adminId) {
      for (const room of open.byKey.values()) if (!room.state || room.state.shown.adminId === adminId) readAnew(room);
    },
    missed() {
      for (const room of open.byKey.values()) readAnew(room);
    },
    close() {
      open.closed = true;
      for (const room of open.byKey.values()) clearTimeout(room.timer);
      open.byKey.clear();
    },
  };
}

function cutOffStalled(room: Room, clockMs: number, note: RejectedConnections['note']): void {
  for (const socket of room.owed) {
    if (!isIn(socket, room)) room.owed.delete(socket);
    else if (clockMs - (socket.data.behindSinceMs ?? clockMs) > STALLED_AFTER_MS) {
      note('unread');
      cutOff(connectionOf(socket));
    }
  }
}
