import { PRUNED, readPruned, STATES } from '@drawhouse/rules/sealers-records';
import { readRecord } from '@drawhouse/tlog/on-node-records';
import { hasStatesMark } from '@drawhouse/tlog/on-node-states';
import { joinNodes } from '@drawhouse/tlog/tile-bytes';
import { TILE_WIDTH } from '@drawhouse/tlog/tile-paths';

/** Which bundles of one log the server did not give, as they were cleared, and whether records of its sealer say so of each. */
export class ClearedBundles {
  readonly #nth: number;
  #areTold = false;
  readonly #told = new Set<number>();
  /** By their places among the bundles, whether all that there was had been read since one was asked for. */
  readonly #missing = new Map<number, boolean>();

  /** Of the n-th log. */
  constructor(nth: number) {
    this.#nth = nth;
  }

  /** So many there are. */
  get count(): number {
    return this.#missing.size;
  }

  /** The server does not give the bundle whose first record has this place, and these hashes. */
  miss(first: number, leaves: readonly Uint8Array[]): void {
    // What is not given may be the very record that it tells of such.
    this.#areTold ||= hasStatesMark(joinNodes(leaves));
    this.#missing.set(first / TILE_WIDTH, false);
  }

  /** Takes a record of no table; answers whether it is the sealer's own about such bundles. */
  take(table: string, entry: Uint8Array): boolean {
    if (table === STATES) this.#areTold = true;
    if (table === PRUNED) {
      const { nth, index } = readPruned(readRecord(entry).fields);
      if (nth === this.#nth) this.#told.add(index);
    }
    return table === STATES || table === PRUNED;
  }

  /**
   * All records of a checkpoint were read: what is wrong, as sentences. A record is signed before its bundle goes, so that a checkpoint that is fetched after the bundle was asked for has
   * it: what has none then was not cleared.
   */
  judge(): string[] {
    const wrong: string[] = [];
    for (const [index, wasJudged] of this.#missing) {
      this.#missing.set(index, true);
      const first = index * TILE_WIDTH;
      if (this.#areTold && wasJudged && !this.#told.has(index))
        wrong.push(
          `The server does not give the records ${first} to ${first + TILE_WIDTH - 1}, and no record says that they were cleared away.`,
        );
    }
    return wrong;
  }
}
