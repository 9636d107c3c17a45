import { innerNode, leafNode, rootAbove, treeRoot } from '@drawhouse/rules/fair/tree/merkle';
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeHashes } from './node/hashes.ts';
import { parseTilePath, partialTiles, tileOfTree, tilePath, type Tile } from './tiles.ts';
import { EMPTY_EDGE, growTree, readEdge, rootOfEdge, type TreeEdge } from './tile-writer.ts';
import { readConsistency, readInclusion, readRoot, type TreeReader } from './tree-reader.ts';
import { isConsistent, isIncluded } from './verify-proofs.ts';

const MOST = 66_200;
const ENTRIES = Array.from({ length: MOST }, (_, index) => new TextEncoder().encode(`leaf ${index}`));
const LEAVES = ENTRIES.map(nodeHashes.leaf);

const sizes = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 0, max: 1_600 }),
  fc.constantFrom(254, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, 65_791, 65_792),
  fc.integer({ min: 0, max: MOST }),
);

class Files {
  readonly byPath = new Map<string, Uint8Array>();
  readonly read: string[] = [];

  readonly readTile = (tile: Tile): Promise<Uint8Array> => {
    const path = tilePath(tile);
    this.read.push(path);
    const bytes = this.byPath.get(path);
    return bytes ? Promise.resolve(bytes) : Promise.reject(new Error(`There is no ${path}.`));
  };

  grow(edge: TreeEdge, to: number): TreeEdge {
    const grown = growTree(edge, LEAVES.slice(edge.size, to));
    for (const tile of grown.tiles) this.byPath.set(tilePath(tile), tile.bytes);
    return grown.edge;
  }

  ofTree(size: number): [string, Uint8Array][] {
    return [...this.byPath]
      .filter(([path]) => {
        const { level, index, width } = parseTilePath(path)!;
        return tileOfTree(size, level, index)?.width === width;
      })
      .toSorted(([left], [right]) => (left < right ? -1 : 1));
  }
}

function readerOf(size: number): TreeReader & { files: Files } {
  const files = new Files();
  files.grow(EMPTY_EDGE, size);
  return { size, readTile: files.readTile, files };
}

describe('tile paths', () => {
  it('match C2SP', () => {
    expect(tilePath({ level: 1, index: 1_234_067, width: 256 })).toBe('tile/1/x001/x234/067');
    expect(tilePath({ level: 0, index: 5, width: 1 })).toBe('tile/0/005.p/1');
    expect(tilePath({ level: 'entries', index: 1_000, width: 255 })).toBe('tile/entries/x001/000.p/255');
  });

  it('survive a round trip; anything else is refused', () => {
    const tiles = fc.record({
      level: fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
      index: fc.oneof(fc.integer({ min: 0, max: 3_000_000 }), fc.maxSafeNat()),
      width: fc.integer({ min: 1, max: 256 }),
    });
    fc.assert(
      fc.property(tiles, (tile) => {
        expect(parseTilePath(tilePath(tile))).toEqual(tile);
      }),
    );
    for (const path of [
      'tile/0/000.p/256',
      'tile/0/000.p/0',
      'tile/0/000.p/01',
      'tile/0/x000/001',
      'tile/00/001',
      'tile/64/001',
      'tile/0/001/002',
      'tile/0/1',
      'tile/0/x001',
      '/tile/0/001',
      'tile/0/001\n',
      'tile/entries/../001',
      'tile/0/x999/x999/x999/x999/x999/999',
    ])
      expect([path, parseTilePath(path)]).toEqual([path, null]);
  });

  it('list the tiles of a tree of 70,000 leaves', () => {
    expect(partialTiles(70_000).map(tilePath)).toEqual(['tile/0/273.p/112', 'tile/1/001.p/17', 'tile/2/000.p/1']);
    expect(partialTiles(256).map(tilePath)).toEqual(['tile/1/000.p/1']);
    expect(tileOfTree(70_000, 0, 272)?.width).toBe(256);
    expect(tileOfTree(70_000, 0, 274)).toBeNull();
  });

  it('are refused for invalid tiles', () => {
    for (const tile of [
      { level: 0, index: -1, width: 1 },
      { level: 64, index: 0, width: 1 },
      { level: 0, index: 0, width: 0 },
      { level: 0, index: 0.5, width: 9 },
    ])
      expect(() => tilePath(tile)).toThrow('There is no tile');
  });
});

describe('written tiles', () => {
  it("are independent of batch size and have the tree's root", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sizes, { minLength: 1, maxLength: 6 }), async (cuts) => {
        const files = new Files();
        let edge = EMPTY_EDGE;
        for (const cut of cuts.toSorted((left, right) => left - right)) {
          edge = files.grow(edge, cut);
          // A restart reads the same edge.
          expect(await readEdge(cut, files.readTile)).toEqual(edge);
        }
        const whole = readerOf(edge.size);
        expect(digestsOf(files.ofTree(edge.size))).toEqual(digestsOf(whole.files.ofTree(edge.size)));
        expect(rootOfEdge(edge)).toEqual(await readRoot(whole, edge.size));
      }),
      { numRuns: process.env['TEST_LONG'] ? 30 : 5 },
    );
  });

  it('have the same roots as ticket trees', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700 }), (size) => {
        const edge = new Files().grow(EMPTY_EDGE, size);
        expect(rootOfEdge(edge)).toEqual(treeRoot(ENTRIES.slice(0, size)));
      }),
      { numRuns: 60 },
    );
  });

  it('hash like plain JavaScript, for any content and count', () => {
    const nodes = fc
      .integer({ min: 1, max: 300 })
      .chain((count) => fc.uint8Array({ minLength: 32 * count, maxLength: 32 * count }));
    const leaves = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ minLength: 4_000, maxLength: 9_000 }));
    fc.assert(
      fc.property(nodes, leaves, (bytes, leaf) => {
        const before = bytes.slice();
        const each = Array.from({ length: bytes.length / 32 }, (_, nth) => bytes.subarray(32 * nth, 32 * nth + 32));
        expect(nodeHashes.perfect(bytes)).toEqual(rootAbove(each));
        expect(nodeHashes.leaf(leaf)).toEqual(leafNode(leaf));
        expect(nodeHashes.inner(each[0]!, nodeHashes.leaf(leaf))).toEqual(innerNode(each[0]!, leafNode(leaf)));
        expect(bytes).toEqual(before);
      }),
    );
  });

  it('leave the edge unchanged, so failed writes can be retried', () => {
    const files = new Files();
    const edge = files.grow(EMPTY_EDGE, 300);
    const again = structuredClone(edge);
    files.grow(edge, 1_000);
    expect(edge).toEqual(again);
    expect(files.grow(edge, 1_000)).toEqual(new Files().grow(EMPTY_EDGE, 1_000));
  });

  it('reject malformed hashes and torn tiles', async () => {
    expect(() => growTree(EMPTY_EDGE, [new Uint8Array(31)])).toThrow('A hash of a tree has 32 bytes, not 31.');
    const torn = readEdge(300, () => Promise.resolve(new Uint8Array(32)));
    await expect(torn).rejects.toThrow('The tile tile/0/001.p/44 has 1408 bytes, not 32.');
  });
});

describe('proofs from tiles', () => {
  it('verify for any leaf of any tree and fail after any changed bit', async () => {
    const reader = readerOf(MOST);
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, place, bit) => {
        fc.pre(size > 0);
        const index = place % size;
        const path = await readInclusion(reader, index, size);
        const root = await readRoot(reader, size);
        const inclusion = { leaf: ENTRIES[index]!, index, size, path };
        expect(isIncluded(inclusion, root)).toBe(true);
        expect(isIncluded(inclusion, flipped(root, bit))).toBe(false);
        expect(isIncluded({ ...inclusion, leaf: flipped(inclusion.leaf, bit) }, root)).toBe(false);
        for (const at of path.keys())
          expect(isIncluded({ ...inclusion, path: path.with(at, flipped(path[at]!, bit)) }, root)).toBe(false);
        expect(isIncluded({ ...inclusion, path: [...path, root] }, root)).toBe(false);
        expect(isIncluded({ ...inclusion, path: path.slice(1) }, root)).toBe(path.length === 0);
      }),
      { numRuns: 80 },
    );
  });

  it('show that any tree extends any earlier one and fail after any changed bit', async () => {
    const reader = readerOf(MOST);
    await fc.assert(
      fc.asyncProperty(sizes, sizes, fc.nat(), async (one, other, bit) => {
        const [from, to] = await Promise.all(
          [Math.min(one, other), Math.max(one, other)].map(async (size) => ({
            size,
            root: await readRoot(reader, size),
          })),
        );
        const path = await readConsistency(reader, from!.size, to!.size);
        expect(isConsistent(from!, to!, path)).toBe(true);
        expect(isConsistent(from!, to!, [...path, to!.root])).toBe(false);
        if (path.length > 0) expect(isConsistent(from!, to!, path.slice(1))).toBe(false);
        if (from!.size !== to!.size) expect(isConsistent(to!, from!, path)).toBe(false);
        for (const at of path.keys())
          expect(isConsistent(from!, to!, path.with(at, flipped(path[at]!, bit)))).toBe(false);
        if (from!.size === 0) return;
        expect(isConsistent({ ...from!, root: flipped(from!.root, bit) }, to!, path)).toBe(false);
        expect(isConsistent(from!, { ...to!, root: flipped(to!.root, bit) }, path)).toBe(false);
      }),
      { numRuns: 80 },
    );
  });

  it('fail between trees with different leaves', async () => {
    const reader = readerOf(700);
    const forked = new Files();
    const leaves = LEAVES.with(300, nodeHashes.leaf(ENTRIES[301]!)).slice(0, 700);
    for (const tile of growTree(EMPTY_EDGE, leaves).tiles) forked.byPath.set(tilePath(tile), tile.bytes);
    const fork: TreeReader = { size: 700, readTile: forked.readTile };
    const from = { size: 400, root: await readRoot(reader, 400) };
    const to = { size: 700, root: await readRoot(fork, 700) };
    for (const of of [reader, fork]) expect(isConsistent(from, to, await readConsistency(of, 400, 700))).toBe(false);
  });

  it('read few tiles, each once', async () => {
    const reader = readerOf(MOST);
    await readInclusion(reader, 1_234, MOST);
    expect(reader.files.read).toEqual([...new Set(reader.files.read)]);
    expect(reader.files.read.length).toBeLessThanOrEqual(5);
  });

  it('accept a full tile in place of a partial one', async () => {
    const full = readerOf(512);
    const longer: TreeReader = {
      size: 300,
      readTile: ({ level, index }) => full.readTile(tileOfTree(512, level, index)!),
    };
    expect(await readRoot(longer, 300)).toEqual(await readRoot(full, 300));
  });

  it('are refused for missing trees and leaves, with the reason', async () => {
    const reader = readerOf(300);
    await expect(readRoot(reader, 301)).rejects.toThrow('There is no tree of 301 leaves in one of 300.');
    await expect(readInclusion(reader, 300, 300)).rejects.toThrow('There is no leaf 300 among 300.');
    await expect(readConsistency(reader, 5, 4)).rejects.toThrow('There is no tree of 5 leaves before one of 4.');
    reader.files.byPath.delete('tile/0/000');
    await expect(readInclusion(reader, 3, 300)).rejects.toThrow('There is no tile/0/000.');
  });
});

/** Digests, because comparing bytes in assertions takes seconds. */
function digestsOf(files: readonly [string, Uint8Array][]): [string, string][] {
  return files.map(([path, bytes]) => [path, hash('sha256', bytes)]);
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const at = bit % (8 * bytes.length);
  return bytes.with(at >> 3, bytes[at >> 3]! ^ (1 << (at & 7)));
}
