import { readConsistency } from '@drawhouse/tlog/tree-reader';
import type { Tile } from '@drawhouse/tlog/tiles';
import { Trouble, type SealsClient } from './seals-client.ts';
import type { Judgement, WitnessBook } from './witness-book.ts';
import type { EvidenceBook } from './witness-evidence.ts';
import { NotOfTheLog, readSigned, type SignedCheckpoint, type WitnessedLog } from './witnessed-log.ts';

const FORBIDDEN = 403;

export type Observation =
  /** Consistent; `before` is the previously cosigned size. */
  | { readonly is: 'cosigned'; readonly checkpoint: SignedCheckpoint; readonly before: number }
  /** Refused: recorded as evidence, or not signed by the log. */
  | { readonly is: 'refused'; readonly message: string }
  /** Undecided. */
  | { readonly is: 'trouble'; readonly message: string };

/** Another call cosigned `size` meanwhile, so this answer is obsolete. */
type Overtaken = { readonly is: 'overtaken'; readonly size: number };

export type WatcherOptions = {
  readonly log: WitnessedLog;
  readonly client: SealsClient;
  readonly book: WitnessBook;
  readonly evidence: EvidenceBook;
  readonly report: (sentence: string) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
};

const MOST_TRIES = 3;

/** A cosignature's time shows the witness's last check; renew it at this age. */
const COSIGN_AGAIN_MS = 60_000;

export class LogWatcher {
  readonly #with: WatcherOptions;
  #sent: { readonly note: string; readonly atMs: number } | undefined;
  #isUnknown = false;

  constructor(options: WatcherOptions) {
    this.#with = options;
  }

  async look(): Promise<Observation> {
    let observation = await this.#lookOnce();
    for (let tries = 1; observation.is === 'overtaken' && tries < MOST_TRIES; tries++)
      observation = await this.#lookOnce();
    return notOvertaken(observation);
  }

  /** Verifies a checkpoint that somebody showed, by a proof computed from the server's tiles. */
  async prove(shown: SignedCheckpoint): Promise<Observation> {
    return notOvertaken(await untroubled(() => this.#follow(shown, undefined)));
  }

  #lookOnce(): Promise<Observation | Overtaken> {
    return untroubled(async () => {
      const { client, log, book } = this.#with;
      // The answer must cover only checkpoints cosigned before the request.
      const before = book.last;
      const shown = await readSigned(log, await client.checkpoint());
      if (before && shown.nth < log.nth) return await this.#refuse('rollback', before, shown, null);
      return await this.#follow(shown, before);
    });
  }

  /** `before`: last cosigned checkpoint at request time. */
  async #follow(shown: SignedCheckpoint, before: SignedCheckpoint | undefined): Promise<Observation | Overtaken> {
    const { book, log } = this.#with;
    const stored = shown.nth === log.nth ? book.last : undefined;
    if (stored && before && shown.size < before.size) return this.#refuse('rollback', before, shown, null);
    if (stored && shown.size < stored.size) return { is: 'overtaken', size: stored.size };
    const from = stored?.size ?? 0;
    const path = from === 0 || from === shown.size ? [] : await this.#prove(shown, stored!);
    const judged = await book.judge(shown, from, path);
    switch (judged.is) {
      case 'elsewhere':
        return { is: 'overtaken', size: judged.size };
      case 'other-log':
        return { is: 'refused', message: judged.message };
      case 'cosigned':
        await this.#send(shown, judged);
        return { is: 'cosigned', checkpoint: shown, before: judged.before };
      default:
        if (!judged.stored)
          return { is: 'refused', message: `${shown.origin} has no records, but a root other than the empty one.` };
        return this.#refuse('fork', judged.stored, shown, path);
    }
  }

  /** Computes the proof from the server's tiles. Rejects with {@link Trouble} if they are missing. */
  async #prove(shown: SignedCheckpoint, stored: SignedCheckpoint): Promise<readonly Uint8Array[]> {
    const { client } = this.#with;
    const readTile = (tile: Tile): Promise<Uint8Array> => client.tile(shown.nth, tile);
    return readConsistency({ size: shown.size, readTile }, stored.size, shown.size).catch((error: Error) => {
      throw error instanceof Trouble ? error : new Trouble(error.message);
    });
  }

  async #send(shown: SignedCheckpoint, { line }: Judgement & { is: 'cosigned' }): Promise<void> {
    const { client, report, now } = this.#with;
    const atMs = now();
    if (this.#sent?.note === shown.note && atMs - this.#sent.atMs < COSIGN_AGAIN_MS) return;
    try {
      await client.cosign(shown.nth, `${shown.note}${line}`);
      this.#sent = { note: shown.note, atMs };
      this.#isUnknown = false;
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      if (error.status !== FORBIDDEN) report(`The co-signature was not accepted: ${error.message}`);
      else if (!this.#isUnknown)
        report(
          'The server does not know this witness. Its operator must add the key above to SEAL_WITNESSES. The log is watched anyway.',
        );
      this.#isUnknown ||= error.status === FORBIDDEN;
    }
  }

  async #refuse(
    kind: 'fork' | 'rollback',
    stored: SignedCheckpoint,
    shown: SignedCheckpoint,
    path: readonly Uint8Array[] | null,
  ): Promise<Observation> {
    const message =
      kind === 'rollback'
        ? `ROLLBACK: the server shows ${shown.origin} with ${shown.size} records, ` +
          `but has shown ${stored.origin} with ${stored.size} before.`
        : stored.size === shown.size
          ? `FORK: the server shows ${shown.origin} with ${shown.size} records and another root than before for the same size.`
          : `FORK: the server shows ${shown.origin} with ${shown.size} records, but can't prove that they start ` +
            `with the ${stored.size} shown before.`;
    await this.#with.evidence.note({ kind, message, stored, shown, path });
    return { is: 'refused', message };
  }
}

async function untroubled(look: () => Promise<Observation | Overtaken>): Promise<Observation | Overtaken> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Trouble) return { is: 'trouble', message: error.message };
    if (!(error instanceof NotOfTheLog)) throw error;
    return { is: error.why === 'note' ? 'trouble' : 'refused', message: error.message };
  }
}

function notOvertaken(observation: Observation | Overtaken): Observation {
  if (observation.is !== 'overtaken') return observation;
  return {
    is: 'trouble',
    message: `A tree of ${observation.size} records was co-signed in the meantime; checking again.`,
  };
}
