import { join } from 'node:path';
import { parseBundle } from '@drawhouse/tlog/entry-bundles';
import { logNameOf } from '@drawhouse/tlog/log-origins';
import { TILE_WIDTH, tileOfTree } from '@drawhouse/tlog/tile-paths';
import { readTile } from './seal-files.ts';
import { logBefore } from './seal-heads.ts';
import type { SealLog } from './seal-log.ts';
import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { readEdge, rootOfEdge } from '@drawhouse/tlog/tile-writer';
import type { TreeEdge } from '@drawhouse/tlog/tile-writer';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';

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

/** A tree as somebody who can be believed has named it, and where its tiles are. */
interface KnownTree {
  readonly folder: string;
  readonly size: number;
  /** In hex. */
  readonly root: string;
}

/** The hashes of a tree from files that anybody may have changed: only what leads to its root is given. */
class VerifiedTiles {
  readonly folder: string;
  readonly size: number;
  readonly #edge: TreeEdge;
  /** The full tiles above the lowest level, which are asked for again and again. */
  readonly #upper = new Map<string, Promise<Uint8Array | undefined>>();

  private constructor({ folder, size }: KnownTree, edge: TreeEdge) {
    this.folder = folder;
    this.size = size;
    this.#edge = edge;
  }

  /** Reads the right edge of the tree; undefined where that does not lead to the root, or is not there. */
  static async open(tree: KnownTree): Promise<VerifiedTiles | undefined> {
    const edge = await ifReadable(readEdge(tree.size, (tile) => readTile(tree.folder, tile)));
    if (!edge || Buffer.from(rootOfEdge(edge)).toString('hex') !== tree.root) return undefined;
    return new VerifiedTiles(tree, edge);
  }

  /** The hashes of a tile, as many as the tree has there; undefined where the tree has none, or the file's are others. */
  tile(level: number, index: number): Promise<Uint8Array | undefined> {
    if (level === 0) return this.#read(level, index);
    const key = `${level}/${index}`;
    const known = this.#upper.get(key) ?? this.#read(level, index);
    this.#upper.set(key, known);
    return known;
  }

  async #read(level: number, index: number): Promise<Uint8Array | undefined> {
    const tile = tileOfTree(this.size, level, index);
    if (!tile || tile.width < TILE_WIDTH) return tile ? this.#edge.partial[level] : undefined;
    const bytes = await ifReadable(readTile(this.folder, tile));
    if (bytes?.length !== TILE_WIDTH * NODE_BYTES) return undefined;
    const above = await this.tile(level + 1, Math.floor(index / TILE_WIDTH));
    const at = (index % TILE_WIDTH) * NODE_BYTES;
    return above && sameBytes(nodeHashes.perfect(bytes), above.subarray(at, at + NODE_BYTES)) ? bytes : undefined;
  }

  /** Whether entries, from the first of a bundle on, are those of the tree. */
  async has(index: number, entries: readonly Uint8Array[]): Promise<boolean> {
    const nodes = await this.tile(0, index);
    return nodes !== undefined && sameBytes(Buffer.concat(entries.map(nodeHashes.leaf)), nodes);
  }
}

/** What is read of files; undefined where one is not there, is too short, or can't be read. */
async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined && !(error instanceof RangeError)) throw error;
    return undefined;
  });
}
