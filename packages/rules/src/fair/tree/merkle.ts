import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

// Merkle tree of RFC 6962, section 2.1, over SHA-256.

export const NODE_BYTES = 32;

const LEAF_PREFIX = 0x00;
const INNER_PREFIX = 0x01;

export function leafNode(leaf: Uint8Array): Uint8Array {
  return hashOf(LEAF_PREFIX, leaf);
}

export function innerNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hashOf(INNER_PREFIX, left, right);
}

function hashOf(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const hash = sha256.create().update(Uint8Array.of(prefix));
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * Takes O(log n) memory: keeps roots of full subtrees, largest first. Also accepts the nodes of one level; only the
 * last may stand for a partial subtree.
 */
export class GrowingTree {
  readonly #full: Uint8Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  addLeaf(leaf: Uint8Array): void {
    this.addNode(leafNode(leaf));
  }

  addNode(node: Uint8Array): void {
    let joined = node;
    // One merge per trailing 1 bit of the count.
    for (let count = this.#size; count % 2 === 1; count = Math.floor(count / 2))
      joined = innerNode(this.#full.pop()!, joined);
    this.#full.push(joined);
    this.#size++;
  }

  /** SHA-256 of no input if empty. Appending may continue. */
  root(): Uint8Array {
    const [last, ...larger] = this.#full.toReversed();
    return last ? larger.reduce((right, left) => innerNode(left, right), last) : sha256(new Uint8Array(0));
  }
}

export function treeRoot(leaves: Iterable<Uint8Array>): Uint8Array {
  const tree = new GrowingTree();
  for (const leaf of leaves) tree.addLeaf(leaf);
  return tree.root();
}

/** Takes one level's nodes, left to right. */
export function rootAbove(nodes: Iterable<Uint8Array>): Uint8Array {
  const tree = new GrowingTree();
  for (const node of nodes) tree.addNode(node);
  return tree.root();
}

/** Leads from leaf to root. */
export function inclusionPath(leaves: Iterable<Uint8Array>, index: number): Uint8Array[] {
  return pathAbove(Array.from(leaves, leafNode), index);
}

export function pathAbove(nodes: readonly Uint8Array[], index: number): Uint8Array[] {
  if (!(index in nodes)) throw new RangeError(`There is no node ${index} among ${nodes.length}.`);
  const path: Uint8Array[] = [];
  let nodeIndex = index;
  for (let level = nodes; level.length > 1; level = levelAbove(level), nodeIndex >>= 1) {
    const sibling = level[nodeIndex ^ 1];
    if (sibling) path.push(sibling);
  }
  return path;
}

/** Pairs nodes. An odd last node moves up unchanged. */
function levelAbove(nodes: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: Math.ceil(nodes.length / 2) }, (_, nodeIndex) => {
    const left = nodes[2 * nodeIndex]!;
    const right = nodes[2 * nodeIndex + 1];
    return right ? innerNode(left, right) : left;
  });
}

export type Inclusion = {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
};

export type PathStep = {
  readonly sibling: Uint8Array;
  readonly isLeft: boolean;
  readonly parent: Uint8Array;
};

/**
 * Leads from leaf to root (RFC 9162, section 2.1.3.2). Null if index, size and path length do not fit, or a node is not
 * 32 bytes.
 */
export function pathSteps({ leaf, index, size, path }: Inclusion): PathStep[] | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null;
  const steps: PathStep[] = [];
  let node = leafNode(leaf);
  // Positions on the current level.
  let nodeIndex = index;
  let last = size - 1;
  for (const sibling of path) {
    if (last === 0 || sibling.length !== NODE_BYTES) return null;
    // An odd last node moves up unchanged.
    while (nodeIndex === last && nodeIndex % 2 === 0) [nodeIndex, last] = [nodeIndex / 2, last / 2];
    const isLeft = nodeIndex % 2 === 1;
    node = isLeft ? innerNode(sibling, node) : innerNode(node, sibling);
    steps.push({ sibling, isLeft, parent: node });
    [nodeIndex, last] = [Math.floor(nodeIndex / 2), Math.floor(last / 2)];
  }
  return last === 0 ? steps : null;
}

export function rootByPath(inclusion: Inclusion): Uint8Array | null {
  const steps = pathSteps(inclusion);
  return steps && (steps.at(-1)?.parent ?? leafNode(inclusion.leaf));
}

export interface Opening {
  readonly id: string;
  readonly game_key: string;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly draws_at: Date;
  readonly commitment: Uint8Array;
  readonly terms_id: string;
}

export function openingLeaf(draw: Opening): Uint8Array {
  return utf8ToBytes(
    // Strings only, hence canonical.
    JSON.stringify([
      draw.id,
      draw.game_key,
      draw.opens_at.toISOString(),
      draw.closes_at.toISOString(),
      draw.draws_at.toISOString(),
      bytesToHex(draw.commitment),
      draw.terms_id,
    ]),
  );
}

const BATCH_DIGITS = 17;
export const BATCH_AT = 36 - BATCH_DIGITS;

/** Draws opened together share it. */
export function batchOf(drawId: string): string {
  return drawId.slice(BATCH_AT);
}
