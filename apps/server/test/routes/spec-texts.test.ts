import { childRoutes } from '@drawhouse/contract/accounts/account-children';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { changePassword, userAuth } from '@drawhouse/contract/auth/auth';
import { addResult, getTimer, nextDraw } from '@drawhouse/contract/draws/draws';
import { loadGame } from '@drawhouse/contract/live/live';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type Reply } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';

/** Exact wording in specification and API notes, not covered elsewhere. */

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ games: ['funtargetbingo', 'lottery3d', 'lottery4d', 'acqOpdpL', 'andarbahar'] });
});
afterAll(() => t.close());

const fieldOf = (reply: Reply<unknown>, field: string): string | undefined => {
  expect(reply.status).toBe(400);
  return reply.body.fields?.[field];
};

describe("a wrong amount is refused in its form's words", () => {
  const order = { toUserId: '', password: PASSWORD };
  const send = (kind: 'creditTransfer' | 'creditAdjust', fields: object): Promise<Reply<unknown>>[] => {
    const body = { ...order, toUserId: net.user._id, ...fields } as never;
    const params = { id: net.retailer._id, childId: net.user._id };
    return [
      t.call(accountRoutes.user[kind], { body }, net.retailer),
      t.call(childRoutes.retailer[kind], { params, body }, net.retailer),
    ];
  };
  const decimals = 'Enter an amount above 0 in plain digits with at most 2 decimals, such as 12.50';

  it.each([
    [undefined, 'Amount is required'],
    ['ten', 'Invalid transfer amount. Please enter a valid number.'],
    [0, 'Invalid transfer amount. Please enter a valid number.'],
    [-5, 'Invalid transfer amount. Please enter a valid number.'],
    [1.005, decimals],
  ])('of a transfer: %j', async (transferAmount, text) => {
    for (const reply of await Promise.all(send('creditTransfer', { transferAmount })))
      expect(fieldOf(reply, 'transferAmount')).toBe(text);
  });

  it.each([
    [undefined, 'Amount is required'],
    ['ten', 'Invalid adjustment amount. Please enter a valid number.'],
    [0, 'Amount must be greater than 0'],
    [-5, 'Amount must be greater than 0'],
    [0.5, 'Amount must be greater than 0'],
    [1.005, decimals],
  ])('of an adjustment: %j', async (adjustAmount, text) => {
    for (const reply of await Promise.all(send('creditAdjust', { adjustAmount })))
      expect(fieldOf(reply, 'adjustAmount')).toBe(text);
  });

  it.each([undefined, 'ten', 0, -5])('of a game balance: %j', async (balance) => {
    const body = { gameId: 'funtargetbingo', adminId: net.admin._id, balance, type: 'add' } as never;
    const reply = await t.call(addBalance, { body }, net.admin);
    expect(fieldOf(reply, 'balance')).toBe('Please enter a valid balance greater than 0.');
  });
});

it.each([
  ['funtargetbingo', 'Please enter a valid result.'],
  ['andarbahar', 'Please enter a valid result.'],
  ['lottery3d', 'Please select a result first.'],
  ['lottery4d', 'Please select at least one result.'],
  ['acqOpdpL', 'Please select at least one result.'],
])("an empty result of %s is refused in its panel's words", async (gameId, text) => {
  for (const result of ['', '  '])
    expect(
      fieldOf(await t.call(addResult, { body: { gameId, adminId: net.admin._id, result } }, net.admin), 'result'),
    ).toBe(text);
});

it("an unconfirmed new password is refused in its form's words", async () => {
  const body = { opass: PASSWORD, npass: 'another horse battery', cpass: 'another horse' };
  expect(fieldOf(await t.call(changePassword, { body }, net.retailer), 'cpass')).toBe(
    '❌ New and confirm password do not match.',
  );
});

it('passwords may start and end with spaces everywhere', async () => {
  const password = '  blanks are letters too  ';
  const { _id, username } = await t.make(net.distributor);
  await t.ok(accountRoutes.retailer.update, { params: { id: _id }, body: { password } }, net.distributor);
  await t.takePasswordsAsOwn();
  await t.give(net.superadmin, net.superadmin, 10);
  await t.give(net.superadmin, { ...net.retailer, _id, username }, 10);
  const own = await t.signIn(username, password);
  const { data } = await t.ok(
    accountRoutes.user.create,
    { body: { username: 'blank-player', password: PASSWORD, commission: 0, note: 'A' } },
    own,
  );
  const order = { toUserId: data._id, transferAmount: 1 };
  await t.ok(accountRoutes.user.creditTransfer, { body: { ...order, password } }, own);
  const trimmed = await t.call(
    accountRoutes.user.creditTransfer,
    { body: { ...order, password: password.trim() } },
    own,
  );
  expect(trimmed.body.code).toBe('WRONG_PASSWORD');
});

it('auth/userauth returns an account as clients store it', async () => {
  const { data } = await t.ok(userAuth, { params: { id: net.user._id } }, net.admin);
  expect(data).toMatchObject({
    _id: net.user._id,
    username: net.user.username,
    role: 'user',
    roles: 'user',
    walletBalance: 1000,
    userStatus: true,
    uniqueId: expect.stringMatching(/^U/),
  });
});

it('a list is paged with any filter and complete without', async () => {
  const parent = await t.create(net.distributor);
  await Promise.all(Array.from({ length: 26 }, () => t.make(parent)));
  const filtered = await t.ok(accountLists.user.route, { query: { parentId: parent._id } }, net.admin);
  expect([filtered.data.length, filtered.total]).toEqual([25, 26]);
  const whole = await t.ok(accountLists.user.route, { query: { id: net.admin._id, role: 'admin' } }, net.admin);
  expect(whole.data.length).toBe(whole.total);
  expect(whole.total).toBeGreaterThan(26);

  const log = await t.ok(activityLog.route, {}, net.superadmin);
  expect(log.data.length).toBe(log.total);
  expect(log.total).toBeGreaterThan(25);
  const since = await t.ok(activityLog.route, { query: { startDate: log.data.at(-1)!.createdAt } }, net.superadmin);
  expect([since.data.length, since.total]).toEqual([25, log.total]);
});

it("the timer needs no admin: a game's draws run at the same times for all", async () => {
  const query = { gameId: 'funtargetbingo' };
  const own = await t.ok(getTimer, { query }, net.admin);
  expect(await t.ok(getTimer, { query }, net.superadmin)).toEqual(own);
  expect(await t.ok(getTimer, { query: { ...query, adminId: net.admin._id } }, net.superadmin)).toEqual(own);
  const unknown = await t.call(getTimer, { query: { gameId: 'nosuchgame' } }, net.superadmin);
  expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

it('the next draw follows the running one, with its own number and instants', async () => {
  const own = await t.network({ games: ['funtargetbingo'] });
  const query = { gameId: 'funtargetbingo', adminId: own.admin._id };
  const { draw } = await t.ok(loadGame, { query }, own.admin);
  const { nextrdraw } = await t.ok(nextDraw, { query }, own.admin);
  t.clock.set(new Date(draw!.drawsAt));
  expect(await t.ok(nextDraw, { query }, own.admin)).toEqual({ success: true, nextrdraw });
  // Due but not open: no bets, no countdown.
  expect(await t.ok(getTimer, { query }, own.admin)).toMatchObject({ time: 0, opensAt: nextrdraw[0]!.opensAt });
  await t.app.tick();
  const opened = (await t.ok(loadGame, { query }, own.admin)).draw!;
  const { draw_id, opensAt, closesAt, drawsAt } = nextrdraw[0]!;
  expect(opened).toMatchObject({ number: Number(draw_id), opensAt, closesAt, drawsAt });
  expect((await t.ok(getTimer, { query }, own.admin)).time).toBeGreaterThan(0);
});

it.each([undefined, '', null])('an unset booster (%j) is 1', async (boosterValue) => {
  const own = await t.network({ games: ['funtargetbingo'] });
  const pair = { gameId: 'funtargetbingo', adminId: own.admin._id };
  await t.app.tick();
  await t.ok(addResult, { body: { ...pair, result: '7', boosterValue, color: '', type: '' } }, own.admin);
  const { saved } = await t.ok(loadGame, { query: pair }, own.admin);
  expect(saved).toMatchObject({ result: '7', booster: 1 });
});

it('a non-numeric booster is refused in words', async () => {
  const pair = { gameId: 'funtargetbingo', adminId: net.admin._id };
  for (const boosterValue of [true, [], {}, 0, 21, 1.5, '2.0', 'two']) {
    const body = { ...pair, result: '7', boosterValue } as never;
    const { status, body: refusal } = await t.call(addResult, { body }, net.admin);
    expect([status, refusal.fields?.['boosterValue']]).toEqual([
      400,
      expect.stringMatching(/^The booster must be a whole number/),
    ]);
  }
});

it('ids are case-insensitive everywhere', async () => {
  const capitals = net.admin._id.toUpperCase();
  const query = { gameId: 'funtargetbingo', adminId: capitals };
  const { nextrdraw } = await t.ok(nextDraw, { query: { ...query, adminId: net.admin._id } }, net.admin);
  for (const by of [net.superadmin, net.admin, net.retailer, net.user])
    expect((await t.ok(nextDraw, { query }, by)).nextrdraw).toEqual(nextrdraw);
  expect((await t.ok(loadGame, { query }, net.admin)).adminId).toBe(net.admin._id);
  // `role` identifies the caller here.
  await t.ok(accountLists.user.route, { query: { id: capitals, role: 'admin' } }, net.admin);
});

it('a reset returns the whole game balance, whatever amount is sent', async () => {
  const own = await t.network({ games: ['funtargetbingo'] });
  const pair = { gameId: 'funtargetbingo', adminId: own.admin._id };
  await t.give(net.superadmin, net.superadmin, 100);
  await t.give(net.superadmin, own.admin, 100);
  for (const balance of [undefined, 0, 30]) {
    await t.ok(addBalance, { body: { ...pair, balance: 40, type: 'add' } }, own.admin);
    const { gameBalance } = await t.ok(addBalance, { body: { ...pair, balance, type: 'remove' } }, own.admin);
    expect(gameBalance).toBe(0);
  }
  for (const balance of [undefined, 0, -1]) {
    const { status, body } = await t.call(addBalance, { body: { ...pair, balance, type: 'add' } }, own.admin);
    expect([status, body.fields]).toEqual([400, { balance: 'Please enter a valid balance greater than 0.' }]);
  }
});
