import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '../platform/db/database.ts';
import { post } from './post.ts';
import { isBeyondEscrow, lockCredits, moveStakes } from './stakes.ts';
import { TestApp, type Network } from '../../test/harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 10 });
});
afterAll(() => t.close());

it('refuses to move credit while the books of the network are closed', async () => {
  const movement = { amount: 1n, kind: 'takeBack', actorId: null, reference: null } as const;
  const give = (tx: Tx): Promise<unknown> =>
    post(tx, net.networkId, t.app.services, [
      { from: `credit:${net.user._id}`, to: `credit:${net.retailer._id}`, ...movement },
    ]);
  const before = await t.credit(net.user);
  await t.db.transaction(async (closing) => {
    await closing.query('select pg_advisory_xact_lock(3407520, $1)', [net.networkId]);
    await expect(t.db.transaction(give)).rejects.toMatchObject({ code: 'NETWORK_RESTORING' });
  });
  expect(await t.credit(net.user)).toBe(before);
});

it('refuses stakes that would exceed what the escrow may hold', async () => {
  const [escrow] = await t.db.query<{ owner_id: string; balance: bigint }>(
    'select owner_id, balance from wallets where network_id = $1 and kind = $2 order by id limit 1',
    [net.networkId, WALLET_KINDS.escrow],
  );
  const { owner_id: gameId, balance } = escrow!;
  const stake = { accountId: net.user._id, amount: 5n, reference: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7f' };
  const placing = (escrowAtMost: bigint) => (tx: Tx) =>
    lockCredits(tx, net.networkId, [stake.accountId], 'wait').then((wallets) => {
      const stamp = { ...t.app.services, at: t.clock.now() };
      return moveStakes(tx, net.networkId, stamp, wallets, { gameId, stakes: [stake], escrowAtMost });
    });
  await expect(t.db.pipelined(placing(balance + 4n))).rejects.toSatisfy(isBeyondEscrow);
  const undo = new Error('Undoes the stake that fits.');
  const fits = (tx: Tx): Promise<never> => placing(balance + 5n)(tx).then(() => Promise.reject(undo));
  await expect(t.db.pipelined(fits)).rejects.toBe(undo);
});
