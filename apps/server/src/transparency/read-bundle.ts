import { readFileSync } from 'node:fs';
import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { parseBundle } from '@drawhouse/tlog/entry-bundles';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { TILE_WIDTH, tileOfTree } from '@drawhouse/tlog/tile-paths';
import type { Tile } from '@drawhouse/tlog/tile-paths';
import { tileFiles } from './seal-files.ts';

/** A log as its files have it. */
export interface LogToRead {
  readonly folder: string;
  readonly origin: string;
  readonly size: number;
}

/** The hashes of the entries of a bundle. */
export interface HashedBundle {
  /** Those of the leaves, 32 bytes each. */
  readonly nodes: Uint8Array;
  /** Their root, where the bundle is full. */
  readonly root: Uint8Array | undefined;
}

/** The files of a bundle, as far as they are there, and the hashes of its entries, as far as it has them. */
export interface ReadBundle {
  readonly bundle: Uint8Array | undefined;
  /** The hashes of its entries as they are kept. */
  readonly tile: Uint8Array | undefined;
  readonly hashed: HashedBundle | undefined;
}

/** Reads a bundle of a log, and hashes it. Of many files this takes half the time that it takes them one by one without waiting. */
export function readBundle({ folder, size }: LogToRead, nth: number): ReadBundle {
  const of = tileOfTree(size, 'entries', nth)!;
  const bundle = contentOf(folder, of);
  return {
    bundle,
    tile: contentOf(folder, tileOfTree(size, 0, nth)!),
    hashed: bundle && hashBundle(bundle, of.width),
  };
}

/** A tile or bundle of a log; undefined where it is not there. */
function contentOf(folder: string, tile: Tile): Uint8Array | undefined {
  for (const file of tileFiles(folder, tile)) {
    try {
      return readFileSync(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}

/** The first entries of a bundle, so many; undefined where it holds none, or fewer. */
export function entriesOf(bundle: Uint8Array, width: number): Uint8Array[] | undefined {
  try {
    const entries = parseBundle(bundle);
    return entries.length >= width ? entries.slice(0, width) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function hashBundle(bundle: Uint8Array, width: number): HashedBundle | undefined {
  const entries = entriesOf(bundle, width);
  if (!entries) return undefined;
  const nodes = new Uint8Array(entries.length * NODE_BYTES);
  for (const [at, entry] of entries.entries()) nodes.set(nodeHashes.leaf(entry), at * NODE_BYTES);
  return { nodes, root: rootOfFull(nodes) };
}

/** The root of hashes of leaves, where they are those of a full bundle. */
export function rootOfFull(nodes: Uint8Array): Uint8Array | undefined {
  return nodes.length === TILE_WIDTH * NODE_BYTES ? nodeHashes.perfect(nodes) : undefined;
}
