import type { PanelKey } from '../../platform/services.ts';
import { connectionOf, type LiveSocket, type LiveServer } from '../sockets/live-socket.ts';
import type { PanelState } from '../panels/panel.ts';

/** A thousand bets or joins become eight changes a second. */
const CHANGE_EVERY_MS = 125;
const FULL_EVERY_MS = 500;
/** Bounds staleness after another server's crash. */
const READ_AT_LEAST_EVERY_MS = 5_000;

export type UpdateMode = 'wholes' | 'changes';

export interface Room {
  readonly panel: PanelKey;
  readonly names: Readonly<Record<UpdateMode, string>>;
  seq: number;
  state: PanelState | undefined;
  changed: boolean;
  /** Whole panels are pending since the last `seq`. */
  isFullDue: boolean;
  readonly owed: Set<LiveSocket>;
  /** Joined during the running read, which did not authorize them. Served by the next read. */
  readonly newcomers: Set<LiveSocket>;
  readAtMs: number;
  checkedAtMs: number;
  fullAtMs: number;
  timer: NodeJS.Timeout | undefined;
  reading: boolean;
}

const PREFIX = 'panel ';

export const roomKeyOf = ({ networkId, gameKey }: PanelKey): string => `${networkId} ${gameKey}`;

export function newRoom(panel: PanelKey): Room {
  const name = `${PREFIX}${roomKeyOf(panel)}`;
  return {
    panel,
    names: { wholes: name, changes: `${name} changes` },
    seq: 0,
    state: undefined,
    changed: false,
    isFullDue: false,
    owed: new Set(),
    newcomers: new Set(),
    readAtMs: -Infinity,
    checkedAtMs: -Infinity,
    fullAtMs: -Infinity,
    timer: undefined,
    reading: false,
  };
}

/** Leaves any other room and queues a whole panel. */
export function enterRoom(socket: LiveSocket, room: Room, mode: UpdateMode): void {
  if (!socket.rooms.has(room.names[mode])) leaveRoom(socket);
  void socket.join(room.names[mode]);
  socket.data.fullAtMs = -Infinity;
  room.owed.add(socket);
  room.newcomers.add(socket);
}

export function leaveRoom(socket: LiveSocket): void {
  for (const name of socket.rooms) if (name.startsWith(PREFIX)) void socket.leave(name);
}

export function isIn(socket: LiveSocket, { names }: Room): boolean {
  return socket.rooms.has(names.wholes) || socket.rooms.has(names.changes);
}

/** Earlier output has left for the network. */
export function canTake(socket: LiveSocket): boolean {
  return connectionOf(socket).transport.writable;
}

export function maySendFull(socket: LiveSocket, room: Room, nowMs: number): boolean {
  return canTake(socket) && (socket.rooms.has(room.names.changes) || nowMs - socket.data.fullAtMs >= FULL_EVERY_MS);
}

export function mustSendFull({ isFullDue, fullAtMs }: Room, nowMs: number): boolean {
  return isFullDue && nowMs - fullAtMs >= FULL_EVERY_MS;
}

/** `performance.now()`. `hasChanges`: some member listens to changes. */
export function readDueMs(room: Room, hasChanges: boolean): number {
  const { readAtMs, checkedAtMs, fullAtMs, owed, changed, isFullDue } = room;
  const soonestMs = checkedAtMs + CHANGE_EVERY_MS;
  if (owed.size > 0 || (changed && hasChanges)) return soonestMs;
  if (changed || isFullDue) return Math.max(soonestMs, fullAtMs + FULL_EVERY_MS);
  return readAtMs + READ_AT_LEAST_EVERY_MS;
}

/** A member awaits data, or the state is stale. */
export function isReadDue(room: Room, hasChanges: boolean, nowMs: number): boolean {
  const { changed, isFullDue, fullAtMs, readAtMs, owed } = room;
  return (
    (changed && hasChanges) ||
    ((changed || isFullDue) && nowMs - fullAtMs >= FULL_EVERY_MS) ||
    nowMs - readAtMs >= READ_AT_LEAST_EVERY_MS ||
    [...owed].some((socket) => maySendFull(socket, room, nowMs))
  );
}

export interface RoomMembers {
  of(room: Room): Record<UpdateMode, LiveSocket[]>;
  hasChanges(room: Room): boolean;
  isEmpty(room: Room): boolean;
}

const EMPTY: ReadonlySet<string> = new Set();

export function createRoomMembers({ sockets: { adapter, sockets } }: LiveServer): RoomMembers {
  const idsOf = ({ names }: Room, mode: UpdateMode): ReadonlySet<string> => adapter.rooms.get(names[mode]) ?? EMPTY;
  const those = (room: Room, mode: UpdateMode): LiveSocket[] =>
    Array.from(idsOf(room, mode)).flatMap((id) => sockets.get(id) ?? []);
  const hasChanges = (room: Room): boolean => idsOf(room, 'changes').size > 0;
  return {
    of: (room) => ({ wholes: those(room, 'wholes'), changes: those(room, 'changes') }),
    hasChanges,
    isEmpty: (room) => !hasChanges(room) && idsOf(room, 'wholes').size === 0,
  };
}
