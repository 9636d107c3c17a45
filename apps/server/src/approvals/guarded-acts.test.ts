import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import {
  approvals,
  approve,
  decline,
  setApprovalRules,
  type ApprovalRule,
} from '@drawhouse/contract/approvals/approvals';
import { payCommission } from '@drawhouse/contract/credit/credit';
import { PERMISSION_NAMES } from '@drawhouse/contract/logins/login-texts';
import type { Permission } from '@drawhouse/contract/core/permissions';
import { voidDraw } from '@drawhouse/contract/draws/draws';
import { makeChain } from '@drawhouse/contract/first-steps/first-steps';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { addLogin, changeLogin, removeLogin } from '@drawhouse/contract/logins/logins';
import { closeWeeks } from '@drawhouse/contract/weeks/close-weeks';
import { recordPayment, reversePayment, weekPayments } from '@drawhouse/contract/weeks/week-payments';
import { weekDays } from '@drawhouse/contract/weeks/week-sheet';
import { addDays } from '@drawhouse/rules/time/zone-days';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { winDraw } from '../../test/worlds/foresee-draw.ts';
import { aWeekLater } from '../../test/worlds/audit-world.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100, commissions: { retailer: 4 } });
  await t.give(net.superadmin, net.superadmin, 10_000);
  for (const role of ['admin', 'distributor'] as const) await t.give(net.superadmin, net[role], 1000);
  await t.bet(net.user, { 3: 50 });
  await t.finishDraw();
  await aWeekLater(t, net.superadmin, net.admin, net.superdistributor, net.distributor, net.retailer);
  const rules = [
    { kind: 'credit', above: 100 },
    { kind: 'commission', above: 0 },
    { kind: 'lines', above: 0 },
    { kind: 'guards', above: 0 },
  ] as const;
  await setRules(net.admin, rules);
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

const setRules = (of: SignedIn, rules: readonly ApprovalRule[]) =>
  t.ok(setApprovalRules, { params: { adminId: of._id }, body: { rules: [...rules] } }, net.superadmin);
const give = async (points: number, from = net.distributor, to: SignedIn = net.retailer) =>
  t.call(
    accountRoutes[to.role].creditTransfer,
    { body: { toUserId: to._id, transferAmount: points, password: PASSWORD } },
    from,
  );
/** Passwords set by others would be temporary. */
const chooseLoginPasswords = ({ _id }: SignedIn) =>
  t.byHand(
    'update logins set password_set_by = account_id, password_set_by_login = number, temporary_until = null where account_id = $1',
    [_id],
  );
const codeOf = async (reply: Promise<{ body: { code?: string } }>) => (await reply).body.code ?? 'done';

it('several transfers to one receiver within a day count together, except approved ones', async () => {
  expect(await codeOf(give(60))).toBe('done');
  const { body } = await give(41);
  expect(body.code).toBe('APPROVAL_PENDING');
  expect(await codeOf(give(40))).toBe('done');
  expect(await codeOf(give(1))).toBe('APPROVAL_PENDING');
  const other = await t.create(net.distributor);
  expect(await codeOf(give(100, net.distributor, other))).toBe('done');
  await aWeekLater(t, net.superadmin, net.admin, net.superdistributor, net.distributor, net.retailer);
  const { body: asked } = await give(150);
  expect(await codeOf(t.call(approve, { params: { approvalId: asked.approval! } }, net.superdistributor))).toBe('done');
  expect(await codeOf(give(100))).toBe('done');
});

it('concurrent transfers count together', async () => {
  const receiver = await t.create(net.distributor);
  const codes = await Promise.all([60, 60, 60].map((points) => codeOf(give(points, net.distributor, receiver))));
  expect(codes.sort()).toEqual(['APPROVAL_PENDING', 'APPROVAL_PENDING', 'done']);
});

it('payouts and game balances wait like transfers', async () => {
  await setRules(net.admin, [{ kind: 'credit', above: 1 }]);
  const body = { toUserId: net.retailer._id, password: PASSWORD };
  const asked = await t.call(payCommission, { body }, net.distributor);
  expect(asked.body.code).toBe('APPROVAL_PENDING');
  const decided = await t.call(approve, { params: { approvalId: asked.body.approval! } }, net.superdistributor);
  expect(decided.status).toBe(200);
  const pair = { gameId: 'funtargetbingo', adminId: net.admin._id };
  const add = (balance: number) => t.call(addBalance, { body: { ...pair, balance } }, net.superadmin);
  expect([await codeOf(add(1)), await codeOf(add(1))]).toEqual(['done', 'APPROVAL_PENDING']);
});

it('payments above an amount and closings of weeks are done once approved, and never if declined', async () => {
  const rules = [
    { kind: 'payment', above: 10 },
    { kind: 'week', above: 0 },
  ] as const;
  await setRules(net.admin, rules);
  const [distributor, superdistributor, { _id: accountId, username }] = [
    net.distributor,
    net.superdistributor,
    net.retailer,
  ];
  const pay = (sum: number) => {
    const body = { accountId, direction: 'in', sum, method: 'cash' } as const;
    return t.call(recordPayment, { body }, distributor);
  };
  const payments = async () => (await t.ok(weekPayments.route, { query: {} }, distributor)).data;
  const paid11 = async () => (await payments()).find(({ amount, reverses }) => amount === 11 && reverses === null);
  const reverse = async () => t.call(reversePayment, { body: { paymentId: (await paid11())!._id } }, distributor);
  const { week } = await t.ok(weekDays.route, { query: { id: accountId } }, distributor);
  const day = addDays(week.from, -7);
  const lastWeek = async () => (await t.ok(weekDays.route, { query: { id: accountId, day } }, distributor)).sheet!;
  const { balance } = await lastWeek();
  const close = () => {
    const payment = { direction: 'in', sum: 3, method: 'bank' } as const;
    const body = { day, lines: [{ accountId, expectedBalance: balance, payment }], password: PASSWORD };
    return t.call(closeWeeks, { body }, distributor);
  };
  expect([await codeOf(pay(10)), (await payments()).length]).toEqual(['done', 1]);
  for (const [ask, state, ...shown] of [
    [() => pay(11), async () => (await paid11()) !== undefined, `Received from ${username}`],
    [reverse, async () => (await paid11())!.isReversed, `Paid to ${username}`],
    [
      close,
      async () => (await lastWeek()).state === 'closed',
      `Balance of ${username}, week of ${day}`,
      `Received from ${username}`,
    ],
  ] as const) {
    for (const [route, isDone] of [
      [decline, false],
      [approve, true],
    ] as const) {
      const { code, approval } = (await ask()).body;
      expect([code, await state()]).toEqual(['APPROVAL_PENDING', false]);
      const [request] = (await t.ok(approvals.route, { query: {} }, superdistributor)).data;
      expect(request!.changes.map(({ what }) => what)).toEqual(shown);
      const decision = t.call(route, { params: { approvalId: approval! }, body: {} }, superdistributor);
      expect([await codeOf(decision), await state()]).toEqual(['done', isDone]);
    }
  }
});

it('a payout of all that is pending, and a void, are done once when repeated with their key', async () => {
  const rules = [
    { kind: 'credit', above: 1 },
    { kind: 'void', above: 0 },
  ] as const;
  await setRules(net.admin, rules);
  await aWeekLater(t, net.superadmin, net.admin, net.superdistributor, net.distributor, net.retailer);
  const signedIn = (of: SignedIn, idempotencyKey?: string) =>
    t.signIn(of.username).then((by) => ({ ...by, ...(idempotencyKey !== undefined && { idempotencyKey }) }));
  const decided = async (approvalId: string | undefined, by: SignedIn) =>
    (await t.call(approve, { params: { approvalId: approvalId! } }, await signedIn(by))).status;
  await winDraw(t, net, await signedIn(net.user), 50);
  const pay = async () =>
    t.call(
      payCommission,
      { body: { toUserId: net.retailer._id, password: PASSWORD } },
      await signedIn(net.distributor, 'all'),
    );
  const { body: asked } = await pay();
  expect(asked.code).toBe('APPROVAL_PENDING');
  await winDraw(t, net, await signedIn(net.user), 1);
  expect((await pay()).body, 'more is pending now').toMatchObject({ approval: asked.approval });
  expect(await decided(asked.approval, net.superdistributor)).toBe(200);
  const repeated = await pay();
  expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([200, 'true']);

  const pair = { gameId: 'funtargetbingo', adminId: net.admin._id };
  const voided = async () =>
    t.call(voidDraw, { body: { ...pair, reason: 'Power cut' } }, await signedIn(net.admin, 'void'));
  await t.bet(await signedIn(net.user), { 7: 10 });
  const { body: ofVoid } = await voided();
  expect(ofVoid.code).toBe('APPROVAL_PENDING');
  expect(await decided(ofVoid.approval, net.superadmin)).toBe(200);
  await t.finishDraw();
  expect((await voided()).body).toMatchObject({ code: 'ALREADY_DECIDED', approval: ofVoid.approval });
});

it('new accounts have no commission at first', async () => {
  const create = (commission: number, username: string) =>
    t.call(
      accountRoutes.user.create,
      { body: { username, password: PASSWORD, commission, note: 'New' } },
      net.retailer,
    );
  expect((await create(0, `${net.retailer.username}.a`)).status).toBe(201);
  expect((await create(1, `${net.retailer.username}.b`)).body.fields).toHaveProperty('commission');
});

it('more rights of a login wait', async () => {
  const add = (role: 'reports' | 'cashier') =>
    t.call(
      addLogin,
      { body: { username: `${net.distributor.username}.${role}`, name: role, role, password: PASSWORD } },
      net.distributor,
    );
  expect((await add('cashier')).body.fields).toHaveProperty('role');
  const { body } = await add('reports');
  const change = (role: 'reports' | 'cashier', more: object = {}) =>
    t.call(
      changeLogin,
      { params: { number: String(body.data.number) }, body: { name: 'Meera', role, active: true, ...more } },
      net.distributor,
    );
  expect(await codeOf(change('reports', { addresses: ['10.0.0.0/8'] }))).toBe('done');
  expect(await codeOf(change('reports'))).toBe('APPROVAL_PENDING');
  const asked = await change('cashier');
  expect(asked.body.code).toBe('APPROVAL_PENDING');
  const decided = await t.call(approve, { params: { approvalId: asked.body.approval! } }, net.superdistributor);
  expect(decided.status).toBe(200);
});

it('weaker guards of a network wait for its admin, and those of the house for a second login', async () => {
  const update = (body: object) =>
    t.call(accountRoutes.admin.update, { params: { id: net.admin._id }, body }, net.superadmin);
  expect(await codeOf(update({ factorRoles: ['retailer'] }))).toBe('done');
  expect(await codeOf(update({ factorRoles: [] }))).toBe('APPROVAL_PENDING');
  expect(await codeOf(update({ tokenSessions: false }))).toBe('done');
  expect(await codeOf(update({ tokenSessions: true }))).toBe('APPROVAL_PENDING');
  expect(await codeOf(update({ dailyLimit: 50 }))).toBe('done');
  expect(await codeOf(update({ dailyLimit: 60 }))).toBe('APPROVAL_PENDING');

  const username = `deputy.${net.admin.username}`;
  const terms = (...permissions: Permission[]) => ({ name: 'Deputy', role: 'custom' as const, permissions });
  const { data: login } = await t.ok(
    addLogin,
    { body: { ...terms('settings', 'credit'), username, password: PASSWORD } },
    net.superadmin,
  );
  await chooseLoginPasswords(net.superadmin);
  await aWeekLater(t, net.superadmin, net.admin);
  const ofHouse = (kind: ApprovalRule['kind'], above: number) =>
    t.call(
      setApprovalRules,
      { params: { adminId: net.superadmin._id }, body: { rules: [{ kind, above }] } },
      net.superadmin,
    );
  const missing = async (kind: ApprovalRule['kind']) => {
    const { body } = await ofHouse(kind, 0);
    expect(body.code).toBe('RULE_REFUSED');
    return [...body.message.matchAll(/“(.+?)”/g)].map(([, permission]) => permission);
  };
  const { accounts, adjustments } = PERMISSION_NAMES;
  expect(await missing('issue')).toEqual([adjustments]);
  expect(await missing('credit')).toEqual([accounts, adjustments]);
  expect(await missing('commission')).toEqual([accounts]);
  const change = (...more: Permission[]) =>
    t.call(
      changeLogin,
      {
        params: { number: String(login.number) },
        body: { ...terms('settings', 'credit', 'accounts', ...more), active: true },
      },
      net.superadmin,
    );
  expect(await codeOf(change('adjustments'))).toBe('done');
  const deputy = await t.signIn(username);
  expect(await codeOf(ofHouse('guards', 0))).toBe('done');
  expect(await codeOf(ofHouse('credit', 500))).toBe('done');
  const wider = await change('adjustments', 'reports');
  expect(wider.body.code).toBe('APPROVAL_PENDING');
  expect(await codeOf(t.call(approve, { params: { approvalId: wider.body.approval! } }, deputy))).toBe('done');
  const chain = {
    usernames: {
      admin: 'guarded1',
      superdistributor: 'guarded2',
      distributor: 'guarded3',
      retailer: 'guarded4',
      user: 'guarded5',
    },
    accountPassword: 'a new horse battery',
    games: ['funtargetbingo'],
    adminCredit: 501,
    playerCredit: 1,
    testNetwork: false,
    password: PASSWORD,
  };
  expect((await t.call(makeChain, { body: chain }, net.superadmin)).body.fields).toHaveProperty('adminCredit');
  const asked = await give(501, net.superadmin, net.admin);
  expect(asked.body.code).toBe('APPROVAL_PENDING');
  const decide = (by: SignedIn) => codeOf(t.call(approve, { params: { approvalId: asked.body.approval! } }, by));
  expect([await decide(net.admin), await decide(deputy)]).toEqual(['NOT_FOUND', 'done']);
  const { data: games } = await t.ok(gameList.route, { query: {} }, net.superadmin);
  const params = { id: games.find(({ gameId }) => gameId === 'funtargetbingo')!._id };
  const mode = (resultMode: 'open' | 'two-person') =>
    t.call(changeGame, { params, body: { resultMode } }, net.superadmin);
  expect([await codeOf(mode('two-person')), await codeOf(mode('open'))]).toEqual(['done', 'APPROVAL_PENDING']);

  const number = { params: { number: String(login.number) } };
  const remove = () => codeOf(t.call(removeLogin, number, net.superadmin));
  const narrow = (role: 'reports' | 'custom', active: boolean) => {
    const body = { name: 'Deputy', role, permissions: role === 'custom' ? ['settings' as const] : [], active };
    return codeOf(t.call(changeLogin, { ...number, body }, net.superadmin));
  };
  for (const last of [remove(), narrow('reports', true), narrow('custom', false)])
    expect(await last).toBe('RULE_REFUSED');
  expect(await narrow('custom', true)).toBe('done');
  const lift = await t.call(
    setApprovalRules,
    { params: { adminId: net.superadmin._id }, body: { rules: [{ kind: 'guards', above: null }] } },
    net.superadmin,
  );
  expect(await codeOf(t.call(approve, { params: { approvalId: lift.body.approval! } }, deputy))).toBe('done');
  // The rule begins while its only decider is removed.
  const both = await t.db.transaction(async (tx) => {
    await tx.query('select from accounts where id = $1 for no key update', [net.superadmin._id]);
    const removal = remove();
    await untilWaiting(t);
    const rule = codeOf(ofHouse('guards', 0));
    await untilWaiting(t, 2);
    return [removal, rule];
  });
  expect(await Promise.all(both)).toEqual(['done', 'RULE_REFUSED']);
});

it('a login limited to some games decides about no other', async () => {
  const own = await t.network({ credit: 100 });
  const { superadmin } = net;
  const rules = [{ kind: 'void' as const, above: 0 }];
  await t.ok(setApprovalRules, { params: { adminId: own.admin._id }, body: { rules } }, superadmin);
  const { data: games } = await t.ok(gameList.route, { query: {} }, superadmin);
  const idOf = (key: string): string => games.find(({ gameId }) => gameId === key)!._id;
  const username = `${own.admin.username}.panel`;
  const terms = { name: 'Panel', role: 'custom' as const, permissions: ['results' as const, 'lists' as const] };
  const { data: login } = await t.ok(
    addLogin,
    { body: { ...terms, username, games: [idOf('horse12')], password: PASSWORD } },
    own.admin,
  );
  await chooseLoginPasswords(own.admin);
  const panel = await t.signIn(username);
  await t.bet(own.user, { 3: 5 });
  const body = { gameId: 'funtargetbingo', adminId: own.admin._id, reason: 'Wrong ball' };
  const asked = await t.call(voidDraw, { body }, own.admin);
  const decide = () => codeOf(t.call(approve, { params: { approvalId: asked.body.approval! } }, panel));
  expect(await decide()).toBe('NO_PERMISSION');
  const change = { ...terms, games: [idOf('funtargetbingo')], active: true };
  await t.ok(changeLogin, { params: { number: String(login.number) }, body: change }, own.admin);
  expect(await decide()).toBe('done');
});
