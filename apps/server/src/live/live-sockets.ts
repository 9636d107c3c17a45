import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { SOCKET_MESSAGE_BYTES } from '@drawhouse/contract/live/live';
import type { Logger } from 'pino';
import { Server } from 'socket.io';
import type { Actor } from '../accounts/authority.ts';
import type { Presence } from '../auth/presence.ts';
import type { Session } from '../auth/sessions.ts';
import type { Programs } from '../http/admit-call.ts';
import type { Services } from '../services.ts';
import type { HearAnswered } from '../http/call-log.ts';
import type { CallSums } from '../http/call-sums.ts';
import type { RefusedCall } from '../http/handler.ts';
import type { Budgets, HttpLimits } from '../http/http-limits.ts';
import type { NewRequestId } from '../http/request-ids.ts';
import type { TurnedAway, TurnedAwayFor } from '../http/turned-away.ts';
import type { BetLanes } from '../tickets/bet-lanes.ts';
import type { ProgramOrders } from '../tickets/program-orders.ts';
import { betBySocket, betsBySocket, hearProgram } from './bet-by-socket.ts';
import type { ProgramSupport } from './bet-by-socket.ts';
import { cutEndedSockets } from './cut-sockets.ts';
import { createPanelJoins } from './join-panels.ts';
import { connectionOf, cutOff } from './live-socket.ts';
import type { LiveServer, LiveSocket } from './live-socket.ts';
import { createOpenSockets } from './open-sockets.ts';
import type { PanelHearer } from './panel-news.ts';
import { createRoomReader } from './read-rooms.ts';
import { createPlayerNews } from './player-news.ts';
import { createRoomMembers } from './room-members.ts';
import { createRooms } from './rooms.ts';
import { signInSocket } from './sign-in-socket.ts';
import type { SignInMeans } from './sign-in-socket.ts';
import { createSocketGate } from './socket-gate.ts';
import { createSocketCalls } from './socket-calls.ts';
import { createSocketRefusals } from './socket-refusals.ts';
import type { SocketRefusals } from './socket-refusals.ts';
import type { WalletHearer } from './wallet-news.ts';
import { createGameWatches } from './watch-games.ts';
import { REQUEST_ID_HEADER } from '@drawhouse/contract/frame/route';
import type { SocketGate } from './socket-gate.ts';

/** A connection on which nobody has signed in is closed after this. */
const SIGN_IN_WITHIN_MS = 10_000;

/** The live sockets of a server. */
export interface LiveSockets {
  /** How many connections are open, and how many sockets on them have signed in. */
  count(this: void): { readonly connections: number; readonly signedIn: number };
  /** Is told which panels have changed. */
  readonly panels: PanelHearer;
  /** Is told whose wallets have. */
  readonly wallets: WalletHearer;
  close(): Promise<void>;
}

/**
 * Serves the live panels, and players' news, on a web server. A socket of the staff signs in with its session token, joins one room at a
 * time, gets the whole panel at once and then, numbered, what changes; a player's bets, and hears of the games that it watches; a program's, signed in with an API key, lays many bets and hears of
 * nothing. It is cut off when its session ends, when it sends too much, and when it does not read what it is sent.
 */
export function createLiveSockets(
  server: HttpServer,
  services: Services,
  options: {
    /** A look does not keep the session alive. */
    authenticate: (token: string, as: 'use' | 'look') => Session | Promise<Session>;
    programs: Programs;
    /** Those that calls by HTTP take from too. */
    budgets: Budgets;
    limits: Pick<HttpLimits, 'session' | 'handshake'>;
    lanes: BetLanes;
    /** The newest checkpoint of the seals that is known. */
    newestSeal: () => string | undefined;
    orders: ProgramOrders;
    /** Hears of what a socket sent and was refused. */
    refused: (call: RefusedCall<Actor>) => void;
    /** Told which sessions have a socket open. */
    presence: Pick<Presence, 'opened' | 'closed'>;
    logger: Logger;
    newRequestId: NewRequestId;
    /** Hears of what was answered. */
    answered: HearAnswered | undefined;
    sums: CallSums;
    turnedAway: TurnedAway;
    /** Whether a proxy stands before the server. */
    trustProxy: boolean;
  },
): LiveSockets {
  const { programs, budgets, limits, lanes, newestSeal, orders, refused, presence, logger, trustProxy } = options;
  const { turnedAway } = options;
  // On a poor line a connection comes about anew again and again, and with it what it watches: only what somebody does is a use.
  const look = (token: string): Session | Promise<Session> => options.authenticate(token, 'look');
  const use = (token: string): Session | Promise<Session> => options.authenticate(token, 'use');
  const gate = createSocketGate(services.clock, limits, trustProxy, turnedAway.note);
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
  const open = createOpenSockets(presence);
  const calls = createSocketCalls(logger, options.newRequestId, options);
  const refusals = createSocketRefusals({ path: io.path(), refused, calls, logger });
  const joinBy = createPanelJoins({ services, authenticate: use, rooms, refusals });
  const players = createPlayerNews(io, services, logger);
  const watchBy = createGameWatches({ services, authenticate: look, players, refusals });

  handshakes.guard(io);
  io.use(signingIn({ gate, authenticate: look, programs, budgets, calls }, refusals));
  io.on('connection', (socket) => {
    // One that only leaves would keep its connection, which nothing counts any more.
    socket.on('disconnect', (reason) => {
      if (reason === 'client namespace disconnect') cutOff(connectionOf(socket));
    });
    if (socket.data.isProgram) {
      open.addProgram(socket);
      const refusalOf: ProgramSupport['refusalOf'] = (_socket, { event }, error) => refusals.of(error, event);
      hearProgram(socket, { programs, orders, budgets, lanes, newestSeal, refusalOf, calls });
      return;
    }
    open.add(socket);
    socket.on('gameData', joinBy(socket));
    socket.on('watchGames', watchBy(socket));
    const betting = { authenticate: use, budgets, lanes, newestSeal, refusalOf: refusals.ofSent, calls };
    socket.on('bet', betBySocket(socket, betting));
    socket.on('bets', betsBySocket(socket, betting));
  });

  // Before the sockets of an account that has moved are theirs who are above it now, its rooms are.
  const moved = ({ accountId }: { accountId: string }): void => rooms.adminMoved(accountId);
  services.events.on('accountMoved', moved);
  const stopCutting = cutEndedSockets(services, open, look, logger);
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

/** What signs each socket in, or tells it why not. */
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

/** Tells both of what one is told. */
function toBoth(one: PanelHearer, other: PanelHearer): PanelHearer {
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

/** The code by which Engine.IO says that there is no such connection. */
const UNKNOWN_SID = 1;

/** A request as Engine.IO has it: with its answer, where it comes by HTTP and not by an upgrade. */
type EngineRequest = IncomingMessage & { readonly res?: ServerResponse };

/** Lets through to the sockets what the gate lets through, and notes what it or Engine.IO refuses. Gives the option by which handshakes are judged. */
function guardHandshakes(gate: SocketGate, { note }: Pick<TurnedAway, 'note'>) {
  const refusedFor = new WeakMap<IncomingMessage, TurnedAwayFor>();

  return {
    allowRequest(
      this: void,
      request: IncomingMessage,
      answer: (says: string | undefined, isAllowed: boolean) => void,
    ): void {
      const refusal = gate.refusalOfHandshake(request);
      if (refusal) refusedFor.set(request, refusal.why);
      answer(refusal?.says, !refusal);
    },
    guard({ engine }: Pick<LiveServer, 'engine'>): void {
      engine.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) => {
        const refusal = gate.refusalOfRequest(request);
        if (refusal) refusedFor.set(request, refusal.why);
        next(refusal && new Error(refusal.says));
      });
      engine.on('connection', gate.watch);
      engine.on('connection_error', ({ req, code }: { readonly req: EngineRequest; readonly code: number }) => {
        const requestId = note(refusedFor.get(req) ?? (code === UNKNOWN_SID ? 'unknown' : 'malformed'));
        if (requestId !== undefined) req.res?.setHeader(REQUEST_ID_HEADER, requestId);
      });
    },
  };
}
