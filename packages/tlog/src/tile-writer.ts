import { NODE_BYTES, rootAbove } from '@drawhouse/rules/fair/tree/merkle';
import { nodeHashes } from './node/hashes.ts';
import { joinNodes, nodesOfTile, nodesOfLevel, partialTiles, TILE_WIDTH, type Tile } from './tiles.ts';

/** Needed to append: at most 255 hashes per level. Immutable. */
export type TreeEdge = {
  readonly size: number;
  /** Hashes of each level's partial tile, lowest first; empty if the last tile is full. */
  readonly partial: readonly Uint8Array[];
};

/** `bytes`: 32 per hash. */
export type TileFile = Tile & { readonly bytes: Uint8Array };

export type Grown = {
  readonly edge: TreeEdge;
  /** Full and updated partial tiles, lowest level first, left to right. */
  readonly tiles: readonly TileFile[];
};

const NONE = new Uint8Array(0);

export const EMPTY_EDGE: TreeEdge = { size: 0, partial: [] };

/** Appends leaf nodes of 32 bytes, or runs of them. Call once per checkpoint, since each call emits partial tiles. */
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

/** `above`: nodes of the tiles this fills. */
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

/** Returns SHA-256 of no input for an empty tree. */
export function rootOfEdge(edge: TreeEdge): Uint8Array {
  // From right to left: smallest perfect tree first within a level; higher levels are larger.
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

/** Rebuilds the edge after a restart. `readTile` may return a longer version. */
export async function readEdge(size: number, readTile: (tile: Tile) => Promise<Uint8Array>): Promise<TreeEdge> {
  const partial: Uint8Array[] = [];
  await Promise.all(
    partialTiles(size).map(async (tile) => {
      partial[Number(tile.level)] = nodesOfTile(tile, await readTile(tile)).slice();
    }),
  );
  return { size, partial: Array.from(partial, (bytes) => bytes ?? NONE) };
}
