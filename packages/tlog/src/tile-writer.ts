import { NODE_BYTES, rootAbove } from '@drawhouse/rules/merkle';
import { nodeHashes } from './on-node-hashes.ts';
import { joinNodes, nodesOfTile } from './tile-bytes.ts';
import { nodesOfLevel, partialTiles, TILE_WIDTH } from './tile-paths.ts';
import type { Tile } from './tile-paths.ts';

/** What has to be kept of a tree to go on with it: at most 255 hashes of each level of tiles. It is never changed. */
export type TreeEdge = {
  /** How many leaves the tree has. */
  readonly size: number;
  /** The partial tile at the right edge of each level, the lowest first: its hashes one after the other, none where the last tile is full. */
  readonly partial: readonly Uint8Array[];
};

/** A tile with what its file has: 32 bytes for each hash. */
export type TileFile = Tile & { readonly bytes: Uint8Array };

/** What comes of leaves that are added to a tree. */
export type Grown = {
  readonly edge: TreeEdge;
  /** The tiles to be written, full ones and, as they are now, partial ones: for each level from the left to the right, the lowest first. */
  readonly tiles: readonly TileFile[];
};

const NONE = new Uint8Array(0);

/** The edge of a tree without leaves. */
export const EMPTY_EDGE: TreeEdge = { size: 0, partial: [] };

/**
 * Adds leaves to a tree, given as the nodes of them (`nodeHashes.leaf`), 32 bytes each, or as runs of such nodes. All that is written between two checkpoints is to be added
 * at once: each call ends with the partial tiles of its size. Throws RangeError where there are no whole nodes.
 */
export function growTree(edge: TreeEdge, leaves: readonly Uint8Array[]): Grown {
  const tiles: TileFile[] = [];
  const partial: Uint8Array[] = [];
  const nodes = joinNodes(leaves);
  let added = nodes;
  for (let level = 0; added.length > 0 || level < edge.partial.length; level++) {
    const grown = growLevel(edge, level, added);
    tiles.push(...grown.tiles);
    partial.push(grown.partial);
    added = grown.above;
  }
  return { edge: { size: edge.size + nodes.length / NODE_BYTES, partial }, tiles };
}

/** Adds nodes to one level of tiles; `above` are the nodes of the tiles that they fill. */
function growLevel(
  edge: TreeEdge,
  level: number,
  added: Uint8Array,
): { tiles: TileFile[]; partial: Uint8Array; above: Uint8Array } {
  const before = edge.partial[level] ?? NONE;
  if (added.length === 0) return { tiles: [], partial: before, above: NONE };
  const all = joinNodes([before, added]);
  const firstIndex = Math.floor(nodesOfLevel(edge.size, level) / TILE_WIDTH);
  const tiles: TileFile[] = [];
  const above: Uint8Array[] = [];
  for (let from = 0; from < all.length; from += TILE_WIDTH * NODE_BYTES) {
    const bytes = all.subarray(from, from + TILE_WIDTH * NODE_BYTES);
    const width = bytes.length / NODE_BYTES;
    tiles.push({ level, index: firstIndex + from / (TILE_WIDTH * NODE_BYTES), width, bytes });
    if (width === TILE_WIDTH) above.push(nodeHashes.perfect(bytes));
  }
  const last = tiles.at(-1)!;
  return { tiles, partial: last.width === TILE_WIDTH ? NONE : last.bytes.slice(), above: joinNodes(above) };
}

/** The root of the tree with this edge, 32 bytes; of a tree without leaves it is the SHA-256 of nothing. */
export function rootOfEdge(edge: TreeEdge): Uint8Array {
  // From the right to the left: the last of the perfect trees of a level is its smallest, and every level's are larger than those below.
  let root: Uint8Array | null = null;
  for (const nodes of edge.partial) {
    let end = nodes.length;
    for (let bytes = NODE_BYTES; end > 0; bytes *= 2) {
      if (end % (2 * bytes) === 0) continue;
      const node = nodeHashes.perfect(nodes.subarray(end - bytes, end));
      root = root ? nodeHashes.inner(node, root) : node;
      end -= bytes;
    }
  }
  return root ?? rootAbove([]);
}

/**
 * The edge of a tree of so many leaves, from its partial tiles as they were written: what a writer begins with after a start. `readTile` answers
 * the bytes of a partial tile or of the longer one that took its place. Throws RangeError where one is too short.
 */
export async function readEdge(size: number, readTile: (tile: Tile) => Promise<Uint8Array>): Promise<TreeEdge> {
  const partial: Uint8Array[] = [];
  await Promise.all(
    partialTiles(size).map(async (tile) => {
      partial[Number(tile.level)] = nodesOfTile(tile, await readTile(tile)).slice();
    }),
  );
  return { size, partial: Array.from(partial, (bytes) => bytes ?? NONE) };
}
