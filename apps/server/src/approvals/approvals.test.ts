import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog, logEntry } from '@drawhouse/contract/activity/activity';
import {
  approvalRules,
  approvals,
  approve,
  decline,
  setApprovalRules,
  withdraw,
} from '@drawhouse/contract/approvals/approvals';
import { changePassword } from '@drawhouse/contract/auth/auth';
import { voidDraw } from '@drawhouse/contract/draws/draws';
import type { LoginRole } from '@drawhouse/contract/core/permissions';
import { addLogin, changeLogin } from '@drawhouse/contract/logins/logins';
import { transferToMany } from '@drawhouse/contract/credit/payouts';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type As, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';
import { aWeekLater } from '../../test/worlds/audit-world.ts';

const HOUR_MS = 3_600_000;

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  await t.give((await t.network({ credit: 0 })).superadmin, await t.signIn('superadmin'), 100_000);
});
beforeEach(async () => {
  net = await t.network({ credit: 0 });
  for (const role of ['superdistributor', 'distributor', 'retailer'] as const)
    await t.give(net.superadmin, net[role], 1000);
  await t.give(net.superadmin, net.user, 100);
  await choosePassword(net.superdistributor);
  await rules(100);
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

/** The admin set all passwords, so the accounts would count as one person for a week. */
const choosePassword = ({ _id }: SignedIn) => t.byHand('update accounts set password_set_by = id where id = $1', [_id]);

const rules = (above: number | null) =>
  t.call(
    setApprovalRules,
    { params: { adminId: net.admin._id }, body: { rules: [{ kind: 'credit', above }] } },
    net.superadmin,
  );

const transfer = (from: SignedIn & As, to: SignedIn, points: number) =>
  t.call(
    accountRoutes[to.role].creditTransfer,
    { body: { toUserId: to._id, transferAmount: points, password: PASSWORD, note: 'Weekend' } },
    from,
  );

async function ask(points = 150, by: As = {}): Promise<string> {
  const { status, body } = await transfer({ ...net.distributor, ...by }, net.retailer, points);
  expect([status, body.code]).toEqual([422, 'APPROVAL_PENDING']);
  return body.approval!;
}

const decide = (route: typeof approve | typeof decline | typeof withdraw, approvalId: string, by: SignedIn) =>
  t.call(route, { params: { approvalId }, body: {} }, by);
const codeOf = async (reply: ReturnType<typeof decide>) => (await reply).body.code ?? 'done';
const listOf = async (by: SignedIn) => (await t.ok(approvals.route, { query: {} }, by)).data;
const creditOf = () => Promise.all([net.distributor, net.retailer].map((each) => t.credit(each)));

describe('a transfer above the amount', () => {
  it('waits, and moves credit once somebody above approves it', async () => {
    expect((await transfer(net.distributor, net.retailer, 100)).status).toBe(200);
    const id = await ask(100.01);
    expect(await creditOf()).toEqual([900, 1100]);
    const shown = { _id: id, number: 1, kind: 'credit', amount: 100.01, askedBy: net.distributor.username };
    expect(await listOf(net.distributor)).toMatchObject([{ ...shown, may: 'withdraw', state: 'waiting' }]);
    expect(await listOf(net.superdistributor)).toMatchObject([
      {
        ...shown,
        may: 'decide',
        subject: `Give 100.01 points to ${net.retailer.username}`,
        changes: [
          { what: `Credit of ${net.retailer.username}`, before: '1,100.00', after: '1,200.01' },
          { what: `Credit of ${net.distributor.username}`, before: '900.00', after: '799.99' },
          { what: 'Note', after: 'Weekend' },
        ],
      },
    ]);
    expect(await decide(approve, id, net.superdistributor)).toMatchObject({
      status: 200,
      body: { data: { state: 'approved', decidedBy: net.superdistributor.username, may: 'nothing' } },
    });
    expect(await listOf(net.superdistributor)).toMatchObject([{ decidedById: net.superdistributor._id }]);
    expect(await listOf(net.distributor)).toMatchObject([{ decidedById: null, decidedByRole: null }]);
    expect(await creditOf()).toEqual([799.99, 1200.01]);
    const { data: log } = await t.ok(activityLog.route, { query: { pageSize: '3' } }, net.admin);
    expect(log.map(({ username, subject }) => [username, subject])).toEqual([
      [net.distributor.username, `Gave 100.01 points to ${net.retailer.username}`],
      [
        net.superdistributor.username,
        `Approved request 1 of ${net.distributor.username}: Give 100.01 points to ${net.retailer.username}`,
      ],
      [net.distributor.username, `Requested approval: Give 100.01 points to ${net.retailer.username}`],
    ]);
    const { data: entry } = await t.ok(logEntry, { params: { id: log[0]!._id } }, net.admin);
    expect(entry.changes).toContainEqual({
      what: 'Approved by',
      before: null,
      after: net.superdistributor.username,
    });
  });

  it('runs once under concurrent approvals and a repeated request', async () => {
    const id = await ask(150, { idempotencyKey: 'weekend' });
    expect(await ask(150, { idempotencyKey: 'weekend' })).toBe(id);
    expect(await transfer({ ...net.distributor, idempotencyKey: 'weekend' }, net.retailer, 151)).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT' },
    });
    const codes = await Promise.all(
      [net.superdistributor, net.superadmin, net.superdistributor].map((by) => codeOf(decide(approve, id, by))),
    );
    expect(codes.sort()).toEqual(['ALREADY_DECIDED', 'ALREADY_DECIDED', 'done']);
    expect(await creditOf()).toEqual([850, 1150]);
    const repeated = await transfer({ ...net.distributor, idempotencyKey: 'weekend' }, net.retailer, 150);
    expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(await creditOf()).toEqual([850, 1150]);
  });

  it('stores no password', async () => {
    await ask();
    const stored = await t.db.query('select row_to_json(p)::text as text from approvals p');
    expect(JSON.stringify(stored)).not.toContain(PASSWORD);
  });

  it('is refused at once if it is impossible, and stays waiting if it becomes so', async () => {
    expect((await transfer(net.distributor, net.retailer, 5000)).body.code).toBe('INSUFFICIENT_CREDIT');
    const wrong = { toUserId: net.retailer._id, transferAmount: 150, password: 'not this one' };
    expect((await t.call(accountRoutes.retailer.creditTransfer, { body: wrong }, net.distributor)).body.code).toBe(
      'WRONG_PASSWORD',
    );
    expect(await listOf(net.distributor)).toEqual([]);
    const id = await ask(950);
    await t.ok(
      accountRoutes.distributor.creditAdjust,
      { body: { toUserId: net.distributor._id, adjustAmount: 90, transactionType: 'debit', password: PASSWORD } },
      net.superdistributor,
    );
    expect(await codeOf(decide(approve, id, net.superdistributor))).toBe('INSUFFICIENT_CREDIT');
    expect(await listOf(net.distributor)).toMatchObject([{ state: 'waiting' }]);
  });

  it('counts all rows of a bulk transfer together', async () => {
    const other = await t.create(net.distributor);
    const transfers = [net.retailer, other].map(({ _id }) => ({ toUserId: _id, amount: 60 }));
    const { body } = await t.call(transferToMany, { body: { transfers, password: PASSWORD } }, net.distributor);
    expect(body.code).toBe('APPROVAL_PENDING');
    expect(await codeOf(decide(approve, body.approval!, net.superdistributor))).toBe('done');
    expect(await creditOf()).toEqual([880, 1060]);
  });
});

describe('voiding', () => {
  it('waits if the stakes are above the amount, and concerns the draw of the request only', async () => {
    const set = { rules: [{ kind: 'void' as const, above: 5 }] };
    await t.ok(setApprovalRules, { params: { adminId: net.admin._id }, body: set }, net.superadmin);
    await aWeekLater(t, net.superadmin, net.admin, net.user);
    const body = { gameId: 'funtargetbingo', adminId: net.admin._id, reason: 'Wrong ball' };
    await t.bet(net.user, { 3: 5 });
    expect((await t.call(voidDraw, { body }, net.admin)).status).toBe(200);
    await t.finishDraw();
    await t.bet(net.user, { 3: 6 });
    const asked = await t.call(voidDraw, { body }, net.admin);
    expect(asked.body.code).toBe('APPROVAL_PENDING');
    const late = await t.call(voidDraw, { body }, net.admin);
    expect(await codeOf(decide(approve, asked.body.approval!, net.superadmin))).toBe('done');
    expect(await t.credit(net.user)).toBe(100);
    await t.finishDraw();
    await t.bet(net.user, { 3: 7 });
    expect(await codeOf(decide(approve, late.body.approval!, net.superadmin))).toBe('DRAW_STATE');
    expect(await t.credit(net.user)).toBe(93);
  });
});

describe('changing commissions', () => {
  it('waits with the rates before and after, and stores no new password', async () => {
    const own = await t.network({ credit: 0, commissions: { superdistributor: 6, distributor: 5, retailer: 4 } });
    await choosePassword(own.superdistributor);
    const set = { rules: [{ kind: 'commission', above: 0 } as const] };
    await t.ok(setApprovalRules, { params: { adminId: own.admin._id }, body: set }, own.superadmin);
    const change = (body: object) =>
      t.call(accountRoutes.retailer.update, { params: { id: own.retailer._id }, body }, own.distributor);
    expect((await change({ note: 'Corner shop' })).status).toBe(200);
    const password = 'a new horse battery';
    expect((await change({ commission: 3, password })).body.fields).toHaveProperty('password');
    const { body } = await change({ commission: 3 });
    expect(body.code).toBe('APPROVAL_PENDING');
    expect(await listOf(own.superdistributor)).toMatchObject([
      { kind: 'commission', changes: [{ what: 'Commission', before: '4 %', after: '3 %' }] },
    ]);
    expect(await codeOf(decide(approve, body.approval!, own.superdistributor))).toBe('done');
    const { data } = await t.ok(accountRoutes.retailer.get, { params: { id: own.retailer._id } }, own.distributor);
    expect(data.commission).toBe(3);
  });
});

describe('a request', () => {
  it('is seen and decided only by accounts above, and withdrawn only by its own', async () => {
    const id = await ask();
    const other = await t.network({ credit: 0 });
    for (const by of [net.retailer, net.user, other.admin, other.superdistributor]) {
      const codes = [await codeOf(decide(approve, id, by)), await codeOf(decide(decline, id, by))];
      expect(new Set(codes)).toEqual(new Set([by.role === 'user' ? 'NOT_ALLOWED' : 'NOT_FOUND']));
    }
    for (const by of [net.retailer, other.admin]) expect(await listOf(by)).toEqual([]);
    expect(await codeOf(decide(approve, id, net.distributor))).toBe('RULE_REFUSED');
    expect(await codeOf(decide(decline, id, net.distributor))).toBe('RULE_REFUSED');
    expect(await codeOf(decide(withdraw, id, net.superdistributor))).toBe('NOT_ALLOWED');
    expect(await decide(approve, id, net.admin)).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^You set the password of/) },
    });
    expect(await codeOf(decide(withdraw, id, net.distributor))).toBe('done');
    expect(await codeOf(decide(approve, id, net.superdistributor))).toBe('ALREADY_DECIDED');
    expect(await creditOf()).toEqual([1000, 1000]);
  });

  it('may be decided by another login of the account with the right to the action', async () => {
    const eightDaysAgo = new Date(t.clock.now().getTime() - 8 * 24 * HOUR_MS);
    const login = async (number: number, role: LoginRole, setAt: Date) => {
      const username = `${net.distributor.username}-${role}-${number}`;
      await t.byHand(
        `insert into logins (network_id, account_id, number, created_at, password_set_at, password_set_by, role, username, name,
           password_hash)
         select network_id, id, $2, $5, $5, id, $3, $4, initcap($3), password_hash from accounts where id = $1`,
        [net.distributor._id, number, role, username, setAt],
      );
      return t.signIn(username);
    };
    const [manager, fresh, reports] = [
      await login(1, 'manager', eightDaysAgo),
      await login(2, 'manager', t.clock.now()),
      await login(3, 'reports', eightDaysAgo),
    ];
    const id = await ask();
    expect(await codeOf(decide(approve, id, net.distributor))).toBe('RULE_REFUSED');
    expect(await codeOf(decide(approve, id, fresh))).toBe('RULE_REFUSED');
    const own = { opass: PASSWORD, npass: 'another horse battery', cpass: 'another horse battery' };
    await t.ok(changePassword, { body: own }, fresh);
    const again = await t.signIn(`${net.distributor.username}-manager-2`, own.npass);
    expect(await codeOf(decide(approve, id, again)), 'whoever set it could change it').toBe('RULE_REFUSED');
    expect(await codeOf(decide(approve, id, reports))).toBe('NO_PERMISSION');
    expect(await codeOf(decide(withdraw, id, manager))).toBe('NOT_ALLOWED');
    expect(await listOf(reports)).toMatchObject([{ may: 'nothing' }]);
    expect((await decide(approve, id, manager)).body.data).toMatchObject({
      askedBy: net.distributor.username,
      decidedBy: `${net.distributor.username} / Manager`,
    });
    const ofManager = await transfer(manager, net.retailer, 120);
    expect(await codeOf(decide(approve, ofManager.body.approval!, net.distributor))).toBe('done');
    expect(await creditOf()).toEqual([730, 1270]);
    const last = await transfer(manager, net.retailer, 130);
    await t.byHand('update logins set active = false where account_id = $1', [net.distributor._id]);
    expect(await codeOf(decide(approve, last.body.approval!, net.distributor))).toBe('RULE_REFUSED');
    // Only accounts have logged passwords.
    await t.byHand('delete from logins where account_id = $1', [net.distributor._id]);
  });

  it.each(['superdistributor', 'distributor'] as const)(
    'is refused if a login of the %s loses the right while the approval runs',
    async (role) => {
      const account = net[role];
      const terms = { name: 'Manager', role: 'manager' as const };
      const username = `${account.username}-running`;
      const { data } = await t.ok(addLogin, { body: { ...terms, username, password: PASSWORD } }, account);
      await t.takePasswordsAsOwn();
      const login = await t.signIn(username);
      const [asker, decider] = role === 'distributor' ? [login, net.superdistributor] : [net.distributor, login];
      const asked = await transfer({ ...asker, role: 'distributor' }, net.retailer, 120);
      const params = { number: String(data.number) };
      let approving: ReturnType<typeof decide>;
      await t.db.transaction(async (tx) => {
        await tx.query('select from wallets where owner_id = $1 for update', [net.retailer._id]);
        approving = decide(approve, asked.body.approval!, decider);
        await untilWaiting(t);
        await t.ok(changeLogin, { params, body: { ...terms, role: 'reports', active: true } }, account);
      });
      expect((await approving!).status).toBeGreaterThanOrEqual(403);
      expect(await creditOf()).toEqual([1000, 1000]);
    },
  );

  it('is refused if the login that asked has lost the right meanwhile, and kept', async () => {
    const username = `${net.distributor.username}-changed`;
    const terms = { name: 'Changed', role: 'manager' as const };
    const { data } = await t.ok(addLogin, { body: { ...terms, username, password: PASSWORD } }, net.distributor);
    await t.takePasswordsAsOwn();
    const asked = await transfer(await t.signIn(username), net.retailer, 120);
    const change = (role: 'manager' | 'reports') =>
      t.ok(
        changeLogin,
        { params: { number: String(data.number) }, body: { ...terms, role, active: true } },
        net.distributor,
      );
    await change('reports');
    expect(await codeOf(decide(approve, asked.body.approval!, net.superdistributor))).toBe('RULE_REFUSED');
    expect(await creditOf()).toEqual([1000, 1000]);
    await change('manager');
    expect(await codeOf(decide(approve, asked.body.approval!, net.superdistributor))).toBe('done');
  });

  it('is not decided by one of two logins whose passwords one person set', async () => {
    const login = async (name: string) => {
      const username = `${net.distributor.username}-${name}`;
      const body = { username, name, role: 'manager' as const, password: PASSWORD };
      await t.ok(addLogin, { body }, net.distributor);
      await t.takePasswordsAsOwn();
      return t.signIn(username);
    };
    const [one, other] = [await login('One'), await login('Other')];
    const asked = await transfer(one, net.retailer, 120);
    const refused = await decide(approve, asked.body.approval!, other);
    expect(refused.body).toMatchObject({
      code: 'RULE_REFUSED',
      message: expect.stringContaining('One person set both'),
    });
    expect(await codeOf(decide(approve, asked.body.approval!, net.superdistributor))).toBe('done');
  });

  it("is not decided by the account that set the password of the login's owner", async () => {
    const reset = { params: { id: net.distributor._id }, body: { password: 'staple battery horse' } };
    await t.ok(accountRoutes.distributor.update, reset, net.superdistributor);
    await t.takePasswordsAsOwn();
    const username = `${net.distributor.username}-made`;
    const body = { username, name: 'Made', role: 'manager' as const, password: PASSWORD };
    await t.ok(addLogin, { body }, await t.signIn(net.distributor.username, 'staple battery horse'));
    await t.takePasswordsAsOwn();
    const asked = await transfer(await t.signIn(username), net.retailer, 120);
    expect((await decide(approve, asked.body.approval!, net.superdistributor)).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: expect.stringContaining(`You set the password of ${net.distributor.username}`),
    });
  });

  it('is declined with a reason', async () => {
    const id = await ask();
    const noticesOf = async (by: SignedIn) =>
      (await t.ok(listNotices, {}, by)).data.filter(({ code }) => code === 'APPROVAL_WAITING');
    expect(await noticesOf(net.admin)).toMatchObject([{ admin: net.admin.username, detail: '1 request.' }]);
    await t.ok(decline, { params: { approvalId: id }, body: { reason: 'Too much' } }, net.superdistributor);
    expect(await noticesOf(net.admin)).toEqual([]);
    expect(await listOf(net.distributor)).toMatchObject([{ state: 'declined', reason: 'Too much' }]);
    expect(await codeOf(decide(approve, id, net.superdistributor))).toBe('ALREADY_DECIDED');
  });

  it('requires the requesting account to be still active', async () => {
    const id = await ask();
    const toggle = { userId: net.distributor._id, action: 'deactivate' } as const;
    await t.ok(accountRoutes.distributor.toggleStatus, { params: toggle }, net.admin);
    expect((await decide(approve, id, net.superdistributor)).status).toBeGreaterThanOrEqual(400);
    expect(await listOf(net.superdistributor)).toMatchObject([{ state: 'waiting' }]);
  });

  it('expires after 24 hours', async () => {
    const id = await ask();
    t.clock.advance(24 * HOUR_MS);
    const above = await t.signIn(net.superdistributor.username);
    expect(await listOf(above)).toMatchObject([{ state: 'expired', decidedAt: null, may: 'nothing' }]);
    expect((await decide(approve, id, above)).body).toMatchObject({
      code: 'ALREADY_DECIDED',
      message: 'This request has expired.',
    });
    await t.app.tick();
    expect(await listOf(above)).toMatchObject([{ state: 'expired', decidedAt: expect.any(String), decidedBy: null }]);
  });

  it('is refused if nobody may approve it', async () => {
    expect(await transfer(net.superdistributor, net.distributor, 200)).toMatchObject({
      status: 422,
      body: { code: 'APPROVAL_PENDING' },
    });
    expect(await transfer(net.admin, net.superdistributor, 200)).toMatchObject({
      status: 422,
      body: { code: 'RULE_REFUSED', message: expect.stringMatching(/nobody else may approve/) },
    });
  });
});

describe('the rules', () => {
  it('get stricter at once, and weaker only with an approval of the admin', async () => {
    await aWeekLater(t, net.superadmin, net.admin);
    expect((await rules(50)).status).toBe(200);
    const { status, body } = await rules(null);
    expect([status, body.code]).toEqual([422, 'APPROVAL_PENDING']);
    const shown = () => t.ok(approvalRules, { params: { adminId: net.admin._id } }, net.superadmin);
    expect((await shown()).data[0]).toEqual({ kind: 'credit', above: 50 });
    expect(await listOf(net.admin)).toMatchObject([
      { kind: 'rules', may: 'decide', changes: [{ before: 'Above 50.00', after: 'No approval' }] },
    ]);
    expect(await codeOf(decide(approve, body.approval!, net.admin))).toBe('done');
    expect((await shown()).data[0]).toEqual({ kind: 'credit', above: null });
  });

  it("apply to the superadmin too, whose requests the network's admin decides", async () => {
    await aWeekLater(t, net.superadmin, net.admin, net.superdistributor);
    const { body } = await transfer(net.superadmin, net.superdistributor, 500);
    expect(body.code).toBe('APPROVAL_PENDING');
    expect(await listOf(net.superdistributor)).toEqual([]);
    expect(await codeOf(decide(approve, body.approval!, net.superdistributor))).toBe('NOT_FOUND');
    expect(await codeOf(decide(approve, body.approval!, net.admin))).toBe('done');
    expect(await t.credit(net.superdistributor)).toBe(1500);
  });

  it('belong to the superadmin', async () => {
    const other = await t.network({ credit: 0 });
    const read = (by: SignedIn, adminId: string) => t.call(approvalRules, { params: { adminId } }, by);
    expect((await read(net.admin, net.admin._id)).status).toBe(403);
    expect((await read(net.superadmin, net.retailer._id)).status).toBe(404);
    expect((await read(other.superadmin, other.admin._id)).body.data[0]).toEqual({ kind: 'credit', above: null });
    const own = await read(net.superadmin, net.superadmin._id);
    expect(own.body.data).toEqual([
      { kind: 'issue', above: null },
      { kind: 'credit', above: null },
      { kind: 'pays', above: null },
      { kind: 'commission', above: null },
      { kind: 'guards', above: null },
    ]);
    const issue = { params: { adminId: net.superadmin._id }, body: { rules: [{ kind: 'issue' as const, above: 0 }] } };
    expect((await t.call(setApprovalRules, issue, net.superadmin)).body.code).toBe('RULE_REFUSED');
  });
});
