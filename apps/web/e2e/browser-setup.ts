import { requireChromium } from '../../../tools/chromium.ts';
import { startServerHost } from '../../server/test/hosted-servers.ts';
import { createTemplate, startTestCluster } from '../../server/test/test-databases.ts';
import { settingsOf } from './support.ts';
import { handOverNetwork } from './testNetwork.ts';
import { beginRun, NETWORK_TEMPLATE } from './testRun.ts';

/**
 * Says so where there is no browser. One PostgreSQL for the whole run, in which each server has a database of its own: a copy of one that has
 * the small network, as most files want it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  requireChromium();
  const cluster = await startTestCluster();
  const host = startServerHost();
  try {
    await createTemplate(beginRun(cluster), NETWORK_TEMPLATE, async (database) => {
      // A draw has the interval that its game has when it opens, and an id that no other database has: each copy opens its own.
      const server = await host.start(settingsOf(database), { opensDraws: false });
      await handOverNetwork(server.url);
      await server.stop();
    });
  } finally {
    host.end();
  }
  return () => cluster.stop();
}
