import type { Logger } from 'pino';
import type { PanelKey, Services } from '../db/services.ts';
import { findOwnPair } from '../games/games.sql.ts';
import type { PairRow } from '../games/games.sql.ts';
import { CallError } from '../http/errors.ts';
import { createSlots } from '../slots.ts';
import { connectionOf, cutOff, refuse } from './live-socket.ts';
import type { LiveServer, LiveSocket } from './live-socket.ts';
import { readPanel } from './panel.ts';

/** A room is read at most this often: a thousand bets are ten frames a second and not a thousand, and so are a thousand joins. */
const FRAME_EVERY_MS = 100;
/** After a panel could not be read it is tried again so much later. */
const RETRY_MS = 1_000;
/** Rooms that are read at the same moment, so that panels leave connections of the database to everybody else. */
const READS_AT_ONCE = 3;
/** A socket that has not taken a frame for so long is cut off. A browser behind it connects again and gets the whole panel. */
const STALLED_AFTER_MS = 10_000;

/** The live rooms, one for each game of each admin. A socket is in one of them at a time. */
export interface Rooms {
  /** Moves a socket into the room of a pair, which then sends it the whole panel. */
  enter(socket: LiveSocket, pair: PairRow): void;
  /** Sends a new frame to the room of a panel, if anybody is in it. */
  readonly changed: (panel: PanelKey) => void;
  close(): void;
}

interface Room {
  readonly name: string;
  readonly panel: PanelKey;
  seq: number;
  /** The panel has changed since it was read last: everybody in the room gets the next frame. */
  changed: boolean;
  /** Who gets the next frame also when nothing has changed: whoever came in since the last, and whoever could not take that. */
  readonly owed: Set<LiveSocket>;
  timer: NodeJS.Timeout | undefined;
  reading: boolean;
}

/**
 * Makes the rooms. One reading of a panel serves all who are in its room or are coming in. A socket that is still busy with what it
 * was sent before is passed over and gets a later frame, so that never more than one waits for it; in the end it is cut off.
 */
export function createRooms(io: LiveServer, services: Services, logger: Logger): Rooms {
  const rooms = new Map<string, Room>();
  const nowMs = (): number => services.clock.now().getTime();
  const reads = createSlots(READS_AT_ONCE);

  const nameOf = ({ networkId, gameKey }: PanelKey): string => `panel ${networkId} ${gameKey}`;
  const isEmpty = ({ name }: Room): boolean => !io.sockets.adapter.rooms.has(name);
  const isIn = (socket: LiveSocket, { name }: Room): boolean => socket.rooms.has(name);

  function schedule(room: Room, afterMs: number): void {
    if (room.reading || room.timer) return;
    room.timer = setTimeout(() => {
      room.timer = undefined;
      if (isEmpty(room)) rooms.delete(room.name);
      else if (room.changed || [...room.owed].some(canTake)) void sendFrame(room);
      else seeToNext(room, FRAME_EVERY_MS);
    }, afterMs);
  }

  async function sendFrame(room: Room): Promise<void> {
    room.reading = true;
    let nextAfterMs = FRAME_EVERY_MS;
    const toAll = room.changed;
    room.changed = false;
    try {
      await reads.take();
      const pair = await findOwnPair(services.db, room.panel);
      if (pair) send(room, await readPanel(services, pair, room.seq + 1), toAll);
      else room.owed.clear();
    } catch (error) {
      logger.error({ error }, 'a live frame failed');
      for (const socket of room.owed) refuse(socket, new CallError('NOT_READY'));
      room.owed.clear();
      room.changed = true;
      nextAfterMs = RETRY_MS;
    } finally {
      reads.give();
      room.reading = false;
      seeToNext(room, nextAfterMs);
    }
  }

  function send(room: Room, panel: Awaited<ReturnType<typeof readPanel>>, toAll: boolean): void {
    room.seq = panel.seq;
    // Everybody may have left while it was read.
    const members = toAll ? [...(io.sockets.adapter.rooms.get(room.name) ?? [])] : [];
    const sockets = toAll ? members.flatMap((id) => io.sockets.sockets.get(id) ?? []) : [...room.owed];
    room.owed.clear();
    const ready: string[] = [];
    for (const socket of sockets) {
      if (!isIn(socket, room)) continue;
      if (canTake(socket)) {
        ready.push(socket.id);
        socket.data.behindSinceMs = undefined;
      } else {
        room.owed.add(socket);
        socket.data.behindSinceMs ??= nowMs();
      }
    }
    // By the ids, which are rooms of one each, and all at once: the frame is encoded once.
    if (ready.length > 0) io.to(ready).emit('responseData', panel);
  }

  /** Cuts off who has not taken a frame for long, and sees to the next frame where somebody waits for one. */
  function seeToNext(room: Room, afterMs: number): void {
    for (const socket of room.owed) {
      if (!isIn(socket, room)) room.owed.delete(socket);
      else if (nowMs() - (socket.data.behindSinceMs ?? nowMs()) > STALLED_AFTER_MS) cutOff(connectionOf(socket));
    }
    if (room.changed || room.owed.size > 0) schedule(room, afterMs);
  }

  return {
    enter(socket, pair) {
      const panel = { networkId: pair.network_id, gameKey: pair.game_key };
      const name = nameOf(panel);
      for (const room of socket.rooms) if (room.startsWith('panel ') && room !== name) void socket.leave(room);
      void socket.join(name);
      const room = rooms.get(name) ?? {
        name,
        panel,
        seq: 0,
        changed: false,
        owed: new Set<LiveSocket>(),
        timer: undefined,
        reading: false,
      };
      const isNew = !rooms.has(name);
      rooms.set(name, room);
      room.owed.add(socket);
      schedule(room, isNew ? 0 : FRAME_EVERY_MS);
    },
    changed: (panel) => {
      const room = rooms.get(nameOf(panel));
      if (!room) return;
      room.changed = true;
      schedule(room, FRAME_EVERY_MS);
    },
    close() {
      for (const room of rooms.values()) clearTimeout(room.timer);
      rooms.clear();
    },
  };
}

/** Whether what was sent before has left for the network. */
function canTake(socket: LiveSocket): boolean {
  return connectionOf(socket).transport.writable;
}
