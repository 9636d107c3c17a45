import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { accessTo } from '../src/db/embedded-cluster.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { grantTo, roleOf } from '../src/db/serving-role.ts';
import type { Addresses } from '../src/serve.ts';
import { makeDataDir } from './data-dir.ts';

/** A PostgreSQL of a test run, with a migrated database that every test copies. The addresses are those of neither: they make databases. */
export interface TestCluster extends Addresses {
  stop(): Promise<void>;
}

/** A database of its own for a test file or a server. */
export interface TestDatabase extends Addresses {
  drop(): Promise<void>;
}

/** The template that has the catalogue and the first superadmin, as a server leaves it after its first start. */
export const BOOTSTRAPPED = 'test_bootstrapped';

/** The time at which tests begin: a full hour, so that draws of any interval have just opened. */
export const TEST_EPOCH = new Date('2026-03-10T10:00:00.000Z');

/** Where one connects to make databases, and what they are copies of. */
const [MAINTENANCE, TEMPLATE] = ['postgres', 'test_template'];

/**
 * What nothing in a test needs that ends with its PostgreSQL: writes that outlast a power cut. Whatever kills PostgreSQL, or the machine,
 * has a cluster of its own that is set as the product's is.
 */
const FORGETFUL = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off'];

/** Plans follow from what PostgreSQL knows of the tables: that it learns of them would depend on when it comes by, and so what a run sees. */
const PREDICTABLE = ['autovacuum = off'];

/** A server and one beside it may have some 75 connections, and four test files run at once. */
const ROOMY = { max_connections: '300' };

/** Starts a PostgreSQL in a folder of its own and migrates the database that is copied. */
export async function startTestCluster(): Promise<TestCluster> {
  const dataDir = await makeDataDir('test');
  const postgres = await startEmbedded(dataDir, { exclusive: true, settings: ROOMY });
  // A run that is interrupted ends at once: nothing of it stays, least of all in memory.
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

/**
 * Has PostgreSQL keep the password of a role in a form that is worked out 4,096 times as quickly: each of some thousand connections does so, and
 * the password has as many bits as a key.
 */
async function easeSignIn(ownerUrl: string, url: string): Promise<void> {
  const { username, password } = new URL(url);
  await ask(ownerUrl, `set scram_iterations = 1; alter role ${username} password '${password}'`);
}

/** Makes a migrated database in a cluster of {@link startTestCluster}, or a copy of another of its templates. */
export async function createDatabase(cluster: Addresses, template: string = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await ask(cluster.ownerUrl, copyOf(template, name));
  // What a database lets whom do is not copied with it.
  await ask(cluster.ownerUrl, accessTo(name, roleOf(cluster.serverUrl)));
  return { ...addressesOf(cluster, name), drop: () => ask(cluster.ownerUrl, `drop database ${name} with (force)`) };
}

/** Makes a migrated database that {@link createDatabase} can copy, with what `fill` puts into it. Throws what `fill` throws. */
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

/** What somebody is connected to can't be copied: so nobody can connect to it, and who tries is told at once. */
function shut(ownerUrl: string, template: string): Promise<void> {
  return ask(ownerUrl, `alter database ${template} allow_connections false`);
}

function addressesOf({ ownerUrl, serverUrl }: Addresses, database: string): Addresses {
  return { ownerUrl: at(ownerUrl, database), serverUrl: at(serverUrl, database) };
}

/** Runs one statement on a connection of its own. */
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
