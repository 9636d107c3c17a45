import type { fairDraw } from '@drawhouse/contract/draws/draws';
import { hundredthsOf } from '@drawhouse/contract/core/hundredths';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { fairTicket, playerTicketOf } from '@drawhouse/contract/tickets/tickets';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { examineReceipt, readReceipt } from '@drawhouse/rules/fair/receipt';
import type { ReceiptExamination, TicketReceipt } from '@drawhouse/rules/fair/receipt';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { countText } from '../../lib/amounts.ts';

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
 * Verifies a ticket from its own data. Takes only position and path from the server; these must lead to the published
 * root. Never throws.
 */
export function proveBet(bet: ProvedBet, receipt: Receipt, draw: Draw): BetProof {
  const own = receiptOf(bet, receipt);
  if (own === null) return { state: 'wrong', steps: [UNREADABLE], examination: null };
  const examination = examineReceipt(own, draw);
  const steps = [digestStep(bet, receipt, examination), rootStep(draw), pathStep(own, draw, examination)];
  const states = steps.map(({ state }) => state);
  const state = states.includes('wrong') ? 'wrong' : states.includes('later') ? 'later' : 'right';
  return { state, steps, examination };
}

const UNREADABLE: ProofStep = {
  state: 'wrong',
  title: 'The server’s answer can’t be read',
  text: 'It is not a valid receipt, so nothing can be computed from it.',
};

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
  if (!digest.ok)
    return {
      state: 'wrong',
      title: 'The digest does not match the ticket',
      text: 'This browser computed a different digest from the ticket. Something on it has changed since it was placed.',
    };
  if (receipt.digest !== bet.digest)
    return {
      state: 'wrong',
      title: 'The server sent two different digests',
      text: 'The receipt’s digest differs from the ticket’s.',
    };
  const bets = bet.lines.length === 1 ? 'its bet' : `its ${countText(bet.lines.length)} bets`;
  return {
    state: 'right',
    title: 'The digest matches the ticket',
    text: `From the ticket’s id, its draw, its stake and ${bets} this browser has computed the digest above. With anything else on the ticket it would be another one.`,
  };
}

function rootStep({ status, ticketRoot, tickets }: Draw): ProofStep {
  if (ticketRoot !== null)
    return {
      state: 'right',
      title: 'All tickets of the draw are fixed',
      text: `When betting closed, the operator published one number, the root, that fixes ${ticketsWords(tickets)}. Since then none can be added, changed or removed.`,
    };
  if (status === 'void')
    return {
      state: 'later',
      title: 'The draw is void',
      text: 'It was voided before its tickets were fixed, and your stake was refunded.',
    };
  return {
    state: 'later',
    title: 'Betting is still open',
    text: 'When it closes, the operator publishes one number, the root, that fixes every ticket of the draw. Until then nobody can show which tickets are in it.',
  };
}

function ticketsWords(tickets: number | null): string {
  if (tickets === null) return 'its tickets';
  return tickets === 1 ? 'its one ticket' : `its ${countText(tickets)} tickets`;
}

function pathStep(own: TicketReceipt, draw: Draw, { digest, problems, steps }: ReceiptExamination): ProofStep {
  // Digest problems come first and belong to another step.
  const ofPath = digest.ok ? problems : problems.slice(1);
  if (ofPath.length > 0)
    return { state: 'wrong', title: 'The ticket does not lead to the root', text: ofPath.join(' ') };
  const waits = { state: 'later', title: 'This ticket’s place in the draw' } as const;
  if (draw.ticketRoot === null)
    return {
      ...waits,
      text:
        draw.status === 'void'
          ? 'There is nothing to show: no ticket of this draw counted.'
          : 'This page computes it automatically once betting is closed.',
    };
  if (own.path === null)
    return {
      ...waits,
      text: draw.ticketsCleared
        ? 'The tickets of this draw have been cleared. The root stays, but the path from a ticket to it can no longer be shown.'
        : 'The server has not sent the path from this ticket to the root yet.',
    };
  const count = steps?.length ?? 0;
  const way =
    count === 0 ? 'its digest is the root itself' : count === 1 ? 'one step leads' : `${countText(count)} steps lead`;
  return {
    state: 'right',
    title: `This is ticket ${countText(own.index! + 1)} of ${countText(own.size!)} in the draw`,
    text: `${count === 0 ? `It is the only ticket, so ${way}` : `From its digest, ${way} up to the root`}. This browser computed all of it. A ticket that was not in the draw has no such path.`,
  };
}
