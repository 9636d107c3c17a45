import { childRoutes } from '@drawhouse/contract/accounts/account-children';
import { accountLists, childLists, olderLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { XLSX_TYPE } from '@drawhouse/contract/frame/media-types';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import {
  changePassword,
  endOwnSession,
  forcedLogout,
  listSessions,
  login,
  session,
  signup,
} from '@drawhouse/contract/auth/auth';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { addResult } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-balance';
import { percentOf, roleAbove, ROLES } from '@drawhouse/contract/frame/primitives';
import type { Role } from '@drawhouse/contract/frame/primitives';
import type { RouteInput } from '@drawhouse/contract/frame/route';
import { readXlsx } from 'hucre';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appendActivity } from '../activity/append-activity.ts';
import { FIRST_SUPERADMIN } from '../app.ts';
import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { WalletKind } from '@drawhouse/rules/ledger-kinds';
import { openWallets } from '../ledger/wallets.ts';
import type { WalletName } from '../ledger/wallets.ts';
import { TestApp } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import type { Network, Reply, SignedIn } from '../../test/harness.ts';

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
const asTarget = (account: Account): Target => ({ _id: account._id, role: account.role });

describe('an edit', () => {
  beforeEach(async () => {
    net = await t.network({ credit: 0 });
  });

  it('changes only the fields that are sent', async () => {
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
    expect(await rowOf(net.retailer._id)).toEqual({ ...before, note: 'The corner shop', commission: 250 });
    expect(await signedIn(net)).toEqual([...ROLES]);
  });

  it('changes nothing when nothing is sent, and never the username', async () => {
    const before = await rowOf(net.retailer._id);
    expect((await update(net.admin, net.retailer, { username: 'another' } as Change)).status).toBe(200);
    expect(await rowOf(net.retailer._id)).toEqual(before);
  });

  it('with a new password ends the sessions of that account, and of nobody else', async () => {
    expect((await update(net.admin, net.distributor, { password: 'quite another one' })).status).toBe(200);
    expect(await signedIn(net)).toEqual(ROLES.filter((role) => role !== 'distributor'));
    expect((await signInAs(net.distributor.username, PASSWORD)).status).toBe(401);
    expect((await signInAs(net.distributor.username, 'quite another one')).status).toBe(200);
  });

  it('that deactivates ends the sessions of the whole subtree', async () => {
    expect((await update(net.admin, net.distributor, { userStatus: false })).status).toBe(200);
    expect(await signedIn(net)).toEqual(['superadmin', 'admin', 'superdistributor']);
    expect((await signInAs(net.user.username, PASSWORD)).body.code).toBe('ACCOUNT_INACTIVE');
    expect((await update(net.admin, net.distributor, { userStatus: true })).status).toBe(200);
    expect((await signInAs(net.user.username, PASSWORD)).status).toBe(200);
  });

  it('keeps the rule of new passwords, and changes nothing else of what it refuses', async () => {
    const before = await rowOf(net.retailer._id);
    for (const password of ['1234567', 'password1'])
      expect(await update(net.admin, net.retailer, { password, note: 'not to be' })).toMatchObject({
        status: 400,
        body: { fields: { password: expect.any(String) } },
      });
    expect(await rowOf(net.retailer._id)).toEqual(before);
  });

  it('may not take any chain through the account past 100 percent', async () => {
    const cheap = await t.make(net.distributor, { commission: 10 });
    const dear = await t.make(net.distributor, { commission: 60 });
    await t.make(net.admin, { role: 'user', refId: dear._id, commission: 10 });
    expect((await update(net.admin, net.distributor, { commission: 30.01 })).body).toMatchObject({
      code: 'COMMISSION_LIMIT',
      fields: { commission: expect.stringContaining('0.01') },
    });
    expect((await get(net.admin, net.distributor)).body.data.commission).toBe(0);
    expect((await update(net.admin, net.distributor, { commission: 30 })).status).toBe(200);
    expect((await update(net.admin, asTarget(cheap), { commission: 70 })).status).toBe(200);
    expect((await update(net.admin, asTarget(cheap), { commission: 70.01 })).status).toBe(422);
  });

  it('keeps to the limit when two edits of one chain race', async () => {
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all([
        update(net.superadmin, net.admin, { commission: 60 }),
        update(net.admin, net.retailer, { commission: 60 }),
        update(net.admin, net.user, { commission: 60 }),
      ]);
      expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([200, 422, 422]);
      for (const role of ['admin', 'retailer', 'user'] as const)
        expect((await update(net.superadmin, net[role], { commission: 0 })).status).toBe(200);
    }
  });

  it('of an admin sets its games, and leaves those that it keeps as they are', async () => {
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

  it('takes over the account with everyone below it', async () => {
    const beside = await t.create(net.admin);
    const { body } = await update(net.admin, net.distributor, { refId: beside._id });
    expect(body.data.refId).toEqual({ _id: beside._id, username: beside.username });
    const head = [net.superadmin._id, net.admin._id, beside._id, net.distributor._id];
    expect((await rowOf(net.distributor._id))['chain']).toEqual(head);
    expect((await rowOf(net.user._id))['chain']).toEqual([...head, net.retailer._id, net.user._id]);
    expect((await get(beside, net.user)).status).toBe(200);
    expect((await get(net.superdistributor, net.user)).status).toBe(404);
    expect(await signedIn(net)).toEqual([...ROLES]);
    expect((await t.bet(net.user, { 7: 1 })).status).toBe(201);
    await t.finishDraw();
  });

  it('must be of the level above, of the same network and of the own subtree', async () => {
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

  it('is refused once there was play at or below the account', async () => {
    const beside = await t.make(net.admin);
    expect((await t.bet(net.user, { 7: 1 })).status).toBe(201);
    expect(await update(net.admin, net.distributor, { refId: beside._id })).toMatchObject({
      status: 422,
      body: { code: 'RULE_REFUSED', fields: { refId: expect.any(String) } },
    });
    await t.finishDraw();
    expect((await update(net.admin, net.retailer, { refId: (await t.make(net.superdistributor))._id })).status).toBe(
      422,
    );
  });

  it('keeps to the limit of commissions along the new chain', async () => {
    const dear = await t.make(net.admin, { commission: 80 });
    await update(net.admin, net.user, { commission: 30 });
    expect((await update(net.admin, net.distributor, { refId: dear._id })).body.code).toBe('COMMISSION_LIMIT');
    expect((await rowOf(net.user._id))['chain']).toContain(net.superdistributor._id);
  });

  it('gets every account that is made below while it moves', async () => {
    const beside = await t.make(net.admin);
    const targets = [beside._id, net.superdistributor._id];
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

describe('creating', () => {
  it('many children of one parent at once makes them all, without one waiting for another in a ring', async () => {
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
    net = await t.network({ credit: 100, commissions: { retailer: 10 } });
  });

  it('is refused while there are accounts below', async () => {
    for (const role of ['admin', 'superdistributor', 'distributor', 'retailer'] as const)
      expect(await remove(net.superadmin, net[role])).toMatchObject({ status: 409, body: { code: 'HAS_CHILDREN' } });
    expect(await signedIn(net)).toEqual([...ROLES]);
  });

  it('is refused while there are tickets that are not drawn', async () => {
    await t.bet(net.user, { 7: 1 });
    expect(await remove(net.retailer, net.user)).toMatchObject({ status: 409, body: { code: 'HAS_OPEN_TICKETS' } });
    expect(await isSignedIn(net.user)).toBe(true);
    expect(await t.credit(net.user)).toBe(99);
    await t.finishDraw();
    expect((await remove(net.retailer, net.user)).status).toBe(200);
  });

  it('gives what is left to the parent, level by level and across the border', async () => {
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
      const held = await own(net[role]);
      expect((await remove(net.superadmin, net[role])).status).toBe(200);
      expect(await own(net[role])).toBe(0);
      expect((await walletOf(parent._id, 'credit')) - before).toBeCloseTo(held, 5);
      await t.expectBooksToBalance();
    }
    expect((await walletOf(net.superadmin._id, 'credit')) - root).toBeCloseTo(120, 5);
    expect(expected).toBeGreaterThan(100);
  });

  it('of an admin is refused while its tables owe more than it has', async () => {
    await t.bet(net.user, { 7: 10 });
    const pair = { gameId: 'funtargetbingo', adminId: net.admin._id };
    await t.ok(addResult, { body: { ...pair, result: '7', boosterValue: 1 } }, net.admin);
    await t.finishDraw();
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

  it('hides the account everywhere, and keeps its username taken', async () => {
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

  it('and a bet that meets it: one of them is refused', async () => {
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

  it('by the older path needs the caller’s own id', async () => {
    const as = (callerId: string) =>
      t.call(accountRoutes.user.removeAs, { params: { id: net.user._id, callerId } }, net.retailer);
    expect((await as(net.admin._id)).body.code).toBe('IDENTITY_MISMATCH');
    expect((await as(net.retailer._id)).status).toBe(200);
  });
});

describe('a forced logout', () => {
  it('ends all sessions of a player, whoever else is signed in', async () => {
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

  it('is not done by a cookie alone', async () => {
    net = await t.network({ credit: 0 });
    const reply = await t.call(forcedLogout, { query: { id: net.user._id } }, { ...net.admin, cookie: true });
    expect(reply.status).toBe(401);
    expect(await isSignedIn(net.user)).toBe(true);
  });
});

describe('children', () => {
  beforeEach(async () => {
    net = await t.network({ credit: 10 });
  });

  it('are listed with their parent, made, read, changed and deleted by its path', async () => {
    const params = { id: net.distributor._id };
    const made = await t.ok(
      childRoutes.distributor.create,
      { params, body: { username: `kiosk-${Date.now()}`, password: PASSWORD, commission: 1, note: 'A kiosk' } },
      net.admin,
    );
    expect(made.data).toMatchObject({ role: 'retailer', refId: { _id: net.distributor._id } });
    const listed = await t.ok(childLists.distributor.route, { params, query: { sort: 'createdAt' } }, net.admin);
    expect(listed.parent._id).toBe(net.distributor._id);
    expect(listed.children.map((child) => child._id).sort()).toEqual([net.retailer._id, made.data._id].sort());
    expect(listed.total).toBe(2);
    const one = { params: { ...params, childId: made.data._id } };
    expect((await t.ok(childRoutes.distributor.get, one, net.admin)).data.username).toBe(made.data.username);
    const edited = await t.ok(childRoutes.distributor.update, { ...one, body: { note: 'By the river' } }, net.admin);
    expect(edited.data.note).toBe('By the river');
    const toggled = await t.ok(
      childRoutes.distributor.toggleStatus,
      { params: { ...one.params, action: 'deactivate' } },
      net.admin,
    );
    expect(toggled.data.userStatus).toBe(false);
    expect((await t.call(childRoutes.distributor.remove, one, net.admin)).status).toBe(200);
    expect((await t.call(childRoutes.distributor.get, one, net.admin)).status).toBe(404);
    const log = await t.ok(activityLog.route, { query: { pageSize: '4' } }, net.admin);
    const { username } = made.data;
    expect(log.data.map((row) => [row.method, row.subject])).toEqual([
      ['DELETE', `Deleted retailer ${username}`],
      ['PATCH', `Deactivated retailer ${username}`],
      ['PUT', `Changed note of retailer ${username}`],
      ['POST', `Created retailer ${username}`],
    ]);
    expect(log.data.at(-1)!.requestUrl).toBe(`/api/distributors/${net.distributor._id}/children`);
  });

  it('are found only below the parent that the path names', async () => {
    const beside = await t.make(net.superdistributor);
    const wrong = { params: { id: beside._id, childId: net.retailer._id } };
    const order = { password: PASSWORD, transferAmount: 1 };
    const replies = [
      await t.call(childRoutes.distributor.get, wrong, net.admin),
      await t.call(childRoutes.distributor.update, { ...wrong, body: { note: 'x' } }, net.admin),
      await t.call(childRoutes.distributor.remove, wrong, net.admin),
      await t.call(childRoutes.distributor.creditTransfer, { ...wrong, body: order }, net.admin),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([404, 404, 404, 404]);
    expect((await get(net.admin, net.retailer)).body.data.note).toBe('add notes');
  });

  it('get credit by its path, and not by a body that names another', async () => {
    await t.give(net.superadmin, net.superadmin, 50);
    const params = { id: net.retailer._id, childId: net.user._id };
    const body = { password: PASSWORD, transferAmount: 5 };
    await t.give(net.superadmin, net.admin, 50);
    const { body: answer } = await t.call(childRoutes.retailer.creditTransfer, { params, body }, net.admin);
    expect(answer.receiverWallet).toBe(15);
    const other = { ...body, toUserId: net.retailer._id };
    expect((await t.call(childRoutes.retailer.creditTransfer, { params, body: other }, net.admin)).status).toBe(400);
    const back = { password: PASSWORD, adjustAmount: 15, transactionType: 'debit' as const };
    const { body: taken } = await t.call(childRoutes.retailer.creditAdjust, { params, body: back }, net.admin);
    expect(taken.receiverWallet).toBe(0);
  });

  it.each(ROLES)('the older list of the %ss is the list of that level', async (role) => {
    const query = { search: role, sort: 'username' };
    const { data, total } = await t.ok(accountLists[role].route, { query }, net.superadmin);
    expect(total).toBeGreaterThan(0);
    expect(await t.ok(olderLists[role].route, { query }, net.superadmin)).toEqual({ success: true, data, total });
  });
});

/** Sixty players below two retailers of one network, with ties in every field that can tie. */
async function manyPlayers(): Promise<void> {
  net = await t.network({ credit: 0 });
  const second = await t.make(net.distributor, { username: `Zed-${net.retailer.username}` });
  await t.db.query(
    `insert into accounts (id, network_id, role, chain, parent_id, username, unique_id, password_hash, commission, note, active, created_at, last_login_at)
     select new.id, p.network_id, 'user', p.chain || new.id, p.id, 'Many' || (97 * new.n % 61) || '_' || p.network_id,
            'X' || new.n || p.network_id, 'none', 100 * (new.n % 3), '', new.n % 4 > 0,
            timestamptz '2026-01-01' + (new.n % 7) * interval '1 day',
            case when new.n % 2 = 0 then timestamptz '2026-02-01' + (new.n % 5) * interval '1 hour' end
     from (select n, gen_random_uuid() as id from generate_series(1, 60) n) new
     join accounts p on p.id = case when new.n % 3 = 0 then $1::uuid else $2::uuid end`,
    [second._id, net.retailer._id],
  );
  const made = await t.db.query<{
    id: string;
    username: string;
    parent_id: string;
    commission: number;
    active: boolean;
  }>("select id, username, parent_id, commission, active from accounts where network_id = $1 and unique_id like 'X%'", [
    net.networkId,
  ]);
  const wallets = made.flatMap(({ id }): WalletName[] => [`credit:${id}`, `commission:${id}`, `winnings:${id}`]);
  await t.db.transaction(async (tx) => {
    await openWallets(tx, net.networkId, wallets);
    const origin = { url: '/test', method: 'POST', ip: '127.0.0.1' };
    const logged = made.map(({ id, username, parent_id, commission }) => ({
      accountId: id,
      username,
      subject: `Created user ${username}`,
      origin,
      detail: { accountId: id, parentId: parent_id, commission: percentOf(commission) },
    }));
    await appendActivity(tx, net.networkId, t.app.services, logged);
    // As what the log tells has written them.
    await tx.query("update accounts set note = 'x' where network_id = $1 and unique_id like 'X%'", [net.networkId]);
  });
  await t.give(net.superadmin, net.superadmin, 60);
  await t.give(net.superadmin, net.admin, 60);
  for (const [index, { id }] of made
    .filter(({ active }) => active)
    .slice(0, 12)
    .entries())
    await t.give(net.admin, { ...net.user, _id: id }, 1 + (index % 5));
  await t.db.query(
    `insert into sessions (token_hash, account_id, created_at, last_used_at, ip, user_agent)
     select sha256(id::text::bytea), id, $2, $2::timestamptz - case when commission = 100 then interval '31 minutes' else interval '0' end,
            '127.0.0.1', 'test'
     from accounts where network_id = $1 and unique_id like 'X%' and commission > 0`,
    [net.networkId, t.clock.now()],
  );
}

describe('a list', () => {
  beforeAll(manyPlayers);
  type Query = NonNullable<RouteInput<(typeof accountLists)['user']['route']>['query']>;
  const list = (query: Query, by = net.admin) => t.ok(accountLists.user.route, { query }, by);
  const key = (field: string, account: Account): string | number => {
    const keys: Record<string, string | number> = {
      username: account.username.toLowerCase(),
      uniqueId: account.uniqueId,
      refId: account.refId?.username.toLowerCase() ?? '',
      walletBalance: account.walletBalance,
      commission: account.commission,
      userStatus: Number(account.userStatus),
      isLoggedIn: Number(account.isLoggedIn),
      createdAt: account.createdAt,
      lastLogin: account.lastLogin ?? '',
    };
    return keys[field]!;
  };

  it.each(accountLists.user.sorts.flatMap((field) => [field, `-${field}`]))(
    'sorted by %s is in order, and its pages are the whole list',
    async (sort) => {
      const whole = await list({ sort, pageSize: '500' });
      expect(whole.total).toBe(61);
      expect(whole.data).toHaveLength(61);
      const keys = whole.data.map((account) => key(sort.replace('-', ''), account));
      const sorted = keys.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
      expect(keys).toEqual(sort.startsWith('-') ? sorted.toReversed() : sorted);
      const ids = whole.data.map((account) => account._id);
      expect(new Set(ids).size).toBe(61);
      for (const pageSize of [7, 25]) {
        const pages: string[] = [];
        for (let page = 1; page <= Math.ceil(61 / pageSize); page++) {
          const { data, total } = await list({ sort, page: String(page), pageSize: String(pageSize) });
          expect(total).toBe(61);
          pages.push(...data.map((account) => account._id));
        }
        expect(pages).toEqual(ids);
      }
      const opposite = await list({ sort: sort.startsWith('-') ? sort.slice(1) : `-${sort}`, pageSize: '500' });
      expect(opposite.data.map((account) => account._id)).toEqual(ids.toReversed());
    },
  );

  it('past its end is empty, with the total', async () => {
    const { data, total } = await list({ page: '4', pageSize: '25' });
    expect([data, total]).toEqual([[], 61]);
    expect((await list({ page: '3', pageSize: '25' })).data).toHaveLength(11);
    expect((await list({ page: '1000000', pageSize: '500' })).data).toEqual([]);
  });

  it('is found by a part of the name whatever the case, and for players by the parent’s', async () => {
    expect((await list({ search: 'mANY1' })).data.every((row) => row.username.startsWith('Many1'))).toBe(true);
    const ofSecond = await list({ search: `zed-${net.retailer.username}`, pageSize: '500' });
    expect(ofSecond.total).toBe(20);
    expect(ofSecond.data.every((row) => row.refId!.username.startsWith('Zed-'))).toBe(true);
    // The parent's name is searched for players alone.
    const retailers = await t.ok(accountLists.retailer.route, { query: { search: 'distributor' } }, net.admin);
    expect(retailers.data).toEqual([]);
  });

  it('takes a search by its letters: no sign of it is a wildcard', async () => {
    expect((await list({ search: '%' })).total).toBe(0);
    expect((await list({ search: 'Many_' })).total).toBe(0);
    expect((await list({ search: String.raw`\\` })).total).toBe(0);
    expect((await list({ search: `_${net.networkId}` })).total).toBe(60);
  });

  it('with nothing asked for is whole', async () => {
    const { data, total } = await list({});
    expect([data.length, total]).toEqual([61, 61]);
  });

  it('shows as signed in only who has a session that has not run out', async () => {
    const { data } = await list({ sort: '-isLoggedIn', pageSize: '500' });
    expect(data.filter((row) => row.isLoggedIn)).toHaveLength(21);
  });
});

describe('an export', () => {
  beforeAll(manyPlayers);

  async function fileOf(role: Role, query = '', by = net.admin) {
    const response = await t.app.http.inject({
      url: `/api/${accountLists[role].files[0]!.route.path}${query}`,
      headers: { authorization: `Bearer ${by.token}` },
    });
    expect(response.statusCode).toBe(200);
    const { sheets } = await readXlsx(new Uint8Array(response.rawPayload));
    expect(sheets).toHaveLength(1);
    return { headers: response.headers, sheet: sheets[0]!, rows: sheets[0]!.rows };
  }

  // As section 2 of the accounts specification has them, which names neither a file nor a sheet for superadmins.
  const titles = ['UserName', 'Refer ID', 'Unique Id', 'Points', 'Date & Time'];
  const widths = [30, 30, 30, 15, 25];
  it.each([
    ['superadmin', 'SuperAdminsList.xlsx', 'Super Admins', titles, widths],
    [
      'admin',
      'AdminsList.xlsx',
      'Admins',
      ['UserName', 'Refer ID', 'Unique ID', 'Points', 'Games', 'Date & Time'],
      [30, 30, 30, 15, 40, 25],
    ],
    ['superdistributor', 'SuperDistributorsList.xlsx', 'Super Distributors', titles, widths],
    ['distributor', 'DistributorsList.xlsx', 'Distributors', titles, widths],
    ['retailer', 'RetailersList.xlsx', 'Retailers', titles, widths],
    ['user', 'PlayersList.xlsx', 'Users', [...titles, 'Is Online', 'Last Login'], [...widths, 15, 25]],
  ] as const)(
    'of the %ss has its file name, sheet, titles and widths',
    async (role, name, sheetName, heads, spaces) => {
      const { headers, sheet, rows } = await fileOf(role, '', net.superadmin);
      expect(headers['content-type']).toBe(XLSX_TYPE);
      expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
      expect(sheet.name).toBe(sheetName);
      expect(rows[0]).toEqual(heads);
      expect(sheet.columns?.slice(0, heads.length).map((column) => column.width)).toEqual(spaces);
      const { total } = await t.ok(accountLists[role].route, { query: {} }, net.superadmin);
      expect(rows).toHaveLength(total + 1);
      expect(headers['x-total-rows']).toBe(String(total));
    },
  );

  it('has every row that matches, in the order that was asked for, not the page', async () => {
    const query = { search: `zed-${net.retailer.username}`, sort: '-username' };
    const { data } = await t.ok(accountLists.user.route, { query: { ...query, pageSize: '500' } }, net.admin);
    const { rows } = await fileOf('user', `?search=${query.search}&sort=${query.sort}`);
    expect(rows.slice(1).map((row) => row[0])).toEqual(data.map((account) => account.username));
    expect(rows[1]!.slice(1, 4)).toEqual([data[0]!.refId!.username, data[0]!.uniqueId, data[0]!.walletBalance]);
    // 05:30 before Kolkata's midnight is the day before.
    const [, first] = rows;
    expect(first![4]).toBe(data[0]!.createdAt.replace(/T.*/, ' 05:30:00'));
  });

  it('names the games of admins', async () => {
    const { rows } = await fileOf('admin', `?search=${net.admin.username}`, net.superadmin);
    const { data } = await get(net.superadmin, net.admin).then((reply) => reply.body);
    expect(rows[1]![4]).toBe(data.games!.map((game) => game.gameName).join(', '));
  });

  it('of a search without a hit is the titles alone', async () => {
    const { rows, headers } = await fileOf('user', '?search=nobody-at-all');
    expect(rows).toHaveLength(1);
    expect(headers['x-total-rows']).toBe('0');
  });

  it('holds the caller’s subtree alone', async () => {
    const other = await t.network({ credit: 0 });
    const { rows } = await fileOf('user', '', other.retailer);
    expect(rows.slice(1).map((row) => row[0])).toEqual([other.user.username]);
    const { rows: none } = await fileOf('user', `?parentId=${net.retailer._id}`, other.admin);
    expect(none).toHaveLength(1);
  });
});

describe('signing up', () => {
  it('is refused with a sentence where the settings name no retailer', async () => {
    const reply = await t.call(signup, { body: { username: 'newcomer', password: PASSWORD } });
    expect(reply).toMatchObject({
      status: 403,
      body: { code: 'NOT_ALLOWED', message: expect.stringMatching(/\w \w/) },
    });
    expect(await t.db.query("select from accounts where username = 'newcomer'")).toEqual([]);
  });

  it('makes a player below that retailer, while the retailer is active', async () => {
    const open = await TestApp.start({ signupRetailer: 'Retailer-4' });
    try {
      const own = await open.network({ credit: 0 });
      const body = { username: 'newcomer', password: PASSWORD };
      expect(await open.call(signup, { body })).toMatchObject({
        status: 201,
        body: { success: true, data: { username: 'newcomer', uniqueId: expect.stringMatching(/^U/) } },
      });
      const newcomer = await open.signIn('newcomer');
      const { data } = await open.ok(accountRoutes.user.get, { params: { id: newcomer._id } }, own.retailer);
      expect(data).toMatchObject({ refId: { _id: own.retailer._id }, walletBalance: 0, userStatus: true });
      expect((await open.call(signup, { body })).body.code).toBe('USERNAME_TAKEN');
      for (const password of ['12345', 'password'])
        expect((await open.call(signup, { body: { username: 'another', password } })).status).toBe(400);
      const params = { userId: own.distributor._id, action: 'deactivate' as const };
      await open.ok(accountRoutes.distributor.toggleStatus, { params }, own.admin);
      expect((await open.call(signup, { body: { username: 'another', password: PASSWORD } })).status).toBe(403);
      await open.expectBooksToBalance();
    } finally {
      await open.close();
    }
  });
});

describe('a change of the own password', () => {
  const NEW = 'a wholly new phrase';
  const change = (by: SignedIn, body: Partial<Record<'opass' | 'npass' | 'cpass' | 'userId', string>>) =>
    t.call(changePassword, { body: { opass: PASSWORD, npass: NEW, cpass: body.npass ?? NEW, ...body } }, by);
  beforeEach(async () => {
    net = await t.network({ credit: 0 });
  });

  it.each([
    [{ opass: 'not the password' }, 403, 'opass'],
    [{ cpass: 'something else' }, 400, 'cpass'],
    [{ npass: '1234567' }, 400, 'npass'],
    [{ npass: 'Password1' }, 400, 'npass'],
    [{ npass: 'x'.repeat(201) }, 400, 'npass'],
  ])('refuses %j', async (body, status, field) => {
    expect(await change(net.retailer, body)).toMatchObject({
      status,
      body: { fields: { [field]: expect.any(String) } },
    });
    expect((await signInAs(net.retailer.username, PASSWORD)).status).toBe(200);
  });

  it('refuses another’s id, and a short one of players as of staff', async () => {
    expect((await change(net.retailer, { userId: net.user._id })).body.code).toBe('IDENTITY_MISMATCH');
    for (const own of [net.user, net.retailer]) {
      expect((await change(own, { npass: 'zq7.kbw' })).body.fields).toEqual({ npass: 'Use at least 8 characters' });
      expect((await change(own, { npass: 'zq7.kbwx' })).status).toBe(200);
    }
  });

  it('ends the other sessions and keeps its own', async () => {
    const [second, third] = [await t.signIn(net.retailer.username), await t.signIn(net.retailer.username)];
    const { status, body } = await change(second, { userId: second._id });
    expect([status, body.message]).toEqual([200, '✅ Password changed successfully!']);
    expect([await isSignedIn(net.retailer), await isSignedIn(second), await isSignedIn(third)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(await isSignedIn(net.user)).toBe(true);
    expect((await signInAs(net.retailer.username, PASSWORD)).status).toBe(401);
    expect((await signInAs(net.retailer.username, NEW)).status).toBe(200);
  });
});

describe('the own sessions', () => {
  it('are listed, marked, and ended one by one', async () => {
    net = await t.network({ credit: 0 });
    t.clock.advance(60_000);
    const second = await t.signIn(net.retailer.username);
    const { data } = await t.ok(listSessions, {}, second);
    expect(data.map((row) => row.current)).toEqual([true, false]);
    const end = (by: SignedIn, sessionId: string): Promise<Reply<typeof endOwnSession>> =>
      t.call(endOwnSession, { params: { sessionId } }, by);
    expect((await end(net.admin, data[1]!._id)).status).toBe(404);
    expect((await end(second, data[1]!._id)).status).toBe(200);
    expect((await end(second, data[1]!._id)).status).toBe(404);
    expect([await isSignedIn(net.retailer), await isSignedIn(second)]).toEqual([false, true]);
    expect((await t.ok(listSessions, {}, second)).data).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain(second.token);
    expect((await signInAs(FIRST_SUPERADMIN, PASSWORD)).status).toBe(200);
  });
});
