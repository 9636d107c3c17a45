import type { Queryable } from '../platform/db/database.ts';

/** Trial restore: the staged network and the one it would replace. */
export interface Trial {
  readonly staged: number;
  readonly replaces: number;
}

/** `staged` reads only the root and the staged network. */
export type TrialReads = 'all' | 'staged';

/**
 * Restricts the transaction to live networks through the views of schema `audited`. With a trial, to those that would
 * be live afterwards.
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
