import { execFileSync, spawn } from 'node:child_process';
import { chmod, chown, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCluster } from '../../apps/server/src/platform/db/connection/read-cluster.ts';
import { PROBE_TIMEOUTS, withClient } from '../../apps/server/src/platform/db/connection/dedicated-connections.ts';
import { postgresPids } from '../../apps/server/test/processes/server-process.ts';
import { pause } from '../../tools/demo/client.ts';
import { killAll } from '../torture/stand.ts';
import type { StandDatabase } from './failover-stand.ts';

/** The operator's own files. */
const FILES = fileURLToPath(new URL('../../deploy/three-nodes/', import.meta.url));
const NAMES = ['db1', 'db2', 'db3'] as const;
/** Unlikely to collide with an existing network. */
const [FILES_NETWORK, NETWORK] = ['10.0.0.', '10.213.49.'];
const BRIDGE = 'dhlab';
const PASSWORD = 'drill';
const HEALTHY_MS = 180_000;
const STUCK_MS = 45_000;

/** `postgres`: only PostgreSQL. `node`: all processes of the machine. `network`: its cable. */
export const NODE_KILLS = ['postgres', 'node', 'network'] as const;
export type NodeKill = (typeof NODE_KILLS)[number];

/** Each node has its own network namespace. */
export class DatabaseNodes implements StandDatabase {
  readonly #dir: string;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  static async start(dir: string): Promise<DatabaseNodes> {
    const nodes = new DatabaseNodes(dir);
    removeNetwork();
    run('ip', ['link', 'add', BRIDGE, 'type', 'bridge']);
    run('ip', ['address', 'add', `${NETWORK}1/24`, 'dev', BRIDGE]);
    run('ip', ['link', 'set', BRIDGE, 'up']);
    await chmod(dir, 0o755);
    try {
      for (const name of NAMES) await nodes.#prepare(name);
      for (const name of NAMES) await nodes.#startNode(name);
      await nodes.untilHealthy();
      await nodes.#createRoles();
      return nodes;
    } catch (error) {
      await nodes.stop();
      throw error;
    }
  }

  get serverUrl(): string {
    return this.#url('drawhouse');
  }

  get ownerUrl(): string {
    return this.#url('drawhouse_owner');
  }

  get superuserUrl(): string {
    return this.#url('postgres');
  }

  #url(role: string, database = 'drawhouse'): string {
    const hosts = NAMES.map((name) => `${addressOf(name)}:5432`).join();
    return `postgres://${role}:${PASSWORD}@${hosts}/${database}?target_session_attrs=read-write`;
  }

  /** Returns its name and the time. */
  async killPrimary(kind: NodeKill): Promise<{ readonly name: string; readonly at: Date }> {
    const hosts = await readCluster(this.#url('postgres', 'postgres'));
    const host = hosts.find(({ role }) => role === 'primary')?.host;
    const name = nameOf(host);
    if (!name) throw new Error('There is no primary to kill.');
    if (kind === 'network') {
      run('ip', ['link', 'set', cableOf(name), 'down']);
      return { name, at: new Date() };
    }
    const pids = kind === 'node' ? pidsOf(name) : await postgresPids(join(this.#dir, name));
    return { name, at: killAll(pids) };
  }

  /** Patroni itself restarts PostgreSQL. */
  async repair(kind: NodeKill, name: string): Promise<void> {
    if (kind === 'network') run('ip', ['link', 'set', cableOf(name), 'up']);
    if (kind === 'node') await this.#startNode(name);
  }

  /**
   * Patroni may promote a standby, and two standbys stream. Patroni reports a standby as running even if it does not
   * stream, so the primary is asked. Copies a stuck node again, as an operator would. Returns the copied nodes.
   */
  async untilHealthy(signal?: AbortSignal): Promise<readonly string[]> {
    const until = performance.now() + HEALTHY_MS;
    const copied: string[] = [];
    while (!signal?.aborted) {
      const hosts = await readCluster(this.#url('postgres', 'postgres'));
      const primary = hosts.find(({ role }) => role === 'primary');
      const roles = primary ? await rolesAt(primary.host) : [];
      const streaming = primary ? await streamingFrom(primary.host) : [];
      const mayFailOver = roles.toSorted().join() === 'leader,replica,sync_standby';
      if (mayFailOver && streaming.length === NAMES.length - 1) return copied;
      const running = new Set([nameOf(primary?.host), ...streaming, ...copied]);
      const stuck = primary && NAMES.find((name) => !running.has(name));
      if (stuck && performance.now() > until - HEALTHY_MS + STUCK_MS) {
        await reinitialize(stuck);
        copied.push(stuck);
      }
      if (performance.now() > until)
        throw new Error(`Not healthy after ${HEALTHY_MS / 1000} s.\n${await this.describe()}`);
      await pause(250, signal);
    }
    return copied;
  }

  async describe(): Promise<string> {
    const logs = NAMES.map(async (name) => {
      const log = await readFile(join(this.#dir, name, 'patroni.log'), 'utf8');
      return `── ${name} ──\n${log.split('\n').slice(-40).join('\n')}`;
    });
    return [JSON.stringify(await readCluster(this.#url('postgres', 'postgres'))), ...(await Promise.all(logs))].join(
      '\n',
    );
  }

  async stop(): Promise<void> {
    removeNetwork();
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #prepare(name: string): Promise<void> {
    const cable = cableOf(name);
    run('ip', ['netns', 'add', cable]);
    run('ip', ['link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', cable]);
    run('ip', ['link', 'set', cable, 'master', BRIDGE, 'up']);
    const inside = ['netns', 'exec', cable, 'ip'];
    run('ip', [...inside, 'address', 'add', `${addressOf(name)}/24`, 'dev', 'eth0']);
    for (const device of ['lo', 'eth0']) run('ip', [...inside, 'link', 'set', device, 'up']);
    const dir = join(this.#dir, name);
    await mkdir(dir);
    await writeFile(join(dir, 'patroni.yml'), await this.#fileFor(name, 'patroni.yml'));
    const { uid, gid } = postgresUser();
    await chown(dir, uid, gid);
    await chmod(dir, 0o700);
  }

  async #fileFor(name: string, file: 'etcd' | 'patroni.yml'): Promise<string> {
    const text = await readFile(join(FILES, file), 'utf8');
    const dir = join(this.#dir, name);
    // Namespaces share the file system, unlike machines.
    const own = `data_dir: ${join(dir, 'postgres')}\n  pgpass: ${join(dir, 'pgpass')}\n  parameters:\n    unix_socket_directories: ${dir}`;
    return text
      .replaceAll('NODE', name)
      .replaceAll('ADDRESS', addressOf(name))
      .replaceAll(FILES_NETWORK, NETWORK)
      .replace(/data_dir: .*/, own)
      .replaceAll(/(SUPERUSER|REPLICATION)_PASSWORD/g, PASSWORD);
  }

  async #startNode(name: string): Promise<void> {
    const dir = join(this.#dir, name);
    const lines = (await this.#fileFor(name, 'etcd')).split('\n').filter((line) => line.startsWith('ETCD_'));
    await inNamespace(name, dir, 'etcd', ['env', ...lines, 'etcd', '--data-dir', join(dir, 'etcd')]);
    await inNamespace(name, dir, 'patroni', ['patroni', join(dir, 'patroni.yml')]);
  }

  /** The statements behind docs/operations.md's createuser and createdb. */
  async #createRoles(): Promise<void> {
    await withClient(this.#url('postgres', 'postgres'), PROBE_TIMEOUTS, async (client) => {
      await client.query(`create role drawhouse_owner login createdb password '${PASSWORD}'`);
      await client.query(`create role drawhouse login password '${PASSWORD}'`);
      await client.query('create database drawhouse owner drawhouse_owner template template0');
    });
  }
}

/** By Patroni. Empty if it does not answer. */
async function rolesAt(host: string): Promise<readonly string[]> {
  try {
    const address = `http://${host.replace(':5432', ':8008')}/cluster`;
    const response = await fetch(address, { signal: AbortSignal.timeout(1_000) });
    return ((await response.json()) as { members: { role: string }[] }).members.map(({ role }) => role);
  } catch {
    return [];
  }
}

/** Names of standbys. Empty if the host does not answer. */
async function streamingFrom(host: string): Promise<readonly string[]> {
  try {
    return await withClient(`postgres://postgres:${PASSWORD}@${host}/postgres`, PROBE_TIMEOUTS, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select application_name as name from pg_stat_replication where state = 'streaming'`,
      );
      return rows.map(({ name }) => name);
    });
  } catch {
    return [];
  }
}

/** As `patronictl reinit`. */
async function reinitialize(name: string): Promise<void> {
  const { status } = await fetch(`http://${addressOf(name)}:8008/reinitialize`, {
    method: 'POST',
    body: JSON.stringify({ force: true }),
  });
  if (status !== 200) throw new Error(`Patroni of ${name} answered ${status} to a reinit.`);
}

function nameOf(host: string | undefined): (typeof NAMES)[number] | undefined {
  return NAMES.find((name) => host === `${addressOf(name)}:5432`);
}

function addressOf(name: string): string {
  return `${NETWORK}1${name.slice(-1)}`;
}

function cableOf(name: string): string {
  return `${BRIDGE}-${name}`;
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function postgresUser(): { uid: number; gid: number } {
  return { uid: Number(run('id', ['-u', 'postgres'])), gid: Number(run('id', ['-g', 'postgres'])) };
}

function pidsOf(name: string): number[] {
  return run('ip', ['netns', 'pids', cableOf(name)])
    .split('\n')
    .filter(Boolean)
    .map(Number);
}

async function inNamespace(name: string, dir: string, log: string, command: readonly string[]): Promise<void> {
  const { uid, gid } = postgresUser();
  const file = await open(join(dir, `${log}.log`), 'a');
  const user = ['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  spawn('ip', ['netns', 'exec', cableOf(name), ...user, ...command], {
    cwd: dir,
    // Ctrl-C ends the drill, not the nodes before it.
    detached: true,
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
    stdio: ['ignore', file.fd, file.fd],
  }).unref();
  await file.close();
}

/** Also removes those of a killed drill. */
function removeNetwork(): void {
  const namespaces = run('ip', ['netns', 'list']).split('\n');
  for (const name of NAMES)
    if (namespaces.some((line) => line.startsWith(cableOf(name)))) {
      killAll(pidsOf(name));
      run('ip', ['netns', 'delete', cableOf(name)]);
    }
  // A deleted namespace removes its cable later.
  const links = run('ip', ['-o', 'link']);
  for (const link of [...NAMES.map(cableOf), BRIDGE])
    if (new RegExp(` ${link}[@:]`).test(links)) run('ip', ['link', 'delete', link]);
}
