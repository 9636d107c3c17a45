import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { SOCKET_MESSAGE_BYTES } from '@drawhouse/contract/live/live';
import type { JoinedPair } from '@drawhouse/contract/live/live';
import { gamePair } from '@drawhouse/contract/games/game-pair';
import type { Logger } from 'pino';
import { Server } from 'socket.io';
import * as z from 'zod/mini';
import type { Actor } from '../accounts/authority.ts';
import type { Presence } from '../auth/presence.ts';
import { liveSessions } from '../auth/sessions.ts';
import type { Session } from '../auth/sessions.ts';
import type { EndedSessions, Services } from '../db/services.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { requirePair } from '../games/pairs.ts';
import { addressKey, callerAddress } from '../http/address.ts';
import { CallError, notReady } from '../http/http-errors.ts';
import type { RefusedCall } from '../http/handler.ts';
import { hasOneHost, isOfOwnOrigin } from '../http/host.ts';
import { requireStorable } from '../http/json-body.ts';
import type { Budgets, HttpLimits } from '../http/http-limits.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { namesIn } from '../http/refused-call.ts';
import type { CallerAddress } from '../http/serve-route.ts';
import type { BetLanes } from '../tickets/bet-lanes.ts';
import { betBySocket } from './bet-by-socket.ts';
import type { SentBySocket } from './bet-by-socket.ts';
import { connectionOf, cutOff, refuse } from './live-socket.ts';
import type { Connection, LiveServer, LiveSocket, SocketData } from './live-socket.ts';
import type { PanelHearer } from './panel-news.ts';
import { createRooms } from './rooms.ts';

/** How often sockets are looked through for sessions that have run out. */
export const SWEEP_EVERY_MS = 15_000;
/** A connection on which nobody has signed in is closed after this. */
const SIGN_IN_WITHIN_MS = 10_000;
/** Sockets of one session: its tabs with a panel in them. One more closes the oldest. */
const SOCKETS_PER_SESSION = 6;
/** Requests by HTTP of one address, of which polling makes two for each frame. */
const REQUESTS = { perSecond: 1_000, burst: 5_000 };
/** Panels that one session may ask for; a person steps through a few a second. */
const JOINS = { perSecond: 5, burst: 30 };
/** Whatever comes on one connection, answers to pings included; on a player's its bets besides. Beyond it the connection is cut. */
const PACKETS = { perSecond: 20, burst: 100 };
/** Packets that wait for a client to read, frames left out, of which never more than one does; for a player its answers besides. */
const UNREAD_MAX = 50;

/** The live sockets of a server. */
export interface LiveSockets {
  /** Is told which panels have changed. */
  readonly panels: PanelHearer;
  close(): Promise<void>;
}

/**
 * Serves the live panels on a web server. A socket signs in with its session token, joins one room at a time, gets the whole
 * panel at once and then, numbered, what changes. It is cut off when its session ends, when it sends too much, and when it
 * does not read what it is sent.
 */
export function createLiveSockets(
  server: HttpServer,
  services: Services,
  options: {
    authenticate: (token: string) => Session | Promise<Session>;
    /** Those that calls by HTTP take from too. */
    budgets: Budgets;
    limits: Pick<HttpLimits, 'session' | 'handshake'>;
    lanes: BetLanes;
    /** Hears of what a socket sent and was refused. */
    refused: (call: RefusedCall<Actor>) => void;
    /** Told which sessions have a socket open. */
    presence: Pick<Presence, 'opened' | 'closed'>;
    logger: Logger;
    /** Whether a proxy stands before the server. */
    trustProxy: boolean;
  },
): LiveSockets {
  const { authenticate, budgets, limits, lanes, refused, presence, logger, trustProxy } = options;
  const nowMs = (): number => services.clock.now().getTime();
  const handshakes = rateLimit(limits.handshake, nowMs);
  const requests = rateLimit(REQUESTS, nowMs);
  const joins = rateLimit(JOINS, nowMs);
  const packets = rateLimit(PACKETS, nowMs);
  const playerPackets = rateLimit(
    { perSecond: PACKETS.perSecond + limits.session.perSecond, burst: PACKETS.burst + limits.session.burst },
    nowMs,
  );
  /** The connections on which players are signed in. */
  const ofPlayers = new WeakSet<Connection>();
  /** The sockets of each session, the oldest first. */
  const sessions = new Map<string, Set<LiveSocket>>();
  const addressOf = (request: IncomingMessage): CallerAddress => {
    const ip = callerAddress(request, trustProxy);
    return { ip, key: addressKey(ip) };
  };

  const io: LiveServer = new Server(server, {
    serveClient: false,
    maxHttpBufferSize: SOCKET_MESSAGE_BYTES,
    connectTimeout: SIGN_IN_WITHIN_MS,
    allowRequest: (request, answer) => {
      const refusal = refusalOfHandshake(request);
      answer(refusal, refusal === undefined);
    },
  });
  const rooms = createRooms(io, services, logger);

  /** A page of another host may not even ask: its browser would send what it knows of this one. */
  function refusalOfHandshake(request: IncomingMessage): string | undefined {
    if (handshakes.take(addressOf(request).key) > 0) return 'Too many connections. Please wait a second.';
    return isOfOwnOrigin(request, trustProxy) ? undefined : 'This is not a page of the host that it asks.';
  }

  io.engine.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) => {
    const allowed = requests.take(addressOf(request).key) === 0 && hasOneHost(request);
    next(allowed ? undefined : new Error('Too many requests, or several Host headers.'));
  });
  io.engine.on('connection', (connection: Connection) => {
    connection.on('packet', () => {
      const isPlayer = ofPlayers.has(connection);
      const isFlood = (isPlayer ? playerPackets : packets).take(connection.id) > 0;
      if (isFlood || connection.writeBuffer.length > UNREAD_MAX + (isPlayer ? limits.session.burst : 0))
        cutOff(connection);
    });
    connection.on('close', () => {
      packets.forget(connection.id);
      playerPackets.forget(connection.id);
    });
  });

  io.use((socket, next) => {
    void signIn(socket).then(
      (data) => {
        socket.data = data;
        next();
      },
      (error: unknown) => {
        const { message, code } = refusalOf(error);
        next(Object.assign(new Error(message), { data: { code } }));
      },
    );
  });

  async function signIn(socket: LiveSocket): Promise<SocketData> {
    const address = addressOf(socket.request);
    if (handshakes.take(address.key) > 0) throw new CallError('THROTTLED');
    const given: unknown = socket.handshake.auth['token'];
    const token = typeof given === 'string' ? given : '';
    const session = await authenticate(token);
    budgets.sessionFound(token);
    if (session.actor.role === 'user') ofPlayers.add(connectionOf(socket));
    return { token, session, address, behindSinceMs: undefined, wholeAtMs: -Infinity };
  }

  io.on('connection', (socket) => {
    const { id: sessionId } = socket.data.session;
    const tabs = sessions.get(sessionId) ?? new Set();
    sessions.set(sessionId, tabs.add(socket));
    presence.opened(sessionId);
    socket.on('disconnect', () => {
      tabs.delete(socket);
      if (tabs.size > 0 || sessions.get(sessionId) !== tabs) return;
      sessions.delete(sessionId);
      presence.closed(sessionId);
    });
    if (tabs.size > SOCKETS_PER_SESSION) {
      const [oldest] = tabs;
      tabs.delete(oldest!);
      refuse(oldest!, new CallError('TOO_MANY_SOCKETS'));
      oldest!.disconnect(true);
    }
    socket.on('gameData', joinLatest(socket));
    socket.on('bet', betBySocket(socket, { authenticate, budgets, lanes, refusalOf: refusalOfSent }));
  });

  /** Takes the pairs that a socket asks for: one join at a time is under way, and of those that come meanwhile the last one counts. */
  function joinLatest(socket: LiveSocket): (pair: unknown) => void {
    let wanted: { pair: unknown } | undefined;
    let joining = false;
    const joinWanted = async (): Promise<void> => {
      joining = true;
      for (let next = wanted; next; next = wanted) {
        wanted = undefined;
        await join(socket, next.pair).catch((error: unknown) =>
          refuse(socket, refusalOfSent(socket, { event: 'gameData', given: next.pair }, error)),
        );
      }
      joining = false;
    };
    return (pair) => {
      if (joins.take(socket.data.session.id) > 0) {
        refuse(socket, new CallError('THROTTLED', { message: 'Too many panels at once. Please wait a second.' }));
        return;
      }
      wanted = { pair };
      if (!joining) void joinWanted();
    };
  }

  async function join(socket: LiveSocket, given: unknown): Promise<void> {
    const { token, session } = socket.data;
    const { role } = session.actor;
    if (role !== 'superadmin' && role !== 'admin') throw new CallError('NOT_ALLOWED');
    const choice = pairOf(given);
    const { actor } = await authenticate(token);
    const pair = await requirePair(services.db, actor, choice);
    if (!socket.connected) return;
    rooms.enter(socket, pair, choice.changes ? 'changes' : 'wholes');
  }

  /** An account that moves has others above it: its sockets are theirs from now on, and so are its panels. */
  async function accountMoved({ accountId }: { accountId: string }): Promise<void> {
    rooms.adminMoved(accountId);
    for (const socket of [...sessions.values()].flatMap((tabs) => [...tabs])) {
      const { data } = socket;
      if (isBelow(socket, accountId))
        try {
          data.session = await authenticate(data.token);
        } catch {
          // It has ended, which cuts the socket, or is looked up again when it asks for something.
        }
    }
  }

  function refusalOf(error: unknown): CallError {
    if (error instanceof CallError) return error;
    if (error instanceof DatabaseUnavailable) return notReady(error);
    logger.error({ error }, 'a live socket was refused');
    return new CallError('INTERNAL');
  }

  function refusalOfSent({ data }: LiveSocket, { event, given }: SentBySocket, error: unknown): CallError {
    const refusal = refusalOf(error);
    const origin = { url: `${io.path()}/${event}`, method: 'SOCKET', ip: data.address.ip };
    refused({ actor: data.session.actor, code: refusal.code, origin, names: namesIn(given) });
    return refusal;
  }

  function sessionsEnded(which: EndedSessions): void {
    const ended =
      'ids' in which
        ? which.ids.flatMap((sessionId) => [...(sessions.get(sessionId) ?? [])])
        : [...sessions.values()].flatMap((tabs) => [...tabs].filter((socket) => isBelow(socket, which.below)));
    for (const socket of ended) socket.disconnect(true);
  }

  /** A session also ends by time alone, which no event tells, or while this server hears of nothing. */
  function cutExpired(): void {
    const open = [...sessions.keys()];
    if (open.length === 0) return;
    liveSessions(services, open).then(
      (live) => sessionsEnded({ ids: open.filter((sessionId) => !live.has(sessionId)) }),
      (error: unknown) => logger.error({ error }, 'looking for expired sessions failed'),
    );
  }

  const sweep = setInterval(cutExpired, SWEEP_EVERY_MS).unref();
  const moved = (which: { accountId: string }): void => void accountMoved(which);
  services.events.on('sessionsEnded', sessionsEnded);
  services.events.on('sessionsMissed', cutExpired);
  services.events.on('accountMoved', moved);
  return {
    panels: rooms,
    async close() {
      clearInterval(sweep);
      services.events.off('sessionsEnded', sessionsEnded);
      services.events.off('sessionsMissed', cutExpired);
      services.events.off('accountMoved', moved);
      rooms.close();
      await io.close();
    },
  };
}

const isBelow = ({ data }: LiveSocket, accountId: string): boolean => data.session.actor.chain.includes(accountId);

const joinedPair = z.object({
  ...gamePair,
  changes: z._default(z.boolean({ error: 'Write true or false' }), false),
});

/** The pair that a client names as calls do, and how it wants to hear of it. Throws INVALID_INPUT with what would be right. */
function pairOf(given: unknown): JoinedPair {
  const { data: pair, error } = joinedPair.safeParse(given);
  if (!pair)
    throw new CallError('INVALID_INPUT', {
      fields: Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.') || 'pair', message])),
    });
  requireStorable(pair);
  return pair;
}
