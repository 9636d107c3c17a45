import { parseBundle, TILE_WIDTH, tileOfTree } from '@drawhouse/tlog/tiles';
import { readTile } from '../seal/seal-files.ts';
import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { nodeHashes } from '@drawhouse/tlog/node/hashes';
import { readEdge, rootOfEdge, type TreeEdge } from '@drawhouse/tlog/tile-writer';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';

/** Full bundle. Callers must check it. */
export async function unverifiedEntries(
  { folder }: VerifiedTiles,
  index: number,
): Promise<readonly Uint8Array[] | undefined> {
  return ifReadable(readTile(folder, { level: 'entries', index, width: TILE_WIDTH }).then(parseBundle));
}

interface StoredTree {
  readonly folder: string;
  readonly size: number;
  readonly root: string;
}

/** Files are untrusted. Returns only hashes that lead to the trusted root. */
export class VerifiedTiles {
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
