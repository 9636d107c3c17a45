import type pg from 'pg';
import { ClusterClient } from './cluster-client.ts';
import { explained } from './unavailable.ts';
import { type Timeouts, timeoutsOf } from './timeouts.ts';

export type DedicatedConnection = ClusterClient;

const CONNECT_MS = 10_000;

/** Connections have no statement timeouts: only `act` or the signal ends them. */
export async function withDedicatedConnections<T>(
  connectionString: string,
  count: number,
  signal: AbortSignal,
  act: (clients: readonly DedicatedConnection[]) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const clients = Array.from({ length: count }, () => dedicatedClient(connectionString, 'drawhouse backup'));
  const end = () => Promise.all(clients.map((client) => endOrCut(client, () => client.end())));
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

/** Works in order. After a failure, others finish their current item and stop. */
export async function shareOut<T>(
  clients: readonly DedicatedConnection[],
  waiting: readonly T[],
  act: (client: DedicatedConnection, one: T) => Promise<void>,
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

const END_MS = 5_000;

/** A PostgreSQL that hangs never answers the end of a connection. */
export async function endOrCut(client: DedicatedConnection, end: () => Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => client.cut(), END_MS);
  await end().catch(() => {});
  clearTimeout(timer);
}

/** Not yet connected; without timeouts. PostgreSQL's activity view shows `name`. */
export function dedicatedClient(connectionString: string, name: string): DedicatedConnection {
  const client = new ClusterClient({
    connectionString,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // A connection may idle while others work.
    idle_in_transaction_session_timeout: 0,
    statement_timeout: 0,
    options: '-c idle_session_timeout=0',
  });
  client.on('error', () => {});
  return client;
}

export const PROBE_TIMEOUTS: Timeouts = { connectMs: 10_000, lockMs: 10_000, statementMs: 10_000, answerMs: 15_000 };

export async function withClient<T>(
  connectionString: string,
  patience: Timeouts,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new ClusterClient({ connectionString, ...timeoutsOf(patience) });
  client.on('error', () => {});
  try {
    await client.connect();
    return await act(client);
  } catch (error) {
    throw explained(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** At most, per process; docs/operations.md adds them up. */
export const CONNECTIONS_OF_ONE = 40;

export async function requireConnections(address: string, processes: number): Promise<void> {
  const { rows } = await withClient(address, PROBE_TIMEOUTS, (client) =>
    client.query<{ most: number }>(`select current_setting('max_connections')::int as most`),
  );
  const [needed, most] = [processes * CONNECTIONS_OF_ONE, rows[0]!.most];
  if (most < needed)
    throw new Error(
      `SERVERS=${processes} needs ${needed} connections, but PostgreSQL allows ${most}. Raise its max_connections or lower SERVERS.`,
    );
}
