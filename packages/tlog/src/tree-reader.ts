import { NODE_BYTES, rootAbove } from '@drawhouse/rules/merkle';
import { nodeHashes } from './on-node-hashes.ts';
import { nodesOfTile } from './tile-bytes.ts';
import { TILE_WIDTH, tileOfTree, tilePath } from './tile-paths.ts';
import type { Tile } from './tile-paths.ts';

/** The height of a tile: its hashes are the leaves of a tree of that height. */
const TILE_HEIGHT = 8;

/** A tree whose nodes are read from tiles. What is read is taken as it is: whoever does not trust it verifies what comes of it against a root. */
export type TreeReader = {
  /** How many leaves it has: only tiles that a tree of that size has are read. */
  readonly size: number;
  /** The bytes of a tile, or of a longer one of the same place. What it rejects with is passed on. */
  readonly readTile: (tile: Tile) => Promise<Uint8Array>;
};

/**
 * The root over the leaves from `start` to before `end`, where these are a subtree that RFC 6962 splits a tree into: `start` is a multiple of
 * the power of two that is no less than their number. Tiles are read side by side, each once. Throws RangeError where the tree has no such leaves.
 */
async function rootOfRange(once: TreeReader, start: number, end: number): Promise<Uint8Array> {
  const perfect = perfectTrees(start, end);
  const roots = await Promise.all(perfect.map(({ height, index }) => readNode(once, height, index)));
  return roots.toReversed().reduce((right, left) => nodeHashes.inner(left, right));
}

/** The perfect trees that leaves are split into, the largest first: the height of each and its place among those of this height. */
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

/** The same reader, which reads each tile once. */
function readingOnce(reader: TreeReader): TreeReader {
  const read = new Map<string, Promise<Uint8Array>>();
  const readTile = (tile: Tile): Promise<Uint8Array> => {
    const path = tilePath(tile);
    const known = read.get(path) ?? reader.readTile(tile);
    read.set(path, known);
    return known;
  };
  return { ...reader, readTile };
}

/** The root that the tree had when it had so many leaves, 32 bytes. Throws RangeError where it never had as many. */
export async function readRoot(reader: TreeReader, size: number): Promise<Uint8Array> {
  wantSize(reader, size);
  return size === 0 ? rootAbove([]) : rootOfRange(readingOnce(reader), 0, size);
}

/**
 * The inclusion path of the leaf at an index, from 0, in the tree of its first `size` leaves (RFC 6962, section 2.1.1): the node beside it first.
 * Throws RangeError where there is no such leaf.
 */
export async function readInclusion(reader: TreeReader, index: number, size: number): Promise<Uint8Array[]> {
  wantSize(reader, size);
  if (!Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError(`There is no leaf ${index} among ${size}.`);
  return readRanges(reader, rangesBeside(index, size));
}

function rangesBeside(index: number, size: number): [number, number][] {
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
 * The proof that the tree of the first `to` leaves goes on with that of the first `from` (RFC 6962, section 2.1.2); none where both are the same, or
 * the first has no leaves. Throws RangeError where there are no such trees.
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
  // What is left over is a subtree of both; that of the whole first tree is the root that is known already.
  if (start > 0) ranges.push([start, end]);
  return readRanges(reader, ranges.toReversed());
}

async function readRanges(reader: TreeReader, ranges: readonly [number, number][]): Promise<Uint8Array[]> {
  const once = readingOnce(reader);
  return Promise.all(ranges.map(([start, end]) => rootOfRange(once, start, end)));
}

/** The largest power of two that is less than a number from 2 on: where RFC 6962 splits so many leaves. */
function splitOf(count: number): number {
  let split = 1;
  while (2 * split < count) split *= 2;
  return split;
}

function wantSize(reader: TreeReader, size: number): void {
  if (!Number.isSafeInteger(size) || size < 0 || size > reader.size)
    throw new RangeError(`There is no tree of ${size} leaves in one of ${reader.size}.`);
}
