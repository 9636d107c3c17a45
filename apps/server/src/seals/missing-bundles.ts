import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { prunedRecord, STATES_SIGNED } from '@drawhouse/rules/sealers-records';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { TILE_WIDTH, tilePath } from '@drawhouse/tlog/tile-paths';
import { ifMissing, readTile } from './seal-files.ts';
import { logsIn } from './seal-log.ts';
import { readState } from './seal-state.ts';

/**
 * What is sealed once, where a log begins to tell of the bundles that are removed: that it does, and, as earlier versions removed such without a word, of which full bundles of it
 * and of the logs before it the entries are not there now.
 */
export async function beginToTell(dir: string, upTo: number): Promise<Uint8Array[]> {
  const entries = [STATES_SIGNED];
  for (const nth of await logsIn(dir)) {
    if (nth > upTo) continue;
    const folder = join(dir, String(nth));
    const size = (await readState(folder).catch(() => undefined))?.size ?? 0;
    for (let index = 0; (index + 1) * TILE_WIDTH <= size; index++) {
      const file = join(folder, tilePath({ level: 'entries', index, width: TILE_WIDTH }));
      if (await access(file).then(() => true, ifMissing(false))) continue;
      const nodes = await readTile(folder, { level: 0, index, width: TILE_WIDTH }).catch(ifMissing(undefined));
      if (!nodes) continue;
      const root = Buffer.from(nodeHashes.perfect(nodes)).toString('hex');
      entries.push(prunedRecord({ nth, index, root, why: 'before' }));
    }
  }
  return entries.map((entry) => Buffer.from(entry));
}
