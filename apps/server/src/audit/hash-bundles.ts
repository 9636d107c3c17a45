import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { parseBundle } from '@drawhouse/tlog/entry-bundles';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { TILE_WIDTH } from '@drawhouse/tlog/tile-paths';

/** The hashes of the entries of a bundle. */
export interface HashedBundle {
  /** Those of the leaves, 32 bytes each. */
  readonly nodes: Uint8Array;
  /** Their root, where the bundle is full. */
  readonly root: Uint8Array | undefined;
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

/** Hashes the first entries of a bundle, so many; undefined where it holds none, or fewer. */
export function hashBundle(bundle: Uint8Array, width: number): HashedBundle | undefined {
  const entries = entriesOf(bundle, width);
  if (!entries) return undefined;
  // Not of a pool, so that a thread can give it away.
  const nodes = new Uint8Array(entries.length * NODE_BYTES);
  for (const [at, entry] of entries.entries()) nodes.set(nodeHashes.leaf(entry), at * NODE_BYTES);
  return { nodes, root: rootOfFull(nodes) };
}

/** The root of hashes of leaves, where they are those of a full bundle. */
export function rootOfFull(nodes: Uint8Array): Uint8Array | undefined {
  return nodes.length === TILE_WIDTH * NODE_BYTES ? nodeHashes.perfect(nodes) : undefined;
}
