import { sha256 } from '@noble/hashes/sha2.js';

// The Merkle tree of RFC 6962, section 2.1, over SHA-256. What its leaves are is their owner's business.

/** Bytes of a node and of a root. */
export const NODE_BYTES = 32;

const LEAF_PREFIX = 0x00;
const INNER_PREFIX = 0x01;

/** The node of a leaf: SHA-256 of the byte 0 and the bytes of the leaf, as many as it has. */
export function leafNode(leaf: Uint8Array): Uint8Array {
  return hashOf(LEAF_PREFIX, leaf);
}

/** The node above two: SHA-256 of the byte 1, the left one and the right one. */
export function innerNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hashOf(INNER_PREFIX, left, right);
}

function hashOf(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const hash = sha256.create().update(Uint8Array.of(prefix));
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * The root of leaves that come one after the other, in memory of O(log n): it keeps the roots of the full trees that they make, the
 * largest first. The nodes of any level of a tree, of which only the last may stand for a tree that is not full, have its root too.
 */
export class GrowingTree {
  readonly #full: Uint8Array[] = [];
  #size = 0;

  /** How many leaves or nodes there were. */
  get size(): number {
    return this.#size;
  }

  /** Adds the next leaf. */
  addLeaf(leaf: Uint8Array): void {
    this.addNode(leafNode(leaf));
  }

  /** Adds the next node of one level. */
  addNode(node: Uint8Array): void {
    let joined = node;
    // Of so many trees the last ones are as large as what comes: one for each 1 at the end of the binary number.
    for (let count = this.#size; count % 2 === 1; count = Math.floor(count / 2))
      joined = innerNode(this.#full.pop()!, joined);
    this.#full.push(joined);
    this.#size++;
  }

  /** The root of all so far, 32 bytes; of nothing it is the SHA-256 of nothing. More may be added afterwards. */
  root(): Uint8Array {
    const [last, ...larger] = this.#full.toReversed();
    return last ? larger.reduce((right, left) => innerNode(left, right), last) : sha256(new Uint8Array(0));
  }
}

/** The root of leaves in their order, 32 bytes. */
export function treeRoot(leaves: Iterable<Uint8Array>): Uint8Array {
  const tree = new GrowingTree();
  for (const leaf of leaves) tree.addLeaf(leaf);
  return tree.root();
}

/** The root of a tree from the nodes of one level, from left to right. */
export function rootAbove(nodes: Iterable<Uint8Array>): Uint8Array {
  const tree = new GrowingTree();
  for (const node of nodes) tree.addNode(node);
  return tree.root();
}

/**
 * The inclusion path of the leaf at an index, from 0: the nodes beside the way from it up to the root, the lowest first. Throws
 * RangeError where there is no such leaf.
 */
export function inclusionPath(leaves: Iterable<Uint8Array>, index: number): Uint8Array[] {
  return pathAbove(Array.from(leaves, leafNode), index);
}

/** The upper part of an inclusion path: from the node at an index among those of one level up to the root. Throws RangeError as above. */
export function pathAbove(nodes: readonly Uint8Array[], index: number): Uint8Array[] {
  if (!(index in nodes)) throw new RangeError(`There is no node ${index} among ${nodes.length}.`);
  const path: Uint8Array[] = [];
  let nodeIndex = index;
  for (let level = nodes; level.length > 1; level = levelAbove(level), nodeIndex >>= 1) {
    const beside = level[nodeIndex ^ 1];
    if (beside) path.push(beside);
  }
  return path;
}

/** The next level: a node over each two, and at the end the one that is left over as it is. */
function levelAbove(nodes: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: Math.ceil(nodes.length / 2) }, (_, nodeIndex) => {
    const left = nodes[2 * nodeIndex]!;
    const right = nodes[2 * nodeIndex + 1];
    return right ? innerNode(left, right) : left;
  });
}

/** A leaf, where it is said to stand among how many, and the path that is said to lead from it to the root. */
export type Inclusion = {
  readonly leaf: Uint8Array;
  /** From 0. */
  readonly index: number;
  /** How many leaves the tree has. */
  readonly size: number;
  readonly path: readonly Uint8Array[];
};

/** One step up an inclusion path. */
export type PathStep = {
  /** The node of the path, and whether it stands left of the way. */
  readonly beside: Uint8Array;
  readonly isLeft: boolean;
  /** The node above both. */
  readonly above: Uint8Array;
};

/**
 * The steps from a leaf up to the root by an inclusion path (RFC 9162, section 2.1.3.2); null where no leaf at that index of a tree of
 * that size has a path of that length, or a node of it is not 32 bytes.
 */
export function pathSteps({ leaf, index, size, path }: Inclusion): PathStep[] | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null;
  const steps: PathStep[] = [];
  let node = leafNode(leaf);
  // The place of the way on its level, and that of the level's last node.
  let nodeIndex = index;
  let last = size - 1;
  for (const beside of path) {
    if (last === 0 || beside.length !== NODE_BYTES) return null;
    // Left over at the end of a level, a node stands on the next one as it is.
    while (nodeIndex === last && nodeIndex % 2 === 0) [nodeIndex, last] = [nodeIndex / 2, last / 2];
    const isLeft = nodeIndex % 2 === 1;
    node = isLeft ? innerNode(beside, node) : innerNode(node, beside);
    steps.push({ beside, isLeft, above: node });
    [nodeIndex, last] = [Math.floor(nodeIndex / 2), Math.floor(last / 2)];
  }
  return last === 0 ? steps : null;
}

/** The root to which an inclusion path leads, 32 bytes; null where it can be no path, as `pathSteps` says. */
export function rootByPath(inclusion: Inclusion): Uint8Array | null {
  const steps = pathSteps(inclusion);
  return steps && (steps.at(-1)?.above ?? leafNode(inclusion.leaf));
}
