import type { TurnedAway } from '../http/turned-away.ts';
import type { Clock } from '../clock.ts';
import type { PanelKey } from '../services.ts';
import type { PairRow } from '../games/games.sql.ts';
import { connectionOf, cutOff } from './live-socket.ts';
import type { LiveSocket } from './live-socket.ts';
import { enterRoom, isIn, isReadDue, lookDueMs, newRoom, roomKeyOf } from './room.ts';
import type { Hears, Room } from './room.ts';
import type { RoomMembers } from './room-members.ts';

/** A socket that has not taken what was sent for so long is cut off. A browser behind it connects again and gets the whole panel. */
const STALLED_AFTER_MS = 10_000;

/** The live rooms, one for each game of each admin. A socket is in one of them at a time. */
export interface Rooms {
  /** Moves a socket into the room of a pair, which then sends it the whole panel. */
  enter(socket: LiveSocket, pair: PairRow, hears: Hears): void;
  /** A panel has changed: its room is read anew, if anybody is in it. */
  readonly changed: (panel: PanelKey) => void;
  /** An admin is below somebody else now: its rooms are read anew, and who is above it no more is put out. */
  adminMoved(adminId: string): void;
  /** Panels may have changed that nobody told of: every room is read anew. */
  readonly missed: () => void;
  close(): void;
}

/** What rooms are made of. */
interface RoomMeans {
  readonly members: Pick<RoomMembers, 'hasChanges' | 'isEmpty'>;
  /** Reads a room and tells those who are in it. Gives in how many milliseconds it may be looked at again at the soonest. */
  readonly read: (room: Room) => Promise<number>;
  readonly clock: Clock;
  /** Hears of sockets that are cut off. */
  readonly note: TurnedAway['note'];
}

/** The rooms of a server. */
interface OpenRooms {
  readonly byKey: Map<string, Room>;
  closed: boolean;
}

/**
 * Makes the rooms. One reading of a panel serves all who are in its room or are coming in. A socket that is still busy with what it
 * was sent before is passed over and gets the whole panel later, so that never more than one waits for it; in the end it is cut off.
 */
export function createRooms({ members, read, clock, note }: RoomMeans): Rooms {
  const open: OpenRooms = { byKey: new Map(), closed: false };

  function schedule(room: Room, atLeastMs = 0): void {
    if (room.reading || open.closed) return;
    clearTimeout(room.timer);
    const inMs = lookDueMs(room, members.hasChanges(room)) - performance.now();
    room.timer = setTimeout(() => look(room), Math.max(inMs, atLeastMs)).unref();
  }

  function readAnew(room: Room): void {
    room.changed = true;
    schedule(room);
  }

  /** Reads a room where somebody is to be told something; one that nobody is in goes. */
  function look(room: Room): void {
    room.timer = undefined;
    if (members.isEmpty(room)) {
      open.byKey.delete(roomKeyOf(room.panel));
      return;
    }
    const nowMs = performance.now();
    room.lookedAtMs = nowMs;
    cutOffStalled(room, clock.now().getTime(), note);
    if (isReadDue(room, members.hasChanges(room), nowMs)) void read(room).then((againMs) => schedule(room, againMs));
    else schedule(room);
  }

  return {
    enter(socket, pair, hears) {
      const panel = { networkId: pair.network_id, gameKey: pair.game_key };
      const key = roomKeyOf(panel);
      const room = open.byKey.get(key) ?? newRoom(panel);
      open.byKey.set(key, room);
      enterRoom(socket, room, hears);
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

/** Cuts those off who are owed the whole panel and could not take it for too long, and forgets those who have left. */
function cutOffStalled(room: Room, clockMs: number, note: TurnedAway['note']): void {
  for (const socket of room.owed) {
    if (!isIn(socket, room)) room.owed.delete(socket);
    else if (clockMs - (socket.data.behindSinceMs ?? clockMs) > STALLED_AFTER_MS) {
      note('unread');
      cutOff(connectionOf(socket));
    }
  }
}
