import type { fairDraw } from '@drawhouse/contract/draws/draws';
import { hundredthsOf } from '@drawhouse/contract/frame/hundredths';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import type { fairTicket, playerTicketOf } from '@drawhouse/contract/tickets/tickets';
import type { FamilyName } from '@drawhouse/rules/catalogue';
import { examineReceipt, readReceipt } from '@drawhouse/rules/receipt';
import type { ReceiptExamination, TicketReceipt } from '@drawhouse/rules/receipt';
import { rulesFor } from '@drawhouse/rules/rules';
import { countText } from '../lib/amounts.ts';

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
  text: 'What it says of this ticket is no receipt, so nothing can be computed from it.',
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
      title: 'The ticket does not give its digest',
      text: 'This browser has computed another digest from what the ticket now says. Something of it is not as it was laid.',
    };
  if (receipt.digest !== bet.digest)
    return {
      state: 'wrong',
      title: 'The server names two digests',
      text: 'That of the receipt is another one than that of the ticket.',
    };
  const bets = bet.lines.length === 1 ? 'its bet' : `its ${countText(bet.lines.length)} bets`;
  return {
    state: 'right',
    title: 'The ticket gives its digest',
    text: `From the ticket’s id, its draw, its stake and ${bets} this browser has computed the digest above. With anything else on the ticket it would be another one.`,
  };
}

function rootStep({ status, ticketRoot, tickets }: Draw): ProofStep {
  if (ticketRoot !== null)
    return {
      state: 'right',
      title: 'All tickets of the draw are fixed',
      text: `When betting closed, the house published one number, the root, that fixes ${ticketsWords(tickets)}: since then none can be added, changed or taken away.`,
    };
  if (status === 'void')
    return {
      state: 'later',
      title: 'The draw is void',
      text: 'It was given up before its tickets were fixed, and your stake went back to your wallet.',
    };
  return {
    state: 'later',
    title: 'Betting is still open',
    text: 'When it closes, the house publishes one number, the root, that fixes every ticket of the draw. Before that nobody can show which tickets are in it.',
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
  const waits = { state: 'later', title: 'Whether this ticket is among them' } as const;
  if (draw.ticketRoot === null)
    return {
      ...waits,
      text:
        draw.status === 'void'
          ? 'There is nothing to be shown: no ticket of this draw counted.'
          : 'That can be computed once betting is closed. This page then does it by itself.',
    };
  if (own.path === null)
    return {
      ...waits,
      text: draw.ticketsCleared
        ? 'The tickets of this draw were cleared since. The root stays, but the way from a ticket up to it can’t be shown any more.'
        : 'The server has not told the way from this ticket up to the root yet.',
    };
  const count = steps?.length ?? 0;
  const way = count === 0 ? 'it is the root itself' : count === 1 ? 'one step leads' : `${countText(count)} steps lead`;
  return {
    state: 'right',
    title: `This is ticket ${countText(own.index! + 1)} of ${countText(own.size!)} in the draw`,
    text: `From its digest ${count === 0 ? `${way}, as no other ticket was laid` : `${way} up to the root`}. This browser has computed all of it. A ticket that was not in the draw has no such way.`,
  };
}
