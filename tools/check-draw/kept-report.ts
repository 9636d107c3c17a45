import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { examineRound } from '@drawhouse/rules/drand';
import { examineKeepers } from '@drawhouse/rules/examine-keepers';
import type { AnsweredDraw } from './read-draw.ts';

/** What is wrong with the signatures of those who kept parts of a draw's seed: sentences. */
export function keptProblems(draw: AnsweredDraw): string[] {
  return [...examineKeepers(draw, isSigned).problems, ...(draw.beacon ? examineRound(draw.beacon) : [])];
}

function isSigned(signature: Uint8Array, text: Uint8Array, publicKey: Uint8Array): boolean {
  return verifyOnNode(publicKey, text, signature);
}
