import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { grantTo, roleOf } from '../src/db/serving-role.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the migrated database that every test file copies, for its owner. */
    templateUrl: string;
    /** The same for the role that serves. */
    serverUrl: string;
  }
}

/** One real PostgreSQL for the whole run; each test file makes a database of its own from the migrated one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'drawhouse-test-'));
  const postgres = await startEmbedded(dataDir, { exclusive: true });
  await migrate(postgres.ownerUrl);
  await grantTo(postgres.ownerUrl, roleOf(postgres.serverUrl));
  project.provide('templateUrl', postgres.ownerUrl);
  project.provide('serverUrl', postgres.serverUrl);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
