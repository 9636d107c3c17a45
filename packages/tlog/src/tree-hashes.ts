import { innerNode, leafNode, NODE_BYTES } from '@drawhouse/rules/merkle';

/** The hashes of a tree of RFC 6962 (section 2.1) over SHA-256; each answers 32 bytes of their own. */
export type TreeHashes = {
  /** The node of a leaf: SHA-256 of the byte 0 and the bytes of the leaf. */
  readonly leaf: (entry: Uint8Array) => Uint8Array;
  /** The node above two: SHA-256 of the byte 1, the left one and the right one. */
  readonly inner: (left: Uint8Array, right: Uint8Array) => Uint8Array;
  /** The root over nodes of one level whose number is a power of two: of their bytes, one after the other, which are left as they are. */
  readonly perfect: (nodes: Uint8Array) => Uint8Array;
};

/** The hashes in plain JavaScript, which go anywhere: about 3 µs each. `nodeHashes` (on-node-hashes.ts) is what a server takes. */
export const plainHashes: TreeHashes = { leaf: leafNode, inner: innerNode, perfect };

function perfect(nodes: Uint8Array): Uint8Array {
  const level = new Uint8Array(nodes);
  for (let length = level.length; length > NODE_BYTES; length /= 2)
    for (let at = 0; at < length; at += 2 * NODE_BYTES) {
      const middle = at + NODE_BYTES;
      level.set(innerNode(level.subarray(at, middle), level.subarray(middle, middle + NODE_BYTES)), at / 2);
    }
  return level.slice(0, NODE_BYTES);
}
