export const PRUNED = 'pruned';
export const PRUNED_LINE = `${PRUNED} 1`;

/** A full bundle without entries. Their hashes remain. */
export interface PrunedBundle {
  /** Log number within the installation, from 1. */
  readonly nth: number;
  /** Bundle number within that log, from 0. */
  readonly index: number;
  readonly root: string;
}

/** Written by the sealer itself; matches no database row. */
export function prunedRecord({ nth, index, root }: PrunedBundle): string {
  return `${PRUNED_LINE}\n${nth}\t${index}\t${root}\n`;
}

export function readPruned([nth, index, root]: readonly string[]): PrunedBundle {
  return { nth: Number(nth), index: Number(index), root: root ?? '' };
}
