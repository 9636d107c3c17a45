import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { STATES_SIGNED } from '@drawhouse/rules/sealers-records';
import { nodeHashes } from './on-node-hashes.ts';

const MARK = nodeHashes.leaf(Buffer.from(STATES_SIGNED));

/** Whether one of these hashes, which stand one after the other, is that of the record `STATES_SIGNED`: whoever takes its entry away leaves that. */
export function hasStatesMark(nodes: Uint8Array): boolean {
  const at = Buffer.from(nodes.buffer, nodes.byteOffset, nodes.length).indexOf(MARK);
  return at >= 0 && at % NODE_BYTES === 0;
}
