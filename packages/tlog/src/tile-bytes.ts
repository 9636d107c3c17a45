import { NODE_BYTES } from '@drawhouse/rules/fair/merkle';
import { tilePath } from './tile-paths.ts';
import type { Tile } from './tile-paths.ts';

/** Throws RangeError unless whole 32-byte nodes. */
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

/** Accepts the tile or a longer version with the same prefix. Throws RangeError if short or not whole nodes. */
export function nodesOfTile(tile: Tile, read: Uint8Array): Uint8Array {
  const bytes = tile.width * NODE_BYTES;
  if (read.length < bytes || read.length % NODE_BYTES !== 0)
    throw new RangeError(`The tile ${tilePath(tile)} has ${bytes} bytes, not ${read.length}.`);
  return read.subarray(0, bytes);
}
