import type { PanelKey } from '../services.ts';
import { connectionOf } from './live-socket.ts';
import type { LiveSocket } from './live-socket.ts';
import type { PanelState } from './panel.ts';

/** A room is read, and changes are sent, at most so often: a thousand bets are eight changes a second, and so are a thousand joins. */
const CHANGE_EVERY_MS = 125;
/** Clients that take no changes get the whole panel at most so often. */
const WHOLE_EVERY_MS = 500;
/** A room is read at least so often: what a server that died has told nobody is seen then. */
export const READ_AT_LEAST_EVERY_MS = 5_000;

/** How a socket wants to hear: the whole panel each time, or once and then what has changed. */
export type Hears = 'wholes' | 'changes';

/** The room of the panel of one game of one admin. */
export interface Room {
  readonly panel: PanelKey;
  /** The rooms of the sockets by how they hear, for the library to send to. */
  readonly names: Readonly<Record<Hears, string>>;
  seq: number;
  /** As it was read last, and sent with the number `seq`. */
  state: PanelState | undefined;
  /** It has been told that the panel has changed since it was read last. */
  changed: boolean;
  /** Whole panels have not been sent since the last number. */
  wholesDue: boolean;
  /** Who gets the whole panel as soon as it can: whoever came in, and whoever could not take what was sent. */
  readonly owed: Set<LiveSocket>;
  /** Who has come in since the reading under way began. It has not judged them: the pair may be somebody else's since. They get the next. */
  readonly newcomers: Set<LiveSocket>;
  /** In milliseconds of `performance.now`. */
  readAtMs: number;
  lookedAtMs: number;
  wholesAtMs: number;
  timer: NodeJS.Timeout | undefined;
  reading: boolean;
}

const PREFIX = 'panel ';

/** What tells the room of a panel from all others. */
export const roomKeyOf = ({ networkId, gameKey }: PanelKey): string => `${networkId} ${gameKey}`;

/** A room that nobody is in and that was not read yet. */
export function newRoom(panel: PanelKey): Room {
  const name = `${PREFIX}${roomKeyOf(panel)}`;
  return {
    panel,
    names: { wholes: name, changes: `${name} changes` },
    seq: 0,
    state: undefined,
    changed: false,
    wholesDue: false,
    owed: new Set(),
    newcomers: new Set(),
    readAtMs: -Infinity,
    lookedAtMs: -Infinity,
    wholesAtMs: -Infinity,
    timer: undefined,
    reading: false,
  };
}

/** Moves a socket into a room, which then owes it the whole panel. */
export function enterRoom(socket: LiveSocket, room: Room, hears: Hears): void {
  if (!socket.rooms.has(room.names[hears])) leaveRoom(socket);
  void socket.join(room.names[hears]);
  socket.data.wholeAtMs = -Infinity;
  room.owed.add(socket);
  room.newcomers.add(socket);
}

/** Takes a socket out of the room that it is in, whichever it is. */
export function leaveRoom(socket: LiveSocket): void {
  for (const name of socket.rooms) if (name.startsWith(PREFIX)) void socket.leave(name);
}

/** Whether a socket is in a room, however it hears. */
export function isIn(socket: LiveSocket, { names }: Room): boolean {
  return socket.rooms.has(names.wholes) || socket.rooms.has(names.changes);
}

/** Whether what was sent to a socket before has left for the network. */
export function canTake(socket: LiveSocket): boolean {
  return connectionOf(socket).transport.writable;
}

/** Whether a socket that is owed the whole panel can get it now. */
export function mayGetWhole(socket: LiveSocket, room: Room, nowMs: number): boolean {
  return canTake(socket) && (socket.rooms.has(room.names.changes) || nowMs - socket.data.wholeAtMs >= WHOLE_EVERY_MS);
}

/** Whether those who take no changes are to get the whole panel now. */
export function areWholesDue({ wholesDue, wholesAtMs }: Room, nowMs: number): boolean {
  return wholesDue && nowMs - wholesAtMs >= WHOLE_EVERY_MS;
}

/** When a room is to be looked at next, by `performance.now`. `hasChanges`: somebody in it hears of changes. */
export function lookDueMs(room: Room, hasChanges: boolean): number {
  const { readAtMs, lookedAtMs, wholesAtMs, owed, changed, wholesDue } = room;
  const soonestMs = lookedAtMs + CHANGE_EVERY_MS;
  if (owed.size > 0 || (changed && hasChanges)) return soonestMs;
  if (changed || wholesDue) return Math.max(soonestMs, wholesAtMs + WHOLE_EVERY_MS);
  return readAtMs + READ_AT_LEAST_EVERY_MS;
}

/** Whether a room that is looked at is to be read: somebody in it is to be told something, or it was not read for long. */
export function isReadDue(room: Room, hasChanges: boolean, nowMs: number): boolean {
  const { changed, wholesDue, wholesAtMs, readAtMs, owed } = room;
  return (
    (changed && hasChanges) ||
    ((changed || wholesDue) && nowMs - wholesAtMs >= WHOLE_EVERY_MS) ||
    nowMs - readAtMs >= READ_AT_LEAST_EVERY_MS ||
    [...owed].some((socket) => mayGetWhole(socket, room, nowMs))
  );
}
