import { latestLogTime } from '../../activity/append-activity.ts';
import { latestOpening } from '../../draws/schedule/next-draws.ts';
import { findNegativeNetworks } from '../../liability/negative-networks.ts';
import { lastVerdicts } from '../../liability/verdicts.ts';
import { examine as examineSeals, findServedKey, hasSealer, readProgress } from '../../transparency/transparency.ts';
import { correctionOf, readPinned } from '../../platform/settings/pinned-settings.ts';
import type { Config } from '../../config/config.ts';
import { judgeTables, judgeVerdicts } from './check-books.ts';
import { checkBackups } from './check-backups.ts';
import { checkCell } from './check-cell.ts';
import {
  addressOf,
  type AtPort,
  checkFolder,
  checkPort,
  foldersOfSettings,
  judgeTimes,
  type ListeningPlace,
  probeMetricsPort,
  probePort,
  readAheadMs,
} from './check-machine.ts';
import {
  checkCluster,
  checkConnections,
  checkMigrations,
  checkOwner,
  checkPostgres,
  checkRoles,
  checkStandby,
  slotFindings,
} from './check-database.ts';
import { checkSealKey, checkSecretFiles, checkSeedKey } from './check-keys.ts';
import { judgeSeals } from './check-seals.ts';
import { fault, type Finding, findOrReport, ok, SUBJECTS, warning } from './findings.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { ReachedDatabase, Surroundings } from './surroundings.ts';
import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import type { Database } from '../../platform/db/database.ts';
import { readUnreadSlots } from '../../platform/db/connection/read-cluster.ts';
import { readActive, readSilence } from '../notices/notices.sql.ts';

/** Changes nothing. Failures become findings. Order as in {@link SUBJECTS}. */
export async function examine(surroundings: Surroundings): Promise<readonly Finding[]> {
  const { settings, clock, database, trouble } = surroundings;
  const { config, wrong } = settings;
  const ofKey = [...wrong].some((name) => name.startsWith('SEED_KEY'));
  const at = await examinePorts(config, wrong);
  const isReadable = database && (await hasTables(database));
  const found = [
    settings.findings,
    await findOrReport('node', () => checkNode(process.versions.node, clock.now())),
    await findOrReport('disk', () => Promise.all(foldersOfSettings(config).map(checkFolder))),
    await findOrReport('postgresql', () => checkSecretFiles(config)),
    await findOrReport('ports', async () => at.findings),
    trouble ? [trouble] : [],
    ...(database ? await ofDatabase(database, surroundings) : []),
    ...(database && isReadable
      ? await ofTables(database, surroundings, at.server)
      : await withoutTables(config, at.server)),
    ofKey
      ? []
      : await findOrReport('seed key', async () =>
          checkSeedKey(config, isReadable ? await readPinned(database.db) : undefined),
        ),
  ].flat();
  return found.toSorted((a, b) => SUBJECTS.indexOf(a.of) - SUBJECTS.indexOf(b.of));
}

interface ExaminedPorts {
  readonly findings: readonly Finding[];
  /** Undefined if not probed, as for system-chosen ports. */
  readonly server: AtPort | undefined;
}

async function examinePorts(config: Config, wrong: ReadonlySet<string>): Promise<ExaminedPorts> {
  const { host, port } = config;
  const findings = [...wrong].some((name) => name.startsWith('METRICS')) ? [] : await ofFigures(config);
  if (wrong.has('PORT')) return { findings, server: undefined };
  if (port === 0)
    return { findings: [ok('ports', 'PORT is 0: each start uses a free port.'), ...findings], server: undefined };
  const place: ListeningPlace = { setting: 'PORT', host, port };
  const server = await probePort(place);
  return { findings: [await checkPort(place, server, await findServedKey(config)), ...findings], server };
}

async function ofFigures({ metrics: { host, port, token } }: Config): Promise<readonly Finding[]> {
  if (port === undefined || port === 0) return [];
  const place: ListeningPlace = { setting: 'METRICS_PORT', host, port };
  return [await checkPort(place, await probeMetricsPort(place, token), undefined)];
}

async function hasTables({ db }: ReachedDatabase): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`select to_regclass('pinned_settings') is not null as found`);
  return row!.found;
}

async function ofDatabase(
  { db, address, ownerAddress, isOwn }: ReachedDatabase,
  { clock, settings }: Surroundings,
): Promise<readonly (readonly Finding[])[]> {
  const { reportsUrl } = settings.config;
  const server = isOwn ? 'The server of DATABASE_URL' : 'The embedded database';
  return [
    await findOrReport('postgresql', () => checkPostgres(db, clock.now(), server)),
    await findOrReport('postgresql', () => checkConnections(db, settings.config.servers)),
    await findOrReport('postgresql', async () => slotFindings(await readUnreadSlots(db))),
    await findOrReport('postgresql', () => checkCluster(address)),
    await findOrReport('postgresql', () => (reportsUrl === undefined ? [] : checkStandby(reportsUrl))),
    await findOrReport('migrations', () => checkMigrations(address)),
    await findOrReport('roles', () => (settings.config.databaseOwnerUrl === undefined ? [] : checkOwner(ownerAddress))),
  ];
}

async function ofTables(
  database: ReachedDatabase,
  { settings: { config, wrong }, clock }: Surroundings,
  server: AtPort | undefined,
): Promise<readonly (readonly Finding[])[]> {
  const { db, address, isOwn } = database;
  const isSealing = await hasSealer(db);
  const isRunning = isSealing || server?.who === 'drawhouse';
  const now = clock.now();
  return [
    [judgeServer(config, server, isSealing)],
    await findOrReport('roles', () => checkRoles(db, address, isOwn)),
    await findOrReport('cell', () => checkCell(database, { config, clock, isRunning })),
    await findOrReport('clock', async () => {
      const times = [await latestLogTime(db), await latestOpening(db)].flatMap((at) => at ?? []);
      const newest = times.length === 0 ? undefined : new Date(Math.max(...times.map((at) => at.getTime())));
      const corrected = newest && (await correctionOf(db, newest))?.since;
      return judgeTimes({ aheadMs: await readAheadMs(db, clock), now: clock.now(), newest, corrected });
    }),
    await findOrReport('seal key', async () => checkSealKey(config, (await readProgress(db)) !== undefined)),
    await findOrReport('seals', async () =>
      judgeSeals(await examineSeals(config, { db, isRunning, now }), { config, isRunning }),
    ),
    await findOrReport('audit', async () =>
      judgeVerdicts(await lastVerdicts(db), { now, isRunning, fullEveryDays: config.auditEveryDays }),
    ),
    await findOrReport('tables', async () => judgeTables(await findNegativeNetworks(db, 'all'))),
    await findOrReport('backups', async () =>
      [...wrong].some((name) => name.startsWith('BACKUP_'))
        ? [warning('backups', 'They were not checked: a related setting is wrong.', 'Correct that first.')]
        : checkBackups({ config, db, clock, timeZone: (await readPinned(db)).timeZone ?? 'UTC' }),
    ),
    await findOrReport('notices', () => checkNotices(db, now, config.notify !== undefined)),
  ];
}

async function withoutTables(config: Config, server: AtPort | undefined): Promise<readonly (readonly Finding[])[]> {
  return [[judgeServer(config, server, false)], await findOrReport('seal key', () => checkSealKey(config, false))];
}

function judgeServer(config: Config, server: AtPort | undefined, isSealing: boolean): Finding {
  const { host, port } = config;
  if (server?.who === 'drawhouse') {
    const address = addressOf({ host, port });
    return server.status === 'ready'
      ? ok('server', `It is running and ready: ${address}.`)
      : fault(
          'server',
          `It is running at ${address}, but not ready: ${server.status}.`,
          'It becomes ready once that has passed. See its log for more.',
        );
  }
  if (isSealing) return ok('server', 'A server is using this database, on another port or another machine.');
  return warning('server', 'No server is running.', 'Start it: npm start');
}

const LEAST = 24;
/** End of life per the Node project. */
const ENDS: Readonly<Record<number, string>> = { 24: '2028-04-30', 26: '2029-04-30' };

export function checkNode(version: string, now: Date): Finding[] {
  const major = Number(version.split('.')[0]);
  if (major < LEAST)
    return [
      fault(
        'node',
        `This is Node ${version}.`,
        `Drawhouse needs Node ${LEAST} or later. Start everything with npm run, which includes it.`,
      ),
    ];
  const end = ENDS[major];
  if (end !== undefined && new Date(end) < now)
    return [warning('node', `Node ${version} has been out of support since ${end}.`, 'Upgrade Drawhouse.')];
  return [ok('node', `Node ${version} on ${process.platform} ${process.arch}.`)];
}

async function checkNotices(db: Database, now: Date, hasWebhook: boolean): Promise<Finding[]> {
  const { WEBHOOK_UNANSWERED: unanswered } = NOTICES;
  const isSilent = hasWebhook && (await readSilence(db)) !== undefined;
  const titles = new Set((await readActive(db, now)).map(({ found }) => titleOf(found.code)));
  if (isSilent) titles.delete(unanswered.title);
  return [
    ...(isSilent ? [warning('notices', `${unanswered.title}.`, unanswered.text)] : []),
    titles.size === 0
      ? ok('notices', 'No server has reported within the last minute.')
      : warning(
          'notices',
          `Active now: ${[...titles].join('; ')}.`,
          "See the superadmin's dashboard or docs/manual/notices.md for what to do.",
        ),
  ];
}

/** Another version may send unknown codes. */
function titleOf(code: string): string {
  return (NOTICES as Readonly<Partial<Record<string, { readonly title: string }>>>)[code]?.title ?? code;
}
