import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTableLine } from '../../test/worlds/audit-world.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { holdTable } from '../../test/statements/hold-table.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

async function newNetwork(): Promise<Network> {
  const made = await t.network({ credit: 1_000, games: [GAME], commissions: { retailer: 5 } });
  await t.finishDraw();
  return made;
}

const setRate = (of: SignedIn, commission: number, by: SignedIn = net.superadmin) =>
  t.ok(accountRoutes[of.role].update, { params: { id: of._id }, body: { commission } }, by);

async function earned(by: SignedIn): Promise<bigint> {
  const [wallet] = await t.db.query<{ balance: bigint }>(
    'select balance from wallets where owner_id = $1 and kind = $2',
    [by._id, WALLET_KINDS.commission],
  );
  return wallet!.balance;
}

describe('the commission ceiling at opening', () => {
  const edit = (of: SignedIn, body: object) =>
    t.call(accountRoutes[of.role].update, { params: { id: of._id }, body }, net.superadmin);

  it("limits a draw's cost to its table after being lowered", async () => {
    net = await t.network({ credit: 1_000, games: [GAME], commissions: { retailer: 15 } });
    await t.finishDraw();
    await setTableLine(t, net, 81);
    await setRate(net.retailer, 0);
    expect((await edit(net.admin, { commissionCeiling: 0 })).status).toBe(200);
    expect(await t.bet(net.user, { 7: 10 })).toMatchObject({ status: 422, body: { code: 'LIMIT_REACHED' } });
    await t.finishDraw();
    expect((await t.bet(net.user, { 7: 10 })).status).toBe(201);
  });

  it('refuses an account that open draws would pay above it', async () => {
    net = await t.network({ credit: 1_000, games: [GAME], commissions: { superdistributor: 10, distributor: 10 } });
    await t.finishDraw();
    await setRate(net.distributor, 1);
    const text = expect.stringContaining('Open draws pay the commissions set when they opened');
    const other = await t.create(net.superadmin, {
      role: 'distributor',
      refId: net.superdistributor._id,
      commission: 9,
    });
    const retailer = await t.create(net.superadmin, { role: 'retailer', refId: other._id, commission: 1 });
    const move = { refId: net.distributor._id };
    const create = { username: 'late-one', password: PASSWORD, note: 'A', refId: net.distributor._id, commission: 1 };
    expect(await edit(retailer, move)).toMatchObject({ status: 422, body: { fields: { refId: text } } });
    expect(await t.call(accountRoutes.retailer.create, { body: create }, net.superadmin)).toMatchObject({
      status: 422,
      body: { code: 'COMMISSION_LIMIT', fields: { commission: text } },
    });
    await t.finishDraw();
    expect((await edit(retailer, move)).status).toBe(200);
    expect((await t.call(accountRoutes.retailer.create, { body: create }, net.superadmin)).status).toBe(201);
  });
});

describe('a draw settles at its opening rates', () => {
  it('pays the old rate for a running draw and the new one from the next', async () => {
    net = await newNetwork();
    await t.bet(net.user, { 3: 400 });
    await setRate(net.retailer, 0);
    await t.finishDraw();
    expect(await earned(net.retailer)).toBe(2_000n);
    await t.bet(net.user, { 3: 100 });
    await t.finishDraw();
    expect(await earned(net.retailer)).toBe(2_000n);
  });

  it('skips intermediate changes during a draw', async () => {
    net = await newNetwork();
    await setRate(net.retailer, 4);
    await t.finishDraw();
    await t.bet(net.user, { 3: 100 });
    await setRate(net.retailer, 3);
    await setRate(net.retailer, 2);
    await setRate(net.retailer, 2);
    await t.finishDraw();
    expect(await earned(net.retailer)).toBe(400n);
    await t.bet(net.user, { 3: 100 });
    await t.finishDraw();
    expect(await earned(net.retailer)).toBe(600n);
  });

  it('pays an account created after the opening its first rate', async () => {
    net = await newNetwork();
    const player = await t.create(net.retailer, { commission: 1 });
    await t.give(net.superadmin, net.superadmin, 100);
    await t.give(net.superadmin, player, 100);
    await t.bet(player, { 3: 100 });
    await setRate(player, 0);
    await t.finishDraw();
    expect(await earned(player)).toBe(100n);
  });

  it('stores one row per change, none for an unchanged rate', async () => {
    net = await newNetwork();
    await setRate(net.retailer, 5);
    await setRate(net.retailer, 4);
    await setRate(net.retailer, 4);
    await setRate(net.distributor, 1);
    const rows = await t.db.query('select nth, before, after from rate_changes where network_id = $1 order by nth', [
      net.networkId,
    ]);
    expect(rows).toEqual([
      { nth: 1, before: 500, after: 400 },
      { nth: 2, before: 0, after: 100 },
    ]);
  });
});

describe('a draw pays the chain that placed the bet', () => {
  const moveTo = (other: SignedIn) =>
    t.call(accountRoutes.user.update, { params: { id: net.user._id }, body: { refId: other._id } }, net.superadmin);

  it('refuses to move an account with an open ticket', async () => {
    net = await newNetwork();
    await t.bet(net.user, { 3: 100 });
    const other = await t.create(net.distributor);
    expect(await moveTo(other)).toMatchObject({ status: 422, body: { code: 'RULE_REFUSED' } });
    await t.finishDraw();
    expect([await earned(net.retailer), await earned(other)]).toEqual([500n, 0n]);
  });

  it('refuses to move an account during its first bet', async () => {
    net = await newNetwork();
    const other = await t.create(net.distributor);
    const release = await holdTable(t.database.ownerUrl, 'exposures');
    const bet = t.bet(net.user, { 3: 100 });
    await untilWaiting(t);
    const moved = moveTo(other);
    await untilWaiting(t, 2);
    await release();
    expect([(await bet).status, await moved]).toMatchObject([201, { status: 422, body: { code: 'RULE_REFUSED' } }]);
    await t.finishDraw();
    expect([await earned(net.retailer), await earned(other)]).toEqual([500n, 0n]);
  });
});
