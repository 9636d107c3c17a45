import { innerNode, NODE_BYTES, rootByPath } from '@drawhouse/rules/merkle';
import type { Inclusion } from '@drawhouse/rules/merkle';

/** A tree of RFC 6962 as one knows it: how many leaves it has, and its root, 32 bytes. */
export type TreeHead = { readonly size: number; readonly root: Uint8Array };

/** Whether a leaf stands at its index in the tree with this root, by its inclusion path (RFC 9162, section 2.1.3.2). */
export function isIncluded(inclusion: Inclusion, root: Uint8Array): boolean {
  const found = rootByPath(inclusion);
  return found !== null && sameBytes(found, root);
}

/**
 * Whether the leaves of an earlier tree are the first ones of a later one, in their order, by a consistency proof (RFC 9162, section 2.1.4.2). It has
 * to be empty where both have the same size, and so the same root, or where the earlier one has no leaves.
 */
export function isConsistent(from: TreeHead, to: TreeHead, path: readonly Uint8Array[]): boolean {
  const sizes = [from.size, to.size];
  if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 0) || from.size > to.size) return false;
  if ([from.root, to.root, ...path].some((node) => node.length !== NODE_BYTES)) return false;
  if (from.size === to.size) return path.length === 0 && sameBytes(from.root, to.root);
  if (from.size === 0) return path.length === 0;
  const roots = rootsByPath(from, to, path);
  return roots !== null && sameBytes(roots.from, from.root) && sameBytes(roots.to, to.root);
}

/** The roots of both trees that a proof leads to; null where it is none of these sizes. The earlier tree has fewer leaves, and at least one. */
function rootsByPath(
  from: TreeHead,
  to: TreeHead,
  path: readonly Uint8Array[],
): { from: Uint8Array; to: Uint8Array } | null {
  let [place, last] = [from.size - 1, to.size - 1];
  while (place % 2 === 1) [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  // The proof begins with the largest subtree that ends both trees alike; where that is the whole earlier tree, its root is not sent.
  const nodes = place === 0 ? [from.root, ...path] : [...path];
  const first = nodes.shift();
  if (!first) return null;
  let [fromNode, toNode] = [first, first];
  for (const beside of nodes) {
    if (last === 0) return null;
    while (place === last && place % 2 === 0) [place, last] = [place / 2, last / 2];
    if (place % 2 === 1) {
      fromNode = innerNode(beside, fromNode);
      toNode = innerNode(beside, toNode);
    } else {
      toNode = innerNode(toNode, beside);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? { from: fromNode, to: toNode } : null;
}

/** Whether two arrays have the same bytes. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
