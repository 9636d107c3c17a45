import { NODE_BYTES, rootAbove } from '@drawhouse/rules/fair/tree/merkle';
import { nodeHashes } from './node/hashes.ts';
import { nodesOfTile, TILE_WIDTH, tileOfTree, tilePath, type Tile } from './tiles.ts';

/** Levels per tile: 2^8 hashes. */
const TILE_HEIGHT = 8;

/** Unverified. Callers verify against a root. */
export type TreeReader = {
  /** Reads only tiles of a tree of this size. */
  readonly size: number;
  /** Returns the tile, or a longer version. Rejections propagate. */
  readonly readTile: (tile: Tile) => Promise<Uint8Array>;
};

/**
 * Computes the root over leaves `start` to before `end`, a subtree of RFC 6962: `start` is a multiple of the power of
 * two covering them. Reads tiles in parallel, each once.
 */
async function rootOfRange(once: TreeReader, start: number, end: number): Promise<Uint8Array> {
  const perfect = perfectTrees(start, end);
  const roots = await Promise.all(perfect.map(({ height, index }) => readNode(once, height, index)));
  return roots.toReversed().reduce((right, left) => nodeHashes.inner(left, right));
}

/** Lists the largest first. */
function perfectTrees(start: number, end: number): { height: number; index: number }[] {
  const trees: { height: number; index: number }[] = [];
  for (let from = start; from < end;) {
    let height = 0;
    while (2 ** (height + 1) <= end - from) height++;
    trees.push({ height, index: from / 2 ** height });
    from += 2 ** height;
  }
  return trees;
}

async function readNode(reader: TreeReader, height: number, index: number): Promise<Uint8Array> {
  const level = Math.floor(height / TILE_HEIGHT);
  const count = 2 ** (height % TILE_HEIGHT);
  const first = index * count;
  const tile = tileOfTree(reader.size, level, Math.floor(first / TILE_WIDTH));
  const at = first % TILE_WIDTH;
  if (!tile || tile.width < at + count) throw new RangeError(`A tree of ${reader.size} leaves has no such node.`);
  const nodes = nodesOfTile(tile, await reader.readTile(tile));
  return nodeHashes.perfect(nodes.subarray(at * NODE_BYTES, (at + count) * NODE_BYTES));
}

function readingOnce(reader: TreeReader): TreeReader {
  const read = new Map<string, Promise<Uint8Array>>();
  const readTile = (tile: Tile): Promise<Uint8Array> => {
    const path = tilePath(tile);
    const cached = read.get(path) ?? reader.readTile(tile);
    read.set(path, cached);
    return cached;
  };
  return { ...reader, readTile };
}

export async function readRoot(reader: TreeReader, size: number): Promise<Uint8Array> {
  wantSize(reader, size);
  return size === 0 ? rootAbove([]) : rootOfRange(readingOnce(reader), 0, size);
}

/** Follows RFC 6962, section 2.1.1: from leaf to root, index from 0. */
export async function readInclusion(reader: TreeReader, index: number, size: number): Promise<Uint8Array[]> {
  wantSize(reader, size);
  if (!Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError(`There is no leaf ${index} among ${size}.`);
  return readRanges(reader, siblingRanges(index, size));
}

function siblingRanges(index: number, size: number): [number, number][] {
  const ranges: [number, number][] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      ranges.push([middle, end]);
      end = middle;
    } else {
      ranges.push([start, middle]);
      start = middle;
    }
  }
  return ranges.toReversed();
}

/**
 * Proves that the first `to` leaves extend the first `from` (RFC 6962, section 2.1.2). Empty for equal sizes or an
 * empty start.
 */
export async function readConsistency(reader: TreeReader, from: number, to: number): Promise<Uint8Array[]> {
  wantSize(reader, to);
  if (!Number.isSafeInteger(from) || from < 0 || from > to)
    throw new RangeError(`There is no tree of ${from} leaves before one of ${to}.`);
  if (from === 0 || from === to) return [];
  const ranges: [number, number][] = [];
  let [start, end] = [0, to];
  while (from < end) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      ranges.push([middle, end]);
      end = middle;
    } else {
      ranges.push([start, middle]);
      start = middle;
    }
  }
  // Both share the remaining subtree. The whole first tree's root is already known.
  if (start > 0) ranges.push([start, end]);
  return readRanges(reader, ranges.toReversed());
}

async function readRanges(reader: TreeReader, ranges: readonly [number, number][]): Promise<Uint8Array[]> {
  const once = readingOnce(reader);
  return Promise.all(ranges.map(([start, end]) => rootOfRange(once, start, end)));
}

/** Splits as RFC 6962: at the largest power of two below the count. */
function splitOf(count: number): number {
  let split = 1;
  while (2 * split < count) split *= 2;
  return split;
}

function wantSize(reader: TreeReader, size: number): void {
  if (!Number.isSafeInteger(size) || size < 0 || size > reader.size)
    throw new RangeError(`There is no tree of ${size} leaves in one of ${reader.size}.`);
}
