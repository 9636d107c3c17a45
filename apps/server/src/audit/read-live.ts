import type { Queryable } from '../db/database.ts';

/** A restore that is tried: the number of the staged network, and of the one whose place it is to take. */
export interface Trial {
  readonly staged: number;
  readonly replaces: number;
}

/** Which networks are read: all that would be live, or none but the root's and the staged one, for what is right or wrong within one network. */
export type TrialReads = 'all' | 'staged';

/**
 * Lets the rest of a transaction read what is live alone, where there is more: not what is staged for a restore or was replaced by one (the
 * views of the schema `audited`). With a trial, what would be live after it.
 */
export async function readLive(on: Queryable, trial?: Trial, reads: TrialReads = 'all'): Promise<void> {
  if (trial)
    await on.query(`select set_config('drawhouse.trial', $1, true)`, [
      `${trial.staged}:${trial.replaces}:${reads === 'staged' ? 1 : 0}`,
    ]);
  await on.query(
    `select set_config('search_path', 'audited, public', true) where exists (select from public.networks_beside)`,
  );
}
