import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { ticketDigest, ticketText, type DigestedTicket } from '../fair.ts';
import { leafNode, NODE_BYTES, pathSteps, rootByPath, type Inclusion } from './merkle.ts';

/** Receipt as the server returns it. Index, size and path are null until betting closes. */
export type TicketReceipt = {
  _id: string;
  ticketId?: string;
  drawId: string;
  stake: string;
  lines: readonly (readonly [string, number])[];
  digest: string;
  index: number | null;
  size: number | null;
  path: readonly string[] | null;
};

export type SealedTickets = {
  drawId: string;
  ticketRoot?: string | null;
  tickets: number | null;
};

/** `open`: the draw still takes bets. `early`: the receipt predates the close. */
export type ReceiptOutcome = 'in' | 'wrong' | 'open' | 'early';

export type ReceiptExamination = {
  outcome: ReceiptOutcome;
  problems: string[];
  text: string;
  digest: { computed: string; ok: boolean };
  leaf: string;
  /** Null without a valid path. */
  steps: { sibling: string; isLeft: boolean; parent: string }[] | null;
  root: string | null;
};

const HEX = /^[0-9a-f]{64}$/i;
/** Above any real tree: 2^53 leaves need 53. */
const MOST_STEPS = 64;
const MOST_LINES = 10_000;

export function readReceipt(json: unknown): TicketReceipt {
  const is = (what: boolean, problem: string): void => {
    if (!what) throw new RangeError(problem);
  };
  is(
    typeof json === 'object' && json !== null,
    'A receipt is what /api/fair/ticket/ followed by the id of the ticket returns.',
  );
  const { _id, ticketId, drawId, stake, lines, digest, index, size, path } = json as Record<string, unknown>;
  is(
    typeof _id === 'string' && typeof drawId === 'string',
    'A receipt has the ids of its ticket, _id, and of its draw, drawId.',
  );
  is(
    typeof stake === 'string' && /^\d{1,20}$/.test(stake),
    'stake is the whole stake in hundredths of a point, as text.',
  );
  is(
    Array.isArray(lines) && lines.length <= MOST_LINES && lines.every(isLine),
    'lines is a list of bets, each with its key and its quantity.',
  );
  is(typeof digest === 'string' && HEX.test(digest), 'digest is 64 hex digits.');
  const hasProof = index !== null || size !== null || path !== null;
  if (hasProof) {
    is(Number.isSafeInteger(index) && Number.isSafeInteger(size), 'index and size are whole numbers.');
    is(
      Array.isArray(path) &&
        path.length <= MOST_STEPS &&
        path.every((node) => typeof node === 'string' && HEX.test(node)),
      `path is a list of at most ${MOST_STEPS} nodes, each 64 hex digits.`,
    );
  }
  const named = typeof ticketId === 'string' ? { ticketId } : {};
  return { _id, ...named, drawId, stake, lines, digest, index, size, path } as TicketReceipt;
}

function isLine(line: unknown): boolean {
  return Array.isArray(line) && line.length === 2 && typeof line[0] === 'string' && Number.isSafeInteger(line[1]);
}

function digestedTicket({ _id, drawId, stake, lines }: TicketReceipt): DigestedTicket {
  return { ticketId: _id, drawId, stake: BigInt(stake), lines: lines.map(([key, qty]) => ({ key, qty })) };
}

/** Trusts no value of the receipt, not even its root. */
export function examineReceipt(receipt: TicketReceipt, draw: SealedTickets): ReceiptExamination {
  const ticket = digestedTicket(receipt);
  const text = ticketText(ticket);
  const computed = bytesToHex(ticketDigest(ticket));
  const digest = { computed, ok: computed === receipt.digest.toLowerCase() };
  const problems: string[] = [];
  if (!digest.ok) problems.push('The digest does not match what the ticket says.');
  const isOf = receipt.drawId.toLowerCase() === draw.drawId.toLowerCase();
  if (!isOf) problems.push(`The ticket belongs to another draw, ${receipt.drawId}.`);

  const inclusion = inclusionOf(receipt);
  const steps = inclusion && pathSteps(inclusion);
  const found = inclusion && rootByPath(inclusion);
  const root = found && bytesToHex(found);
  const sealed = draw.ticketRoot?.toLowerCase();
  if (isOf && sealed !== undefined && inclusion) {
    if (receipt.size !== draw.tickets)
      problems.push(`The receipt says that the draw has ${receipt.size} tickets; it closed with ${draw.tickets}.`);
    if (root === null) problems.push(`Ticket ${inclusion.index + 1} of ${inclusion.size} has no path of that length.`);
    else if (root !== sealed) problems.push('The path does not lead to the root that the draw published.');
  }
  return {
    outcome: problems.length > 0 ? 'wrong' : outcomeOf(draw, inclusion),
    problems,
    text,
    digest,
    leaf: bytesToHex(leafNode(hexToBytes(receipt.digest))),
    steps:
      steps &&
      steps.map(({ sibling, isLeft, parent }) => ({
        sibling: bytesToHex(sibling),
        isLeft,
        parent: bytesToHex(parent),
      })),
    root,
  };
}

function outcomeOf(draw: SealedTickets, inclusion: Inclusion | null): ReceiptOutcome {
  if (typeof draw.ticketRoot !== 'string') return 'open';
  return inclusion ? 'in' : 'early';
}

function inclusionOf({ digest, index, size, path }: TicketReceipt): Inclusion | null {
  if (index === null || size === null || path === null) return null;
  return { leaf: hexToBytes(digest), index, size, path: path.map(hexToBytes) };
}

/** 64 hex digits each, ordered by ticket id. */
export function readDigests(json: unknown): Uint8Array[] {
  if (!Array.isArray(json))
    throw new RangeError('The digests of a draw are a list, in order of the ids of its tickets.');
  return json.map((digest: unknown, index) => {
    if (typeof digest !== 'string' || !HEX.test(digest))
      throw new RangeError(`Digest ${index + 1} is not ${NODE_BYTES * 2} hex digits.`);
    return hexToBytes(digest);
  });
}
