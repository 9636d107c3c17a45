import type { BackupLosses } from '@drawhouse/contract/backup/backups';
import type { Actor } from '../../accounts/authority.ts';
import type { Call } from '../../platform/http/handler.ts';
import type { ClosingWork, Work } from '../../activity/network-work/network-work.ts';
import type { BackupTrust } from '../take/archive/sign-manifest.ts';
import type { ResetSlip } from './issue-reset-slips.ts';
import type { CompleteBackup } from '../keep/backup-folders.ts';

export interface RestoringCall extends Pick<Call<Actor>, 'actor' | 'origin'>, Partial<Pick<Call, 'guard'>> {
  /** Operators may restore stopped networks. */
  readonly isOperator?: boolean;
}

export interface RestoreOrder {
  readonly call: RestoringCall;
  readonly backup: CompleteBackup;
  /** New usernames by old, for names taken meanwhile. */
  readonly renames: Readonly<Record<string, string>>;
  readonly trust?: BackupTrust | undefined;
}

export interface Restored {
  readonly safetyFolder: string;
  /** Differences from the backup, one sentence each. */
  readonly notes: readonly string[];
  readonly slips: readonly ResetSlip[];
}

/**
 * All throw RULE_REFUSED for a damaged, foreign or newer backup, and migrate an older one. Except for plain reads,
 * callers hold the network's work lock ({@link Work}), with closed books for restore and undo. Aborting leaves no
 * traces. Throws SESSION_ENDED if admin or network is gone or stopped.
 */
export interface Restoring {
  losses(call: RestoringCall, backup: CompleteBackup, gone: AbortSignal): Promise<BackupLosses>;
  /** Takes a safety backup and audits the staged backup first. Ends all sessions. */
  restore(order: RestoreOrder, work: ClosingWork): Promise<Restored>;
  /** Returns problems, which the caller logs. */
  drill(call: RestoringCall, backup: CompleteBackup, work: Work): Promise<readonly string[]>;
  /** Ends all sessions. */
  undo(call: RestoringCall, work: ClosingWork): Promise<void>;
  undoUntil(admin: Pick<Actor, 'id' | 'networkId'>): Promise<Date | undefined>;
}
