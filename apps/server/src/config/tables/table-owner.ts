import type { ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

/** Rows that backups find by a condition, or none with a reason. */
export type InBackup =
  | { readonly where: (networkId: number) => string }
  | { readonly left: string; /** Its key starts with `network_id` all the same. */ readonly ofNetwork?: true };

/** Rows that each model deletes, or a reason for keeping all. */
export type InClearing = Readonly<Partial<Record<ClearingModel, string>>> | { readonly stays: string };

export interface TableOwner {
  /** The only feature writing this table. */
  readonly owner: string;
  /** Default: rows of one network, by the `network_id` that starts the key. */
  readonly backup?: InBackup;
  /** Columns referring to root, adjusted on moves. */
  readonly ofRoot?: Readonly<Record<string, 'log' | 'border' | 'superadmin' | 'chain'>>;
  readonly clearing: InClearing;
}

export function isKeyedByNetwork({ backup }: Pick<TableOwner, 'backup'>): boolean {
  return backup === undefined || ('left' in backup && backup.ofNetwork === true);
}
