import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cosignText } from '@drawhouse/tlog/note-signatures';
import { formatSignatureLine } from '@drawhouse/tlog/signed-notes';
import { EMPTY_EDGE, rootOfEdge } from '@drawhouse/tlog/tile-writer';
import { isConsistent, sameBytes } from '@drawhouse/tlog/verify-proofs';
import type { TreeHead } from '@drawhouse/tlog/verify-proofs';
import { OWN_FOLDER, replaceDurably } from '../../apps/server/src/db/durable-file.ts';
import type { WitnessIdentity } from './witness-identity.ts';
import { originOf } from '@drawhouse/tlog/log-origins';
import { readSigned } from './witnessed-log.ts';
import type { SignedCheckpoint, WitnessedLog } from './witnessed-log.ts';

const MS = 1_000;
const FILE = /^([1-9]\d{0,8})\.json$/;

/** What a witness answers about a checkpoint. */
export type Judgement =
  | { readonly is: 'cosigned'; readonly line: string; readonly before: number }
  /** It was asked from another size than the witness has. */
  | { readonly is: 'elsewhere'; readonly size: number }
  /** The same size has another root: of one that was cosigned, two notes that contradict each other. */
  | { readonly is: 'forked'; readonly kept: SignedCheckpoint | undefined }
  /** It is the first of a newer log than `old`, which has to be looked at once more, or a person to accept the new one. */
  | { readonly is: 'new-log'; readonly old: SignedCheckpoint }
  /** The proof does not lead from what was cosigned to this tree. */
  | { readonly is: 'unproved'; readonly kept: SignedCheckpoint | undefined };

const EMPTY: TreeHead = { size: 0, root: rootOfEdge(EMPTY_EDGE) };

/**
 * What a witness has cosigned: of each log the last checkpoint, in a file of its own. Whatever is cosigned goes on with what was cosigned before, for
 * ever: it is judged and kept in one turn, and on the disk before anybody has the cosignature.
 */
export class WitnessBook {
  readonly #dir: string;
  readonly #witness: WitnessIdentity;
  readonly #now: () => number;
  readonly #last: Map<number, SignedCheckpoint>;
  readonly #newLogs: NewLogs;
  /** Of which of the newer logs the one before was looked at once more. */
  readonly #begun = new Set<number>();
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(dir: string, { witness, now, newLogs }: BookOptions, last: Map<number, SignedCheckpoint>) {
    this.#dir = dir;
    this.#witness = witness;
    this.#now = now;
    this.#newLogs = newLogs;
    this.#last = last;
  }

  /** Opens the book of a folder. Throws a sentence where a file of it is damaged: a witness that forgot would cosign anything. */
  static async open(folder: string, options: BookOptions): Promise<WitnessBook> {
    const dir = join(folder, 'logs');
    await mkdir(dir, { recursive: true, mode: OWN_FOLDER });
    const last = new Map<number, SignedCheckpoint>();
    for (const name of await readdir(dir)) {
      const nth = Number(FILE.exec(name)?.[1]);
      if (nth > 0) last.set(nth, await readKept(join(dir, name), options.log, nth));
    }
    return new WitnessBook(dir, options, last);
  }

  /** The last checkpoint that was cosigned of the n-th log; undefined where none was. */
  last(nth: number): SignedCheckpoint | undefined {
    return this.#last.get(nth);
  }

  /** The number of the newest log of which one was cosigned; 0 where there is none. */
  get newest(): number {
    return Math.max(0, ...this.#last.keys());
  }

  /** The log before the n-th was looked at once more and goes on with what was cosigned of it: the n-th may be cosigned. */
  begin(nth: number): void {
    this.#begun.add(nth);
  }

  /**
   * Judges a checkpoint, whose signature was verified, by the proof that it goes on with the tree of `from` leaves, and cosigns it where that is so and
   * `from` is the size that was cosigned last. `from` is at most its size. The first of a newer log is noticed, whichever way it came.
   */
  judge(checkpoint: SignedCheckpoint, from: number, path: readonly Uint8Array[]): Promise<Judgement> {
    const judged = this.#turn.then(() => this.#judge(checkpoint, from, path));
    this.#turn = judged.catch(() => {});
    return judged;
  }

  async #judge(checkpoint: SignedCheckpoint, from: number, path: readonly Uint8Array[]): Promise<Judgement> {
    const kept = this.#last.get(checkpoint.nth);
    const old = this.#last.get(this.newest);
    if (!kept && old && checkpoint.nth > old.nth) {
      await this.#newLogs.notice(old, checkpoint);
      if (!this.#begun.has(checkpoint.nth) && !this.#newLogs.isAccepted(checkpoint.origin))
        return { is: 'new-log', old };
    }
    const before = kept ?? EMPTY;
    if (from !== before.size) return { is: 'elsewhere', size: before.size };
    if (before.size === checkpoint.size && !sameBytes(before.root, checkpoint.root)) return { is: 'forked', kept };
    if (!isConsistent(before, checkpoint, path)) return { is: 'unproved', kept };
    if (kept?.note !== checkpoint.note) {
      const file = join(this.#dir, `${checkpoint.nth}.json`);
      await replaceDurably(file, `${JSON.stringify({ origin: checkpoint.origin, note: checkpoint.note })}\n`);
      this.#last.set(checkpoint.nth, checkpoint);
    }
    const { name, signer } = this.#witness;
    const signature = cosignText(checkpoint.text, name, signer, Math.floor(this.#now() / MS));
    return { is: 'cosigned', line: formatSignatureLine(signature), before: before.size };
  }
}

/** What hears of new logs, and knows which of them a person has accepted, by their origins. */
export type NewLogs = {
  readonly notice: (old: SignedCheckpoint, next: SignedCheckpoint) => Promise<void>;
  readonly isAccepted: (origin: string) => boolean;
};

/** Whose book it is. */
export type BookOptions = {
  readonly log: WitnessedLog;
  readonly witness: WitnessIdentity;
  readonly newLogs: NewLogs;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
};

async function readKept(file: string, log: WitnessedLog, nth: number): Promise<SignedCheckpoint> {
  const text = await readFile(file, 'utf8');
  try {
    const { note } = JSON.parse(text) as { note: string };
    const kept = await readSigned(log, note);
    if (kept.origin === originOf(log.name, nth)) return kept;
  } catch {
    // It is told below.
  }
  throw new Error(
    `${file} is not a checkpoint of ${originOf(log.name, nth)} signed by the key that --key gives. Put back the newest copy of it, or give another --dir to another server’s witness.`,
  );
}
