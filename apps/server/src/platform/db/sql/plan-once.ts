import type { Tx } from '../database.ts';

/**
 * Forces generic plans and index use in this transaction, for statements repeated per network that never scan whole
 * tables. Otherwise PostgreSQL replans some, and plans others for nearly empty tables. Call it first.
 */
export async function planOnce(tx: Tx): Promise<void> {
  await tx.send(
    "select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)",
    [],
    'plan-once',
  );
}
