import { PRUNED_LINE, readPruned } from '@drawhouse/rules/sealers-records';
import { readRecord } from '@drawhouse/tlog/on-node-records';
import { TILE_WIDTH } from '@drawhouse/tlog/tile-paths';

/** A bundle whose entries are not there, while their hashes are. */
export interface MissingBundle {
  /** The place of its first record in the log. */
  readonly first: number;
  readonly width: number;
  /** The root of its entries; undefined where it is not full, as then nothing may have removed it. */
  readonly root: Uint8Array | undefined;
}

/** The bundles that the sealer has removed, as the logs that were read so far tell, the newest first. */
export class ToldPrunings {
  readonly #roots = new Map<string, string>();

  /** Hears of each record that is of no table, with its first line. */
  take(line: string, entry: Uint8Array): void {
    if (line !== PRUNED_LINE) return;
    const { nth, index, root } = readPruned(readRecord(entry).fields);
    this.#roots.set(`${nth}/${index}`, root);
  }

  /** Those of what is missing of the n-th log of which no record tells. */
  untoldOf(missing: readonly MissingBundle[], nth: number): MissingBundle[] {
    return missing.filter(({ first, root }) => {
      const told = this.#roots.get(`${nth}/${first / TILE_WIDTH}`);
      return root === undefined || told !== Buffer.from(root).toString('hex');
    });
  }
}
