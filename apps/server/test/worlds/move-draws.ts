import { COMMAND_TIMEOUTS } from '../../src/platform/db/connection/timeouts.ts';
import { connect } from '../../src/platform/db/database.ts';
import { createSeedVault, type SealedFor } from '../../src/draws/seed/seeds.ts';

interface MovedDraws {
  readonly game: string;
  readonly states: readonly ('open' | 'closed')[];
  readonly closesAt: string;
  readonly drawsAt: string;
}

/**
 * Bypasses calls as table owner. Seeds are bound to closing times, so they are sealed again with the server's key. The
 * audit detects such draws.
 */
export async function moveDraws(
  ownerUrl: string,
  seedKey: string,
  { game, states, closesAt, drawsAt }: MovedDraws,
): Promise<void> {
  const vault = createSeedVault(seedKey);
  const db = connect(ownerUrl, { onError: () => {}, poolSize: 1, patience: COMMAND_TIMEOUTS });
  try {
    await db.transaction(async (tx) => {
      const draws = await tx.query<SealedFor & { network_id: number; sealed_seed: Buffer }>(
        `select network_id, id, closes_at, sealed_seed from draws
         where status::text = any($2) and game_id = (select id from games where game_key = $1) order by network_id, id for update`,
        [game, states],
      );
      for (const { network_id: networkId, sealed_seed: sealed, ...draw } of draws) {
        const [moved] = await tx.query<SealedFor>(
          `update draws set closes_at = ${closesAt}, draws_at = ${drawsAt} where network_id = $1 and id = $2 returning id, closes_at`,
          [networkId, draw.id],
        );
        const again = vault.seal(vault.unseal(sealed, draw), moved!);
        await tx.query('update draws set sealed_seed = $3 where network_id = $1 and id = $2', [
          networkId,
          draw.id,
          again,
        ]);
      }
    });
  } finally {
    await db.close();
  }
}
