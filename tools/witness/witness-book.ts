import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cosignText } from '@drawhouse/tlog/note-signatures';
import { formatSignatureLine } from '@drawhouse/tlog/signed-notes';
import { EMPTY_EDGE, rootOfEdge } from '@drawhouse/tlog/tile-writer';
import { isConsistent, sameBytes, type TreeHead } from '@drawhouse/tlog/verify-proofs';
import { createSemaphore } from '../../apps/server/src/platform/time/semaphore.ts';
import { OWN_FOLDER, replaceDurably } from '../../apps/server/src/platform/db/embedded/durable-file.ts';
import type { EvidenceBook } from './witness-evidence.ts';
import type { WitnessIdentity } from './witness-identity.ts';
import { originOf } from '@drawhouse/tlog/checkpoints';
import { readSigned, type SignedCheckpoint, type WitnessedLog } from './witnessed-log.ts';

const MS = 1_000;

export type Judgement =
  | { readonly is: 'cosigned'; readonly line: string; readonly before: number }
  /** The request's old size differs from the witness's. */
  | { readonly is: 'elsewhere'; readonly size: number }
  /** Equal size, different root. `stored` is the contradicting note, if cosigned. */
  | { readonly is: 'forked'; readonly stored: SignedCheckpoint | undefined }
  /** An earlier or later log than the watched one. */
  | { readonly is: 'other-log'; readonly message: string }
  | { readonly is: 'unproved'; readonly stored: SignedCheckpoint | undefined };

const EMPTY: TreeHead = { size: 0, root: rootOfEdge(EMPTY_EDGE) };

/**
 * Stores the last cosigned checkpoint. Invariant: each extends its predecessor. Judging and storing are serialized, and
 * the disk write precedes publication.
 */
export class WitnessBook {
  readonly #file: string;
  readonly #with: BookOptions;
  #last: SignedCheckpoint | undefined;
  readonly #inTurn = createSemaphore(1).run;

  private constructor(file: string, options: BookOptions, last: SignedCheckpoint | undefined) {
    this.#file = file;
    this.#with = options;
    this.#last = last;
  }

  /** Throws on a damaged file: a witness without memory would cosign anything. */
  static async open(folder: string, options: BookOptions): Promise<WitnessBook> {
    const dir = join(folder, 'logs');
    await mkdir(dir, { recursive: true, mode: OWN_FOLDER });
    const file = join(dir, `${options.log.nth}.json`);
    return new WitnessBook(file, options, await readPersisted(file, options.log));
  }

  get last(): SignedCheckpoint | undefined {
    return this.#last;
  }

  /**
   * Cosigns if `from` is the last cosigned size and the proof holds. `from` must not exceed its size. Records evidence
   * of a newer log.
   */
  judge(checkpoint: SignedCheckpoint, from: number, path: readonly Uint8Array[]): Promise<Judgement> {
    return this.#inTurn(() => this.#judge(checkpoint, from, path));
  }

  async #judge(checkpoint: SignedCheckpoint, from: number, path: readonly Uint8Array[]): Promise<Judgement> {
    const { log, evidence, witness, now } = this.#with;
    const stored = this.#last;
    if (checkpoint.nth !== log.nth) {
      const message = messageOf(checkpoint, log, stored);
      if (stored && checkpoint.nth > log.nth)
        await evidence.note({ kind: 'new-log', message, stored, shown: checkpoint });
      return { is: 'other-log', message };
    }
    const before = stored ?? EMPTY;
    if (from !== before.size) return { is: 'elsewhere', size: before.size };
    if (before.size === checkpoint.size && !sameBytes(before.root, checkpoint.root)) return { is: 'forked', stored };
    if (!isConsistent(before, checkpoint, path)) return { is: 'unproved', stored };
    if (stored?.note !== checkpoint.note) {
      await replaceDurably(this.#file, `${JSON.stringify({ origin: checkpoint.origin, note: checkpoint.note })}\n`);
      this.#last = checkpoint;
    }
    const signature = cosignText(checkpoint.text, witness.name, witness.signer, Math.floor(now() / MS));
    return { is: 'cosigned', line: formatSignatureLine(signature), before: before.size };
  }
}

export type BookOptions = {
  readonly log: WitnessedLog;
  readonly witness: WitnessIdentity;
  readonly evidence: EvidenceBook;
  /** Unix milliseconds. */
  readonly now: () => number;
};

function messageOf(shown: SignedCheckpoint, { name, nth }: WitnessedLog, stored: SignedCheckpoint | undefined): string {
  const watched = originOf(name, nth);
  if (shown.nth < nth) return `${shown.origin} is older than ${watched}, which this witness watches.`;
  return (
    `NEW LOG: the server started ${shown.origin}. ${watched} had ${stored?.size ?? 0} records when last co-signed. ` +
    'Servers never do this on their own. Ask the operator for the reason, then start this witness with the new --key.'
  );
}

async function readPersisted(file: string, log: WitnessedLog): Promise<SignedCheckpoint | undefined> {
  try {
    const { note } = JSON.parse(await readFile(file, 'utf8')) as { note: string };
    const stored = await readSigned(log, note);
    if (stored.nth === log.nth) return stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  }
  throw new Error(
    `${file} is not a checkpoint of ${originOf(log.name, log.nth)} signed by the key in --key. Put its ` +
      'newest copy back, or use another --dir for another server’s witness.',
  );
}
