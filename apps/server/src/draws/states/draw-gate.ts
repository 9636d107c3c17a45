import type { Tx } from '../../platform/db/database.ts';
import type { PanelKey } from '../../platform/services.ts';

const LOCKS = { bet: 'pg_advisory_xact_lock_shared', close: 'pg_advisory_xact_lock' } as const;

/**
 * Enters the draw gate of a game until the transaction ends: shared for bets, exclusive for closing, in arrival order.
 * A row lock would not do: PostgreSQL grants shared locks past a waiting closer, so steady bets could delay closing
 * forever. Returns true if the books are open; they then stay open.
 */
export async function enterDrawGate(tx: Tx, { networkId, gameKey }: PanelKey, to: 'bet' | 'close'): Promise<boolean> {
  const [gate] = await tx.query<{ open: boolean }>(
    `select ${LOCKS[to]}(hashtextextended($1, 0)), enter_books($2) as open`,
    [`draws ${networkId} ${gameKey}`, networkId],
    `draw-gate-${to}`,
  );
  return gate!.open;
}
