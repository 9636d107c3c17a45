import { accountRoutes } from '@drawhouse/contract/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WALLET_KINDS } from '../src/ledger/kinds.ts';
import { lockWallets } from '../src/ledger/post.ts';
import { TestApp } from './harness.ts';
import type { Network } from './harness.ts';
import { untilWaiting } from './until-waiting.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
});
afterAll(() => t.close());

it('games that an admin is given are locked in the order of their ids, as by a change of a time', async () => {
  const [first, last] = await t.db.query<{ id: string }>('select id from games order by id limit 2');
  // Where the table is read from its beginning, the first one now comes after the other.
  await t.db.query('update games set description = $2 where id = $1', [first!.id, 'moved']);
  const games = [first!.id, last!.id];
  let given: Promise<unknown> | undefined;
  await t.db.transaction(async (tx) => {
    await tx.query('select from games where id = $1 for update', [first!.id]);
    given = t.call(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { games } }, net.superadmin);
    await untilWaiting(t);
    await tx.query('select from games where id = $1 for update nowait', [last!.id]);
  });
  expect(await given).toMatchObject({ status: 200 });
});

it('an escrow is locked after all other wallets, whatever its number', async () => {
  const [escrow] = await t.db.query<{ id: number; owner_id: string }>(
    'select id, owner_id from wallets where network_id = $1 and kind = $2',
    [net.networkId, WALLET_KINDS.escrow],
  );
  const [player] = await t.db.query<{ id: number }>('select id from wallets where owner_id = $1 and kind = $2', [
    net.user._id,
    WALLET_KINDS.credit,
  ]);
  expect(escrow!.id).toBeLessThan(player!.id);
  let locked: Promise<unknown> | undefined;
  const one = 'select from wallets where network_id = $1 and id = $2 for update';
  await t.db.transaction(async (tx) => {
    await tx.query(one, [net.networkId, player!.id]);
    locked = t.db.transaction((other) =>
      lockWallets(other, net.networkId, [`escrow:${escrow!.owner_id}`, `credit:${net.user._id}`]),
    );
    await untilWaiting(t);
    await tx.query(`${one} nowait`, [net.networkId, escrow!.id]);
  });
  expect(await locked).toHaveProperty('size', 2);
});
