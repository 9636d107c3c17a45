import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { pinnedTimeZone, requireSameSeedKey } from './activity/pinned-settings.ts';
import { createApp, FIRST_SUPERADMIN } from './app.ts';
import { systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import { connect } from './db/database.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { loadSeedKey } from './draws/seeds.ts';
import { limitsOf } from './http/limits.ts';

const TICK_EVERY_MS = 200;
const VERSION = '0.1.0';

/** Starts everything, and stops it in good order on SIGINT and SIGTERM. */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = pino({
    level: config.logLevel,
    // The driver hangs its whole client on an error: what helps is these.
    serializers: { error: ({ message, code, stack }: Error & { code?: string }) => ({ message, code, stack }) },
  });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

  const embedded =
    config.databaseUrl === undefined ? await startEmbedded(config.dataDir, { exclusive: true }) : undefined;
  try {
    const url = embedded?.url ?? config.databaseUrl!;
    await migrate(url);
    const db = connect(url, { onError: (error) => logger.error({ error }, 'a database connection broke') });
    const seedKey = await loadSeedKey(config);
    await requireSameSeedKey(db, seedKey);
    const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const app = await createApp({
      ...config,
      db,
      clock: systemClock,
      timeZone: await pinnedTimeZone(db, config.timeZone, machineZone),
      seedKey,
      limits: limitsOf(config),
      logger,
      version: VERSION,
    });
    try {
      const password = config.superadminPassword ?? randomBytes(12).toString('base64url');
      // First the port, then the superadmin: a start that finds its port taken must not make a password that nobody reads.
      await app.http.listen({ host: config.host, port: config.port });
      const { created } = await app.bootstrap(password);
      const { port } = app.http.server.address() as AddressInfo;
      const address = `Drawhouse is ready: http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`;
      const shown = config.superadminPassword === undefined ? password : '(as set by SUPERADMIN_PASSWORD)';
      const firstStart = [`  username  ${FIRST_SUPERADMIN}`, `  password  ${shown}`, '  It is shown only this once.'];
      console.log([address, ...(created ? firstStart : [])].join('\n'));
      while (!stopping.signal.aborted) {
        await app
          .tick()
          .catch((error: unknown) => logger.error({ error }, 'a step of the draws failed; it is tried again'));
        await delay(TICK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
    } finally {
      await app.close();
      await db.close();
    }
  } finally {
    await embedded?.stop();
  }
}

main().catch((error: NodeJS.ErrnoException) => {
  const hint = error.code === 'EADDRINUSE' ? 'The port is in use. Set PORT to another one.' : error.message;
  console.error(`Drawhouse could not start. ${hint}`);
  process.exitCode = 1;
});
