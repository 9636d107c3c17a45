import { accountLists, childLists, olderLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { forcedLogout, login, session } from '@drawhouse/contract/auth/auth';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { roleAbove, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { RouteInput } from '@drawhouse/contract/core/route';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WALLET_KINDS, type WalletKind } from '@drawhouse/rules/records/ledger-kinds';
import { winDraw } from '../../test/worlds/foresee-draw.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

type Target = Pick<SignedIn, '_id' | 'role'>;
type Change = RouteInput<(typeof accountRoutes)['admin']['update']>['body'];

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

const update = (by: SignedIn, target: Target, body: Change) =>
  t.call(accountRoutes[target.role].update, { params: { id: target._id }, body }, by);
const remove = (by: SignedIn, target: Target) =>
  t.call(accountRoutes[target.role].remove, { params: { id: target._id } }, by);
const get = (by: SignedIn, target: Target) =>
  t.call(accountRoutes[target.role].get, { params: { id: target._id } }, by);
const signInAs = (username: string, password: string) => t.call(login, { body: { username, password } });
const isSignedIn = async (account: SignedIn): Promise<boolean> => (await t.call(session, {}, account)).status === 200;
const signedIn = async (of: Network): Promise<Role[]> => {
  const states = await Promise.all(ROLES.map(async (role) => ((await isSignedIn(of[role])) ? [role] : [])));
  return states.flat();
};
const rowOf = async (id: string): Promise<Record<string, unknown>> => {
  const [row] = await t.db.query<{ row: Record<string, unknown> }>(
    "select to_jsonb(a) - 'written_by' as row from accounts a where id = $1",
    [id],
  );
  return row!.row;
};
const walletOf = async (ownerId: string, kind: WalletKind): Promise<number> => {
  const rows = await t.db.query<{ balance: bigint }>(
    `select w.balance from accounts a join wallets w on w.network_id = a.network_id and w.kind = $2
       and (w.owner_id = a.id or (a.role = 'admin' and w.kind = ${WALLET_KINDS.table})) where a.id = $1`,
    [ownerId, WALLET_KINDS[kind]],
  );
  return rows.reduce((sum, row) => sum + Number(row.balance), 0) / 100;
};

describe('an edit', () => {
  beforeEach(async () => {
    net = await t.network({ credit: 0 });
  });

  it('changes only the fields sent', async () => {
    const before = await rowOf(net.retailer._id);
    const { body } = await t.call(
      accountRoutes.retailer.update,
      { params: { id: net.retailer._id }, body: { note: '  The corner shop ' } },
      net.admin,
    );
    expect(body).toMatchObject({
      message: 'User updated successfully!',
      data: { _id: net.retailer._id, note: 'The corner shop', commission: 0, userStatus: true },
    });
    expect(await rowOf(net.retailer._id)).toEqual({ ...before, note: 'The corner shop' });
    expect((await update(net.admin, net.retailer, { commission: 2.5 })).body.data.commission).toBe(2.5);
    expect(await rowOf(net.retailer._id)).toEqual({
      ...before,
      note: 'The corner shop',
      commission: 250,
      commission_granted: true,
    });
    expect(await signedIn(net)).toEqual([...ROLES]);
  });

  it('changes nothing without fields, and never the username', async () => {
    const before = await rowOf(net.retailer._id);
    expect((await update(net.admin, net.retailer, { username: 'another' } as Change)).status).toBe(200);
    expect(await rowOf(net.retailer._id)).toEqual(before);
  });

  it('with a new password ends only that account’s sessions', async () => {
    expect((await update(net.admin, net.distributor, { password: 'quite another one' })).status).toBe(200);
    expect(await signedIn(net)).toEqual(ROLES.filter((role) => role !== 'distributor'));
    expect((await signInAs(net.distributor.username, PASSWORD)).status).toBe(401);
    expect((await signInAs(net.distributor.username, 'quite another one')).status).toBe(200);
  });

  it('ends all sessions of the subtree when it deactivates', async () => {
    expect((await update(net.admin, net.distributor, { userStatus: false })).status).toBe(200);
    expect(await signedIn(net)).toEqual(['superadmin', 'admin', 'superdistributor']);
    expect((await signInAs(net.user.username, PASSWORD)).body.code).toBe('ACCOUNT_INACTIVE');
    expect((await update(net.admin, net.distributor, { userStatus: true })).status).toBe(200);
    expect((await signInAs(net.user.username, PASSWORD)).status).toBe(200);
  });

  it('applies the password rules and changes nothing when refused', async () => {
    const before = await rowOf(net.retailer._id);
    for (const password of ['1234567', 'password1'])
      expect(await update(net.admin, net.retailer, { password, note: 'not to be' })).toMatchObject({
        status: 400,
        body: { fields: { password: expect.any(String) } },
      });
    expect(await rowOf(net.retailer._id)).toEqual(before);
  });

  it("sets an admin's games and leaves kept ones unchanged", async () => {
    const games = async (): Promise<string[]> =>
      (await get(net.superadmin, net.admin)).body.data.games!.map((game) => game.gameId).sort();
    expect(await games()).toEqual(['funtargetbingo']);
    expect((await update(net.superadmin, net.admin, { games: ['fruit12', 'funtargetbingo'] })).status).toBe(200);
    expect(await games()).toEqual(['fruit12', 'funtargetbingo']);
    expect((await update(net.superadmin, net.admin, { games: ['fruit12'] })).status).toBe(200);
    expect(await games()).toEqual(['fruit12']);
    expect((await update(net.superadmin, net.admin, { games: ['fruit12', 'no-such-game'] })).status).toBe(400);
    expect((await update(net.superadmin, net.superdistributor, { games: [] })).body.fields).toHaveProperty('games');
    expect(await games()).toEqual(['fruit12']);
    expect((await t.bet(net.user, { 7: 1 })).body.code).toBe('GAME_UNAVAILABLE');
  });
});

describe('a new parent', () => {
  beforeEach(async () => {
    net = await t.network({ credit: 100 });
  });

  it('takes over the account with its subtree', async () => {
    const sibling = await t.create(net.admin);
    const { body } = await update(net.admin, net.distributor, { refId: sibling._id });
    expect(body.data.refId).toEqual({ _id: sibling._id, username: sibling.username });
    const head = [net.superadmin._id, net.admin._id, sibling._id, net.distributor._id];
    expect((await rowOf(net.distributor._id))['chain']).toEqual(head);
    expect((await rowOf(net.user._id))['chain']).toEqual([...head, net.retailer._id, net.user._id]);
    expect((await get(sibling, net.user)).status).toBe(200);
    expect((await get(net.superdistributor, net.user)).status).toBe(404);
    expect(await signedIn(net)).toEqual([...ROLES]);
    expect((await t.bet(net.user, { 7: 1 })).status).toBe(201);
    await t.finishDraw();
  });

  it("must be one level above, in the same network and the caller's subtree", async () => {
    const other = await t.network({ credit: 0 });
    const before = await rowOf(net.distributor._id);
    const statuses: number[] = [];
    for (const [by, parent] of [
      [net.superadmin, other.superdistributor],
      [net.admin, other.superdistributor],
      [net.superdistributor, net.admin],
      [net.admin, net.retailer],
      [net.admin, net.distributor],
    ] as const)
      statuses.push((await update(by, net.distributor, { refId: parent._id, note: 'not to be' })).status);
    expect(statuses).toEqual([422, 404, 404, 404, 404]);
    expect(await rowOf(net.distributor._id)).toEqual(before);
  });

  it('is refused once the account or its subtree has played', async () => {
    const sibling = await t.make(net.admin);
    expect((await t.bet(net.user, { 7: 1 })).status).toBe(201);
    expect(await update(net.admin, net.distributor, { refId: sibling._id })).toMatchObject({
      status: 422,
      body: { code: 'RULE_REFUSED', fields: { refId: expect.any(String) } },
    });
    await t.finishDraw();
    expect((await update(net.admin, net.retailer, { refId: (await t.make(net.superdistributor))._id })).status).toBe(
      422,
    );
  });

  it('also gets accounts created below during the move', async () => {
    const sibling = await t.make(net.admin);
    const targets = [sibling._id, net.superdistributor._id];
    for (let round = 0; round < 4; round++) {
      const [moved, ...made] = await Promise.all([
        update(net.admin, net.distributor, { refId: targets[round % 2]! }),
        t.make(net.retailer),
        t.make(net.retailer),
      ]);
      expect(moved.status).toBe(200);
      expect(made).toHaveLength(2);
    }
    const wrong = await t.db.query(
      `select a.username from accounts a join accounts p on p.id = a.parent_id where a.chain <> p.chain || a.id`,
    );
    expect(wrong).toEqual([]);
  });
});

describe('creating accounts', () => {
  it('concurrently below one parent never deadlocks', async () => {
    net = await t.network({ credit: 0 });
    const before = await t.db.query<{ deadlocks: bigint }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    const made = await Promise.all(Array.from({ length: 12 }, () => t.make(net.admin)));
    expect(new Set(made.map((account) => account._id)).size).toBe(12);
    await t.db.query('select pg_stat_force_next_flush()');
    expect(await t.db.query('select deadlocks from pg_stat_database where datname = current_database()')).toEqual(
      before,
    );
  });
});

describe('a delete', () => {
  beforeEach(async () => {
    net = await t.network({ credit: 100, reserve: 0, commissions: { retailer: 10 } });
  });

  it('is refused while accounts are below', async () => {
    for (const role of ['admin', 'superdistributor', 'distributor', 'retailer'] as const)
      expect(await remove(net.superadmin, net[role])).toMatchObject({ status: 409, body: { code: 'HAS_CHILDREN' } });
    expect(await signedIn(net)).toEqual([...ROLES]);
  });

  it('is refused while tickets are undrawn', async () => {
    await t.bet(net.user, { 7: 1 });
    expect(await remove(net.retailer, net.user)).toMatchObject({ status: 409, body: { code: 'HAS_OPEN_TICKETS' } });
    expect(await isSignedIn(net.user)).toBe(true);
    expect(await t.credit(net.user)).toBe(99);
    await t.finishDraw();
    expect((await remove(net.retailer, net.user)).status).toBe(200);
  });

  it('returns remaining credit to the parent, level by level and across the border', async () => {
    await t.bet(net.user, { 7: 10 });
    await t.finishDraw();
    await t.give(net.superadmin, net.superadmin, 20);
    await t.give(net.superadmin, net.admin, 20);
    await t.ok(
      addBalance,
      { body: { gameId: 'funtargetbingo', adminId: net.admin._id, balance: 20, type: 'add' } },
      net.admin,
    );
    const own = async (account: SignedIn): Promise<number> =>
      (await walletOf(account._id, 'credit')) +
      (await walletOf(account._id, 'commission')) +
      (await walletOf(account._id, 'winnings')) +
      (await walletOf(account._id, 'table'));
    expect(await walletOf(net.retailer._id, 'commission')).toBe(1);
    const root = await walletOf(net.superadmin._id, 'credit');
    let expected = 0;
    for (const role of ['user', 'retailer', 'distributor', 'superdistributor', 'admin'] as const) {
      expected += await own(net[role]);
      const parent = net[roleAbove(role)!];
      const before = await walletOf(parent._id, 'credit');
      const credit = await own(net[role]);
      expect((await remove(net.superadmin, net[role])).status).toBe(200);
      expect(await own(net[role])).toBe(0);
      expect((await walletOf(parent._id, 'credit')) - before).toBeCloseTo(credit, 5);
      await t.expectBooksToBalance();
    }
    expect((await walletOf(net.superadmin._id, 'credit')) - root).toBeCloseTo(120, 5);
    expect(expected).toBeGreaterThan(100);
  });

  it('is refused for an admin whose tables owe more than it has', async () => {
    await winDraw(t, net, net.user, 10);
    const take = { toUserId: net.user._id, password: PASSWORD, adjustAmount: 180, transactionType: 'debit' as const };
    await t.ok(accountRoutes.user.creditAdjust, { body: take }, net.superadmin);
    for (const role of ['user', 'retailer', 'distributor', 'superdistributor'] as const)
      expect((await remove(net.superadmin, net[role])).status).toBe(200);
    const table = await walletOf(net.admin._id, 'table');
    expect(table).toBeLessThan(-70);
    expect(await remove(net.superadmin, net.admin)).toMatchObject({
      status: 422,
      body: { code: 'INSUFFICIENT_CREDIT' },
    });
    expect([await walletOf(net.admin._id, 'table'), await isSignedIn(net.admin)]).toEqual([table, true]);
    await t.give(net.superadmin, net.admin, 100);
    expect((await remove(net.superadmin, net.admin)).status).toBe(200);
    expect([await walletOf(net.admin._id, 'table'), await walletOf(net.admin._id, 'credit')]).toEqual([0, 0]);
  });

  it('hides the account everywhere and keeps its username reserved', async () => {
    expect((await remove(net.admin, net.user)).body).toMatchObject({ success: true });
    expect((await get(net.retailer, net.user)).status).toBe(404);
    expect(await isSignedIn(net.user)).toBe(false);
    expect((await signInAs(net.user.username, PASSWORD)).body.code).toBe('WRONG_CREDENTIALS');
    expect((await t.bet(net.user, { 7: 1 })).status).toBe(401);
    for (const by of [net.retailer, net.superadmin]) {
      const { data } = await t.ok(accountLists.user.route, { query: {} }, by);
      expect(data.map((row) => row._id)).not.toContain(net.user._id);
      const older = await t.ok(olderLists.user.route, { query: {} }, by);
      expect(older.data.map((row) => row._id)).not.toContain(net.user._id);
    }
    const { children, total } = await t.ok(
      childLists.retailer.route,
      { params: { id: net.retailer._id }, query: {} },
      net.retailer,
    );
    expect([children, total]).toEqual([[], 0]);
    const again = { username: net.user.username.toUpperCase(), password: PASSWORD, commission: 0, note: 'add notes' };
    expect((await t.call(accountRoutes.user.create, { body: again }, net.retailer)).body.code).toBe('USERNAME_TAKEN');
    expect((await remove(net.retailer, net.user)).status).toBe(404);
    expect((await update(net.retailer, net.user, { note: 'x' })).status).toBe(404);
    expect((await rowOf(net.user._id))['username']).toBe(net.user.username);
  });

  it('excludes a concurrent bet: one of them is refused', async () => {
    for (let round = 0; round < 6; round++) {
      const player = await t.create(net.retailer);
      await t.give(net.superadmin, net.superadmin, 10);
      await t.give(net.superadmin, player, 10);
      const [deleted, bet] = await Promise.all([remove(net.retailer, player), t.bet(player, { 7: 2 })]);
      expect([
        [200, 401],
        [200, 403],
        [200, 422],
        [409, 201],
      ]).toContainEqual([deleted.status, bet.status]);
      if (bet.status === 201) await t.finishDraw();
      else expect(await walletOf(player._id, 'credit')).toBe(0);
    }
    await t.expectBooksToBalance();
  });

  it('by the older path requires the caller’s own id', async () => {
    const as = (callerId: string) =>
      t.call(accountRoutes.user.removeAs, { params: { id: net.user._id, callerId } }, net.retailer);
    expect((await as(net.admin._id)).body.code).toBe('IDENTITY_MISMATCH');
    expect((await as(net.retailer._id)).status).toBe(200);
  });
});

describe('a forced logout', () => {
  it('ends all sessions of a player only', async () => {
    net = await t.network({ credit: 0 });
    const second = await t.signIn(net.user.username);
    const { body } = await t.call(forcedLogout, { query: { id: net.user._id, role: 'user' } }, net.admin);
    expect(body.message).toBe(`${net.user.username} has been signed out.`);
    expect(await isSignedIn(second)).toBe(false);
    expect(await signedIn(net)).toEqual(ROLES.slice(0, -1));
    expect((await signInAs(net.user.username, PASSWORD)).status).toBe(200);
    const ofStaff = await t.call(forcedLogout, { query: { id: net.retailer._id } }, net.admin);
    expect(ofStaff.status).toBe(404);
  });

  it('requires more than a cookie', async () => {
    net = await t.network({ credit: 0 });
    const reply = await t.call(forcedLogout, { query: { id: net.user._id } }, { ...net.admin, cookie: true });
    expect(reply.status).toBe(401);
    expect(await isSignedIn(net.user)).toBe(true);
  });
});
