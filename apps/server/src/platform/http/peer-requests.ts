import {
  Agent,
  request as askPeer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenAt } from '../cluster/peer-link.ts';

const fromPeers = new WeakSet<object>();

/** The peer has checked and charged its caller. */
export function isFromPeer(socket: object): boolean {
  return fromPeers.has(socket);
}

/** Other processes forward requests over a private socket. Stops with the server. */
export async function servePeerRequests(server: HttpServer, path: string): Promise<void> {
  const inner = createServer((socket) => {
    fromPeers.add(socket);
    server.emit('connection', socket);
  });
  await listenAt(inner, path);
  server.once('close', () => inner.close());
}

/** A connection for each request: a reused one might belong to a process that was killed. */
const agent = new Agent({ keepAlive: false });

export function forwardRequest(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  failed: () => void,
): void {
  const { method, url, rawHeaders } = request;
  // If the peer closed first, Node would report the end of the request as a failure and drop the answer.
  const headers = [...withoutConnection(rawHeaders), 'Connection', 'keep-alive'];
  const forwarded = askPeer({ socketPath: path, method, path: url, headers, agent, setDefaultHeaders: false });
  forwarded.on('response', (answer) => {
    response.writeHead(answer.statusCode!, withoutConnection(answer.rawHeaders));
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  forwarded.on('error', () => (response.headersSent ? response.destroy() : failed()));
  response.on('close', () => response.writableFinished || forwarded.destroy());
  request.pipe(forwarded);
}

/** `Connection` and `Keep-Alive` concern one connection only. */
function withoutConnection(rawHeaders: readonly string[]): string[] {
  const isKept = (name: string): boolean => !/^(?:connection|keep-alive)$/i.test(name);
  return rawHeaders.filter((_, at) => isKept(rawHeaders[at - (at % 2)]!));
}

export function forwardUpgrade(path: string, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, rawHeaders } = request;
  const peer = connect(path);
  const headers: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) headers.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`);
  peer.write(`${method} ${url} HTTP/1.1\r\n${headers.join('')}\r\n`, 'latin1');
  peer.write(head);
  (socket as Socket).setTimeout(0);
  (socket as Socket).setNoDelay(true);
  peer.pipe(socket).pipe(peer);
  for (const [one, other] of [
    [peer, socket],
    [socket, peer],
  ] as const) {
    one.on('error', () => {});
    one.on('close', () => other.destroy());
  }
}
