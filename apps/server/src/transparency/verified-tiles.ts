import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { TILE_WIDTH, tileOfTree } from '@drawhouse/tlog/tile-paths';
import { readEdge, rootOfEdge } from '@drawhouse/tlog/tile-writer';
import type { TreeEdge } from '@drawhouse/tlog/tile-writer';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import { readTile } from './seal-files.ts';

/** A tree as somebody who can be believed has named it, and where its tiles are. */
export interface KnownTree {
  readonly folder: string;
  readonly size: number;
  /** In hex. */
  readonly root: string;
}

/** The hashes of a tree from files that anybody may have changed: only what leads to its root is given. */
export class VerifiedTiles {
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
export async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined && !(error instanceof RangeError)) throw error;
    return undefined;
  });
}
