import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { verifiedRandomness } from '@drawhouse/rules/drand';
import { examineKeepers } from '@drawhouse/rules/examine-keepers';
import type { AnsweredDraw } from './read-draw.ts';

/** What is wrong with the signatures of those who kept parts of a draw's seed: sentences. */
export function keptProblems(draw: AnsweredDraw): string[] {
  const problems = [...examineKeepers(draw, isSigned).problems];
  const { beacon } = draw;
  if (beacon && beacon.signature !== null) {
    const { round, signature } = beacon;
    if (!verifiedRandomness(beacon, { round, signature }))
      problems.push(`The signature of round ${round} is not that of the chain ${beacon.hash}.`);
  }
  return problems;
}

function isSigned(signature: Uint8Array, text: Uint8Array, publicKey: Uint8Array): boolean {
  return verifyOnNode(publicKey, text, signature);
}
