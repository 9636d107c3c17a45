import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathsOf, readPasswords, urlOf } from '../../src/platform/db/embedded/embedded-cluster.ts';
import { freePort, firstStart, starter, stopRunning } from '../../src/platform/db/embedded/embedded-start.ts';
import { startEmbedded } from '../../src/platform/db/embedded/embedded.ts';
import { ask } from '../test-databases.ts';
import { makeDataDir } from './data-dir.ts';

export interface PairHost {
  readonly dataDir: string;
  readonly ownerUrl: string;
  readonly serverUrl: string;
  readonly host: string;
  kill(): void;
}

/** A primary and its streaming standby, of the embedded binaries. */
export interface ReplicatedPair {
  readonly primary: PairHost;
  readonly standby: PairHost;
  /** Addresses that name both hosts. */
  readonly ownerUrl: string;
  readonly serverUrl: string;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const STANDBY_NAME = 'second';

/** With `isSynchronous`, a commit waits for the standby. */
export async function startReplicatedPair({ isSynchronous = true } = {}): Promise<ReplicatedPair> {
  const dataDir = await makeDataDir('primary');
  const made = await startEmbedded(dataDir, { exclusive: true });
  await made.stop();
  const copyDir = await makeDataDir('standby');
  // Keeps PostgreSQL's own user as owner.
  execFileSync('cp', ['-a', `${dataDir}/.`, copyDir]);
  await writeFile(join(copyDir, 'postgres', 'standby.signal'), '');
  const primary = await startHost(dataDir, {});
  const { hostname, port, username, password } = new URL(primary.ownerUrl);
  const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=${STANDBY_NAME}`;
  const standby = await startHost(copyDir, { primary_conninfo: source });
  if (isSynchronous) {
    await ask(primary.ownerUrl, `alter system set synchronous_standby_names = '${STANDBY_NAME}'`);
    await ask(primary.ownerUrl, 'select pg_reload_conf()');
  }
  const both = (url: string): string =>
    url.replace(primary.host, `${primary.host},${standby.host}`).concat('?target_session_attrs=read-write');
  return {
    primary,
    standby,
    ownerUrl: both(primary.ownerUrl),
    serverUrl: both(primary.serverUrl),
    promote: () => ask(standby.ownerUrl, 'select pg_promote()'),
    async stop() {
      for (const host of [standby, primary]) {
        await host.stop();
        await rm(host.dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** Puts a stopped cluster on its next timeline, as a restore to an earlier moment does. */
export async function beginTimeline(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, 'postgres', 'standby.signal'), '');
  const host = await startHost(dataDir, {});
  await ask(host.ownerUrl, 'select pg_promote()');
  await host.stop();
}

async function startHost(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<PairHost & { stop(): Promise<void> }> {
  const paths = pathsOf(dataDir);
  const start = await starter(paths, false, { ...settings, shared_buffers: '64MB' });
  const running = await firstStart((_, signal) => freePort().then((port) => start(port, signal)));
  const passwords = await readPasswords(paths);
  return {
    dataDir,
    host: `127.0.0.1:${running.port}`,
    ownerUrl: urlOf(running.port, passwords, 'owner'),
    serverUrl: urlOf(running.port, passwords, 'server'),
    kill: () => void process.kill(running.pid, 'SIGKILL'),
    stop: () => stopRunning(running),
  };
}
