import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { accessTo } from '../src/platform/db/embedded/embedded-cluster.ts';
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { grantTo, roleOf } from '../src/platform/db/connection/granted-rights.ts';
import type { Addresses } from '../src/compose/serve.ts';
import { makeDataDir } from './processes/data-dir.ts';

/** Has a migrated template. Addresses are for creating databases. */
export interface TestCluster extends Addresses {
  stop(): Promise<void>;
}

export interface TestDatabase extends Addresses {
  drop(): Promise<void>;
}

export const EMPTY = 'template0';

export const BOOTSTRAPPED = 'test_bootstrapped';

/** A full hour, so draws of any interval have just opened. */
export const TEST_EPOCH = new Date('2026-03-10T10:00:00.000Z');

const [MAINTENANCE, TEMPLATE] = ['postgres', 'test_template'];

/** No durability, for speed. Tests that kill PostgreSQL use a separate cluster with product settings. */
const FORGETFUL = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off'];

/** Statistics would change plans at random times. */
const PREDICTABLE = ['autovacuum = off'];

/** Two servers may use 75 connections; four files run concurrently. */
const ROOMY = { max_connections: '300' };

/** Each table of a move waits for all running transactions, so many tables wait at a time. */
const COPYING = {
  max_worker_processes: '40',
  max_logical_replication_workers: '32',
  max_sync_workers_per_subscription: '12',
  max_replication_slots: '40',
  max_wal_senders: '40',
  max_active_replication_origins: '40',
};

export async function startTestCluster(): Promise<TestCluster> {
  const dataDir = await makeDataDir('test');
  const postgres = await startEmbedded(dataDir, { exclusive: true, settings: { ...ROOMY, ...COPYING } });
  // An interrupted run leaves nothing, especially in memory.
  const abandon = (): void => {
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    if (existsSync(pidFile)) process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT');
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  const [ownerUrl, serverUrl] = [at(postgres.ownerUrl, MAINTENANCE), at(postgres.serverUrl, MAINTENANCE)];
  for (const setting of [...FORGETFUL, ...PREDICTABLE]) await ask(ownerUrl, `alter system set ${setting}`);
  await ask(ownerUrl, 'select pg_reload_conf()');
  for (const url of [serverUrl, ownerUrl]) await easeSignIn(ownerUrl, url);
  await ask(ownerUrl, `create database ${TEMPLATE}`);
  await migrate(at(ownerUrl, TEMPLATE));
  await grantTo(at(ownerUrl, TEMPLATE), roleOf(serverUrl));
  await shut(ownerUrl, TEMPLATE);
  return {
    ownerUrl,
    serverUrl,
    async stop() {
      process.off('exit', abandon);
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Lowers SCRAM iterations from 4,096 to one: thousands of connections authenticate, with key-strength passwords. */
async function easeSignIn(ownerUrl: string, url: string): Promise<void> {
  const { username, password } = new URL(url);
  await ask(ownerUrl, `set scram_iterations = 1; alter role ${username} password '${password}'`);
}

export async function createDatabase(cluster: Addresses, template: string = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await ask(cluster.ownerUrl, copyOf(template, name));
  // Database privileges are not copied.
  await ask(cluster.ownerUrl, accessTo(name, roleOf(cluster.serverUrl)));
  return { ...addressesOf(cluster, name), drop: () => ask(cluster.ownerUrl, `drop database ${name} with (force)`) };
}

/** For {@link createDatabase}, filled by `fill`. Passes on its errors. */
export async function createTemplate(
  cluster: Addresses,
  name: string,
  fill: (database: Addresses) => Promise<void>,
): Promise<void> {
  await ask(cluster.ownerUrl, copyOf(TEMPLATE, name));
  await fill(addressesOf(cluster, name));
  await shut(cluster.ownerUrl, name);
}

function copyOf(template: string, name: string): string {
  return `create database ${name} template ${template} strategy file_copy`;
}

/** Databases with connections cannot be copied, so connecting is forbidden. */
function shut(ownerUrl: string, template: string): Promise<void> {
  return ask(ownerUrl, `alter database ${template} allow_connections false`);
}

function addressesOf({ ownerUrl, serverUrl }: Addresses, database: string): Addresses {
  return { ownerUrl: at(ownerUrl, database), serverUrl: at(serverUrl, database) };
}

export async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function at(address: string, database: string): string {
  const url = new URL(address);
  url.pathname = database;
  return url.href;
}
