import { examineRound } from '@drawhouse/rules/drand';
import type { DrandChain } from '@drawhouse/rules/drand-chain';
import { examineKeepers } from '@drawhouse/rules/examine-keepers';
import { isEd25519 } from '@drawhouse/rules/verify-ed25519';
import type { FairDraw } from './fairDraw.ts';

/** What of the signatures of those who keep parts of a draw's seed is right, and all that is wrong with them in sentences; whether that makes the draw unfair. Takes some 20 ms. */
export function keptSignatures(draw: FairDraw) {
  const { keepers, problems, unfair } = examineKeepers(draw, isEd25519);
  const round = draw.beacon ? examineRound(draw.beacon as typeof draw.beacon & DrandChain) : [];
  return { keepers, isRoundRight: round.length === 0, problems: [...problems, ...round], isUnfair: unfair.length > 0 };
}
