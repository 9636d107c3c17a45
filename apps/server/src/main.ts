import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NOTICES } from '@drawhouse/contract/notices/notices';
import type { NoticeCode } from '@drawhouse/contract/notices/notices';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { pinnedTimeZone, requireSameSeedKey } from './settings/pinned-settings.ts';
import { createApp, FIRST_SUPERADMIN } from './app.ts';
import type { App } from './app.ts';
import { steadyClock } from './clock.ts';
import type { StepBack } from './clock.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { connect } from './db/database.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { excessOf, grantTo, roleOf } from './db/serving-role.ts';
import { DatabaseUnavailable } from './db/unavailable.ts';
import { lastOpening } from './draws/next-draws.ts';
import { loadSeedKey } from './draws/seeds.ts';
import { httpLimits } from './http/http-limits.ts';

/** After a step that failed the next one comes so much later. */
const RETRY_MS = 500;
const VERSION = '0.1.0';

/** Where the database is: for the role that owns it, which migrates, and for the one that serves. */
interface Addresses {
  readonly ownerUrl: string;
  readonly serverUrl: string;
}

/** Starts everything, and stops it in good order on SIGINT and SIGTERM, and when the database is lost for good. */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = pino({
    level: config.logLevel,
    // The driver hangs its whole client on an error: what helps is these.
    serializers: { error: ({ message, code, stack }: Error & { code?: string }) => ({ message, code, stack }) },
  });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

  const { databaseUrl, databaseOwnerUrl = databaseUrl } = config;
  if (databaseUrl !== undefined) {
    await serve(config, { ownerUrl: databaseOwnerUrl!, serverUrl: databaseUrl }, logger, stopping.signal);
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
    await serve(config, embedded, logger, stopping.signal);
  } finally {
    await embedded.stop();
  }
  if (lost) end(`Drawhouse had to stop. ${lost.message}`);
}

/** Migrates, listens and moves the draws until the signal comes. */
async function serve(config: Config, database: Addresses, logger: Logger, signal: AbortSignal): Promise<void> {
  const { ownerUrl, serverUrl } = database;
  await migrate(ownerUrl);
  if (roleOf(ownerUrl) !== roleOf(serverUrl)) await grantTo(ownerUrl, roleOf(serverUrl));
  const db = connect(() => database.serverUrl, {
    onError: (error) => logger.error({ error }, 'a database connection broke'),
  });
  try {
    const seedKey = await loadSeedKey(config);
    await requireSameSeedKey(db, seedKey.key);
    const isOwn = config.databaseUrl !== undefined;
    const notices = Object.entries({
      // Beside a database of one's own elsewhere the key is apart from it.
      SEED_KEY_IN_DATA_DIR: !isOwn && seedKey.inDataDir,
      SEED_KEY_READABLE: seedKey.readableByAll,
      DATABASE_ROLE: isOwn && (await excessOf(serverUrl)),
    } satisfies Record<Exclude<NoticeCode, 'CLOCK_SET_BACK'>, unknown>).flatMap(([code, found]) =>
      found ? [code as NoticeCode] : [],
    );
    const clock = steadyClock((step) => logger.warn(wordsOf(step)));
    const opened = await lastOpening(db);
    if (opened) clock.goOnFrom(opened);
    const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const app = await createApp({
      ...config,
      db,
      clock,
      timeZone: await pinnedTimeZone(db, config.timeZone, machineZone),
      seedKey: seedKey.key,
      limits: httpLimits(config),
      logger,
      version: VERSION,
      notices: () => {
        const until = clock.behindUntil()?.toISOString();
        return [...notices.map((code) => ({ code })), ...(until ? [{ code: 'CLOCK_SET_BACK', until } as const] : [])];
      },
    });
    try {
      await open(app, config, notices);
      await moveDraws(app, logger, signal);
    } finally {
      await app.close();
    }
  } finally {
    await db.close();
  }
}

/** Listens, makes the first superadmin where there is none, and says how to sign in. */
async function open(app: App, config: Config, notices: readonly NoticeCode[]): Promise<void> {
  const password = config.superadminPassword ?? randomBytes(12).toString('base64url');
  // First the port, then the superadmin: a start that finds its port taken must not make a password that nobody reads.
  await app.http.listen({ host: config.host, port: config.port });
  const { created } = await app.bootstrap(password);
  const { port } = app.http.server.address() as AddressInfo;
  const address = `Drawhouse is ready: http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`;
  const isRandom = config.superadminPassword === undefined;
  const firstStart = [
    `  username  ${FIRST_SUPERADMIN}`,
    `  password  ${isRandom ? password : '(as set by SUPERADMIN_PASSWORD)'}`,
    ...(isRandom ? ['  It is shown only this once.'] : []),
  ];
  const toNote = notices.map((code) => `Note: ${NOTICES[code].title}. ${NOTICES[code].text}`);
  console.log([address, ...(created ? firstStart : []), ...toNote].join('\n'));
}

/** Does what is due, on the draws above all, at the time when it is. While the database is away they wait for it, and that is said once. */
async function moveDraws(app: App, logger: Logger, signal: AbortSignal): Promise<void> {
  let waits = false;
  while (!signal.aborted) {
    let waitMs = RETRY_MS;
    try {
      await app.step();
      waitMs = await app.untilNextMs();
      if (waits) logger.warn('the database answers again, and the draws go on');
      waits = false;
    } catch (error) {
      const isAway = error instanceof DatabaseUnavailable && !error.refused;
      if (!isAway) logger.error({ error }, 'a step of what is due failed; it is tried again');
      else if (!waits) logger.error({ error }, 'the draws wait for the database');
      waits = isAway;
    }
    await delay(waitMs, undefined, { signal }).catch(() => {});
  }
}

function wordsOf({ byMs, from, isSlewed }: StepBack): string {
  const step = `the clock of the machine went back by ${Math.round(byMs / 1_000)} s, from ${from.toISOString()}`;
  return isSlewed
    ? `${step}: time runs at half speed until it has caught up`
    : `${step}: draws and bets wait until it is there again`;
}

function end(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

main().catch((error: NodeJS.ErrnoException) => {
  const hint = error.code === 'EADDRINUSE' ? 'The port is in use. Set PORT to another one.' : error.message;
  end(`Drawhouse could not start. ${hint}`);
});
