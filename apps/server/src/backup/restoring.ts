import type { BackupLosses } from '@drawhouse/contract/backup/backups';
import type { Actor } from '../accounts/authority.ts';
import type { Call } from '../http/handler.ts';
import type { ClosingWork, Work } from '../network-work/network-work.ts';
import type { BackupTrust } from './sign-manifest.ts';
import type { ResetSlip } from './give-slips.ts';
import type { WholeBackup } from './backup-folders.ts';

/** Whose network, and who asks: the row of the log is theirs. */
export interface RestoringCall extends Pick<Call<Actor>, 'actor' | 'origin'> {
  /** Whether it is whoever runs the server, who may also restore a network that a superadmin has stopped. */
  readonly isOperator?: boolean;
}

/** What is to be restored, and how. */
export interface RestoreOrder {
  readonly call: RestoringCall;
  readonly backup: WholeBackup;
  /** New usernames by old ones, for those that other networks have taken meanwhile. */
  readonly renames: Readonly<Record<string, string>>;
  /** Backups of others that count too; none by default. */
  readonly trust?: BackupTrust | undefined;
}

/** What came of a restore. */
export interface Restored {
  /** The name of the backup that was taken of what there was. */
  readonly safetyFolder: string;
  /** A sentence for each thing that is not as it was in the backup. */
  readonly notes: readonly string[];
  /** For accounts whose passwords the backup has not, and the network neither. */
  readonly slips: readonly ResetSlip[];
}

/**
 * What is done with a backup of a network. Each of them refuses by a CallError with RULE_REFUSED what can't be restored here: damaged, of
 * another network or a newer schema; one of an older schema is brought up to date first. The caller has the network's work ({@link Work}; for a restore and an undo with its books closed) but where it only
 * looks; `work` is told of progress, and its signal ends all without a trace. SESSION_ENDED is thrown where the admin was stopped or deleted meanwhile, or its
 * network replaced.
 */
export interface Restoring {
  /** What restoring this backup would undo, as of now. It reads a part of it, and changes nothing. */
  losses(call: RestoringCall, backup: WholeBackup, gone: AbortSignal): Promise<BackupLosses>;
  /**
   * Backs up what there is, loads the backup beside, proves it and exchanges both; the sessions of the network end. Its row of the log is
   * written in the transaction that exchanges, by whoever `call` names. Throws USERNAME_TAKEN, with `fields.renames`, where a name of the
   * backup is taken and has no new one, or where the new one is taken as well.
   */
  restore(order: RestoreOrder, work: ClosingWork): Promise<Restored>;
  /** Loads the backup beside, proves it and drops it. Gives a sentence for each thing that is wrong. Its caller logs it. Throws RULE_REFUSED where it is encrypted for another key. */
  drill(call: RestoringCall, backup: WholeBackup, work: Work): Promise<readonly string[]>;
  /** Exchanges again what the last restore exchanged; the sessions of the network end. Logged as a restore is. Throws RULE_REFUSED where there is nothing to undo. */
  undo(call: RestoringCall, work: ClosingWork): Promise<void>;
  /** Until when the last restore of the network of an admin can be undone; undefined where there is nothing to undo. */
  undoUntil(adminId: string): Promise<Date | undefined>;
}
