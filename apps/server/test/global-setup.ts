import type { TestProject } from 'vitest/node';
import { bootstrapTemplate } from './bootstrap-template.ts';
import { startTestCluster } from './test-databases.ts';
import type { Addresses } from '../src/serve.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of the run, in which each test file makes a database of its own. */
    cluster: Addresses;
  }
}

/** One real PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  await bootstrapTemplate(cluster);
  project.provide('cluster', { ownerUrl: cluster.ownerUrl, serverUrl: cluster.serverUrl });
  return () => cluster.stop();
}
