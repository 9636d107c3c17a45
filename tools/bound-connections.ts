import type { Server } from 'node:http';
import { limitConnections } from '../apps/server/src/http/connections.ts';

const MOST_CONNECTIONS = 200;
const HEADERS_MS = 10_000;
/** A connection on which nothing moves for so long is cut: also one whose answer nobody reads. */
const STILL_MS = 30_000;

/** What differs from one program to the other. */
interface ConnectionBounds {
  /** Connections at a time; a /64 of IPv6 is one address. */
  readonly ofOneAddress: number;
  /** A request has come whole within so long. */
  readonly requestMs: number;
}

/** Bounds what strangers can hold of a small program that listens: connections in all and of one address, and how long each may take or stand still. */
export function boundConnections(server: Server, { ofOneAddress, requestMs }: ConnectionBounds): void {
  server.maxConnections = MOST_CONNECTIONS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = requestMs;
  server.setTimeout(STILL_MS);
  limitConnections(server, ofOneAddress);
}
