import { mkdir, readdir, readFile } from 'node:fs/promises';
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
const FILE = /^([1-9]\d{0,8})\.json$/;

export type Judgement =
  | { readonly is: 'cosigned'; readonly line: string; readonly before: number }
  /** The request's old size differs from the witness's. */
  | { readonly is: 'elsewhere'; readonly size: number }
  /** Equal size, different root. `stored` is the contradicting note, if cosigned. */
  | { readonly is: 'forked'; readonly stored: SignedCheckpoint | undefined }
  /** Check `old` again, or await acceptance. */
  | { readonly is: 'new-log'; readonly old: SignedCheckpoint }
  | { readonly is: 'unproved'; readonly stored: SignedCheckpoint | undefined };

const EMPTY: TreeHead = { size: 0, root: rootOfEdge(EMPTY_EDGE) };

/**
 * Stores the last cosigned checkpoint per log. Invariant: each extends its predecessor. Judging and storing are
 * serialized, and the disk write precedes publication.
 */
export class WitnessBook {
  readonly #dir: string;
  readonly #witness: WitnessIdentity;
  readonly #now: () => number;
  readonly #last: Map<number, SignedCheckpoint>;
  readonly #evidence: EvidenceBook;
  /** Newer logs whose predecessor passed its last check. */
  readonly #begun = new Set<number>();
  readonly #inTurn = createSemaphore(1).run;

  private constructor(dir: string, { witness, now, evidence }: BookOptions, last: Map<number, SignedCheckpoint>) {
    this.#dir = dir;
    this.#witness = witness;
    this.#now = now;
    this.#evidence = evidence;
    this.#last = last;
  }

  /** Throws on damaged files: a witness without memory would cosign anything. */
  static async open(folder: string, options: BookOptions): Promise<WitnessBook> {
    const dir = join(folder, 'logs');
    await mkdir(dir, { recursive: true, mode: OWN_FOLDER });
    const last = new Map<number, SignedCheckpoint>();
    for (const name of await readdir(dir)) {
      const nth = Number(FILE.exec(name)?.[1]);
      if (nth > 0) last.set(nth, await readPersisted(join(dir, name), options.log, nth));
    }
    return new WitnessBook(dir, options, last);
  }

  last(nth: number): SignedCheckpoint | undefined {
    return this.#last.get(nth);
  }

  get newest(): number {
    return Math.max(0, ...this.#last.keys());
  }

  begin(nth: number): void {
    this.#begun.add(nth);
  }

  /**
   * Cosigns if `from` is the last cosigned size and the proof holds. `from` must not exceed its size. Notices the first
   * checkpoint of a newer log.
   */
  judge(checkpoint: SignedCheckpoint, from: number, path: readonly Uint8Array[]): Promise<Judgement> {
    return this.#inTurn(() => this.#judge(checkpoint, from, path));
  }

  async #judge(checkpoint: SignedCheckpoint, from: number, path: readonly Uint8Array[]): Promise<Judgement> {
    const stored = this.#last.get(checkpoint.nth);
    const old = this.#last.get(this.newest);
    if (!stored && old && checkpoint.nth > old.nth) {
      const message =
        `NEW LOG: the server started the log ${checkpoint.origin}. The previous one, ${old.origin}, had ${old.size} ` +
        'records when last co-signed. Servers never do this on their own. Ask the operator for the reason, ' +
        `then start this witness with --accept ${checkpoint.nth}.`;
      await this.#evidence.note({ kind: 'new-log', message, stored: old, shown: checkpoint });
      if (!this.#begun.has(checkpoint.nth) && !this.#evidence.isAccepted(checkpoint.origin))
        return { is: 'new-log', old };
    }
    const before = stored ?? EMPTY;
    if (from !== before.size) return { is: 'elsewhere', size: before.size };
    if (before.size === checkpoint.size && !sameBytes(before.root, checkpoint.root)) return { is: 'forked', stored };
    if (!isConsistent(before, checkpoint, path)) return { is: 'unproved', stored };
    if (stored?.note !== checkpoint.note) {
      const file = join(this.#dir, `${checkpoint.nth}.json`);
      await replaceDurably(file, `${JSON.stringify({ origin: checkpoint.origin, note: checkpoint.note })}\n`);
      this.#last.set(checkpoint.nth, checkpoint);
    }
    const { name, signer } = this.#witness;
    const signature = cosignText(checkpoint.text, name, signer, Math.floor(this.#now() / MS));
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

async function readPersisted(file: string, log: WitnessedLog, nth: number): Promise<SignedCheckpoint> {
  const text = await readFile(file, 'utf8');
  try {
    const { note } = JSON.parse(text) as { note: string };
    const stored = await readSigned(log, note);
    if (stored.origin === originOf(log.name, nth)) return stored;
  } catch {
    // Reported below.
  }
  throw new Error(
    `${file} is not a checkpoint of ${originOf(log.name, nth)} signed by the key in --key. Put its ` +
      'newest copy back, or use another --dir for another server’s witness.',
  );
}
