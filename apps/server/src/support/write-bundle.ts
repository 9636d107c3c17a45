import { createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { pathsOf } from '../db/embedded-cluster.ts';
import { OWN_FILE } from '../db/durable-file.ts';
import { readSettings } from '../doctor/check-settings.ts';
import { examine } from '../doctor/examine.ts';
import { findingText } from '../doctor/findings.ts';
import type { Finding } from '../doctor/findings.ts';
import { withSurroundings } from '../doctor/surroundings.ts';
import type { Clock } from '../clock.ts';
import { logFolderOf } from '../log/kept-log.ts';
import { readFigures } from './read-figures.ts';
import { tellPostgresLog, tellServerLog } from './told-log.ts';
import { secretsIn, tellSettings, withoutSecrets } from './told-settings.ts';

const README = `What whoever helps needs to know of a server of Drawhouse, and no more. Look through it before you give it away.

versions.json      of the program, Node, the system and its memory
settings.json      the settings that are set; of secrets only that they are
doctor.txt, .json  what npm run doctor found, without the names of accounts
figures.json       sizes of the tables, PostgreSQL's settings, the last audit, backups and seals
postgres.log       the newest lines of the embedded PostgreSQL, without what shows rows
server-*.log       the newest lines of each server here: what, when, how it ended, and no words of anybody
server-log.txt     where the whole log of a server is

There is nothing in it of players, no name of an account, and no credit.
`;

/** What the program says of its own log, of which it keeps the newest lines alone. */
const SERVER_LOG = `The server writes its log to its standard output: whatever started it has all lines. It keeps the newest ones, between one and two megabytes,
in DATA_DIR/log, which are here without what names an account.
Of systemd:     journalctl -u drawhouse --since "2 hours ago"
Of a container: docker logs --since 2h NAME
LOG_LEVEL says how much it tells. Look through the lines before you give them away: they name sessions by no token, but accounts by their names.
`;

/** The files of a bundle, by their names. */
type Files = Readonly<Record<string, string>>;

/** Where a bundle comes from. */
export interface BundleOrder {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly version: string;
}

/**
 * What a bundle holds: versions, settings, findings, figures and logs, without secrets and without anything of accounts. PostgreSQL's log is read first: what is
 * started to look at its database adds to it.
 */
export async function readBundle({ env, clock, version }: BundleOrder): Promise<Files> {
  const { databaseUrl, dataDir } = readSettings(env).config;
  const log = databaseUrl === undefined ? await tellPostgresLog(pathsOf(dataDir).log).catch(unread) : undefined;
  const serverLogs = await serverLogsIn(logFolderOf(dataDir));
  const { findings, figures } = await withSurroundings(env, clock, async (surroundings) => ({
    findings: (await examine(surroundings)).map(withoutNames),
    figures: surroundings.database && (await readFigures(surroundings.database, surroundings)),
  }));
  const files: Record<string, string> = {
    'README.txt': README,
    'versions.json': json(versions(version, clock)),
    'settings.json': json(tellSettings(env)),
    'doctor.txt': `${findings.map(findingText).join('\n')}\n`,
    'doctor.json': json(findings),
    'figures.json': json(figures ?? 'The database is not reached: see doctor.txt.'),
    ...serverLogs,
    'server-log.txt': SERVER_LOG,
    ...(log !== undefined && { 'postgres.log': log }),
  };
  const secrets = secretsIn(env);
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, withoutSecrets(text, secrets)]));
}

/** The newest lines that servers kept here, by the names of their files. */
async function serverLogsIn(folder: string): Promise<Files> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^server-\d+\.log(?:\.1)?$/.test(name));
  const told = names.toSorted().map(async (name): Promise<[string, string]> => {
    return [name, (await tellServerLog(join(folder, name)).catch(unread)) ?? ''];
  });
  return Object.fromEntries(await Promise.all(told));
}

/** Writes a bundle as a zip, which its owner alone can read. */
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
