import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/**
 * Keeps a network where it is until the transaction ends: what takes its place by a restore waits until then. Gives false where it is
 * none any more. To be called before anything else of a command, so that all it reads is of the network that it finds.
 */
export async function holdNetwork(tx: Tx, networkId: number): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(sql`select hold_network(${networkId}) as held`.named('network-hold'));
  return row!.held;
}

/** Waits for all that {@link holdNetwork} has begun in networks, and lets nothing more begin there until the transaction ends. */
export async function closeNetworks(tx: Tx, networkIds: readonly number[]): Promise<void> {
  for (const id of networkIds.toSorted((a, b) => a - b)) await tx.query(sql`select close_network(${id})`);
}
