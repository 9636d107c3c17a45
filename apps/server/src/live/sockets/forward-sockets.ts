import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Team } from '../../platform/cluster/team.ts';
import { forwardRequest, forwardUpgrade } from '../../platform/http/peer-requests.ts';
import type { LiveServer } from './live-socket.ts';
import type { SocketGate } from './socket-gate.ts';

/** Engine.IO's answer, upon which clients connect again. */
const UNKNOWN_SESSION = '{"code":1,"message":"Session ID unknown"}';

/**
 * Requests of one connection (polling, and its upgrade) may reach any process. Each connection's id begins with the
 * slot of its process; the others forward there. Call after Socket.IO has taken over the server.
 */
export function forwardSockets(
  server: HttpServer,
  io: LiveServer,
  team: Team,
  refusalOfRequest: SocketGate['refusalOfRequest'],
): void {
  const { engine } = io;
  const newId = engine.generateId.bind(engine);
  engine.generateId = async (request: IncomingMessage) => `${team.slot}-${await newId(request)}`;
  const path = `${io.path()}/`;

  /** Undefined if this process has the connection, or it is new. */
  function pathOfOwner({ url = '' }: IncomingMessage): string | undefined {
    if (!url.startsWith(path)) return undefined;
    const slot = /[?&]sid=(\d{1,3})-/.exec(url)?.[1];
    const isOther = slot !== undefined && Number(slot) !== team.slot && Number(slot) < team.count;
    return isOther ? team.socketOf(Number(slot), 'requests') : undefined;
  }

  intercept(server, 'request', (request: IncomingMessage, response: ServerResponse) => {
    const owner = pathOfOwner(request);
    if (owner === undefined) return false;
    const fail = (): void => {
      response.writeHead(400, { 'content-type': 'application/json', connection: 'close' }).end(UNKNOWN_SESSION);
    };
    if (refusalOfRequest(request)) fail();
    else forwardRequest(owner, request, response, fail);
    return true;
  });
  intercept(server, 'upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const owner = pathOfOwner(request);
    if (owner === undefined) return false;
    if (refusalOfRequest(request)) socket.destroy();
    else forwardUpgrade(owner, request, socket, head);
    return true;
  });
}

/** `first` runs before the listeners and replaces them by returning true. */
function intercept(
  server: HttpServer,
  event: 'request' | 'upgrade',
  first: (request: IncomingMessage, answer: never, head: Buffer) => boolean,
): void {
  const listeners = server.listeners(event);
  server.removeAllListeners(event);
  server.on(event, (...args: unknown[]) => {
    if (first(...(args as [IncomingMessage, never, Buffer]))) return;
    for (const listener of listeners) listener.apply(server, args);
  });
}
