/** The kind of the record that says that a log's states are signed. */
export const STATES = 'states';
/**
 * Stands once in each log whose states are signed, as its first record or right behind the one that names the log before it; in one that an earlier version began, where this one came to it. From
 * there on no state without a signature is taken, and no bundle of this log or an earlier one goes without a record of {@link PRUNED}.
 */
export const STATES_SIGNED = `${STATES} 1\nsigned\n`;

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
  /** Clearing took its rows; or it was not there when the log began to tell of such. */
  readonly why: 'cleared' | 'before';
}

/** The record that the sealer makes of it, by itself: of no row of the database. */
export function prunedRecord({ nth, index, root, why }: PrunedBundle): string {
  return `${PRUNED_LINE}\n${nth}\t${index}\t${root}\t${why}\n`;
}

/** What the fields of such a record name: the log, the bundle, and the root of its entries in hex. */
export function readPruned([nth, index, root]: readonly string[]): Omit<PrunedBundle, 'why'> {
  return { nth: Number(nth), index: Number(index), root: root ?? '' };
}
