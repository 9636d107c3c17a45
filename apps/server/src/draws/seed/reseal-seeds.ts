import type { Database } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { readSeed, type SeedVault } from './seeds.ts';

/**
 * Reseals unfinished draws under the key of the cell that the network moves to. Throws if a seed does not match its
 * commitment.
 */
export async function resealSeeds(db: Database, networkId: number, from: SeedVault, to: SeedVault): Promise<void> {
  const draws = await db.query<{ id: string; closes_at: Date; sealed_seed: Buffer; commitment: Buffer }>(
    sql`select id, closes_at, sealed_seed, commitment from draws where network_id = ${networkId} and sealed_seed is not null`,
  );
  const sealed = draws.map((draw) => {
    const seed = readSeed(from, draw);
    if (!seed) throw new Error(`The seed of the draw ${draw.id} can’t be read.`);
    return to.seal(seed, draw);
  });
  await db.query(
    sql`update draws d set sealed_seed = s.sealed_seed
      from unnest(${draws.map(({ id }) => id)}::uuid[], ${sealed}::bytea[]) as s (id, sealed_seed)
      where d.network_id = ${networkId} and d.id = s.id`,
  );
}
