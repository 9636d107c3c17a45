import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { tilePath } from './tile-paths.ts';
import type { Tile } from './tile-paths.ts';

/** Nodes, or runs of them, as the bytes of all, one after the other. Throws RangeError where one is no whole nodes of 32 bytes. */
export function joinNodes(nodes: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(nodes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const some of nodes) {
    if (some.length % NODE_BYTES !== 0)
      throw new RangeError(`A hash of a tree has ${NODE_BYTES} bytes, not ${some.length}.`);
    all.set(some, at);
    at += some.length;
  }
  return all;
}

/**
 * The bytes of a tile's hashes from what was read for it: the tile, or a longer one of the same place, whose first hashes are the same. Throws
 * RangeError where these are too few or no whole hashes.
 */
export function nodesOfTile(tile: Tile, read: Uint8Array): Uint8Array {
  const bytes = tile.width * NODE_BYTES;
  if (read.length < bytes || read.length % NODE_BYTES !== 0)
    throw new RangeError(`The tile ${tilePath(tile)} has ${bytes} bytes, not ${read.length}.`);
  return read.subarray(0, bytes);
}
