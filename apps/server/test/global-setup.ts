import type { TestProject } from 'vitest/node';
import { bootstrapTemplate } from './bootstrap-template.ts';
import { startTestCluster } from './test-databases.ts';
import type { Addresses } from '../src/compose/serve.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: Addresses;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  await bootstrapTemplate(cluster);
  project.provide('cluster', { ownerUrl: cluster.ownerUrl, serverUrl: cluster.serverUrl });
  return () => cluster.stop();
}
