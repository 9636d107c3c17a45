import { BATCHES } from '@drawhouse/rules/sealed-records';
import { UNLOGGED } from '@drawhouse/rules/unlogged-changes';
import type { Copier } from '../db/copy-snapshot.ts';
import { batchOfTickets, openedDraw } from './draw-index.ts';
import { readWritten } from './read-written.ts';
import type { SealLog } from './seal-log.ts';
import { fixTransactionIds } from './seal-progress.ts';

/** So many entries are put into the log at once. */
const ENTRIES_AT_ONCE = 16_384;
/** A checkpoint is signed so often at least while there is anything new. */
const CHECKPOINT_EVERY_MS = 10_000;
/** What has a checkpoint of its own at once: that a draw opens, closes and has its result. */
const AT_ONCE = 'draws';

/** What a look has come to. */
export interface Sealed {
  /** How many records were sealed. */
  readonly added: number;
  /** Of these, how many say that something was changed without the log. */
  readonly unlogged: number;
  /** The checkpoint, where one was signed. */
  readonly checkpoint: string | undefined;
}

/**
 * Seals, with each look, whatever was committed since the last one. All is read on one snapshot, and what the next look passes over is exactly what this one
 * was shown: nothing that is committed late is left out, and what takes long holds nothing else up.
 */
export class Sealer {
  readonly #log: SealLog;
  readonly #nowMs: () => number;
  #signedMs: number | undefined;
  #isSigned = true;

  constructor(log: SealLog, nowMs: () => number) {
    this.#log = log;
    this.#nowMs = nowMs;
    // Whatever was sealed before a stop may have no checkpoint yet.
    this.#isSigned = log.state.size === 0;
  }

  /**
   * Looks once. `on` holds no transaction, has {@link TEXT_SETTINGS}, and is the sealer's alone. `isMine` is asked before anything counts: whoever has lost its
   * turn must not seal.
   */
  async look(on: Copier, isMine: () => void): Promise<Sealed> {
    const { added, unlogged, hasDraws, snapshot } = await this.#read(on);
    if (added > 0) {
      await fixTransactionIds(on, this.#log);
      isMine();
      await this.#log.seal(snapshot);
    }
    const nowMs = this.#nowMs();
    if (added > 0) this.#isSigned = false;
    const isDue = hasDraws || this.#signedMs === undefined || nowMs - this.#signedMs >= CHECKPOINT_EVERY_MS;
    if (this.#isSigned || !isDue) return { added, unlogged, checkpoint: undefined };
    isMine();
    const checkpoint = await this.#log.sign();
    this.#isSigned = true;
    this.#signedMs = nowMs;
    return { added, unlogged, checkpoint };
  }

  /** Puts records that may be looked for by their draw. */
  #putNoted(entries: readonly Uint8Array[]): void {
    for (const entry of entries) {
      const drawId = openedDraw(entry) ?? batchOfTickets(entry)?.drawId;
      if (drawId !== undefined) this.#log.noteDraw(drawId);
      this.#log.put([entry]);
    }
  }

  /** Puts into the log what was committed since the last look, on one snapshot; it does not count yet. */
  async #read(on: Copier): Promise<Omit<Sealed, 'checkpoint'> & { hasDraws: boolean; snapshot: string }> {
    await on.query('begin isolation level repeatable read, read only');
    try {
      const [row] = await on.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot');
      let [added, unlogged, hasDraws] = [0, 0, false];
      for await (const { table, entries } of readWritten(on, this.#log.state.snapshot, this.#log.nth === 1)) {
        if (table === AT_ONCE || table === BATCHES) this.#putNoted(entries);
        else this.#log.put(entries);
        added += entries.length;
        hasDraws ||= table === AT_ONCE;
        if (table === UNLOGGED) unlogged += entries.length;
        if (this.#log.waiting >= ENTRIES_AT_ONCE) await this.#log.write();
      }
      if (this.#log.waiting > 0) await this.#log.write();
      return { added, unlogged, hasDraws, snapshot: row!.snapshot };
    } finally {
      await on.query('rollback').catch(() => {});
    }
  }
}
