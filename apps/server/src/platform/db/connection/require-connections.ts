import { PROBE_TIMEOUTS, withClient } from './dedicated-connections.ts';

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
