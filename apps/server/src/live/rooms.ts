import type { PanelChange } from '@drawhouse/contract/live/live';
import type { Logger } from 'pino';
import type { PanelKey, Services } from '../db/services.ts';
import { findOwnPair } from '../games/games.sql.ts';
import type { PairRow } from '../games/games.sql.ts';
import { noSuchGame } from '../games/pairs.ts';
import { CallError } from '../http/http-errors.ts';
import { createSlots } from '../slots.ts';
import { connectionOf, cutOff, refuse } from './live-socket.ts';
import type { LiveServer, LiveSocket } from './live-socket.ts';
import { differenceOf, readState, wholePanel } from './panel.ts';
import type { Difference, PanelState } from './panel.ts';

/** A room is read, and changes are sent, at most so often: a thousand bets are eight changes a second, and so are a thousand joins. */
const CHANGE_EVERY_MS = 125;
/** Clients that take no changes get the whole panel at most so often. */
const WHOLE_EVERY_MS = 500;
/** A room is read at least so often: what a server that died has told nobody is seen then. */
export const READ_AT_LEAST_EVERY_MS = 5_000;
/** After a panel could not be read it is tried again so much later. */
const RETRY_MS = 1_000;
/** Rooms that are read at the same moment, so that panels leave connections of the database to everybody else. */
const READS_AT_ONCE = 3;
/** A socket that has not taken what was sent for so long is cut off. A browser behind it connects again and gets the whole panel. */
const STALLED_AFTER_MS = 10_000;

/** How a socket wants to hear: the whole panel each time, or once and then what has changed. */
export type Hears = 'wholes' | 'changes';

/** The live rooms, one for each game of each admin. A socket is in one of them at a time. */
export interface Rooms {
  /** Moves a socket into the room of a pair, which then sends it the whole panel. */
  enter(socket: LiveSocket, pair: PairRow, hears: Hears): void;
  /** Takes a socket out of the room that it is in. */
  leave(socket: LiveSocket): void;
  /** A panel has changed: its room is read anew, if anybody is in it. */
  readonly changed: (panel: PanelKey) => void;
  /** An admin is below somebody else now: its rooms are read anew, and who is above it no more is put out. */
  adminMoved(adminId: string): void;
  /** Panels may have changed that nobody told of: every room is read anew. */
  readonly missed: () => void;
  close(): void;
}

interface Room {
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

/**
 * Makes the rooms. One reading of a panel serves all who are in its room or are coming in. A socket that is still busy with what it
 * was sent before is passed over and gets the whole panel later, so that never more than one waits for it; in the end it is cut off.
 */
export function createRooms(io: LiveServer, services: Services, logger: Logger): Rooms {
  const rooms = new Map<string, Room>();
  let closed = false;
  const clockMs = (): number => services.clock.now().getTime();
  const reads = createSlots(READS_AT_ONCE);
  const { adapter, sockets } = io.sockets;

  const keyOf = ({ networkId, gameKey }: PanelKey): string => `${networkId} ${gameKey}`;
  const idsOf = ({ names }: Room, hears: Hears): ReadonlySet<string> => adapter.rooms.get(names[hears]) ?? NOBODY;
  const members = (room: Room, hears: Hears): LiveSocket[] =>
    Array.from(idsOf(room, hears)).flatMap((id) => sockets.get(id) ?? []);
  const isEmpty = (room: Room): boolean => idsOf(room, 'wholes').size + idsOf(room, 'changes').size === 0;
  const isIn = (socket: LiveSocket, { names }: Room): boolean =>
    socket.rooms.has(names.wholes) || socket.rooms.has(names.changes);
  const mayGetWhole = (socket: LiveSocket, room: Room, nowMs: number): boolean =>
    canTake(socket) && (socket.rooms.has(room.names.changes) || nowMs - socket.data.wholeAtMs >= WHOLE_EVERY_MS);

  /** When a room is to be looked at next. */
  function dueMs({ readAtMs, lookedAtMs, wholesAtMs, owed, changed, wholesDue }: Room, hasChanges: boolean): number {
    const soonestMs = lookedAtMs + CHANGE_EVERY_MS;
    if (owed.size > 0 || (changed && hasChanges)) return soonestMs;
    if (changed || wholesDue) return Math.max(soonestMs, wholesAtMs + WHOLE_EVERY_MS);
    return readAtMs + READ_AT_LEAST_EVERY_MS;
  }

  function schedule(room: Room, atLeastMs = 0): void {
    if (room.reading || closed) return;
    clearTimeout(room.timer);
    const inMs = dueMs(room, idsOf(room, 'changes').size > 0) - performance.now();
    room.timer = setTimeout(() => look(room), Math.max(inMs, atLeastMs)).unref();
  }

  function readAnew(room: Room): void {
    room.changed = true;
    schedule(room);
  }

  /** Reads a room where somebody is to be told something; one that nobody is in goes. */
  function look(room: Room): void {
    room.timer = undefined;
    if (isEmpty(room)) {
      rooms.delete(keyOf(room.panel));
      return;
    }
    const nowMs = performance.now();
    room.lookedAtMs = nowMs;
    cutOffStalled(room);
    const isDue =
      (room.changed && idsOf(room, 'changes').size > 0) ||
      ((room.changed || room.wholesDue) && nowMs - room.wholesAtMs >= WHOLE_EVERY_MS) ||
      nowMs - room.readAtMs >= READ_AT_LEAST_EVERY_MS ||
      [...room.owed].some((socket) => mayGetWhole(socket, room, nowMs));
    if (isDue) void read(room);
    else schedule(room);
  }

  async function read(room: Room): Promise<void> {
    room.reading = true;
    room.changed = false;
    let atLeastMs = 0;
    try {
      await reads.take();
      room.readAtMs = performance.now();
      room.newcomers.clear();
      const pair = await findOwnPair(services.db, room.panel);
      putOut(room, pair?.operators ?? []);
      if (pair) send(room, await readState(services, pair));
    } catch (error) {
      logger.error({ error }, 'a live panel could not be read');
      for (const socket of room.owed) refuse(socket, new CallError('NOT_READY'));
      room.changed = true;
      atLeastMs = RETRY_MS;
    } finally {
      reads.give();
      room.reading = false;
      schedule(room, atLeastMs);
    }
  }

  /** Sends what was read: the whole panel to whom that is owed, what has changed to the others. */
  function send(room: Room, state: PanelState): void {
    const difference = room.state ? differenceOf(room.state, state) : 'all';
    if (difference !== null) {
      room.seq++;
      room.wholesDue = true;
    }
    room.state = state;
    const nowMs = performance.now();
    const getWhole: string[] = [];
    const passedOver = new Set<string>();
    const owe = (socket: LiveSocket): void => {
      passedOver.add(socket.id);
      room.owed.add(socket);
      if (!canTake(socket)) socket.data.behindSinceMs ??= clockMs();
    };
    const giveWhole = (socket: LiveSocket): void => {
      if (!mayGetWhole(socket, room, nowMs)) return owe(socket);
      room.owed.delete(socket);
      passedOver.add(socket.id);
      getWhole.push(socket.id);
      Object.assign(socket.data, { wholeAtMs: nowMs, behindSinceMs: undefined });
    };

    for (const socket of room.owed)
      if (room.newcomers.has(socket)) passedOver.add(socket.id);
      else if (isIn(socket, room)) giveWhole(socket);
    if (difference !== null)
      for (const socket of members(room, 'changes')) {
        if (passedOver.has(socket.id)) continue;
        if (difference === 'all') giveWhole(socket);
        else if (canTake(socket)) socket.data.behindSinceMs = undefined;
        else owe(socket);
      }
    if (room.wholesDue && nowMs - room.wholesAtMs >= WHOLE_EVERY_MS) {
      room.wholesDue = false;
      room.wholesAtMs = nowMs;
      for (const socket of members(room, 'wholes')) if (!passedOver.has(socket.id)) giveWhole(socket);
    }

    // To all at once: what is sent is encoded once.
    if (getWhole.length > 0) io.to(getWhole).emit('responseData', wholePanel(state, room.seq));
    if (difference !== null && difference !== 'all' && idsOf(room, 'changes').size > 0)
      io.to(room.names.changes)
        .except([...passedOver])
        .emit('panelChange', changeOf(state, room.seq, difference));
  }

  /** Puts out, and tells so, whoever does not operate the pair any more: the admin has moved, or has the game no more. */
  function putOut(room: Room, operators: readonly string[]): void {
    for (const hears of ['wholes', 'changes'] as const)
      for (const socket of members(room, hears)) {
        if (operators.includes(socket.data.session.actor.id)) continue;
        leave(socket);
        room.owed.delete(socket);
        refuse(socket, noSuchGame());
      }
  }

  function cutOffStalled(room: Room): void {
    for (const socket of room.owed) {
      if (!isIn(socket, room)) room.owed.delete(socket);
      else if (clockMs() - (socket.data.behindSinceMs ?? clockMs()) > STALLED_AFTER_MS) cutOff(connectionOf(socket));
    }
  }

  function leave(socket: LiveSocket): void {
    for (const name of socket.rooms) if (name.startsWith(PREFIX)) void socket.leave(name);
  }

  return {
    enter(socket, pair, hears) {
      const panel = { networkId: pair.network_id, gameKey: pair.game_key };
      const room = rooms.get(keyOf(panel)) ?? newRoom(panel, keyOf(panel));
      rooms.set(keyOf(panel), room);
      if (!socket.rooms.has(room.names[hears])) leave(socket);
      void socket.join(room.names[hears]);
      socket.data.wholeAtMs = -Infinity;
      room.owed.add(socket);
      room.newcomers.add(socket);
      schedule(room);
    },
    leave,
    changed(panel) {
      const room = rooms.get(keyOf(panel));
      if (room && !room.changed) readAnew(room);
    },
    adminMoved(adminId) {
      for (const room of rooms.values()) if (!room.state || room.state.shown.adminId === adminId) readAnew(room);
    },
    missed() {
      for (const room of rooms.values()) readAnew(room);
    },
    close() {
      closed = true;
      for (const room of rooms.values()) clearTimeout(room.timer);
      rooms.clear();
    },
  };
}

const NOBODY: ReadonlySet<string> = new Set();

function newRoom(panel: PanelKey, key: string): Room {
  return {
    panel,
    names: { wholes: `${PREFIX}${key}`, changes: `${PREFIX}${key} changes` },
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

function changeOf({ shown }: PanelState, seq: number, difference: Difference): PanelChange {
  const { gameId, adminId, serverTime } = shown;
  return { gameId, adminId, seq, serverTime, ...difference };
}

/** Whether what was sent before has left for the network. */
function canTake(socket: LiveSocket): boolean {
  return connectionOf(socket).transport.writable;
}
