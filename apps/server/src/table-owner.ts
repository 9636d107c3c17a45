import type { ClearingModel } from '@drawhouse/contract/clearing/clearing';

/**
 * What a backup of a network does with a table: it copies the rows that carry the network's number, or those that a condition finds by it (`$1`),
 * or none, and why not.
 */
export type InBackup = 'of the network' | { readonly where: string } | { readonly left: string };

/** What each model of clearing takes of a table, or why none takes anything. */
export type InClearing = Readonly<Partial<Record<ClearingModel, string>>> | { readonly stays: string };

/** Who has to do with a table of the database. */
export interface TableOwner {
  /** The feature whose code alone writes it. */
  readonly owner: string;
  /** Other features whose SQL reads it, and why that is no call of the owner. What an audit or a backup reads, it need not say. */
  readonly readers?: Readonly<Record<string, string>>;
  /** Whether its rows are those of one network: then `network_id` is first in its key. */
  readonly ofNetwork: boolean;
  /** What a backup of a network does with it. */
  readonly backup: InBackup;
  /**
   * Columns that mean something of the root, which is another one where the network moves to: they count rows of its log, or versions of its side of the
   * border, or name the superadmin, or are chains of ids from it down.
   */
  readonly ofRoot?: Readonly<Record<string, 'log' | 'border' | 'superadmin' | 'chain'>>;
  /** What clearing does with it. */
  readonly clearing: InClearing;
}
