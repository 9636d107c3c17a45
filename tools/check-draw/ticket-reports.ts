import { rootByPath, treeRoot } from '@drawhouse/rules/fair/tree/merkle';
import { BATCHES, kindLine, SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { parseLogProof, verifyLogProof } from '@drawhouse/tlog/log-proofs';
import { parseNoteKey } from '@drawhouse/tlog/note-keys';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { NoteError } from '@drawhouse/tlog/signed-notes';
import { examineReceipt, readDigests, readReceipt, type ReceiptExamination } from '@drawhouse/rules/fair/tree/receipt';
import type { DrawReport } from './draw-report.ts';
import { Uncheckable, type AnsweredDraw } from './read-draw.ts';

const NOT_YET = {
  open: 'Betting on the draw is open: the root of its tickets is published when it closes.',
  early: 'The receipt was made while betting was open and has no path. Ask for it again.',
};

export function reportOnTicket(json: unknown, draw: AnsweredDraw, { steps = false } = {}): DrawReport {
  const receipt = readable(() => readReceipt(json));
  const examination = examineReceipt(receipt, treeOf(draw));
  const lines = [`Ticket ${receipt._id} of the draw ${receipt.drawId}`, ...(steps ? stepLines(examination) : [])];
  const { outcome, problems } = examination;
  if (outcome === 'wrong') return { lines, problems, code: 1 };
  lines.push('OK: the digest matches the ticket.');
  if (outcome !== 'in') return { lines, problems: [NOT_YET[outcome]], code: 2 };
  lines.push(`OK: it was ticket ${receipt.index! + 1} of ${receipt.size} when the draw closed.`);
  return { lines, problems: [], code: 0 };
}

export function reportOnDigests(json: unknown, draw: AnsweredDraw): DrawReport {
  const digests = readable(() => readDigests(json));
  const { ticketRoot: published, tickets, drawId } = treeOf(draw);
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

function treeOf({ drawId, ticketRoot, tickets }: AnsweredDraw) {
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

export interface SealedReceipt {
  readonly _id: string;
  readonly drawId: string;
  readonly digest: string;
  readonly sealed: {
    readonly record: string;
    readonly index: number;
    readonly size: number;
    readonly path: readonly string[];
    readonly proof: string;
  };
}

export function proofIn(receipt: unknown): string | undefined {
  const { sealed } = receipt as { readonly sealed?: { readonly proof?: unknown } | null };
  return typeof sealed?.proof === 'string' ? sealed.proof : undefined;
}

/** Checks ticket in batch, batch in log, and the log's signature. */
export async function reportOnSealed(receipt: SealedReceipt, keyLine: string): Promise<DrawReport> {
  const key = parseNoteKey(keyLine.trim());
  if (!key) throw new Uncheckable(`The key of the seals is not valid: ${keyLine.trim()}`);
  try {
    const proof = parseLogProof(receipt.sealed.proof);
    const entry = proof.extra ?? new Uint8Array();
    await verifyLogProof(proof, entry, { origin: key.name, key, witnesses: [] }, verifyOnNode);
    requireInBatch(receipt, Buffer.from(entry).toString());
    const { index, size } = receipt.sealed;
    const lines = [
      `OK: it is sealed as ticket ${index + 1} of ${size} of a batch (record ${proof.index} of ${key.name}, signed by ${keyLine.trim()}).`,
    ];
    return { lines, problems: [], code: 0 };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { lines: [], problems: [`The proof that the ticket is sealed is not valid: ${error.message}`], code: 1 };
  }
}

function requireInBatch({ _id, drawId, digest, sealed }: SealedReceipt, entry: string): void {
  const { record, index, size, path } = sealed;
  const [kind, row = ''] = entry.split('\n');
  const [, table, draw, , count, root] = row.split('\t');
  if (kind !== kindLine(BATCHES) || table !== 'tickets' || draw !== drawId || Number(count) !== size)
    throw new NoteError('It belongs to another batch.');
  const found = rootByPath({
    leaf: Buffer.from(record),
    index,
    size,
    path: path.map((node) => Buffer.from(node, 'hex')),
  });
  if (!found || Buffer.from(found).toString('hex') !== root)
    throw new NoteError('The path does not lead from the record to the root of the batch.');
  const [recordKind, fields = ''] = record.split('\n');
  const { key, columns } = SEALED_TABLES['tickets']!;
  const values = new Map(fields.split('\t').map((value, at) => [[...key, ...columns][at], value]));
  const isSame =
    values.get('id') === _id &&
    values.get('draw_id') === drawId &&
    values.get('digest') === `\\\\x${digest.toLowerCase()}`;
  if (recordKind !== kindLine('tickets') || !isSame) throw new NoteError('The record belongs to another ticket.');
}
