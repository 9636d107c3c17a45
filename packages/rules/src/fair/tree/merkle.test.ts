import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  GrowingTree,
  inclusionPath,
  leafNode,
  pathAbove,
  pathSteps,
  rootAbove,
  rootByPath,
  treeRoot,
  type Inclusion,
} from './merkle.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const hexOf = (node: Uint8Array | null): string | null => node && Buffer.from(node).toString('hex');
const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Test vectors of Certificate Transparency implementations. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  bytes,
);
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const PATHS = [
  { index: 0, size: 1, path: [] },
  {
    index: 0,
    size: 8,
    path: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  },
  {
    index: 5,
    size: 8,
    path: [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  },
  { index: 2, size: 3, path: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'] },
  {
    index: 1,
    size: 5,
    path: [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  },
];

/** Follows RFC 6962: splits at the largest power of two below the leaf count. */
function defined(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(bytes('00'), leaves[0]!);
  const split = splitOf(leaves.length);
  return sha256(bytes('01'), defined(leaves.slice(0, split)), defined(leaves.slice(split)));
}

function definedPath(leaves: readonly Uint8Array[], index: number): Buffer[] {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...definedPath(left, index), defined(right)]
    : [...definedPath(right, index - split), defined(left)];
}

const splitOf = (count: number): number => 2 ** (Math.ceil(Math.log2(count)) - 1);

const digests = (size: number): Buffer[] =>
  Array.from({ length: size }, (_, index) => sha256(Buffer.from(`leaf ${index}`)));
const anyLeaf = fc
  .integer({ min: 1, max: 130 })
  .chain((size) => fc.record({ size: fc.constant(size), index: fc.nat(size - 1) }));

function inclusionOf({ size, index }: { size: number; index: number }): { inclusion: Inclusion; root: string | null } {
  const leaves = digests(size);
  return {
    inclusion: { leaf: leaves[index]!, index, size, path: inclusionPath(leaves, index) },
    root: hexOf(treeRoot(leaves)),
  };
}

describe('the tree of RFC 6962', () => {
  it('has known roots', () => {
    expect(ROOTS.map((_, size) => hexOf(treeRoot(LEAVES.slice(0, size))))).toEqual(ROOTS);
  });

  it.each(PATHS)('has the known path of leaf $index of $size', ({ index, size, path }) => {
    const nodes = inclusionPath(LEAVES.slice(0, size), index);
    expect(nodes.map(hexOf)).toEqual(path);
    expect(hexOf(rootByPath({ leaf: LEAVES[index]!, index, size, path: path.map(bytes) }))).toBe(ROOTS[size]);
  });

  it('matches the recursive definition, roots and paths', () => {
    fc.assert(
      fc.property(anyLeaf, ({ size, index }) => {
        const { inclusion, root } = inclusionOf({ size, index });
        expect(root).toBe(hexOf(defined(digests(size))));
        expect(inclusion.path.map(hexOf)).toEqual(definedPath(digests(size), index).map(hexOf));
        expect(hexOf(rootByPath(inclusion))).toBe(root);
      }),
      { numRuns: 50 },
    );
  });

  it('has exactly one path per leaf of every small tree', () => {
    for (let size = 1; size <= 33; size++) {
      const leaves = digests(size);
      for (let index = 0; index < size; index++) {
        const { inclusion, root } = inclusionOf({ size, index });
        expect(hexOf(rootByPath(inclusion))).toBe(root);
        for (let other = 0; other < size; other++)
          if (other !== index) expect(hexOf(rootByPath({ ...inclusion, leaf: leaves[other]! }))).not.toBe(root);
      }
      expect(() => inclusionPath(leaves, size)).toThrow(RangeError);
      expect(() => inclusionPath(leaves, -1)).toThrow(RangeError);
    }
  });

  it('grows by leaves or by nodes of any level', () => {
    const leaves = digests(77);
    const tree = new GrowingTree();
    for (const [index, leaf] of leaves.entries()) {
      tree.addLeaf(leaf);
      expect(tree.size).toBe(index + 1);
      expect(hexOf(tree.root())).toBe(hexOf(treeRoot(leaves.slice(0, index + 1))));
    }
    for (const width of [1, 2, 16, 64, 128]) {
      const parts = Array.from({ length: Math.ceil(77 / width) }, (_, part) =>
        leaves.slice(part * width, (part + 1) * width),
      );
      const nodes = parts.map((part) => treeRoot(part));
      expect(hexOf(rootAbove(nodes))).toBe(hexOf(treeRoot(leaves)));
      for (const index of [0, 15, 16, 64, 76]) {
        const part = Math.floor(index / width);
        const path = [...inclusionPath(parts[part]!, index % width), ...pathAbove(nodes, part)];
        expect(path.map(hexOf)).toEqual(inclusionPath(leaves, index).map(hexOf));
      }
    }
  });
});

describe('a wrong Merkle path', () => {
  it('leads to another root after any change', () => {
    const anyChange = fc.record({
      at: fc.nat(),
      bit: fc.nat(7),
      kind: fc.constantFrom('leaf', 'path', 'index', 'size'),
    });
    fc.assert(
      fc.property(anyLeaf, anyChange, fc.integer({ min: 1, max: 300 }), (place, { at, bit, kind }, other) => {
        const { inclusion, root } = inclusionOf(place);
        const flipped = (node: Uint8Array): Uint8Array =>
          node.map((byte, index) => (index === at % node.length ? byte ^ (1 << bit) : byte));
        const { index, size, path } = inclusion;
        const changed: Inclusion = {
          leaf: { ...inclusion, leaf: flipped(inclusion.leaf) },
          path: { ...inclusion, path: path.map((node, step) => (step === at % path.length ? flipped(node) : node)) },
          index: { ...inclusion, index: other === index ? index + 1 : other },
          size: { ...inclusion, size: other === size ? size + 1 : other },
        }[kind];
        fc.pre(kind !== 'path' || path.length > 0);
        // Trees of different sizes can share a path, except for the last leaf.
        if (kind === 'size') expect(hexOf(rootByPath(changed)) === root).toBe(isSameWay(changed, inclusion));
        else expect(hexOf(rootByPath(changed))).not.toBe(root);
      }),
      { numRuns: 200 },
    );
  });

  it('is rejected if too long, too short or malformed', () => {
    fc.assert(
      fc.property(anyLeaf, (place) => {
        const { inclusion } = inclusionOf(place);
        const { path } = inclusion;
        expect(rootByPath({ ...inclusion, path: [...path, leafNode(inclusion.leaf)] })).toBeNull();
        if (path.length === 0) return;
        expect(rootByPath({ ...inclusion, path: path.slice(0, -1) })).toBeNull();
        expect(rootByPath({ ...inclusion, path: [...path.slice(0, -1), new Uint8Array(31)] })).toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    [-1, 3],
    [3, 3],
    [0, 0],
    [0.5, 3],
    [0, 2.5],
    [NaN, 3],
    [0, Infinity],
    [2 ** 60, 2 ** 61],
  ])('is rejected for index %s among %s', (index, size) => {
    expect(pathSteps({ leaf: LEAVES[1]!, index, size, path: [leafNode(LEAVES[0]!)] })).toBeNull();
  });
});

function isSameWay(one: Inclusion, other: Inclusion): boolean {
  const sides = (inclusion: Inclusion) =>
    pathSteps(inclusion)
      ?.map(({ isLeft }) => isLeft)
      .join();
  return sides(one) === sides(other);
}
