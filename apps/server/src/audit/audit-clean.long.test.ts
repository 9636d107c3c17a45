import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from './audit.ts';
import { operator, playNetwork, setResultMode } from '../../test/worlds/audit-world.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ signupRetailer: 'open-house' });
  ({ net } = await playNetwork(t));
});
afterAll(() => t.close());

const setCommission = (by: SignedIn, of: SignedIn, commission: number) =>
  t.ok(accountRoutes[of.role].update, { params: { id: of._id }, body: { commission } }, by);
const commissionOf = async (draw: { drawId: string }): Promise<bigint[]> => {
  const rows = await t.db.query<{ retail_commission: bigint }>(
    'select retail_commission from player_settlements where draw_id = $1',
    [draw.drawId],
  );
  return rows.map((row) => row.retail_commission);
};

describe('the audit accepts', () => {
  it('rates changed during a draw, and twice in a millisecond', async () => {
    const { body } = await t.bet(net.user, { 1: 10 });
    await setCommission(net.superadmin, net.retailer, 7);
    await setCommission(net.admin, net.retailer, 3.5);
    await t.finishDraw();
    // Within the same millisecond.
    await setCommission(net.admin, net.retailer, 8);
    await setCommission(net.superadmin, net.retailer, 6);
    expect(await commissionOf(body.ticket)).toEqual([100n]);
    await t.expectBooksToBalance();
  });

  it('rates changed between settling a draw and opening the next', async () => {
    await t.finishDraw();
    for (let round = 0; round < 12; round++) {
      const { body } = await t.bet(net.user, { 1: 1 });
      const [before, after] = round % 2 === 0 ? [6, 10] : [10, 6];
      const by = round % 3 === 0 ? net.superadmin : net.admin;
      await Promise.all([t.finishDraw(), setCommission(by, net.retailer, after)]);
      const [earned] = await commissionOf(body.ticket);
      // The draw may have opened before or after the previous round's change.
      expect([BigInt(before), BigInt(after)]).toContain(earned);
    }
    await t.expectBooksToBalance();
  });

  it('results replaced, confirmed, replaced again, or never confirmed', async () => {
    const operate = operator(t, net);
    const play = async (act: () => Promise<unknown>): Promise<void> => {
      await t.bet(net.user, { 5: 1, 6: 1 });
      await act();
      await t.finishDraw();
    };
    await play(async () => {
      await operate.save(net.admin, '1');
      await operate.save(net.admin, '1');
      await operate.save(net.superadmin, '5', 3);
    });
    await setResultMode(t, 'two-person');
    await play(() => operate.save(net.admin, '6'));
    await play(async () => {
      await operate.save(net.admin, '6');
      await operate.save(net.superadmin, '5');
      await operate.save(net.admin, '5');
    });
    await play(async () => {
      await operate.save(net.admin, '6');
      await operate.save(net.superadmin, '6');
      await operate.save(net.admin, '6', 2);
    });
    await play(async () => {
      await operate.save(net.admin, '6');
      await operate.generate(net.superadmin);
    });
    await play(async () => {
      await operate.save(net.admin, '6');
      await operate.void(net.superadmin);
    });
    await setResultMode(t, 'generated');
    await play(() => operate.generate(net.admin));
    await setResultMode(t, 'open');
    const sources = await t.db.query<{ source: string | null }>(
      'select source from draws where network_id = $1 and ticket_count is distinct from 0 order by opens_at desc limit 8',
      [net.networkId],
    );
    expect(sources.map((row) => row.source)).toEqual([
      null, // running
      'generated',
      null, // void
      'generated',
      'generated',
      'declared',
      'generated',
      'declared',
    ]);
    await t.expectBooksToBalance();
  });

  it('accounts moved, edited, signed up, deactivated and deleted', async () => {
    const retailer = await t.create(net.admin, {
      role: 'retailer',
      refId: net.distributor._id,
      username: 'open-house',
      commission: 4,
    });
    const player = await t.create(net.retailer);
    await t.ok(
      accountRoutes.user.update,
      { params: { id: player._id }, body: { refId: retailer._id.toUpperCase(), commission: 0.29 } },
      net.superadmin,
    );
    const signedUp = await t.send('POST', '/api/auth/signup', {}, { username: 'walk-in', password: 'quite a secret' });
    expect(signedUp.status).toBe(201);
    await t.give(net.superadmin, net.superadmin, 100);
    await t.give(net.superadmin, player, 50);
    await t.bet(player, { 8: 7 });
    await operator(t, net).save(net.admin, '8');
    await t.finishDraw();
    await t.ok(
      accountRoutes.distributor.toggleStatus,
      { params: { userId: net.distributor._id, action: 'deactivate' } },
      net.admin,
    );
    await t.ok(
      accountRoutes.distributor.toggleStatus,
      { params: { userId: net.distributor._id, action: 'activate' } },
      net.admin,
    );
    await t.ok(accountRoutes.user.remove, { params: { id: player._id } }, net.superadmin);
    await t.expectBooksToBalance();
  });

  it('a network deleted with its tables', async () => {
    const gone = await t.network({ credit: 50, commissions: { retailer: 10 } });
    await t.give(gone.superadmin, gone.superadmin, 30);
    await t.give(gone.superadmin, gone.admin, 30);
    await operator(t, gone).addBalance(gone.admin, 20);
    await operator(t, gone).resetBalance(gone.admin);
    await operator(t, gone).resetBalance(gone.admin);
    await t.bet(gone.user, { 1: 5 });
    await t.finishDraw();
    for (const role of ['user', 'retailer', 'distributor', 'superdistributor', 'admin'] as const)
      await t.ok(accountRoutes[role].remove, { params: { id: gone[role]._id } }, gone.superadmin);
    await t.expectBooksToBalance();
  });

  it('a draw voided without tickets, one without players, and a day without draws', async () => {
    await operator(t, net).void(net.admin);
    await t.finishDraw();
    await t.finishDraw();
    t.clock.advance(86_400_000);
    await t.app.tick();
    await t.bet(await t.signIn(net.user.username), { 0: 1 });
    await t.finishDraw();
    await t.expectBooksToBalance();
  });

  it('bets and draws continuing while it reads one snapshot over two connections', async () => {
    const player = await t.signIn(net.user.username);
    for (let round = 0; round < 4; round++) {
      await t.bet(player, { 1: 1 });
      const [checks] = await Promise.all([
        t.served.snapshots(2, (on) => audit(...on)),
        t.bet(player, { [round]: 1, 9: 2 }),
        t.bet(player, { [round]: 3 }),
      ]);
      expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
      const [during] = await Promise.all([t.served.snapshots(2, (on) => audit(...on)), t.finishDraw()]);
      expect(during.flatMap(({ problems }) => problems)).toEqual([]);
    }
    await t.expectBooksToBalance();
  });
});
