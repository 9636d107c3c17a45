import { createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { hostOf, parseClusterAddress } from '../../config/cluster-address.ts';
import { pathsOf } from '../../platform/db/embedded/embedded-cluster.ts';
import { OWN_FILE } from '../../platform/db/embedded/durable-file.ts';
import { readSettings, withSurroundings, type ReachedDatabase, type Surroundings } from '../doctor/surroundings.ts';
import { examine } from '../doctor/examine.ts';
import { findingText, type Finding } from '../doctor/findings.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { logFolderOf } from '../../platform/log/log-file.ts';
import { redactPostgresLog, redactServerLog } from './redact-log.ts';
import { SETTINGS, unknownSettings, type Disclosure } from '../../config/setting-names.ts';
import { readAllBackups } from '../doctor/check-backups.ts';
import { bytesOf } from '../../backup/take/archive/manifest.ts';
import { readMigrations } from '../../platform/db/migrate.ts';
import { lastVerdicts, type StoredVerdict } from '../../liability/verdicts.ts';
import { readProgress } from '../../transparency/transparency.ts';
import { readPinned } from '../../platform/settings/pinned-settings.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const README = `Information about a Drawhouse server for support. Check it before you share it.

versions.json      Drawhouse, Node, the system and its memory
settings.json      the settings that are set; for secrets only that they are set
doctor.txt, .json  findings of npm run doctor, without account names
figures.json       table sizes, PostgreSQL's settings, the last audit, backups and seals
postgres.log       the newest lines of the embedded PostgreSQL, without lines that show rows
server-*.log       the newest lines of each server here, without names or user texts
server-log.txt     where to find a server's full log

It contains no players, no account names and no credit.
`;

const SERVER_LOG = `The server writes its log to standard output; the program that started it has all lines. It keeps the newest ones,
one to two megabytes, in DATA_DIR/log. Those are included here, without lines that name an account.
With systemd:      journalctl -u drawhouse --since "2 hours ago"
In a container:    docker logs --since 2h NAME
LOG_LEVEL sets how much is logged. Check the lines before you share them: they contain no session tokens, but account names.
`;

type Files = Readonly<Record<string, string>>;

export interface BundleOrder {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly version: string;
}

/** No secrets or account data. Reads PostgreSQL's log first, because the checks below add to it. */
export async function readBundle({ env, clock, version }: BundleOrder): Promise<Files> {
  const { databaseUrl, dataDir } = readSettings(env).config;
  const log = databaseUrl === undefined ? await redactPostgresLog(pathsOf(dataDir).log).catch(unread) : undefined;
  const serverLogs = await serverLogsIn(logFolderOf(dataDir));
  const { findings, figures } = await withSurroundings(env, clock, async (surroundings) => ({
    findings: (await examine(surroundings)).map(withoutNames),
    figures: surroundings.database && (await readFigures(surroundings.database, surroundings)),
  }));
  const files: Record<string, string> = {
    'README.txt': README,
    'versions.json': json(versions(version, clock)),
    'settings.json': json(redactSettings(env)),
    'doctor.txt': `${findings.map(findingText).join('\n')}\n`,
    'doctor.json': json(findings),
    'figures.json': json(figures ?? "The database can't be reached: see doctor.txt."),
    ...serverLogs,
    'server-log.txt': SERVER_LOG,
    ...(log !== undefined && { 'postgres.log': log }),
  };
  const secrets = secretsIn(env);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, withoutSecrets(text, secrets)]));
}

async function serverLogsIn(folder: string): Promise<Files> {
  const names = (await readdir(folder).catch(() => [])).filter((name) =>
    /^server-\d+(?:-\d+)?\.log(?:\.1)?$/.test(name),
  );
  const files = names.toSorted().map(async (name): Promise<[string, string]> => {
    return [name, (await redactServerLog(join(folder, name)).catch(unread)) ?? ''];
  });
  return Object.fromEntries(await Promise.all(files));
}

export async function writeBundle(file: string, files: Files, at: Date): Promise<void> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files))
    zip.addBuffer(Buffer.from(text), `drawhouse-support/${name}`, { mtime: at, mode: 0o100_000 | OWN_FILE });
  zip.end();
  try {
    await pipeline(zip.outputStream, createWriteStream(file, { mode: OWN_FILE, flags: 'wx', flush: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(file, { force: true });
    throw error;
  }
}

function withoutNames({ about, ...finding }: Finding): Finding {
  return about ? { ...finding, about: [`(${about.length} left out)`] } : finding;
}

function versions(version: string, clock: Clock): object {
  return {
    at: clock.now().toISOString(),
    drawhouse: version,
    node: process.versions,
    system: { platform: platform(), release: release(), arch: arch(), processors: availableParallelism() },
    memory: { bytes: totalmem(), freeBytes: freemem(), limitBytes: process.constrainedMemory() },
    load: loadavg(),
    uptimeSeconds: Math.round(uptime()),
  };
}

function unread(error: Error): string {
  return `It could not be read: ${error.message}\n`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PUBLIC_PARAMETERS: ReadonlySet<string> = new Set(['region', 'endpoint', 'sslmode', 'target_session_attrs']);
const LEFT_OUT = '…';
/** Shorter secrets may match ordinary words. */
const LEAST_SECRET = 4;

/** Shows unknown names only if they resemble settings, never their values. */
export function redactSettings(env: Environment): Record<string, string> {
  const settings = Object.entries(SETTINGS).flatMap(([name, { disclosure }]) => {
    const value = env[name]?.trim();
    if (!value) return [];
    if (disclosure === 'as it is') return [[name, value]];
    return [
      [name, disclosure === 'that it is set' ? '(set)' : addressesIn(value, disclosure).map(redactAddress).join(', ')],
    ];
  });
  const strays = unknownSettings(Object.keys(env)).map(({ name }) => [name, '(set, but not a setting)']);
  return Object.fromEntries([...settings, ...strays]) as Record<string, string>;
}

/** A comma in a single address may belong to its password. */
function addressesIn(value: string, telling: Disclosure): string[] {
  return telling === 'as addresses' ? value.split(',').map((one) => one.trim()) : [value];
}

/** Also hides a user that grants access, such as an access key. */
export function redactAddress(text: string): string {
  const url = addressOf(text);
  if (!url) return '(set, but not a valid address)';
  const isRole = /^(?:postgres(?:ql)?|sftp):$/.test(url.protocol);
  const user =
    url.username === '' ? '' : `${isRole ? url.username : LEFT_OUT}${url.password === '' ? '' : `:${LEFT_OUT}`}@`;
  const parameters = [...url.searchParams].map(([name, value]) => {
    return `${name}=${PUBLIC_PARAMETERS.has(name) ? value : LEFT_OUT}`;
  });
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return `${url.protocol}//${user}${hostOf(text) || url.host}${url.pathname}${query}${url.hash}`;
}

export function secretsIn(env: Environment): string[] {
  const secrets = Object.entries(SETTINGS).flatMap(([name, { disclosure }]) => {
    const value = env[name]?.trim();
    if (!value || disclosure === 'as it is') return [];
    if (disclosure === 'that it is set') return [value];
    return addressesIn(value, disclosure).flatMap(secretsOfAddress);
  });
  return [...new Set(secrets)].filter(({ length }) => length >= LEAST_SECRET).toSorted((a, b) => b.length - a.length);
}

/** Null if invalid, such as passwords with unescaped slashes; more of those may be secret. */
function addressOf(text: string): URL | null {
  const url = URL.parse(parseClusterAddress(text)?.hosts[0] ?? text);
  return url && !`${url.pathname}${url.search}${url.hash}`.includes('@') ? url : null;
}

function secretsOfAddress(text: string): string[] {
  const url = addressOf(text);
  if (!url) return [text];
  const parameters = [...url.searchParams].filter(([name]) => !PUBLIC_PARAMETERS.has(name)).map(([, value]) => value);
  const user = url.protocol === 's3:' ? [url.username] : [];
  return [url.password, ...user, ...parameters].flatMap((one) => [one, decoded(one)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '(left out)'), text);
}

const OF_POSTGRES = [
  'autovacuum',
  'checkpoint_timeout',
  'data_checksums',
  'default_transaction_isolation',
  'effective_cache_size',
  'effective_io_concurrency',
  'fsync',
  'full_page_writes',
  'hot_standby',
  'io_method',
  'jit',
  'maintenance_work_mem',
  'max_connections',
  'max_parallel_workers',
  'max_wal_size',
  'max_worker_processes',
  'random_page_cost',
  'server_encoding',
  'server_version',
  'shared_buffers',
  'synchronous_commit',
  'synchronous_standby_names',
  'TimeZone',
  'wal_level',
  'work_mem',
];

async function figure<T>(read: () => Promise<T>): Promise<T | { readonly unread: string }> {
  try {
    return await read();
  } catch (error) {
    return { unread: (error as Error).message };
  }
}

/** Numbers only: no rows, account names or credit. */
async function readFigures(
  { db, address }: ReachedDatabase,
  { settings: { config }, clock }: Surroundings,
): Promise<Record<string, unknown>> {
  return {
    postgresql: await figure(() =>
      db.query(sql`select name, setting, unit, source from pg_settings where name = any(${OF_POSTGRES}) order by name`),
    ),
    database: await figure(async () => {
      const [row] = await db.query<{ bytes: bigint }>(sql`select pg_database_size(current_database()) as bytes`);
      return { bytes: Number(row!.bytes) };
    }),
    connections: await figure(() =>
      db.query(
        sql`select coalesce(application_name, '') as program, coalesce(state, '') as state, count(*)::int as connections
         from pg_stat_activity where datname = current_database() group by 1, 2 order by 1, 2`,
      ),
    ),
    migrations: await figure(() => readMigrations(address)),
    // Exact counts would take minutes.
    tables: await figure(async () => {
      const rows = await db.query<Record<'rows' | 'dead' | 'bytes' | 'indexBytes', bigint> & { name: string }>(
        sql`select c.relname::text as name, greatest(c.reltuples, s.n_live_tup)::bigint as rows, s.n_dead_tup as dead,
          pg_total_relation_size(c.oid) as bytes,
           pg_indexes_size(c.oid) as "indexBytes"
         from pg_class c join pg_stat_user_tables s on s.relid = c.oid where s.schemaname = 'public' order by c.relname`,
      );
      return rows.map(({ name, ...counts }) => ({ name, ...numbersOf(counts) }));
    }),
    timeZone: await figure(async () => (await readPinned(db)).timeZone ?? null),
    seals: await figure(async () => {
      const sealed = await readProgress(db);
      return sealed ? { ...sealed, size: Number(sealed.size) } : null;
    }),
    audits: await figure(async () => {
      const { whole, daily } = await lastVerdicts(db);
      return { whole: describe(whole), daily: describe(daily) };
    }),
    backups: await figure(async () => {
      const timeZone = (await readPinned(db)).timeZone ?? 'UTC';
      const networks = await readAllBackups({ config, db, clock, timeZone });
      return networks.map(({ networkId, all, right, trouble }) => ({
        network: networkId,
        whole: right.length,
        notWhole: all.length - right.length,
        newest: right[0] ? { takenAt: right[0].manifest.takenAt, bytes: bytesOf(right[0].manifest) } : null,
        inTrouble: trouble !== undefined,
      }));
    }),
  };
}

function numbersOf(counts: Readonly<Record<string, bigint>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)]));
}

/** The sentence names accounts, so leaves it out. */
function describe(verdict: StoredVerdict | undefined): object | null {
  if (!verdict) return null;
  const { at, checks, problems } = verdict;
  return { at, checks, problems };
}
