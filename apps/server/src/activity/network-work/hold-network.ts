import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/**
 * Blocks replacement by a restore until commit. Returns false if the network is gone. Call first, so all later reads
 * see one network.
 */
export async function holdNetwork(tx: Tx, networkId: number): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(sql`select hold_network(${networkId}) as held`.named('network-hold'));
  return row!.held;
}

/** Waits for {@link holdNetwork} holders and blocks new ones until commit. */
export async function closeNetworks(tx: Tx, networkIds: readonly number[]): Promise<void> {
  for (const id of networkIds.toSorted((a, b) => a - b)) await tx.query(sql`select close_network(${id})`);
}
