import type { Server } from 'node:http';
import { limitConnections } from '../apps/server/src/platform/http/limits/connections.ts';

const MOST_CONNECTIONS = 200;
const HEADERS_MS = 10_000;
/** Idle timeout, also for clients that don't read the answer. */
const STILL_MS = 30_000;

interface ConnectionBounds {
  /** Concurrent connections; an IPv6 /64 counts as one address. */
  readonly ofOneAddress: number;
  readonly requestMs: number;
}

/** Limits connections, in total and per address, and their duration. For small servers open to strangers. */
export function boundConnections(server: Server, { ofOneAddress, requestMs }: ConnectionBounds): void {
  server.maxConnections = MOST_CONNECTIONS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = requestMs;
  server.setTimeout(STILL_MS);
  limitConnections(server, ofOneAddress);
}
