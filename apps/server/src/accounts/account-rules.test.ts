import { childRoutes } from '@drawhouse/contract/accounts/account-children';
import { accountLists, childLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import { changePassword, signup } from '@drawhouse/contract/auth/auth';
import { gameList } from '@drawhouse/contract/games/game-catalogue';
import { roleAbove, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type Reply, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { DELETED } from '@drawhouse/contract/accounts/account-texts';

/** Source: docs/spec/accounts-and-credit.md §5 and §8. */

const LEVELS = ROLES.slice(1) as Exclude<Role, 'superadmin'>[];

let t: TestApp;
let net: Network;
let nextNumber = 0;

beforeAll(async () => {
  t = await TestApp.start({ signupRetailer: 'retailer-4' });
  net = await t.network({ credit: 0, commissions: { admin: 10, superdistributor: 6, distributor: 5, retailer: 4 } });
});
afterAll(() => t.close());

const aboveOf = (role: Exclude<Role, 'superadmin'>): SignedIn => net[roleAbove(role)!];
const nameIt = (): string => `someone-${++nextNumber}`;

function createBoth(role: Exclude<Role, 'superadmin'>, body: object): Promise<Reply<unknown>>[] {
  const above = aboveOf(role);
  const parent = childRoutes[above.role as keyof typeof childRoutes];
  return [
    t.call(accountRoutes[role].create, { body: { username: nameIt(), ...body } } as never, above),
    t.call(parent.create, { params: { id: above._id }, body: { username: nameIt(), ...body } } as never, above),
  ];
}

describe.each(LEVELS)('creating a %s', (role) => {
  it.each([
    [{ note: undefined }, 'note', 'Note is required'],
    [{ note: '' }, 'note', 'Note is required'],
    [{ note: '   ' }, 'note', 'Note is required'],
    [{ commission: undefined }, 'commission', 'Commission is required'],
  ])('refuses %j', async (wrong, field, message) => {
    for (const reply of await Promise.all(createBoth(role, { password: PASSWORD, commission: 1, note: 'A', ...wrong })))
      expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', fields: { [field]: message } } });
  });

  it('names a missing commission along with other errors', async () => {
    for (const reply of await Promise.all(createBoth(role, { password: '' })))
      expect(Object.keys(reply.body.fields!).sort()).toEqual(['commission', 'note', 'password']);
  });

  it('accepts commissionAmount in place of commission', async () => {
    const body = { password: PASSWORD, note: 'A' };
    for (const reply of await Promise.all(createBoth(role, { ...body, commissionAmount: 1.25 })))
      expect(reply).toMatchObject({ status: 201, body: { data: { commission: 1.25 } } });
    for (const reply of await Promise.all(createBoth(role, { ...body, commission: 0, commissionAmount: 1.25 })))
      expect(reply).toMatchObject({ status: 201, body: { data: { commission: 0 } } });
    for (const reply of await Promise.all(createBoth(role, { ...body, commissionAmount: 100.5 })))
      expect(reply).toMatchObject({ status: 400, body: { fields: { commissionAmount: expect.any(String) } } });
  });
});

it('a username is normalized for letter width at creation and sign-in', async () => {
  const make = (username: string) => {
    const body = { username, password: PASSWORD, commission: 0, note: 'A' };
    return t.call(accountRoutes.user.create, { body }, net.retailer);
  };
  expect((await make('ｆｕｌｌ．Ｗｉｄｔｈ')).body.data.username).toBe('full.Width');
  expect((await make('FULL.ｗｉｄｔｈ')).body).toMatchObject({ code: 'USERNAME_TAKEN' });
  for (const typed of ['full.width', 'ＦＵＬＬ．Ｗｉｄｔｈ'])
    expect((await t.signIn(typed)).username).toBe('full.Width');
});

it.each(LEVELS)('an edit of a %s may not empty its note', async (role) => {
  const params = { id: net[role]._id };
  const reply = await t.call(accountRoutes[role].update, { params, body: { note: ' ' } }, aboveOf(role));
  expect(reply).toMatchObject({ status: 400, body: { fields: { note: 'Note is required' } } });
});

it.each(LEVELS)('every way to delete a %s reports success', async (role) => {
  const above = aboveOf(role);
  const ways = [
    ({ _id }: Account) => t.call(accountRoutes[role].remove, { params: { id: _id } }, above),
    ({ _id }: Account) => t.call(accountRoutes[role].removeAs, { params: { id: _id, callerId: above._id } }, above),
    ({ _id }: Account) =>
      t.call(
        childRoutes[above.role as keyof typeof childRoutes].remove,
        { params: { id: above._id, childId: _id } },
        above,
      ),
  ];
  for (const way of ways)
    expect(await way(await t.make(above))).toMatchObject({
      status: 200,
      body: { success: true, message: DELETED[role] },
    });
});

describe.each(LEVELS)('the children variants of a %s', (role) => {
  it('act and answer like the level’s own calls', async () => {
    const above = aboveOf(role);
    const own = accountRoutes[role];
    const child = childRoutes[above.role as keyof typeof childRoutes];
    const [one, other] = [await t.make(above), await t.make(above)];
    await t.give(net.superadmin, net.superadmin, 1000);
    if (above._id !== net.superadmin._id) await t.give(net.superadmin, above, 100);
    const params = { id: above._id, childId: other._id };
    const order = { password: PASSWORD, note: 'A gift' };
    const target = { toUserId: one._id, ...order };
    const ways: [Reply<unknown>, Reply<unknown>][] = [];
    const both = async (...calls: [() => Promise<Reply<unknown>>, () => Promise<Reply<unknown>>]): Promise<void> => {
      ways.push([await calls[0](), await calls[1]()]);
    };
    await both(
      () => t.call(own.creditTransfer, { body: { ...target, transferAmount: 10 } }, above),
      () => t.call(child.creditTransfer, { params, body: { ...order, transferAmount: 10 } }, above),
    );
    await both(
      () => t.call(own.creditAdjust, { body: { ...target, adjustAmount: 4, transactionType: 'debit' } }, above),
      () =>
        t.call(child.creditAdjust, { params, body: { ...order, adjustAmount: 4, transactionType: 'debit' } }, above),
    );
    const body = { commission: 0.5, note: 'Edited', userStatus: true };
    await both(
      () => t.call(own.update, { params: { id: one._id }, body }, above),
      () => t.call(child.update, { params, body }, above),
    );
    for (const action of ['deactivate', 'activate'] as const)
      await both(
        () => t.call(own.toggleStatus, { params: { userId: one._id, action } }, above),
        () => t.call(child.toggleStatus, { params: { ...params, action } }, above),
      );
    await both(
      () => t.call(own.get, { params: { id: one._id } }, above),
      () => t.call(child.get, { params }, above),
    );
    await both(
      () => t.call(own.remove, { params: { id: one._id } }, above),
      () => t.call(child.remove, { params }, above),
    );
    const plain = ({ status, body: answer }: Reply<unknown>, account: Account): string => {
      const text = JSON.stringify({ status, ...answer, transferId: undefined, senderWallet: undefined });
      return [account._id, account.uniqueId, account.username].reduce((all, name) => all.replaceAll(name, '…'), text);
    };
    for (const [byLevel, byParent] of ways) {
      expect(plain(byParent, other)).toBe(plain(byLevel, one));
      expect(byLevel.status).toBe(200);
    }
    const { children } = await t.ok(
      childLists[above.role as keyof typeof childLists].route,
      { params: { id: above._id }, query: {} },
      above,
    );
    const { data } = await t.ok(accountLists[role].route, { query: { parentId: above._id, pageSize: '500' } }, above);
    expect(children).toEqual(data);
    await t.expectBooksToBalance();
  });
});

describe('a new password', () => {
  const refused = (reply: Reply<unknown>, field: string): void =>
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } },
    });

  it.each(LEVELS)('of a %s must differ from the username in any case', async (role) => {
    const above = aboveOf(role);
    const username = `Long-Enough-${role}`;
    const body = { username, commission: 0, note: 'A' };
    for (const password of [username, username.toUpperCase(), username.toLowerCase()])
      refused(await t.call(accountRoutes[role].create, { body: { ...body, password } }, above), 'password');
    const { data } = await t.ok(accountRoutes[role].create, { body: { ...body, password: PASSWORD } }, above);
    const params = { id: data._id };
    for (const password of [username, username.toUpperCase()])
      refused(await t.call(accountRoutes[role].update, { params, body: { password } }, above), 'password');
    const own = await t.signIn(username);
    const npass = username.toLowerCase();
    refused(await t.call(changePassword, { body: { opass: PASSWORD, npass, cpass: npass } }, own), 'npass');
    await t.signIn(username);
  });

  it('at sign-up must differ from the username', async () => {
    refused(await t.call(signup, { body: { username: 'newcomer', password: 'NewComer' } }), 'password');
    expect((await t.call(signup, { body: { username: 'newcomer', password: 'newcomer at home' } })).status).toBe(201);
  });

  it('is refused with an explanation wherever it is set', async () => {
    const { retailer, user } = net;
    const params = { id: user._id };
    for (const [password, sentence] of [
      ['zq7.kbw', 'Use at least 8 characters'],
      ['letmein1', 'This is one of the most common passwords. Choose another'],
      ['ANANanan', 'Use at least 3 different characters'],
      [`${user.username}-2026`, 'Use at least 8 characters besides the username'],
    ] as const) {
      const body = { username: user.username, password };
      const others = { body: { ...body, commission: 0, note: 'A' } };
      expect((await t.call(signup, { body })).body.fields).toEqual({ password: sentence });
      expect((await t.call(accountRoutes.user.create, others, retailer)).body.fields).toEqual({ password: sentence });
      const edit = await t.call(accountRoutes.user.update, { params, body: { password } }, retailer);
      expect(edit.body.fields).toEqual({ password: sentence });
      const own = await t.call(changePassword, { body: { opass: PASSWORD, npass: password, cpass: password } }, user);
      expect(own.body.fields).toEqual({ npass: sentence });
    }
    await t.signIn(user.username);
  });

  it.each(LEVELS)('of a %s must differ from the old one', async (role) => {
    const above = aboveOf(role);
    const own = await t.create(above);
    const params = { id: own._id };
    const edit = { params, body: { password: PASSWORD, note: 'not to be' } };
    refused(await t.call(accountRoutes[role].update, edit, above), 'password');
    const childEdit = { params: { id: above._id, childId: own._id }, body: { password: PASSWORD } };
    refused(await t.call(childRoutes[above.role as keyof typeof childRoutes].update, childEdit, above), 'password');
    refused(
      await t.call(changePassword, { body: { opass: PASSWORD, npass: PASSWORD, cpass: PASSWORD } }, own),
      'npass',
    );
    const { data } = await t.ok(accountRoutes[role].get, { params }, own);
    expect(data.note).toBe('add notes');
    await t.ok(accountRoutes[role].update, { params, body: { password: `${PASSWORD}!` } }, above);
    await t.signIn(own.username, `${PASSWORD}!`);
  });

  it('for an account not below reveals nothing about its old one', async () => {
    const stranger = await t.network({ credit: 0 });
    const reply = await t.call(
      accountRoutes.retailer.update,
      { params: { id: stranger.retailer._id }, body: { password: PASSWORD } },
      net.admin,
    );
    expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

it('every catalogue game has a list of images', async () => {
  const { data, message } = await t.ok(gameList.route, {}, net.superadmin);
  expect(message).toBe('Games fetched successfully');
  expect(data.length).toBeGreaterThan(20);
  for (const game of data) expect([game.gameId, game.images]).toEqual([game.gameId, []]);
});
