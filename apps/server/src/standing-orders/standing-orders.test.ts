import { randomUUID } from 'node:crypto';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { addLogin, changeLogin, removeLogin } from '@drawhouse/contract/logins/logins';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { setApprovalRules } from '@drawhouse/contract/approvals/approvals';
import {
  endStandingOrder,
  makeStandingOrder,
  standingOrders,
  type StandingOrder,
} from '@drawhouse/contract/standing-orders/standing-orders';
import { recordPayment } from '@drawhouse/contract/weeks/week-payments';
import { setWeekTerms } from '@drawhouse/contract/weeks/week-terms';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { runStandingOrders } from './run-standing-orders.ts';

const HOUR_MS = 3_600_000;
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 100 });
  await t.give(net.superadmin, net.superadmin, 2000);
  await t.give(net.superadmin, net.distributor, 1000);
  await t.give(net.distributor, net.retailer, 100);
});

const hoursAhead = (hours: number) => new Date(t.clock.now().getTime() + hours * HOUR_MS).toISOString();
const make = (body: object, by: SignedIn = net.distributor, account: SignedIn = net.retailer) =>
  t.call(
    makeStandingOrder,
    { body: { accountId: account._id, password: PASSWORD, ...body } as never },
    { ...by, idempotencyKey: randomUUID() },
  );
const made = async (body: object) => {
  const reply = await make(body);
  expect(reply.status).toBe(201);
  return reply.body.data;
};
async function toLater(hours: number, ...roles: readonly ('distributor' | 'retailer' | 'user')[]): Promise<void> {
  t.clock.advance(hours * HOUR_MS);
  await runStandingOrders(t.app.services);
  for (const role of ['distributor', ...roles] as const) net[role] = await t.signIn(net[role].username);
}
const credit = async () => pointsOf(await balanceOf(t.app.services.db, net.networkId, `credit:${net.retailer._id}`));
async function read(id: string, by = net.distributor): Promise<StandingOrder | undefined> {
  return (await t.ok(standingOrders.route, { query: {} }, by)).data.find(({ _id }) => _id === id);
}
const temporary = (sum: number) => ({ kind: 'temporary', sum, takeBackAt: hoursAhead(5) });
const refill = (sum: number) => ({ kind: 'refill', sum, clock: '06:00', weekdays: EVERY_DAY });

it('gives temporary credit at once and takes it back at its time', async () => {
  const { _id } = await made(temporary(50));
  expect(await credit()).toBe(150);
  await toLater(4);
  expect(await credit()).toBe(150);
  await toLater(2);
  expect(await credit()).toBe(100);
  expect(await read(_id)).toMatchObject({ last: { amount: 50 }, nextAt: null, ended: { by: null } });
});

it('takes back at most what is there, and reports what is still owed', async () => {
  const { _id } = await made(temporary(50));
  const body = { toUserId: net.retailer._id, adjustAmount: 130, transactionType: 'debit' as const, password: PASSWORD };
  await t.ok(accountRoutes.retailer.creditAdjust, { body }, net.superdistributor);
  await toLater(6);
  expect(await credit()).toBe(0);
  expect((await read(_id))?.ended?.reason).toBe('20.00 of 50.00 taken back. 30.00 still owed.');
});

it('refills at its clock time on its days, and gives only what is missing', async () => {
  const { _id, nextAt } = await made(refill(120));
  expect(await credit()).toBe(100);
  expect(Date.parse(nextAt!)).toBeGreaterThan(t.clock.now().getTime());
  await toLater(25);
  expect(await credit()).toBe(120);
  await toLater(24);
  expect(await credit()).toBe(120);
  expect((await read(_id))?.last?.amount).toBe(0);
});

it('runs a slot once however many servers try', async () => {
  await made(refill(140));
  t.clock.advance(25 * HOUR_MS);
  await Promise.all([1, 2, 3].map(() => runStandingOrders(t.app.services)));
  net.distributor = await t.signIn(net.distributor.username);
  const { data } = await t.ok(activityLog.route, { query: {} }, net.distributor);
  expect(data.filter(({ subject }) => subject.endsWith('by standing order'))).toHaveLength(1);
  expect(await credit()).toBe(140);
});

it('leaves a slot to the server that ran it since it was read as due', async () => {
  const { _id } = await made(refill(140));
  t.clock.advance(25 * HOUR_MS);
  const { services } = t.app;
  const late = Object.create(services.db, {
    query: {
      value: async (...statement: Parameters<typeof services.db.query>) => {
        const rows = await services.db.query(...statement);
        await runStandingOrders(services);
        return rows;
      },
    },
  }) as typeof services.db;
  await runStandingOrders({ ...services, db: late });
  net.distributor = await t.signIn(net.distributor.username);
  expect((await read(_id))?.last?.amount).toBe(40);
});

it('has its runs audited: once per slot, at most the amount, and then due later', async () => {
  const [one, other] = [await made(refill(140)), await made(refill(150))];
  await toLater(25);
  expect(await credit()).toBe(150);
  const found = await auditAfter(
    t,
    `update activity set detail = jsonb_set(detail, '{standingOrder}', '"${one._id}"')
       where detail ->> 'standingOrder' = '${other._id}' and detail ? 'slot';
     update standing_orders set next_at = '${one.nextAt!}' where id = '${one._id}';
     update standing_orders set amount = 1 where id = '${one._id}'`,
  );
  for (const what of ['ran 2 times for the slot', 'is due at', 'hundredths for the slot'])
    expect(found.find((problem) => problem.includes(one._id) && problem.includes(what))).toBeDefined();
});

it('skips a whole refill if credit is missing, and runs the next one', async () => {
  const { _id } = await made(refill(5000));
  await toLater(25);
  expect(await credit()).toBe(100);
  expect(await read(_id)).toMatchObject({
    skipped: expect.stringContaining('4,900.00') as string,
    last: { amount: 0 },
  });
  net.superadmin = await t.signIn(net.superadmin.username);
  await t.give(net.superadmin, net.superadmin, 9000);
  await t.give(net.superadmin, net.distributor, 9000);
  await toLater(24);
  expect(await credit()).toBe(5000);
  expect(await read(_id)).toMatchObject({ skipped: null, last: { amount: 4900 } });
});

it('stops bets below an account while its credit or what it owes is beyond the floor', async () => {
  const { _id } = await made({ kind: 'floor', sum: 100, measure: 'credit' });
  expect((await t.bet(net.user, { 3: 1 })).status).toBe(201);
  const take = { toUserId: net.retailer._id, adjustAmount: 1, transactionType: 'debit' as const, password: PASSWORD };
  await t.ok(accountRoutes.retailer.creditAdjust, { body: take }, net.distributor);
  const refused = await t.bet(net.user, { 3: 1 });
  expect([refused.status, refused.body.code]).toEqual([422, 'SELLING_STOPPED']);
  const second = await made({ kind: 'floor', sum: 150, measure: 'credit' });
  t.clock.advance(60_000);
  await t.app.tick();
  const { data: notices } = await t.ok(listNotices, {}, net.distributor);
  expect(notices.filter(({ code }) => code === 'SELLING_STOPPED')).toMatchObject([
    {
      account: { id: net.retailer._id, role: 'retailer' },
      detail: 'Credit below 100.00; Credit below 150.00',
    },
  ]);
  for (const orderId of [_id, second._id]) await t.ok(endStandingOrder, { params: { orderId } }, net.distributor);
  expect((await t.bet(net.user, { 3: 1 })).status).toBe(201);

  await t.ok(
    setWeekTerms,
    { body: { accounts: [net.retailer._id], share: null, commission: 'atOnce' } },
    net.distributor,
  );
  await made({ kind: 'floor', sum: 10, measure: 'owed' });
  await t.give(net.distributor, net.retailer, 50);
  await t.app.tick();
  t.clock.advance(60_000);
  await t.app.tick();
  expect((await t.bet(net.user, { 3: 1 })).body.code).toBe('SELLING_STOPPED');
  const paid = { accountId: net.retailer._id, direction: 'in', sum: 500, method: 'cash' } as const;
  await t.ok(recordPayment, { body: paid }, net.distributor);
  t.clock.advance(60_000);
  await t.app.tick();
  expect((await t.bet(net.user, { 3: 1 })).status).toBe(201);
});

it('ends automatically once the giver is inactive or the account has another parent', async () => {
  const [first, second] = [await made(refill(120)), await made(refill(130))];
  await t.ok(
    accountRoutes.distributor.toggleStatus,
    { params: { userId: net.distributor._id, action: 'deactivate' } },
    net.admin,
  );
  t.clock.advance(25 * HOUR_MS);
  await runStandingOrders(t.app.services);
  net.admin = await t.signIn(net.admin.username);
  for (const { _id } of [first, second])
    expect((await read(_id, net.admin))?.ended?.reason).toContain('no longer active');
  expect(await credit()).toBe(100);
});

it('ends once the login that made it may move no credit or is removed', async () => {
  const orderOf = async (name: string) => {
    const username = `${net.distributor.username}-${name}`;
    const body = { name, username, role: 'manager' as const, password: PASSWORD };
    const { data: login } = await t.ok(addLogin, { body }, net.distributor);
    await t.takePasswordsAsOwn();
    const { body: answer } = await make(refill(120), await t.signIn(username));
    return { params: { number: String(login.number) }, orderId: answer.data._id };
  };
  const [one, two] = [await orderOf('One'), await orderOf('Two')];
  const reports = { name: 'One', role: 'reports' as const, active: true };
  await t.ok(changeLogin, { params: one.params, body: reports }, net.distributor);
  await t.ok(removeLogin, { params: two.params }, net.distributor);
  await toLater(25);
  expect((await read(one.orderId))?.ended?.reason).toContain('may no longer move credit');
  expect((await read(two.orderId))?.ended?.reason).toContain('no longer active');
  expect(await credit()).toBe(100);
});

it('asks for an approval above the amount that a transfer would', async () => {
  const rules = [{ kind: 'credit' as const, above: 500 }];
  await t.ok(setApprovalRules, { params: { adminId: net.admin._id }, body: { rules } }, net.superadmin);
  expect((await make(refill(600))).body.code).toBe('APPROVAL_PENDING');
  expect((await make(temporary(450))).body.code).toBe('APPROVAL_PENDING');
  expect(await credit()).toBe(100);
  expect((await make(temporary(40))).status).toBe(201);
});

it('names the field that a kind needs, and refuses accounts that are not directly below', async () => {
  expect((await make({ kind: 'temporary', sum: 5 })).body.fields).toHaveProperty('takeBackAt');
  expect((await make({ kind: 'temporary', sum: 5, takeBackAt: hoursAhead(-1) })).body.fields).toHaveProperty(
    'takeBackAt',
  );
  expect((await make({ ...refill(5), weekdays: [] })).body.fields).toHaveProperty('weekdays');
  expect((await make({ ...refill(5), clock: undefined })).body.fields).toHaveProperty('clock');
  expect((await make({ kind: 'floor', sum: 5 })).body.fields).toHaveProperty('measure');
  expect((await make(refill(5), net.distributor, net.user)).body.fields).toHaveProperty('accountId');
  expect((await make(refill(5), net.retailer, net.distributor)).status).toBe(404);
  const { _id } = await made(refill(5));
  expect((await t.call(endStandingOrder, { params: { orderId: _id } }, net.retailer)).status).toBe(404);
  expect(await read(_id, net.retailer)).toMatchObject({ mayEnd: false });
});
