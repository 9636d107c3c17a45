import pg from 'pg';
import { explained } from './unavailable.ts';

/** A connection of one's own. */
export type OwnConnection = pg.Client;

/** How long to wait for a connection, in milliseconds. */
const CONNECT_MS = 10_000;

/**
 * Gives `act` connections of its own, outside any pool, on which statements may take as long as they take: nothing but the end of `act` or the
 * signal ends them. Throws DatabaseUnavailable where the database is away, and the reason of the signal.
 */
export async function withOwnConnections<T>(
  connectionString: string,
  count: number,
  signal: AbortSignal,
  act: (clients: readonly pg.Client[]) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const clients = Array.from({ length: count }, () => ownClient(connectionString, 'drawhouse backup'));
  const end = () => Promise.all(clients.map((client) => client.end().catch(() => {})));
  // Where a statement runs, the driver cuts the connection.
  const cut = (): void => void end();
  signal.addEventListener('abort', cut);
  try {
    await Promise.all(clients.map((client) => client.connect()));
    return await act(clients);
  } catch (error) {
    signal.throwIfAborted();
    throw explained(error);
  } finally {
    signal.removeEventListener('abort', cut);
    await end();
  }
}

/**
 * Does `act` with each of what waits, on whichever of some connections is free, in their order. Where one fails, the others end what they are at and take
 * no more.
 */
export async function shareOut<T>(
  clients: readonly OwnConnection[],
  waiting: readonly T[],
  act: (client: OwnConnection, one: T) => Promise<void>,
): Promise<void> {
  const left = [...waiting];
  const ended = await Promise.allSettled(
    clients.map(async (client) => {
      try {
        for (let next = left.shift(); next !== undefined; next = left.shift()) await act(client, next);
      } catch (error) {
        left.length = 0;
        throw error;
      }
    }),
  );
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** A client that is not connected yet, by the name that PostgreSQL shows of it. Nothing but its end ends its session. */
export function ownClient(connectionString: string, name: string): OwnConnection {
  const client = new pg.Client({
    connectionString,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // One may be idle while others work.
    idle_in_transaction_session_timeout: 0,
    statement_timeout: 0,
    options: '-c idle_session_timeout=0',
  });
  client.on('error', () => {});
  return client;
}
