import { rm } from 'node:fs/promises';
import { requireChromium } from '../../../tools/testing/chromium.ts';
import { makeDataDir } from '../../server/test/processes/data-dir.ts';
import { startServerHost } from '../../server/test/processes/hosted-servers.ts';
import { ask, createTemplate, startTestCluster } from '../../server/test/test-databases.ts';
import { settingsOf } from './support.ts';
import { handOverNetwork } from './testNetwork.ts';
import { beginRun, NETWORK_TEMPLATE } from './testRun.ts';

/**
 * Starts one PostgreSQL per run. Each server's database is a copy of a template with the small network. Fails early
 * without a browser.
 */
export default async function setup(): Promise<() => Promise<void>> {
  requireChromium();
  const cluster = await startTestCluster();
  const host = startServerHost();
  // Holds the template's seals and key.
  const dataDir = await makeDataDir('template');
  try {
    await createTemplate(beginRun(cluster), NETWORK_TEMPLATE, async (database) => {
      // Interval and unique id of a draw are fixed at opening, so copies open their own.
      const server = await host.start({ ...settingsOf(database), DATA_DIR: dataDir }, { opensDraws: false });
      await handOverNetwork(server.url);
      await server.stop();
      // Log files are not copied, so each copy starts its own seal log.
      await ask(database.ownerUrl, 'delete from seal_progress');
    });
  } finally {
    host.end();
    await rm(dataDir, { recursive: true, force: true });
  }
  return () => cluster.stop();
}
