import { join } from 'node:path';
import { parseBundle, TILE_WIDTH, tileOfTree } from '@drawhouse/tlog/tiles';
import { logNameOf } from '@drawhouse/tlog/checkpoints';
import { readTile } from '../seal/seal-files.ts';
import { logBefore } from '../seal/seal-heads.ts';
import type { SealLog } from '../seal/seal-log.ts';
import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { nodeHashes } from '@drawhouse/tlog/node/hashes';
import { readEdge, rootOfEdge, type TreeEdge } from '@drawhouse/tlog/tile-writer';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';

export interface VerifiedLog {
  readonly nth: number;
  readonly tiles: VerifiedTiles;
}

/** Newest first: each log's first record authenticates its predecessor. Stops at missing or different files. */
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

async function treeBefore(tiles: VerifiedTiles): Promise<{ nth: number; size: number; root: string } | undefined> {
  const ended = logBefore((await entriesOf(tiles, 0))?.[0]);
  const nth = ended && logNameOf(ended.origin)?.nth;
  return nth !== undefined && ended?.size ? { nth, size: ended.size, root: ended.root } : undefined;
}

async function entriesOf(tiles: VerifiedTiles, index: number): Promise<readonly Uint8Array[] | undefined> {
  const width = Math.min(TILE_WIDTH, tiles.size - index * TILE_WIDTH);
  const entries = await unverifiedEntries(tiles, index, width);
  return entries && (await tiles.has(index, entries)) ? entries : undefined;
}

/** Callers must check these. */
export async function unverifiedEntries(
  { folder }: VerifiedTiles,
  index: number,
  width: number,
): Promise<readonly Uint8Array[] | undefined> {
  const reading = readTile(folder, { level: 'entries', index, width });
  return ifReadable(reading.then((bytes) => parseBundle(bytes).slice(0, width)));
}

interface StoredTree {
  readonly folder: string;
  readonly size: number;
  readonly root: string;
}

/** Files are untrusted. Returns only hashes that lead to the trusted root. */
class VerifiedTiles {
  readonly folder: string;
  readonly size: number;
  readonly #edge: TreeEdge;
  readonly #upper = new Map<string, Promise<Uint8Array | undefined>>();

  private constructor({ folder, size }: StoredTree, edge: TreeEdge) {
    this.folder = folder;
    this.size = size;
    this.#edge = edge;
  }

  static async open(tree: StoredTree): Promise<VerifiedTiles | undefined> {
    const edge = await ifReadable(readEdge(tree.size, (tile) => readTile(tree.folder, tile)));
    if (!edge || Buffer.from(rootOfEdge(edge)).toString('hex') !== tree.root) return undefined;
    return new VerifiedTiles(tree, edge);
  }

  tile(level: number, index: number): Promise<Uint8Array | undefined> {
    if (level === 0) return this.#read(level, index);
    const key = `${level}/${index}`;
    const node = this.#upper.get(key) ?? this.#read(level, index);
    this.#upper.set(key, node);
    return node;
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

  async has(index: number, entries: readonly Uint8Array[]): Promise<boolean> {
    const nodes = await this.tile(0, index);
    return nodes !== undefined && sameBytes(Buffer.concat(entries.map(nodeHashes.leaf)), nodes);
  }
}

async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined && !(error instanceof RangeError)) throw error;
    return undefined;
  });
}
