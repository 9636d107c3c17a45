import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '../platform/db/database.ts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { lockWallets } from './post.ts';
import { lockCredits } from './stakes.ts';
import { TestApp, type Network } from '../../test/harness.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
});
afterAll(() => t.close());

it("an admin's games are locked in id order, as when a time changes", async () => {
  const [first, last] = await t.db.query<{ id: string }>('select id from games order by id limit 2');
  // Moves the first row behind the last on disk, so a sequential scan meets it later.
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
    'select id, owner_id from wallets where network_id = $1 and kind = $2 order by id limit 1',
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

it('a commission wallet is locked first, as in a settlement', async () => {
  const [credit, commission] = await t.db.query<{ id: number }>(
    'select id from wallets where owner_id = $1 and kind = any($2) order by id',
    [net.user._id, [WALLET_KINDS.credit, WALLET_KINDS.commission]],
  );
  expect(credit!.id).toBeLessThan(commission!.id);
  let locked: Promise<unknown> | undefined;
  const one = 'select from wallets where network_id = $1 and id = $2 for update';
  await t.db.transaction(async (tx) => {
    await tx.query(one, [net.networkId, commission!.id]);
    locked = t.db.transaction((other) =>
      lockWallets(other, net.networkId, [`credit:${net.user._id}`, `commission:${net.user._id}`]),
    );
    await untilWaiting(t);
    await tx.query(`${one} nowait`, [net.networkId, credit!.id]);
  });
  expect(await locked).toHaveProperty('size', 2);
});

describe("two players' wallets", () => {
  /** Wallet numbers and account ids sort in opposite order. */
  const [low, high] = ['0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7f', '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d'];
  const one = 'select from wallets where network_id = $1 and owner_id = $2 for update';

  beforeAll(async () => {
    await t.db.query(
      `insert into wallets (network_id, id, kind, owner_id)
       select $1, (select max(id) from wallets where network_id = $1) + o.nth, ${WALLET_KINDS.credit}, o.id
       from unnest($2::uuid[]) with ordinality as o (id, nth)`,
      [net.networkId, [low, high]],
    );
    await t.db.query('update wallets set balance = 1 where owner_id = $1', [low]);
  });

  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['of a posting', (tx) => lockWallets(tx, net.networkId, [`credit:${high}`, `credit:${low}`])],
    ['of stakes', (tx) => lockCredits(tx, net.networkId, [high, low], 'wait')],
  ])('%s are locked in number order', async (_name, lock) => {
    let locked: Promise<unknown> | undefined;
    await t.db.transaction(async (tx) => {
      await tx.query(one, [net.networkId, low]);
      locked = t.db.transaction(lock);
      await untilWaiting(t);
      await tx.query(`${one} nowait`, [net.networkId, high]);
    });
    expect(await locked).toHaveProperty('size', 2);
  });
});
