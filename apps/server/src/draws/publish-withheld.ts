import type { Queryable, Tx } from '../db/database.ts';
import { selectDraws } from './draws.sql.ts';
import { readSeed } from './seeds.ts';
import type { SeedVault } from './seeds.ts';

/** Publishes the seeds of void draws of a network that were withheld, as far as they can be read. */
export async function publishWithheld(
  vault: SeedVault,
  tx: Tx,
  networkId: number,
  drawIds: readonly string[],
): Promise<void> {
  if (drawIds.length === 0) return;
  const draws = await selectDraws(
    tx,
    `where d.network_id = $1 and d.id = any($2::uuid[]) and d.status = 'void' and d.sealed_seed is not null order by d.id for update of d`,
    [networkId, drawIds],
  );
  for (const draw of draws) {
    const seed = readSeed(vault, draw);
    if (!seed) continue;
    await tx.query('update draws set seed = $3, sealed_seed = null where network_id = $1 and id = $2', [
      networkId,
      draw.id,
      seed,
    ]);
  }
}

/** Lists the draws that were voided by a restore and whose seeds are withheld. */
export async function listWithheld(on: Queryable, networkId: number): Promise<readonly string[]> {
  const rows = await on.query<{ id: string }>(
    "select id from draws where network_id = $1 and status = 'void' and void_cause = 'restore' and sealed_seed is not null",
    [networkId],
  );
  return rows.map(({ id }) => id);
}
