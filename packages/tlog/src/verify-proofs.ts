import { innerNode, NODE_BYTES, rootByPath, type Inclusion } from '@drawhouse/rules/fair/tree/merkle';

export type TreeHead = { readonly size: number; readonly root: Uint8Array };

/** Follows RFC 9162, section 2.1.3.2. */
export function isIncluded(inclusion: Inclusion, root: Uint8Array): boolean {
  const found = rootByPath(inclusion);
  return found !== null && sameBytes(found, root);
}

/** Follows RFC 9162, section 2.1.4.2. The proof must be empty for equal sizes (and roots) or an empty start. */
export function isConsistent(from: TreeHead, to: TreeHead, path: readonly Uint8Array[]): boolean {
  const sizes = [from.size, to.size];
  if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 0) || from.size > to.size) return false;
  if ([from.root, to.root, ...path].some((node) => node.length !== NODE_BYTES)) return false;
  if (from.size === to.size) return path.length === 0 && sameBytes(from.root, to.root);
  if (from.size === 0) return path.length === 0;
  const roots = rootsByPath(from, to, path);
  return roots !== null && sameBytes(roots.from, from.root) && sameBytes(roots.to, to.root);
}

/** Null if the proof does not fit these sizes. Requires 0 < earlier size < later size. */
function rootsByPath(
  from: TreeHead,
  to: TreeHead,
  path: readonly Uint8Array[],
): { from: Uint8Array; to: Uint8Array } | null {
  let [place, last] = [from.size - 1, to.size - 1];
  while (place % 2 === 1) [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  // Starts at the largest subtree ending both trees. If that is the whole earlier tree, the proof omits its root.
  const nodes = place === 0 ? [from.root, ...path] : [...path];
  const first = nodes.shift();
  if (!first) return null;
  let [fromNode, toNode] = [first, first];
  for (const sibling of nodes) {
    if (last === 0) return null;
    while (place === last && place % 2 === 0) [place, last] = [place / 2, last / 2];
    if (place % 2 === 1) {
      fromNode = innerNode(sibling, fromNode);
      toNode = innerNode(sibling, toNode);
    } else {
      toNode = innerNode(toNode, sibling);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? { from: fromNode, to: toNode } : null;
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
