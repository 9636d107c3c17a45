/** The kind of the record that says that the entries of a bundle are removed. */
export const PRUNED = 'pruned';
/** The first line of such a record. */
export const PRUNED_LINE = `${PRUNED} 1`;

/** A full bundle whose entries are removed, while their hashes stay. */
export interface PrunedBundle {
  /** Which log of the installation it is of, from 1: that which has the record, or an earlier one. */
  readonly nth: number;
  /** Its place among the bundles of that log, from 0. */
  readonly index: number;
  /** The root of the tree of its entries, in hex. */
  readonly root: string;
}

/** The record that the sealer makes of it, by itself: of no row of the database. */
export function prunedRecord({ nth, index, root }: PrunedBundle): string {
  return `${PRUNED_LINE}\n${nth}\t${index}\t${root}\n`;
}

/** What the fields of such a record name: the log, the bundle, and the root of its entries in hex. */
export function readPruned([nth, index, root]: readonly string[]): PrunedBundle {
  return { nth: Number(nth), index: Number(index), root: root ?? '' };
}
