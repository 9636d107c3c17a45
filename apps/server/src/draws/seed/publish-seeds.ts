import type { Tx } from '../../platform/db/database.ts';
import { selectDraws } from '../draws.sql.ts';
import { readSeed } from './seeds.ts';
import type { SeedVault } from './seeds.ts';

/** For draws voided by a restore; skips unreadable seeds. */
export async function publishSeeds(vault: SeedVault, tx: Tx, networkId: number): Promise<void> {
  const draws = await selectDraws(
    tx,
    `where d.network_id = $1 and d.void_cause = 'restore' and d.sealed_seed is not null order by d.id for update of d`,
    [networkId],
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
