import { rm } from 'node:fs/promises';
import { requireChromium } from '../../../tools/chromium.ts';
import { makeDataDir } from '../../server/test/data-dir.ts';
import { startServerHost } from '../../server/test/hosted-servers.ts';
import { ask, createTemplate, startTestCluster } from '../../server/test/test-databases.ts';
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
  // Its seals and their key, which no test has.
  const dataDir = await makeDataDir('template');
  try {
    await createTemplate(beginRun(cluster), NETWORK_TEMPLATE, async (database) => {
      // A draw has the interval that its game has when it opens, and an id that no other database has: each copy opens its own.
      const server = await host.start({ ...settingsOf(database), DATA_DIR: dataDir }, { opensDraws: false });
      await handOverNetwork(server.url);
      await server.stop();
      // Each copy begins a log of seals of its own, as the files of this one are not copied with it.
      await ask(database.ownerUrl, 'delete from seal_progress');
    });
  } finally {
    host.end();
    await rm(dataDir, { recursive: true, force: true });
  }
  return () => cluster.stop();
}
