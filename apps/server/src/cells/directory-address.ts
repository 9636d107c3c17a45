import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { roleOf } from '../platform/db/connection/granted-rights.ts';
import { COMMAND_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import { withClient } from '../platform/db/connection/dedicated-connections.ts';
import { pathsOf, urlOf } from '../platform/db/embedded/embedded-cluster.ts';
import { atDatabase } from '../platform/db/scratch-database.ts';

const DATABASE = 'drawhouse_directory';

/** For a stopped cell: connections fail. */
const NO_ADDRESS = 'postgresql://127.0.0.1:1/none';

interface OwnAddresses {
  readonly ownerUrl: string;
  readonly serverUrl: string;
}

/** Another PostgreSQL, or the embedded one of a cell on this machine. */
export function directoryAddress(config: Config, own: OwnAddresses): () => string {
  const { directoryUrl } = config;
  if (directoryUrl === undefined) return () => atDatabase(own.serverUrl, DATABASE);
  return /^postgres(ql)?:\/\//.test(directoryUrl) ? () => directoryUrl : () => addressInFolder(directoryUrl);
}

/** Read for each connection, because both change when that cell restarts. */
function addressInFolder(dataDir: string): string {
  const { cluster, password, serverPassword } = pathsOf(dataDir);
  try {
    const port = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]);
    const passwords = { owner: readFileSync(password, 'utf8'), server: readFileSync(serverPassword, 'utf8') };
    return urlOf(port, passwords, 'server', DATABASE);
  } catch {
    return NO_ADDRESS;
  }
}

/** Does nothing if the settings name another directory. The server's role owns its tables. */
export async function ensureOwnDirectory(
  { directoryUrl }: Config,
  { ownerUrl, serverUrl }: OwnAddresses,
): Promise<void> {
  if (directoryUrl !== undefined) return;
  const role = roleOf(serverUrl);
  await withClient(ownerUrl, COMMAND_TIMEOUTS, async (client) => {
    const { rowCount } = await client.query(`select from pg_database where datname = '${DATABASE}'`);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    await client.query(
      `revoke all on database ${DATABASE} from public; grant connect on database ${DATABASE} to ${role}`,
    );
  });
  await withClient(atDatabase(ownerUrl, DATABASE), COMMAND_TIMEOUTS, (client) =>
    client.query(`grant usage, create on schema public to ${role}`),
  );
}
