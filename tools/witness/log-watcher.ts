import { originOf } from '@drawhouse/tlog/checkpoints';
import { EMPTY_EDGE, rootOfEdge } from '@drawhouse/tlog/tile-writer';
import type { Tile } from '@drawhouse/tlog/tiles';
import { readConsistency } from '@drawhouse/tlog/tree-reader';
import { isConsistent, type TreeHead } from '@drawhouse/tlog/verify-proofs';
import { Trouble, type SealsClient } from './seals-client.ts';
import type { WitnessBook } from './witness-book.ts';
import type { EvidenceBook, EvidenceKind } from './witness-evidence.ts';
import { NotOfTheLog, readSigned, type SignedCheckpoint, type WitnessedLog } from './witnessed-log.ts';

const FORBIDDEN = 403;

export type Observation =
  /** Consistent; `before` is the previously cosigned size. */
  | { readonly is: 'cosigned'; readonly checkpoint: SignedCheckpoint; readonly before: number }
  /** Refused: recorded as evidence, or not signed by the log. */
  | { readonly is: 'refused'; readonly message: string }
  /** Undecided. */
  | { readonly is: 'trouble'; readonly message: string };

export type WatcherOptions = {
  readonly log: WitnessedLog;
  readonly client: SealsClient;
  readonly book: WitnessBook;
  readonly evidence: EvidenceBook;
  readonly report: (sentence: string) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
};

/** A cosignature's time shows the witness's last check; renew it at this age. */
const COSIGN_AGAIN_MS = 60_000;

const EMPTY: TreeHead = { size: 0, root: rootOfEdge(EMPTY_EDGE) };

export class LogWatcher {
  readonly #with: WatcherOptions;
  #sent: { readonly note: string; readonly atMs: number } | undefined;
  #isUnknown = false;

  constructor(options: WatcherOptions) {
    this.#with = options;
  }

  /** One call at a time. */
  async look(): Promise<Observation> {
    try {
      const { client, log } = this.#with;
      return await this.#judge(await readSigned(log, await client.checkpoint()));
    } catch (error) {
      if (error instanceof Trouble) return { is: 'trouble', message: error.message };
      if (!(error instanceof NotOfTheLog)) throw error;
      return { is: error.why === 'note' ? 'trouble' : 'refused', message: error.message };
    }
  }

  async #judge(shown: SignedCheckpoint): Promise<Observation> {
    const { log, book } = this.#with;
    const stored = book.last;
    if (shown.nth > log.nth) return this.#refuse('new-log', stored, shown);
    if (shown.nth < log.nth || (stored && shown.size < stored.size)) return this.#refuse('rollback', stored, shown);
    const before = stored ?? EMPTY;
    const path = before.size === 0 || before.size === shown.size ? [] : await this.#prove(shown, before);
    if (!isConsistent(before, shown, path)) return this.#refuse('fork', stored, shown, path);
    await this.#send(shown, await book.cosign(shown));
    return { is: 'cosigned', checkpoint: shown, before: before.size };
  }

  /** Computes the proof from the server's tiles. Rejects with {@link Trouble} if they are missing. */
  async #prove(shown: SignedCheckpoint, stored: TreeHead): Promise<readonly Uint8Array[]> {
    const { client } = this.#with;
    const readTile = (tile: Tile): Promise<Uint8Array> => client.tile(shown.nth, tile);
    return readConsistency({ size: shown.size, readTile }, stored.size, shown.size).catch((error: Error) => {
      throw error instanceof Trouble ? error : new Trouble(error.message);
    });
  }

  async #send(shown: SignedCheckpoint, line: string): Promise<void> {
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
    kind: EvidenceKind,
    stored: SignedCheckpoint | undefined,
    shown: SignedCheckpoint,
    path: readonly Uint8Array[] | null = null,
  ): Promise<Observation> {
    const { log } = this.#with;
    const message = stored
      ? messageOf(kind, stored, shown)
      : `--key names ${originOf(log.name, log.nth)}, but the server shows ${shown.origin}. ` +
        (kind === 'new-log'
          ? 'Get the new line, and ask why it was begun.'
          : 'Ask the operator where the newer log is.');
    if (stored) await this.#with.evidence.note({ kind, message, stored, shown, path });
    return { is: 'refused', message };
  }
}

function messageOf(kind: EvidenceKind, stored: SignedCheckpoint, shown: SignedCheckpoint): string {
  const [now, before] = [`${shown.origin} with ${shown.size} records`, `${stored.origin} with ${stored.size}`];
  if (kind === 'rollback') return `ROLLBACK: the server shows ${now}, but has shown ${before} before.`;
  if (kind === 'new-log')
    return (
      `NEW LOG: the server started ${shown.origin}. ${stored.origin} had ${stored.size} records when last co-signed. ` +
      'Servers never do this on their own. Ask the operator for the reason, move the evidence away, then start this ' +
      'witness with the new --key.'
    );
  return stored.size === shown.size
    ? `FORK: the server shows ${now} and another root than before for the same size.`
    : `FORK: the server shows ${now}, but can't prove that they start with the ${stored.size} shown before.`;
}
