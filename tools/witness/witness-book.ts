import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cosignText } from '@drawhouse/tlog/note-signatures';
import { formatSignatureLine } from '@drawhouse/tlog/signed-notes';
import { OWN_FOLDER, replaceDurably } from '../../apps/server/src/platform/db/embedded/durable-file.ts';
import type { WitnessIdentity } from './witness-identity.ts';
import { originOf } from '@drawhouse/tlog/checkpoints';
import { readSigned, type SignedCheckpoint, type WitnessedLog } from './witnessed-log.ts';

const MS = 1_000;

/** Stores the last cosigned checkpoint. Invariant: each extends its predecessor, which the caller checks. */
export class WitnessBook {
  readonly #file: string;
  readonly #with: BookOptions;
  #last: SignedCheckpoint | undefined;

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

  /** Stores the checkpoint on disk before it returns the cosignature. */
  async cosign(checkpoint: SignedCheckpoint): Promise<string> {
    const { witness, now } = this.#with;
    if (this.#last?.note !== checkpoint.note) {
      await replaceDurably(this.#file, `${JSON.stringify({ origin: checkpoint.origin, note: checkpoint.note })}\n`);
      this.#last = checkpoint;
    }
    const signature = cosignText(checkpoint.text, witness.name, witness.signer, Math.floor(now() / MS));
    return formatSignatureLine(signature);
  }
}

export type BookOptions = {
  readonly log: WitnessedLog;
  readonly witness: WitnessIdentity;
  /** Unix milliseconds. */
  readonly now: () => number;
};

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
