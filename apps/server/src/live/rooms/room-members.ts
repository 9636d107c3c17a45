import type { LiveServer, LiveSocket } from '../sockets/live-socket.ts';
import type { Hears, Room } from './room.ts';

export interface RoomMembers {
  of(room: Room): Record<Hears, LiveSocket[]>;
  hasChanges(room: Room): boolean;
  isEmpty(room: Room): boolean;
}

const NOBODY: ReadonlySet<string> = new Set();

export function createRoomMembers({ sockets: { adapter, sockets } }: LiveServer): RoomMembers {
  const idsOf = ({ names }: Room, hears: Hears): ReadonlySet<string> => adapter.rooms.get(names[hears]) ?? NOBODY;
  const those = (room: Room, hears: Hears): LiveSocket[] =>
    Array.from(idsOf(room, hears)).flatMap((id) => sockets.get(id) ?? []);
  const hasChanges = (room: Room): boolean => idsOf(room, 'changes').size > 0;
  return {
    of: (room) => ({ wholes: those(room, 'wholes'), changes: those(room, 'changes') }),
    hasChanges,
    isEmpty: (room) => !hasChanges(room) && idsOf(room, 'wholes').size === 0,
  };
}
