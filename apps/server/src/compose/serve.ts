import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import type { FoundNotice, NoticeCode } from '@drawhouse/contract/notices/notices';
import type { Logger } from 'pino';
import { correctionOf, pinnedTimeZone, requireSameSeedKey } from '../platform/settings/pinned-settings.ts';
import { openOwnDirectory } from '../cells/join-group.ts';
import { createApp, type App } from './app.ts';
import type { AppOptions, MetricsOptions } from './app-options.ts';
import { createSteadyClock, type SteadyClock, type StepBack } from '../platform/time/clock.ts';
import { holdAfterRecovery } from '../backup/move/settle-fences.ts';
import { takeBackupInChild } from '../backup/take/take-backup-in-child.ts';
import type { Team } from '../platform/cluster/team.ts';
import { openBreachedPasswords } from '../auth/passwords/breached-passwords.ts';
import { refuseBreached } from '../auth/passwords/password-policy.ts';
import { databaseDirOf, VERSION, type Config } from '../config/config.ts';
import { PIECE_SIZES } from '../settlement/pay/settle-in-pieces.ts';
import { connect, type ConnectOptions, type Database } from '../platform/db/database.ts';
import { REPORT_TIMEOUTS, type Timeouts } from '../platform/db/connection/timeouts.ts';
import { migrate } from '../platform/db/migrate.ts';
import { createUuid7 } from '../platform/db/sql/uuids.ts';
import { watchHosts } from '../platform/db/connection/cluster-client.ts';
import { readCluster, type HostState } from '../platform/db/connection/read-cluster.ts';
import { excessOf, grantTo, roleOf } from '../platform/db/connection/granted-rights.ts';
import { DatabaseUnavailable } from '../platform/db/connection/unavailable.ts';
import { latestOpening } from '../draws/schedule/next-draws.ts';
import { loadOrCreateSeedKey } from '../draws/seed/seeds.ts';
import { addressOf } from '../operations/doctor/check-machine.ts';
import { openMetricsPort } from '../operations/metrics/metrics.ts';
import { seal, type Seals } from '../transparency/transparency.ts';
import { httpLimits } from '../platform/http/limits/http-limits.ts';

const RETRY_MS = 500;
/** An absent standby must barely delay a report. */
const STANDBY_TIMEOUTS: Timeouts = { ...REPORT_TIMEOUTS, connectMs: 2_000 };
type StartNotice = 'SEED_KEY_IN_DATA_DIR' | 'SEED_KEY_READABLE' | 'DATABASE_ROLE' | 'BACKUP_UNSCHEDULED';

export interface Addresses {
  readonly ownerUrl: string;
  readonly serverUrl: string;
}

interface ServeOptions {
  readonly config: Config;
  readonly database: Addresses;
  readonly logger: Logger;
  /** Called once when ready, with address, first sign-in and notes. */
  readonly say: (text: string) => void;
  /** The primary process has prepared the database. */
  readonly team?: Team;
  /** For slow machines; the default suits calls of people. */
  readonly connection?: Pick<ConnectOptions, 'patience' | 'listening'>;
  /** No process of this server has served yet. */
  readonly isFirst: boolean;
}

/** Shuts down after `work`: {@link runDueWork} where draws should open. */
export async function serve(options: ServeOptions, work: (app: App) => Promise<void>): Promise<void> {
  const { config, database, logger, say, team, isFirst } = options;
  const { serverUrl } = database;
  if (!team) await prepareDatabase(database);
  const { db, standby, close } = connectAll(options);
  try {
    const seedKey = await loadOrCreateSeedKey(config);
    await requireSameSeedKey(db, seedKey.key);
    if (config.breachedPasswords !== undefined) refuseBreached(await openBreachedPasswords(config.breachedPasswords));
    const isOwn = config.databaseUrl !== undefined;
    const notices = Object.entries({
      // With an external database, the key is already separate.
      SEED_KEY_IN_DATA_DIR: !isOwn && seedKey.inDataDir,
      SEED_KEY_READABLE: seedKey.readableByAll,
      DATABASE_ROLE: isOwn && (await excessOf(serverUrl)),
      BACKUP_UNSCHEDULED: config.backupPlan === undefined,
    } satisfies Partial<Record<NoticeCode, unknown>>).flatMap(([code, found]) => (found ? [code as StartNotice] : []));
    const clock = createSteadyClock((step) => logger.warn(wordsOf(step)));
    const opened = await latestOpening(db);
    if (opened && !(await correctionOf(db, opened))) clock.goOnFrom(opened);
    const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const timeZone = await pinnedTimeZone(db, config.timeZone, machineZone);
    const directory = await openOwnDirectory({ config, db, timeZone, database, logger });
    if (directory && isFirst) await holdAfterRecovery({ db, clock, newId: createUuid7(clock), directory }, logger);
    const seals = await seal(config, db, { address: () => database.serverUrl, logger, clock });
    try {
      const app = await createApp({
        ...config,
        db,
        standby,
        clock,
        timeZone,
        directory,
        cellUrl: config.cellUrl ?? addressOf(config),
        seedKey: seedKey.key,
        backup: {
          connectionString: () => database.serverUrl,
          ownerConnectionString: () => database.ownerUrl,
          dir: config.backupDir,
          databaseDir: databaseDirOf(config),
          key: config.backupKey,
          quota: config.backupQuota,
          sealKey: seals.privateKey,
          transfer: config.backupTransfer,
          plan: config.backupPlan,
          take: takeBackupInChild,
        },
        pieceSizes: {
          wholeUpTo: config.settleWholeUpTo ?? PIECE_SIZES.wholeUpTo,
          players: config.settlePiecePlayers ?? PIECE_SIZES.players,
        },
        limits: httpLimits(config),
        beacons: { ...config.beacons, sealedUpTo: seals.sealedUpTo },
        seals,
        metrics: metricsOf(config, clock),
        logger,
        team,
        version: VERSION,
        watched: watchedBy(config, clock),
        notices: () => noticesNow(notices, seals, clock),
      });
      try {
        await openMetrics(app, config, logger);
        say(await open(app, config, notices));
        seals.start();
        await work(app);
      } finally {
        await app.close();
      }
    } finally {
      await seals.stop();
      await directory?.close();
    }
  } finally {
    await close();
  }
}

export async function prepareDatabase({ ownerUrl, serverUrl }: Addresses): Promise<void> {
  await migrate(ownerUrl);
  if (roleOf(ownerUrl) !== roleOf(serverUrl)) await grantTo(ownerUrl, roleOf(serverUrl));
}

function connectAll({ config, database, logger, connection }: ServeOptions): {
  db: Database;
  standby: Database | undefined;
  close: () => Promise<void>;
} {
  const { reportsUrl } = config;
  const db = connect(() => database.serverUrl, {
    ...connection,
    onError: (error) => logger.error({ error }, 'a database connection broke'),
  });
  const onError = (error: Error): void => logger.warn({ error }, 'a connection to the standby broke');
  const standby = reportsUrl && connect(reportsUrl, { onError, readOnly: true, patience: STANDBY_TIMEOUTS });
  const unwatch = watchHosts(database.serverUrl, ({ from, to }) =>
    logger.warn(`PostgreSQL failed over: connections go to ${to} instead of ${from}`),
  );
  return {
    db,
    standby: standby || undefined,
    async close() {
      unwatch();
      await Promise.all([db.close(), standby && standby.close()]);
    },
  };
}

function watchedBy(config: Config, clock: SteadyClock): AppOptions['watched'] {
  const { dataDir, sealDir, backupDir, auditEveryDays, notify } = config;
  return {
    folders: { DATA_DIR: dataDir, SEAL_DIR: sealDir, BACKUP_DIR: backupDir },
    lastClockStep: () => clock.lastStep(),
    auditEveryDays,
    webhook: notify,
  };
}

async function noticesNow(started: readonly NoticeCode[], seals: Seals, clock: SteadyClock): Promise<FoundNotice[]> {
  const until = clock.behindUntil()?.toISOString();
  return [
    ...started.map((code) => ({ code })),
    ...(await seals.notices()),
    ...(until ? [{ code: 'CLOCK_SET_BACK', until } as const] : []),
  ];
}

function metricsOf(config: Config, clock: MetricsOptions['clock']): MetricsOptions | undefined {
  const { dataDir, backupDir, sealDir, databaseUrl, metrics } = config;
  if (metrics.port === undefined && metrics.token === undefined) return undefined;
  const hosts = async (): Promise<readonly HostState[]> => (databaseUrl === undefined ? [] : readCluster(databaseUrl));
  return { token: metrics.token, clock, hosts, folders: { data: dataDir, backups: backupDir, seals: sealDir } };
}

async function openMetrics({ http, metrics, newRequestId }: App, config: Config, logger: Logger): Promise<void> {
  const { host, port, token } = config.metrics;
  if (!metrics || port === undefined) return;
  const own = await openMetricsPort(
    metrics,
    { host, port, token },
    { logger, newRequestId, limits: httpLimits(config) },
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new Error('The port of METRICS_PORT is in use. Choose another one.') : error;
  });
  http.addHook('onClose', () => own.close());
}

/** Returns sign-in instructions for the first superadmin. */
async function open(app: App, config: Config, notices: readonly NoticeCode[]): Promise<string> {
  const password = config.superadminPassword ?? randomBytes(12).toString('base64url');
  // Listens first: a start failing on a busy port must not create a password unseen.
  await app.http.listen({ host: config.host, port: config.port });
  const { created } = await app.bootstrap(password);
  const { port } = app.http.server.address() as AddressInfo;
  const shown = addressOf({ host: config.host === '0.0.0.0' ? 'localhost' : config.host, port });
  const isRandom = config.superadminPassword === undefined;
  const firstStart = [
    `  username  ${created}`,
    `  password  ${isRandom ? password : '(as set by SUPERADMIN_PASSWORD)'}`,
    ...(isRandom ? ['  It is shown only once.'] : []),
  ];
  const toNote = notices.map((code) => `Note: ${NOTICES[code].title}. ${NOTICES[code].text}`);
  return [`Drawhouse is ready: ${shown}`, ...(created === undefined ? [] : firstStart), ...toNote].join('\n');
}

/** Mainly draws. Waits while the database is down and logs that once. */
export async function runDueWork(app: App, logger: Logger, signal: AbortSignal): Promise<void> {
  let waits = false;
  while (!signal.aborted) {
    let waitMs = RETRY_MS;
    try {
      await app.step();
      waitMs = await app.untilNextMs();
      if (waits) logger.warn('the database is back; draws continue');
      waits = false;
    } catch (error) {
      const isUnavailable = error instanceof DatabaseUnavailable;
      const isDatabaseDown = isUnavailable && !error.refused;
      if (isDatabaseDown && !waits) logger.error({ error }, 'draws are waiting for the database');
      if (!isUnavailable || error.refused) logger.error({ error }, 'a step of the draws failed; retrying');
      waits = isDatabaseDown;
    }
    await delay(waitMs, undefined, { signal }).catch(() => {});
  }
}

function wordsOf({ byMs, from, isSlewed }: StepBack): string {
  const step = `the machine's clock went back by ${Math.round(byMs / 1_000)} s, from ${from.toISOString()}`;
  return isSlewed
    ? `${step}: time runs at half speed until it catches up`
    : `${step}: draws and bets wait until that time is reached again`;
}
