import { requireChromium } from '../../../tools/chromium.ts';
import { startTestCluster } from '../../server/test/test-databases.ts';
import type { Addresses } from '../../server/test/test-databases.ts';

/** How the runner tells its workers where the PostgreSQL of the run is. */
const VARIABLE = 'TEST_CLUSTER';

/** Says so where there is no browser. One PostgreSQL for the whole run; each server has a database of its own in it. */
export default async function setup(): Promise<() => Promise<void>> {
  requireChromium();
  const cluster = await startTestCluster();
  const { ownerUrl, serverUrl } = cluster;
  process.env[VARIABLE] = JSON.stringify({ ownerUrl, serverUrl });
  return () => cluster.stop();
}

/** The PostgreSQL of the run. */
export function testCluster(): Addresses {
  return JSON.parse(process.env[VARIABLE]!) as Addresses;
}
