import { readRecord } from '@drawhouse/tlog/on-node-records';
import type { IndexedTable, Removals } from './indexed-tables.ts';

/** What speaks for a change of what people change (`standsInNoLogSince`), and may not be written once more as it is. */
const SPEAKS = new Set(['activity', 'clearings']);

/** A record that says what the one before of its row did. */
interface SameRecord {
  readonly kind: IndexedTable;
  readonly entry: Uint8Array;
  readonly before: number;
}

/**
 * Tells, record by record of a log, which rows were written anew as they were though nothing of the product does so: whoever gives a row of the log another transaction has it speak for
 * a change of that one. A network that comes back is sealed whole, and it was removed before. In a look records come in the order of the tables: where one is of a table before, another look
 * began.
 */
export class SealedAgain {
  #look = 0;
  #last = -1;
  readonly #removals: Removals;
  /** Of networks that were sealed, the look. */
  readonly #whole = new Map<string, number>();

  constructor(removals: Removals) {
    this.#removals = removals;
  }

  /** Hears of each record in its order; of one that is of no table, `undefined`: such stand at the end of a look. */
  next(kind: IndexedTable | undefined, entry: Uint8Array): void {
    const order = kind?.salt ?? Infinity;
    if (order < this.#last) this.#look++;
    this.#last = order;
    if (kind?.table === 'networks') this.#whole.set(networkOf(entry), this.#look);
  }

  /** Whether a record that was heard of last and is as the one before has no reason. */
  isForNothing({ kind, entry, before }: SameRecord): boolean {
    if (kind.table === 'networks') return !this.#removals.isAfter(before, 'networks', networkOf(entry));
    return SPEAKS.has(kind.table) && this.#whole.get(networkOf(entry)) !== this.#look;
  }
}

function networkOf(entry: Uint8Array): string {
  return readRecord(entry).fields[0]!;
}
