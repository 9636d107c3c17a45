import type { BackupLosses } from '@drawhouse/contract/backup/backups';
import type { Actor } from '../accounts/authority.ts';
import type { Call } from '../http/handler.ts';
import type { ClosingWork, Work } from '../network-work/network-work.ts';
import type { BackupTrust } from './sign-manifest.ts';
import type { ResetSlip } from './give-slips.ts';
import type { WholeBackup } from './backup-folders.ts';

export interface RestoringCall extends Pick<Call<Actor>, 'actor' | 'origin'> {
  /** True for the operator, who may also restore a network that a superadmin has stopped. */
  readonly isOperator?: boolean;
}

export interface RestoreOrder {
  readonly call: RestoringCall;
  readonly backup: WholeBackup;
  /** New usernames by old, for names taken by other networks meanwhile. */
  readonly renames: Readonly<Record<string, string>>;
  /** Extra trusted backups; none by default. */
  readonly trust?: BackupTrust | undefined;
}

export interface Restored {
  readonly safetyFolder: string;
  /** Differences from the backup, one sentence each. */
  readonly notes: readonly string[];
  /** For accounts without a password in backup or network. */
  readonly slips: readonly ResetSlip[];
}

/**
 * Operations on a network's backups. All throw RULE_REFUSED for a backup that cannot be restored here: damaged, foreign
 * or newer. Older schemas are migrated first. Callers hold the network's work lock ({@link Work}), with closed books
 * for a restore or an undo, except for plain reads. `work` receives progress; its signal aborts without traces. Throws
 * SESSION_ENDED if the admin was stopped or deleted, or its network replaced.
 */
export interface Restoring {
  /** Current losses if this backup were restored. Read-only. */
  losses(call: RestoringCall, backup: WholeBackup, gone: AbortSignal): Promise<BackupLosses>;
  /**
   * Takes a safety backup, stages and audits the backup, and exchanges the networks. Ends all sessions. Logs in the
   * same transaction, on behalf of `call`. Throws USERNAME_TAKEN with `fields.renames` if a username is taken and its
   * new name is missing or taken too.
   */
  restore(order: RestoreOrder, work: ClosingWork): Promise<Restored>;
  /**
   * Stages and audits the backup, then drops it. Returns the problems; the caller logs them. Throws RULE_REFUSED if the
   * key does not fit.
   */
  drill(call: RestoringCall, backup: WholeBackup, work: Work): Promise<readonly string[]>;
  /** Reverses the last restore; ends sessions and logs likewise. Throws RULE_REFUSED if nothing can be undone. */
  undo(call: RestoringCall, work: ClosingWork): Promise<void>;
  /** Undo deadline of the last restore; undefined if none. */
  undoUntil(adminId: string): Promise<Date | undefined>;
}
