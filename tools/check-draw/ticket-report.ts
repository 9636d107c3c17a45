import { treeRoot } from '@drawhouse/rules/fair/tree/merkle';
import { examineReceipt, readDigests, readReceipt } from '@drawhouse/rules/fair/tree/receipt';
import type { ReceiptExamination } from '@drawhouse/rules/fair/tree/receipt';
import type { DrawReport } from './draw-report.ts';
import { Uncheckable } from './read-draw.ts';
import type { AnsweredDraw } from './read-draw.ts';

const NOT_YET = {
  open: 'Betting on the draw is open: the root of its tickets is published when it closes.',
  early: 'The receipt was made while betting was open and has no path. Ask for it again.',
};

/** Throws {@link Uncheckable} if malformed. */
export function reportOnTicket(json: unknown, draw: AnsweredDraw, { steps = false } = {}): DrawReport {
  const receipt = readable(() => readReceipt(json));
  const examination = examineReceipt(receipt, sealed(draw));
  const lines = [`Ticket ${receipt._id} of the draw ${receipt.drawId}`, ...(steps ? stepLines(examination) : [])];
  const { outcome, problems } = examination;
  if (outcome === 'wrong') return { lines, problems, code: 1 };
  lines.push('OK: the digest matches the ticket.');
  if (outcome !== 'in') return { lines, problems: [NOT_YET[outcome]], code: 2 };
  lines.push(`OK: it was ticket ${receipt.index! + 1} of ${receipt.size} when the draw closed.`);
  return { lines, problems: [], code: 0 };
}

/** Throws {@link Uncheckable} if malformed. */
export function reportOnDigests(json: unknown, draw: AnsweredDraw): DrawReport {
  const digests = readable(() => readDigests(json));
  const { ticketRoot: published, tickets, drawId } = sealed(draw);
  const lines = [`The ${digests.length} digests of the tickets of the draw ${drawId}`];
  if (typeof published !== 'string') return { lines, problems: [NOT_YET.open], code: 2 };
  const problems: string[] = [];
  if (digests.length !== tickets) problems.push(`The draw closed with ${tickets} tickets, not ${digests.length}.`);
  const computed = Buffer.from(treeRoot(digests)).toString('hex');
  if (computed !== published.toLowerCase())
    problems.push(`The digests give ${computed}, but the draw published ${published}.`);
  if (problems.length > 0) return { lines, problems, code: 1 };
  lines.push(`OK: the digests produce the root published when betting closed, ${published}.`);
  return { lines, problems: [], code: 0 };
}

function sealed({ drawId, ticketRoot, tickets }: AnsweredDraw) {
  return { drawId, ticketRoot, tickets: tickets ?? null };
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Uncheckable(error.message);
  }
}

function stepLines({ text, digest, leaf, steps }: ReceiptExamination): string[] {
  return [
    `Text              ${text}`,
    `SHA-256 of it     ${digest.computed}`,
    `Leaf              ${leaf}   SHA-256 of 00 and the digest`,
    ...(steps ?? []).map(
      ({ sibling, isLeft, parent }) =>
        `Node              ${parent}   with ${sibling} on the ${isLeft ? 'left' : 'right'}`,
    ),
  ];
}
