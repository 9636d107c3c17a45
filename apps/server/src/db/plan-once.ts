import type { Tx } from './database.ts';

/**
 * Has what this transaction says planned once for a connection, for whatever values, and by the keys of its tables, however small these seemed
 * then: for statements that are said for one network after the other, and of which none reads a table whole. Of its own PostgreSQL plans some
 * anew each time, and others by the size that a table had when it was almost empty. Belongs at the beginning.
 */
export async function planOnce(tx: Tx): Promise<void> {
  await tx.send(
    "select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)",
    [],
    'plan-once',
  );
}
