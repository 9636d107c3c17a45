import { PRUNED_LINE, readPruned, STATES_SIGNED } from '@drawhouse/rules/sealers-records';
import { readRecord } from '@drawhouse/tlog/on-node-records';
import { hasStatesMark } from '@drawhouse/tlog/on-node-states';
import { TILE_WIDTH } from '@drawhouse/tlog/tile-paths';

/** A bundle whose entries are not there, while their hashes are. */
export interface MissingBundle {
  /** The place of its first record in the log. */
  readonly first: number;
  readonly width: number;
  /** The root of its entries; undefined where it is not full, as then nothing may have removed it. */
  readonly root: Uint8Array | undefined;
}

const STATES_LINE = STATES_SIGNED.slice(0, STATES_SIGNED.indexOf('\n'));

/** What the sealer has told of itself, in the logs that were read so far, the newest first: which bundles it has removed, and whether it tells of such at all. */
export class ToldPrunings {
  /** Whether no bundle of the logs that were read, or that are before them, may be missing without a record. */
  areTold = false;
  readonly #roots = new Map<string, string>();

  /** Hears of each record that is of no table, with its first line. */
  take(line: string, entry: Uint8Array): void {
    if (line === STATES_LINE) this.areTold = true;
    if (line !== PRUNED_LINE) return;
    const { nth, index, root } = readPruned(readRecord(entry).fields);
    this.#roots.set(`${nth}/${index}`, root);
  }

  /** Hears of the hashes of a bundle whose entries are not there. */
  miss(nodes: Buffer): void {
    this.areTold ||= hasStatesMark(nodes);
  }

  /** Those of what is missing of the n-th log of which no record tells. */
  untoldOf(missing: readonly MissingBundle[], nth: number): MissingBundle[] {
    return missing.filter(({ first, root }) => {
      const told = this.#roots.get(`${nth}/${first / TILE_WIDTH}`);
      return root === undefined || told !== Buffer.from(root).toString('hex');
    });
  }
}
