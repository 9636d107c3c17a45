import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '@drawhouse/contract/core/route';
import { SOCKET_MESSAGE_BYTES } from '@drawhouse/contract/live/live';
import type { Logger } from 'pino';
import { Server } from 'socket.io';
import type { Actor } from '../../accounts/authority.ts';
import type { Presence } from '../../auth/sessions/presence.ts';
import type { Session } from '../../auth/sessions/sessions.ts';
import { type Programs, requireAddress } from '../../platform/http/limits/admit-call.ts';
import type { Services } from '../../platform/services.ts';
import type { OnAnswered, CallSums } from '../../platform/http/call-log.ts';
import type { RefusedCall } from '../../platform/http/handler.ts';
import type { Budgets, HttpLimits } from '../../platform/http/limits/http-limits.ts';
import type { NewRequestId } from '../../platform/http/request/request-headers.ts';
import type { RejectedConnections, RejectionReason } from '../../platform/http/limits/connections.ts';
import type { BetLanes } from '../../tickets/place/lanes/bet-lanes.ts';
import type { ProgramOrders } from '../../tickets/place/program-orders.ts';
import { betBySocket, betsBySocket, type ProgramSupport, serveProgram } from './bet-by-socket.ts';
import { createOpenSockets, cutEndedSockets, type OpenSockets } from './open-sockets.ts';
import { createGameWatches, createPanelJoins } from '../panels/join-panels.ts';
import { forwardSockets } from './forward-sockets.ts';
import { connectionOf, cutOff, type LiveServer, type LiveSocket, type SocketData } from './live-socket.ts';
import type { PanelListener, WalletListener } from '../news/broadcast.ts';
import { createRoomReader } from '../rooms/read-rooms.ts';
import { createPlayerNews } from '../news/player-news.ts';
import { createRoomMembers } from '../rooms/room.ts';
import { createRooms } from '../rooms/rooms.ts';
import { createSocketGate, type SocketGate } from './socket-gate.ts';
import {
  createSocketCalls,
  createSocketRefusals,
  NO_EVENT,
  type SocketCalls,
  type SocketRefusals,
} from './socket-calls.ts';
import type { CallError } from '../../platform/http/http-errors.ts';

const SIGN_IN_WITHIN_MS = 10_000;

export interface LiveSockets {
  count(this: void): { readonly connections: number; readonly signedIn: number };
  readonly panels: PanelListener;
  readonly wallets: WalletListener;
  close(): Promise<void>;
}

interface LiveSocketOptions {
  /** `look` does not extend the session. */
  readonly authenticate: (token: string, as: 'use' | 'look') => Session | Promise<Session>;
  readonly programs: Programs;
  readonly budgets: Budgets;
  readonly limits: Pick<HttpLimits, 'session' | 'handshake'>;
  readonly lanes: BetLanes;
  readonly newestSeal: () => string | undefined;
  readonly orders: ProgramOrders;
  readonly refused: (call: RefusedCall<Actor>) => void;
  readonly presence: Pick<Presence, 'opened' | 'closed'>;
  readonly logger: Logger;
  readonly newRequestId: NewRequestId;
  readonly answered: OnAnswered | undefined;
  readonly sums: CallSums;
  readonly turnedAway: RejectedConnections;
  readonly trustProxy: boolean;
}

/**
 * Staff sockets join one room: first the whole panel, then numbered changes. Player sockets bet and watch games.
 * Program sockets (API key) place batches and receive nothing. Sockets close on session end, excess traffic, or unread
 * output.
 */
export function createLiveSockets(server: HttpServer, services: Services, options: LiveSocketOptions): LiveSockets {
  const { programs, budgets, limits, refused, presence, logger, trustProxy, turnedAway } = options;
  // Reconnecting on a poor line must not count as activity; only user actions do.
  const authenticate = (token: string): Session | Promise<Session> => options.authenticate(token, 'look');
  const use = (token: string): Session | Promise<Session> => options.authenticate(token, 'use');
  const gate = createSocketGate(services, limits, trustProxy, turnedAway.note);
  const handshakes = guardHandshakes(gate, turnedAway);
  const io: LiveServer = new Server(server, {
    serveClient: false,
    maxHttpBufferSize: SOCKET_MESSAGE_BYTES,
    connectTimeout: SIGN_IN_WITHIN_MS,
    allowRequest: handshakes.allowRequest,
  });
  const members = createRoomMembers(io);
  const read = createRoomReader(io, services, members, logger);
  const rooms = createRooms({ members, read, clock: services.clock, note: turnedAway.note });
  const open = createOpenSockets(presence, services.team?.seats);
  const calls = createSocketCalls(logger, options.newRequestId, options);
  const refusals = createSocketRefusals({ path: io.path(), refused, calls, logger });
  const joinBy = createPanelJoins({ services, authenticate: use, rooms, refusals });
  const players = createPlayerNews(io, services, logger);
  const watchBy = createGameWatches({ services, authenticate, players, refusals });

  if (services.team) forwardSockets(server, io, services.team, gate.refusalOfRequest);
  handshakes.guard(io);
  io.use(signingIn({ gate, authenticate, programs, budgets, calls }, refusals));
  const serveSocket = createSocketService({ ...options, authenticate: use, open, calls, refusals, joinBy, watchBy });
  io.on('connection', serveSocket);

  // Rooms switch owners before sockets do.
  const moved = ({ accountId }: { accountId: string }): void => rooms.adminMoved(accountId);
  services.events.on('accountMoved', moved);
  const stopCutting = cutEndedSockets(services, open, authenticate, logger);
  return {
    panels: toBoth(rooms, players.panels),
    wallets: players.wallets,
    count: () => ({ connections: io.engine.clientsCount, signedIn: io.sockets.sockets.size }),
    async close() {
      stopCutting();
      services.events.off('accountMoved', moved);
      rooms.close();
      players.close();
      await io.close();
    },
  };
}

interface SocketServiceParts extends Pick<
  LiveSocketOptions,
  'programs' | 'budgets' | 'lanes' | 'newestSeal' | 'orders'
> {
  readonly authenticate: (token: string) => Session | Promise<Session>;
  readonly open: OpenSockets;
  readonly calls: SocketCalls;
  readonly refusals: SocketRefusals;
  readonly joinBy: ReturnType<typeof createPanelJoins>;
  readonly watchBy: ReturnType<typeof createGameWatches>;
}

function createSocketService(parts: SocketServiceParts): (socket: LiveSocket) => void {
  const { programs, orders, authenticate, budgets, lanes, newestSeal, open, calls, refusals, joinBy, watchBy } = parts;
  const refusalOf: ProgramSupport['refusalOf'] = (_socket, { event }, error) => refusals.of(error, event);
  return (socket) => {
    // Otherwise a socket that leaves its namespace keeps an uncounted connection.
    socket.on('disconnect', (reason) => {
      if (reason === 'client namespace disconnect') cutOff(connectionOf(socket));
    });
    if (socket.data.isProgram) {
      open.addProgram(socket);
      serveProgram(socket, { programs, orders, budgets, lanes, newestSeal, refusalOf, calls });
      return;
    }
    open.add(socket);
    socket.on('gameData', joinBy(socket));
    socket.on('watchGames', watchBy(socket));
    const betting = { authenticate, budgets, lanes, newestSeal, refusalOf: refusals.ofSent, calls };
    socket.on('bet', betBySocket(socket, betting));
    socket.on('bets', betsBySocket(socket, betting));
  };
}

function signingIn(
  means: SignInMeans,
  refusals: Pick<SocketRefusals, 'of'>,
): (socket: LiveSocket, next: (error?: Error) => void) => void {
  return (socket, next) =>
    void signInSocket(means, socket).then(
      (data) => {
        socket.data = data;
        next();
      },
      (error: unknown) => {
        const { message, code, requestId } = refusals.of(error, 'sign in').body;
        next(Object.assign(new Error(message), { data: { code, requestId } }));
      },
    );
}

function toBoth(one: PanelListener, other: PanelListener): PanelListener {
  return {
    changed(panel, what) {
      one.changed(panel, what);
      other.changed(panel, what);
    },
    missed() {
      one.missed();
      other.missed();
    },
  };
}

const UNKNOWN_SID = 1;

/** `res` is absent for upgrades. */
type EngineRequest = IncomingMessage & { readonly res?: ServerResponse };

/** Logs refusals by the gate and by Engine.IO. Returns the handshake option. */
function guardHandshakes(gate: SocketGate, { note }: Pick<RejectedConnections, 'note'>) {
  const refusedFor = new WeakMap<IncomingMessage, RejectionReason>();

  return {
    allowRequest(
      this: void,
      request: IncomingMessage,
      answer: (message: string | undefined, isAllowed: boolean) => void,
    ): void {
      const refusal = gate.refusalOfHandshake(request);
      if (refusal) refusedFor.set(request, refusal.why);
      answer(refusal?.message, !refusal);
    },
    guard({ engine }: Pick<LiveServer, 'engine'>): void {
      engine.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) => {
        const refusal = gate.refusalOfRequest(request);
        if (refusal) refusedFor.set(request, refusal.why);
        next(refusal && new Error(refusal.message));
      });
      engine.on('connection', gate.watch);
      engine.on('connection_error', ({ req, code }: { readonly req: EngineRequest; readonly code: number }) => {
        const requestId = note(refusedFor.get(req) ?? (code === UNKNOWN_SID ? 'unknown' : 'malformed'));
        if (requestId !== undefined) req.res?.setHeader(REQUEST_ID_HEADER, requestId);
      });
    },
  };
}

interface SignInMeans {
  readonly gate: Pick<SocketGate, 'requireSignIn' | 'admitBets'>;
  readonly authenticate: (token: string) => Session | Promise<Session>;
  readonly programs: Programs;
  readonly budgets: Pick<Budgets, 'sessionFound'>;
  readonly calls: Pick<SocketCalls, 'refused'>;
}

export async function signInSocket(
  { gate, authenticate, programs, budgets, calls }: SignInMeans,
  socket: LiveSocket,
): Promise<SocketData> {
  const address = gate.requireSignIn(socket);
  const tokenValue: unknown = socket.handshake.auth['token'];
  const token = typeof tokenValue === 'string' ? tokenValue : '';
  const data = {
    token,
    address,
    behindSinceMs: undefined,
    fullAtMs: -Infinity,
    noteRefusal: (error: CallError) => calls.refused(error, { event: NO_EVENT }),
  };
  if (programs.isApiKey(token)) {
    await programs.authenticateKey(token, address.ip);
    budgets.sessionFound(token);
    gate.admitBets(socket);
    return {
      ...data,
      isProgram: true,
      get session(): Session {
        throw new Error('An API key has no session.');
      },
    };
  }
  const session = await authenticate(token);
  requireAddress(session.actor, address.ip);
  budgets.sessionFound(token);
  if (session.actor.role === 'user') gate.admitBets(socket);
  return { ...data, isProgram: false, session };
}
