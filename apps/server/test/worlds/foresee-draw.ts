import { generateDraw } from '@drawhouse/rules/fair/fair';
import type { Result } from '@drawhouse/rules/games/rules';
import { deriveDrawSeed } from '../../src/draws/seed/draw-seeds.ts';
import { selectDraws, type DrawRow } from '../../src/draws/draws.sql.ts';
import { createSeedVault } from '../../src/draws/seed/seeds.ts';
import { rulesOf } from '../../src/games/games.sql.ts';
import type { Network, SignedIn, TestApp } from '../harness.ts';
import { sql } from '../../src/platform/db/sql/sql.ts';

/** Only a thief of the seed key could predict the running draw's result. */
export async function foreseeDraw(
  t: TestApp,
  { networkId }: Pick<Network, 'networkId'>,
  gameId = 'funtargetbingo',
): Promise<{ draw: DrawRow; result: Result; booster: number }> {
  const [draw] = await selectDraws(
    t.db,
    sql`where d.network_id = ${networkId} and g.game_key = ${gameId} and d.status = 'open'`,
  );
  const seed = deriveDrawSeed(draw!, createSeedVault('5a'.repeat(32)).unseal(draw!.sealed_seed!, draw!));
  if (!seed) throw new Error('The draw waits for a beacon.');
  return { draw: draw!, ...generateDraw({ rules: rulesOf(draw!), weights: draw!.weights, seed, drawId: draw!.id }) };
}

export async function winDraw(t: TestApp, net: Network, player: SignedIn, qty: number): Promise<void> {
  const { result } = await foreseeDraw(t, net);
  await t.bet(player, { [(result as { drawno: string }).drawno]: qty });
  await t.finishDraw();
}
