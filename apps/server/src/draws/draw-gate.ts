import type { Tx } from '../db/database.ts';
import type { PanelKey } from '../services.ts';

const LOCKS = { bet: 'pg_advisory_xact_lock_shared', close: 'pg_advisory_xact_lock' } as const;

/**
 * Goes through the gate before the draws of a game of a network, and keeps it until the transaction ends: bets many at a time, whoever
 * closes betting alone, all in the order in which they came. A share lock on the row of the draw is not enough for that: PostgreSQL
 * gives it to those who come later, past whoever waits to close, and bets without a gap would let nobody close. Gives whether the books of the network are
 * open, which they then stay as long.
 */
export async function enterDrawGate(tx: Tx, { networkId, gameKey }: PanelKey, to: 'bet' | 'close'): Promise<boolean> {
  const [gate] = await tx.query<{ open: boolean }>(
    `select ${LOCKS[to]}(hashtextextended($1, 0)), enter_books($2) as open`,
    [`draws ${networkId} ${gameKey}`, networkId],
    `draw-gate-${to}`,
  );
  return gate!.open;
}
