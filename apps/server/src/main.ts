import { environment, readConfig } from './config/config.ts';
import { startEmbedded } from './platform/db/embedded/embedded.ts';
import { createFileLogger } from './platform/log/create-logger.ts';
import { rejectMisspelled } from './config/setting-names.ts';
import { requireFolders } from './config/require-folders.ts';
import { startErrorText } from './compose/start-errors.ts';
import { CONNECTIONS_OF_ONE } from './platform/db/connection/dedicated-connections.ts';
import { runDueWork, serve, type Addresses } from './compose/serve.ts';
import { CouldNotStart, runWorkers, type Workers } from './compose/workers/run-workers.ts';

const STOPPED = 'Drawhouse has stopped.';

/** Stops cleanly on SIGINT, SIGTERM, or permanent loss of the database. */
async function main(): Promise<void> {
  rejectMisspelled(environment());
  const config = readConfig();
  await requireFolders({ DATA_DIR: config.dataDir, SEAL_DIR: config.sealDir, BACKUP_DIR: config.backupDir });
  const logger = createFileLogger(config);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

  const { servers } = config;
  const { signal } = stopping;
  let workers: Workers | undefined;
  const serveOn = (database: Addresses): Promise<void> => {
    const options = { config, database, logger, say: console.log };
    if (servers === 1) return serve({ ...options, isFirst: true }, (app) => runDueWork(app, logger, signal));
    workers = runWorkers({ ...options, count: servers, signal });
    return workers.ended;
  };

  const { databaseUrl, databaseOwnerUrl = databaseUrl } = config;
  if (databaseUrl !== undefined) {
    await serveOn({ ownerUrl: databaseOwnerUrl!, serverUrl: databaseUrl });
    console.log(STOPPED);
    return;
  }
  let lost: Error | undefined;
  const embedded = await startEmbedded(config.dataDir, {
    exclusive: true,
    settings: servers > 2 ? { max_connections: String(servers * CONNECTIONS_OF_ONE + 20) } : {},
    watcher: {
      away: (message) => logger.error(message),
      back(message) {
        logger.warn(message);
        workers?.moved();
      },
      lost(error) {
        lost = error;
        stopping.abort();
      },
    },
  });
  try {
    await serveOn(embedded);
  } finally {
    await embedded.stop();
  }
  if (lost) end(`Drawhouse had to stop. ${lost.message}`);
  else console.log(STOPPED);
}

function end(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  if (error instanceof CouldNotStart) process.exitCode = 1;
  else end(`Drawhouse could not start. ${startErrorText(error, environment())}`);
});
