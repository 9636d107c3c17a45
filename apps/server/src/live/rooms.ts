import type { Server as HttpServer } from 'node:http';
import { id } from '@drawhouse/contract/primitives';
import type { LiveEvents } from '@drawhouse/contract/live';
import type { Logger } from 'pino';
import { Server } from 'socket.io';
import type { Socket } from 'socket.io';
import { liveSessions } from '../auth/sessions.ts';
import type { Session } from '../auth/sessions.ts';
import type { Services } from '../db/services.ts';
import { requirePair } from '../draws/operate-draw.ts';
import { findOwnPair } from '../games/games.sql.ts';
import { CallError } from '../http/errors.ts';
import { readPanel } from './panel.ts';

/** Changes within this time go out as one frame, so that a thousand bets are ten frames a second and not a thousand. */
const FRAME_EVERY_MS = 100;
/** How often sockets are looked through for sessions that have run out. */
const SWEEP_EVERY_MS = 15_000;

type ClientEvents = Pick<LiveEvents, 'gameData'>;
type ServerEvents = Pick<LiveEvents, 'responseData' | 'error'>;
interface SocketData {
  token: string;
  sessionId: string;
}
type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

/** The live rooms, one for each game of each admin. */
export interface LiveRooms {
  close(): Promise<void>;
}

interface Room {
  seq: number;
  timer: NodeJS.Timeout | undefined;
  /** A change came while a frame was being read: read again. */
  dirty: boolean;
}

/**
 * Serves the live panels on a web server. A socket signs in with its session token, joins one room at a time, gets the whole
 * panel at once and then a numbered frame after each change. It is cut off when its session ends.
 */
export function createLiveRooms(
  server: HttpServer,
  services: Services,
  authenticate: (token: string) => Promise<Session>,
  logger: Logger,
): LiveRooms {
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>(server, {
    serveClient: false,
    maxHttpBufferSize: 16_384,
  });
  const rooms = new Map<string, Room>();
  const nameOf = (networkId: string, gameId: string): string => `panel ${networkId} ${gameId}`;

  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth['token'];
    void authenticate(typeof token === 'string' ? token : '')
      .then(({ id: sessionId }) => {
        socket.data = { token: token as string, sessionId };
        next();
      })
      .catch((error: Error) =>
        next(
          Object.assign(new Error(error.message), {
            data: { code: error instanceof CallError ? error.code : 'INTERNAL' },
          }),
        ),
      );
  });

  io.on('connection', (socket) => {
    void socket.join(`session ${socket.data.sessionId}`);
    socket.on('gameData', (pair) => void join(socket, pair).catch((error: unknown) => refuse(socket, error)));
  });

  async function join(socket: LiveSocket, pair: { gameId: string; adminId: string } | undefined): Promise<void> {
    const { gameId, adminId } = pair ?? {};
    // PostgreSQL can't hold the NUL character, so no game has it in its name.
    if (typeof gameId !== 'string' || gameId.includes('\0') || !id.safeParse(adminId).success)
      throw new CallError('INVALID_INPUT', { fields: { gameId: 'Name a game', adminId: 'Name an admin' } });
    const { actor } = await authenticate(socket.data.token);
    if (actor.role !== 'superadmin' && actor.role !== 'admin') throw new CallError('NOT_ALLOWED');
    const found = await requirePair(services.db, actor, { gameId, adminId: adminId! });
    for (const room of socket.rooms) if (room.startsWith('panel ')) void socket.leave(room);
    const name = nameOf(found.network_id, found.game_id);
    await socket.join(name);
    const room = rooms.get(name) ?? { seq: 0, timer: undefined, dirty: false };
    rooms.set(name, room);
    socket.emit('responseData', await readPanel(services, found, ++room.seq));
  }

  function refuse(socket: LiveSocket, error: unknown): void {
    if (!(error instanceof CallError)) logger.error({ error }, 'joining a room failed');
    const refusal = error instanceof CallError ? error : new CallError('INTERNAL');
    socket.emit('error', { code: refusal.code, message: refusal.message });
  }

  function panelChanged({ networkId, gameId }: { networkId: string; gameId: string }): void {
    const name = nameOf(networkId, gameId);
    const room = rooms.get(name);
    if (!room) return;
    if (!io.sockets.adapter.rooms.has(name)) {
      rooms.delete(name);
      return;
    }
    if (room.timer) {
      room.dirty = true;
      return;
    }
    room.timer = setTimeout(() => void sendFrame(networkId, gameId, name, room), FRAME_EVERY_MS);
  }

  async function sendFrame(networkId: string, gameId: string, name: string, room: Room): Promise<void> {
    room.dirty = false;
    try {
      const pair = await findOwnPair(services.db, networkId, gameId);
      if (pair) io.to(name).emit('responseData', await readPanel(services, pair, ++room.seq));
    } catch (error) {
      logger.error({ error }, 'a live frame failed');
      room.dirty = true;
    } finally {
      room.timer = undefined;
      if (room.dirty) panelChanged({ networkId, gameId });
    }
  }

  function sessionsEnded({ sessionIds }: { sessionIds: string[] }): void {
    for (const sessionId of sessionIds) io.in(`session ${sessionId}`).disconnectSockets(true);
  }

  /** A session also ends by time alone, which no event tells. */
  async function cutExpired(): Promise<void> {
    const open = [...new Set([...io.sockets.sockets.values()].map((socket) => socket.data.sessionId))];
    if (open.length === 0) return;
    const live = await liveSessions(services, open);
    sessionsEnded({ sessionIds: open.filter((sessionId) => !live.has(sessionId)) });
  }

  const sweep = setInterval(
    () => void cutExpired().catch((error: unknown) => logger.error({ error }, 'looking for expired sessions failed')),
    SWEEP_EVERY_MS,
  ).unref();
  services.events.on('panelChanged', panelChanged);
  services.events.on('sessionsEnded', sessionsEnded);
  return {
    async close() {
      clearInterval(sweep);
      services.events.off('panelChanged', panelChanged);
      services.events.off('sessionsEnded', sessionsEnded);
      for (const room of rooms.values()) clearTimeout(room.timer);
      await io.close();
    },
  };
}
