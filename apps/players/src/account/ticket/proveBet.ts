import type { fairDraw } from '@drawhouse/contract/draws/draws';
import { hundredthsOf } from '@drawhouse/contract/core/hundredths';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { fairTicket, playerTicketOf } from '@drawhouse/contract/tickets/tickets';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import {
  examineReceipt,
  readReceipt,
  type ReceiptExamination,
  type TicketReceipt,
} from '@drawhouse/rules/fair/tree/receipt';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { proofStepTexts as texts } from './ticketTexts.ts';

export type OwnBet = RouteAnswer<typeof playerTicketOf>['ticket'];

export type ProvedBet = Pick<
  OwnBet,
  '_id' | 'drawId' | 'gameId' | 'family' | 'digits' | 'lines' | 'playpoints' | 'digest'
>;
type Receipt = Pick<RouteAnswer<typeof fairTicket>, 'digest' | 'index' | 'size' | 'path'>;
type Draw = Pick<RouteAnswer<typeof fairDraw>, 'drawId' | 'status' | 'ticketRoot' | 'tickets' | 'ticketsCleared'>;

/** `later`: not yet, or no longer, verifiable. */
export type StepState = 'right' | 'wrong' | 'later';

export interface ProofStep {
  readonly state: StepState;
  readonly title: string;
  readonly text: string;
}

export interface BetProof {
  readonly state: StepState;
  readonly steps: readonly ProofStep[];
  readonly examination: ReceiptExamination | null;
}

/**
 * Verifies a ticket from its own data. The server only supplies position and path, which must lead to the published
 * root. Never throws.
 */
export function proveBet(bet: ProvedBet, receipt: Receipt, draw: Draw): BetProof {
  const own = receiptOf(bet, receipt);
  if (own === null) return { state: 'wrong', steps: [{ state: 'wrong', ...texts.unreadable }], examination: null };
  const examination = examineReceipt(own, draw);
  const steps = [digestStep(bet, receipt, examination), rootStep(draw), pathStep(own, draw, examination)];
  const states = steps.map(({ state }) => state);
  const state = states.includes('wrong') ? 'wrong' : states.includes('later') ? 'later' : 'right';
  return { state, steps, examination };
}

/** Null if position or path is impossible. */
function receiptOf(bet: ProvedBet, { index, size, path }: Receipt): TicketReceipt | null {
  const { _id, drawId, gameId, digits, digest } = bet;
  const rules = rulesFor({ gameId, family: bet.family as FamilyName, digits });
  const lines = bet.lines.map(({ qty, ...line }) => {
    const read = rules.parseBet(line);
    return [read.ok ? read.key : '', qty] as const;
  });
  const stake = hundredthsOf(bet.playpoints);
  if (stake === null || lines.some(([key]) => key === '')) return null;
  try {
    return readReceipt({ _id, drawId, stake: String(stake), lines, digest, index, size, path });
  } catch {
    return null;
  }
}

function digestStep(bet: ProvedBet, receipt: Receipt, { digest }: ReceiptExamination): ProofStep {
  if (!digest.ok) return { state: 'wrong', ...texts.wrongDigest };
  if (receipt.digest !== bet.digest) return { state: 'wrong', ...texts.twoDigests };
  return { state: 'right', ...texts.digest(bet.lines.length) };
}

function rootStep({ status, ticketRoot, tickets }: Draw): ProofStep {
  if (ticketRoot !== null) return { state: 'right', ...texts.fixed(tickets) };
  return { state: 'later', ...(status === 'void' ? texts.void : texts.open) };
}

function pathStep(own: TicketReceipt, draw: Draw, { digest, problems, steps }: ReceiptExamination): ProofStep {
  // The first problem, if any, is the digest's and belongs to another step.
  const ofPath = digest.ok ? problems : problems.slice(1);
  if (ofPath.length > 0) return { state: 'wrong', title: texts.wrongPath, text: ofPath.join(' ') };
  const pending = { state: 'later', title: texts.position } as const;
  if (draw.ticketRoot === null)
    return { ...pending, text: draw.status === 'void' ? texts.positionVoid : texts.positionOpen };
  if (own.path === null)
    return { ...pending, text: draw.ticketsCleared ? texts.positionCleared : texts.positionNotSent };
  return { state: 'right', ...texts.path({ index: own.index!, size: own.size!, steps: steps?.length ?? 0 }) };
}
