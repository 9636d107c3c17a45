import type { ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

/** Backup scope: rows by network number, rows by a condition, or none with a reason. */
export type InBackup = 'of the network' | { readonly where: (networkId: number) => string } | { readonly left: string };

/** Rows that each model deletes, or a reason for keeping all. */
export type InClearing = Readonly<Partial<Record<ClearingModel, string>>> | { readonly stays: string };

export interface TableOwner {
  /** The only feature writing this table. */
  readonly owner: string;
  /** Other features reading it by SQL, with reasons. Audit and backup are exempt. */
  readonly readers?: Readonly<Record<string, string>>;
  /** Rows belong to one network; `network_id` leads the key. */
  readonly ofNetwork: boolean;
  readonly backup: InBackup;
  /** Columns referring to root, adjusted on moves. */
  readonly ofRoot?: Readonly<Record<string, 'log' | 'border' | 'superadmin' | 'chain'>>;
  readonly clearing: InClearing;
}
