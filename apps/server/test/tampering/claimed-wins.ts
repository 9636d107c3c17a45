import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { expect } from 'vitest';
import type { SignedIn, TestApp } from '../harness.ts';

export async function setManualClaims(
  t: TestApp,
  superadmin: SignedIn,
  { gameId, manualClaims }: { gameId: string; manualClaims: 'yes' | 'no' },
): Promise<void> {
  const { data } = await t.ok(gameList.route, { query: {} }, superadmin);
  const params = { id: data.find((game) => game.gameId === gameId)!._id };
  const changed = await t.ok(changeGame, { params, body: { manualClaims } }, superadmin);
  expect(changed.data.manualClaims).toBe(manualClaims);
}

export async function creditAndWinnings(t: TestApp, player: SignedIn): Promise<[credit: bigint, winnings: bigint]> {
  const rows = await t.db.query<{ balance: bigint }>(
    // Restores keep the replaced network for a day, outside `networks`.
    `select balance from wallets where owner_id = $1 and kind in (${WALLET_KINDS.credit}, ${WALLET_KINDS.winnings})
     and network_id in (select id from networks) order by kind = ${WALLET_KINDS.winnings}`,
    [player._id],
  );
  return [rows[0]!.balance, rows[1]!.balance];
}
