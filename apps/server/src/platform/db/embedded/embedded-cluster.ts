import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Timeouts } from '../connection/timeouts.ts';
import { isAlive, launch, ownerOf, whyNotRun, type RunAs } from './embedded-process.ts';
import { loadOrCreatePassword, writeSecret } from './durable-file.ts';
import { withClient } from '../connection/dedicated-connections.ts';

export interface ClusterPaths {
  readonly cluster: string;
  readonly password: string;
  readonly serverPassword: string;
  readonly owner: string;
  readonly log: string;
}

/** The serving role has only the rights in grants.sql. */
const [OWNER, SERVER] = ['drawhouse', 'drawhouse_server'];
const DATABASE = 'drawhouse';

export function pathsOf(dataDir: string): ClusterPaths {
  return {
    cluster: join(dataDir, 'postgres'),
    password: join(dataDir, 'postgres.password'),
    serverPassword: join(dataDir, 'postgres.server.password'),
    owner: join(dataDir, 'postgres.owner'),
    log: join(dataDir, 'postgres.log'),
  };
}

export function hasCluster({ cluster }: ClusterPaths): boolean {
  return existsSync(join(cluster, 'PG_VERSION'));
}

/** `server` is missing before first start. */
export interface Passwords {
  readonly owner: string;
  readonly server: string | undefined;
}

export async function readPasswords(paths: ClusterPaths): Promise<Passwords> {
  const server = await readFile(paths.serverPassword, 'utf8').catch(() => undefined);
  return { owner: await readFile(paths.password, 'utf8'), server: server || undefined };
}

export function urlOf(port: number, passwords: Passwords, role: 'owner' | 'server', database = DATABASE): string {
  const [name, password] =
    role === 'server' && passwords.server !== undefined ? [SERVER, passwords.server] : [OWNER, passwords.owner];
  return `postgresql://${name}:${password}@127.0.0.1:${port}/${database}`;
}

/** Renamed when complete, so a kill leaves nothing partial. */
export async function initialise(initdb: string, paths: ClusterPaths, runAs: RunAs): Promise<void> {
  const password = randomBytes(24).toString('hex');
  await writeSecret(paths.password, password);
  await rm(paths.serverPassword, { force: true });
  const cluster = `${paths.cluster}.new`;
  await rm(cluster, { recursive: true, force: true });
  await rm(paths.cluster, { recursive: true, force: true });
  await mkdir(cluster, { mode: 0o700 });
  const passwordForInit = `${paths.cluster}.init`;
  await rm(passwordForInit, { force: true });
  await writeFile(passwordForInit, password, { mode: 0o600 });
  try {
    const owner = ownerOf(runAs);
    if (owner) {
      await chown(cluster, owner.uid, owner.gid);
      await chown(passwordForInit, owner.uid, owner.gid);
    }
    const options = ['--auth=scram-sha-256', '-E', 'UTF8', '--locale=C', '--data-checksums'];
    const child = launch(
      initdb,
      ['-D', cluster, '-U', OWNER, `--pwfile=${passwordForInit}`, ...options],
      runAs,
      'pipe',
    );
    let output = '';
    child.once('error', (error) => (output += whyNotRun(error)));
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk));
    const code = await new Promise<number | null>((closed) => child.once('close', closed));
    if (code !== 0) {
      await rm(cluster, { recursive: true, force: true });
      throw new Error(`PostgreSQL could not create its folder ${paths.cluster}:\n${output}`);
    }
    await rename(cluster, paths.cluster);
  } finally {
    await rm(passwordForInit, { force: true });
  }
}

const BRIEF: Timeouts = { connectMs: 2_000, lockMs: 10_000, statementMs: 10_000, answerMs: 10_000 };

function asOwner<T>(port: number, passwords: Passwords, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient(urlOf(port, passwords, 'owner', 'postgres'), BRIEF, ask);
}

/** Uses the port in `postmaster.pid`. */
export async function findRunning(paths: ClusterPaths): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await readFile(join(paths.cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!pid || !port || !isAlive(pid)) return undefined;
  const passwords = await readPasswords(paths).catch(() => undefined);
  return passwords && (await isUp(port, passwords)) ? { pid, port } : undefined;
}

/** A matching password identifies this cluster. */
export function isUp(port: number, passwords: Passwords): Promise<boolean> {
  return asOwner(port, passwords, async () => true).catch(() => false);
}

/** Limits access to owner and serving role. Loading backups needs temporary tables. */
export function accessTo(database: string, role: string): string {
  return `revoke all on database ${database} from public; grant connect, temporary on database ${database} to ${role}`;
}

export async function complete(port: number, paths: ClusterPaths): Promise<Passwords> {
  const passwords = await readPasswords(paths);
  const server = await loadOrCreatePassword(paths.serverPassword);
  await asOwner(port, passwords, async (client) => {
    const found = async (sql: string): Promise<boolean> => (await client.query(sql)).rowCount === 1;
    if (!(await found(`select from pg_database where datname = '${DATABASE}'`)))
      await client.query(`create database ${DATABASE}`);
    const exists = await found(`select from pg_roles where rolname = '${SERVER}'`);
    // The password file may be lost or from a killed start.
    await client.query(`${exists ? 'alter' : 'create'} role ${SERVER} login nosuperuser password '${server}'`);
    await client.query(accessTo(DATABASE, SERVER));
  }).catch((error: Error) => {
    throw new Error(`PostgreSQL started, but its roles could not be created: ${error.message}`, { cause: error });
  });
  return { ...passwords, server };
}
