import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { tilePath } from './tile-paths.ts';
import type { Tile } from './tile-paths.ts';

/** Hashes that stand one after the other, and more behind them, as the bytes of all. Throws RangeError where one is not 32 bytes. */
export function joinNodes(before: Uint8Array, nodes: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(before.length + nodes.length * NODE_BYTES);
  all.set(before);
  let at = before.length;
  for (const node of nodes) {
    if (node.length !== NODE_BYTES)
      throw new RangeError(`A hash of a tree has ${NODE_BYTES} bytes, not ${node.length}.`);
    all.set(node, at);
    at += NODE_BYTES;
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
