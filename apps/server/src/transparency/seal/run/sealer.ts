import { BATCHES } from '@drawhouse/rules/records/sealed-records';
import { UNLOGGED } from '@drawhouse/rules/records/unlogged-changes';
import type { Copier } from '../../../platform/db/sql/copy-rows.ts';
import { batchOfTickets, openedDraw } from '../../read/draw-index.ts';
import { readWritten } from '../../read/written-records.ts';
import type { SealLog } from '../seal-log.ts';
import { fixTransactionIds } from '../seal-progress.ts';
import { sql } from '../../../platform/db/sql/sql.ts';

const ENTRIES_AT_ONCE = 16_384;
/** Longest time without a checkpoint while there is news. */
const CHECKPOINT_EVERY_MS = 10_000;
/** Draw changes get an immediate checkpoint. */
const AT_ONCE = 'draws';

export interface Sealed {
  readonly added: number;
  readonly unlogged: number;
  readonly checkpoint: string | undefined;
}

/**
 * Each pass reads one snapshot; the next starts exactly after it. Late commits are not lost, and long transactions
 * block nothing.
 */
export class Sealer {
  readonly #log: SealLog;
  readonly #nowMs: () => number;
  #signedMs: number | undefined;
  #isSigned = true;

  constructor(log: SealLog, nowMs: () => number) {
    this.#log = log;
    this.#nowMs = nowMs;
    // Records before a stop may lack a checkpoint.
    this.#isSigned = log.state.size === 0;
  }

  /**
   * `on` must be outside a transaction and have {@link TEXT_SETTINGS}. `isMine` throws if the turn is lost, before
   * anything counts.
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

  #putNoted(entries: readonly Uint8Array[]): void {
    for (const entry of entries) {
      const drawId = openedDraw(entry) ?? batchOfTickets(entry)?.drawId;
      if (drawId !== undefined) this.#log.noteDraw(drawId);
      this.#log.put([entry]);
    }
  }

  /** Records count once sealed. */
  async #read(on: Copier): Promise<Omit<Sealed, 'checkpoint'> & { hasDraws: boolean; snapshot: string }> {
    await on.query(sql`begin isolation level repeatable read, read only`);
    try {
      const [row] = await on.query<{ snapshot: string }>(sql`select pg_current_snapshot()::text as snapshot`);
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
      await on.query(sql`rollback`).catch(() => {});
    }
  }
}
