import { join } from 'node:path';
import { parseBundle } from '@drawhouse/tlog/entry-bundles';
import { logNameOf } from '@drawhouse/tlog/log-origins';
import { TILE_WIDTH } from '@drawhouse/tlog/tile-paths';
import { readTile } from './seal-files.ts';
import { logBefore } from './seal-heads.ts';
import type { SealLog } from './seal-log.ts';
import { ifReadable, VerifiedTiles } from './verified-tiles.ts';

/** A log with the hashes that it had when it was last sealed. */
export interface VerifiedLog {
  /** Which log of the installation it is, from 1. */
  readonly nth: number;
  readonly tiles: VerifiedTiles;
}

/**
 * The logs of a folder, the newest first: that one as it was sealed last, each before it as the first record of the one behind it names it. It ends with the first whose files are others,
 * or gone.
 */
export async function verifiedLogs(dir: string, newest: SealLog): Promise<VerifiedLog[]> {
  const logs: VerifiedLog[] = [];
  const { size, root } = newest.state;
  let next: { nth: number; size: number; root: string } | undefined = { nth: newest.nth, size, root };
  while (next) {
    const { nth } = next;
    const tiles: VerifiedTiles | undefined = await VerifiedTiles.open({ ...next, folder: join(dir, String(nth)) });
    if (tiles) logs.push({ nth, tiles });
    next = tiles && (await treeBefore(tiles));
  }
  return logs;
}

/** The log that the first record of one names, with the tree that it had; undefined if it names none. */
async function treeBefore(tiles: VerifiedTiles): Promise<{ nth: number; size: number; root: string } | undefined> {
  const ended = logBefore((await entriesOf(tiles, 0))?.[0]);
  const nth = ended && logNameOf(ended.origin)?.nth;
  return nth !== undefined && ended?.size ? { nth, size: ended.size, root: ended.root } : undefined;
}

/** The entries of a bundle, as many as the tree has there; undefined where they are not there, or others. */
async function entriesOf(tiles: VerifiedTiles, index: number): Promise<readonly Uint8Array[] | undefined> {
  const width = Math.min(TILE_WIDTH, tiles.size - index * TILE_WIDTH);
  const entries = await unverifiedEntries(tiles, index, width);
  return entries && (await tiles.has(index, entries)) ? entries : undefined;
}

/** The same as its file says it: whoever goes by it has it verified. */
export async function unverifiedEntries(
  { folder }: VerifiedTiles,
  index: number,
  width: number,
): Promise<readonly Uint8Array[] | undefined> {
  const reading = readTile(folder, { level: 'entries', index, width });
  return ifReadable(reading.then((bytes) => parseBundle(bytes).slice(0, width)));
}
