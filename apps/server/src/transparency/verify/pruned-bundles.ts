import { PRUNED_LINE, readPruned } from '@drawhouse/rules/records/cleared-records';
import { readRecord } from '@drawhouse/tlog/node/record-entries';
import { TILE_WIDTH } from '@drawhouse/tlog/tiles';

export interface MissingBundle {
  readonly first: number;
  readonly width: number;
  readonly root: Uint8Array | undefined;
}

export class PruningRecords {
  readonly #roots = new Map<string, string>();

  take(line: string, entry: Uint8Array): void {
    if (line !== PRUNED_LINE) return;
    const { nth, index, root } = readPruned(readRecord(entry).fields);
    this.#roots.set(`${nth}/${index}`, root);
  }

  /** Missing bundles that no record explains. */
  unrecorded(missing: readonly MissingBundle[], nth: number): MissingBundle[] {
    return missing.filter(({ first, root }) => {
      const recorded = this.#roots.get(`${nth}/${first / TILE_WIDTH}`);
      return root === undefined || recorded !== Buffer.from(root).toString('hex');
    });
  }
}

export function lossOf(untold: readonly MissingBundle[], origin: string): string {
  const { first } = untold[0]!;
  let end = first;
  for (const bundle of untold) if (bundle.first === end) end += bundle.width;
  const rest = untold.reduce((sum, { width }) => sum + width, 0) - (end - first);
  const others = rest > 0 ? `, nor for ${rest} others after them` : '';
  return `records ${first} to ${end - 1} of ${origin} are gone, and no record says they were cleared${others}`;
}
