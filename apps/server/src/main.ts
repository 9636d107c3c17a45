import { readConfig } from './config.ts';
import { startEmbedded } from './db/embedded.ts';
import { createKeptLogger, moveDraws, serve } from './serve.ts';
import type { Addresses } from './serve.ts';

/** Starts everything, and stops it in good order on SIGINT and SIGTERM, and when the database is lost for good. */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = createKeptLogger(config);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

  const serveOn = (database: Addresses): Promise<void> =>
    serve({ config, database, logger, say: console.log }, (app) => moveDraws(app, logger, stopping.signal));

  const { databaseUrl, databaseOwnerUrl = databaseUrl } = config;
  if (databaseUrl !== undefined) {
    await serveOn({ ownerUrl: databaseOwnerUrl!, serverUrl: databaseUrl });
    return;
  }
  let lost: Error | undefined;
  const embedded = await startEmbedded(config.dataDir, {
    exclusive: true,
    watcher: {
      away: (message) => logger.error(message),
      back: (message) => logger.warn(message),
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
}

function end(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

main().catch((error: NodeJS.ErrnoException) => {
  const hint = error.code === 'EADDRINUSE' ? 'The port is in use. Set PORT to another one.' : error.message;
  end(`Drawhouse could not start. ${hint}`);
});
