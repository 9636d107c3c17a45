import { randomUUID } from 'node:crypto';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { apiKeys, changeApiKey, endApiKey, makeApiKey, type ApiKeyTerms } from '@drawhouse/contract/api-keys/api-keys';
import { approvals, approve, setApprovalRules } from '@drawhouse/contract/approvals/approvals';
import { confirmPassword } from '@drawhouse/contract/auth/auth';
import { KEY_PERMISSIONS } from '@drawhouse/contract/core/permissions';
import { setAlertThresholds } from '@drawhouse/contract/notices/notice-acts';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeKey, uniqueIdOf } from '../../test/clients/program-keys.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  net = await t.network({ credit: 1_000 });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const make = (terms?: Partial<ApiKeyTerms>, owner: SignedIn = net.admin) => makeKey(t, owner, terms);

describe('a key with permissions', () => {
  const bounded = { permissions: ['lists', 'credit'] as const, addresses: ['127.0.0.1'], creditPerDay: 100 };
  const give = (key: string, points: number) =>
    t.call(
      accountRoutes.superdistributor.creditTransfer,
      { body: { toUserId: net.superdistributor._id, transferAmount: points, password: 'none' } },
      { token: key },
    );

  it('makes staff calls of these permissions as its admin, and is named in the log', async () => {
    const { key } = await make({ ...bounded, permissions: [...bounded.permissions], name: 'Till' });
    const { data } = await t.ok(accountLists.superdistributor.route, { query: {} }, { token: key });
    expect(data.map(({ _id }) => _id)).toEqual([net.superdistributor._id]);
    expect((await give(key, 60)).status).toBe(200);
    const [row] = (await t.ok(activityLog.route, { query: { pageSize: '1' } }, net.admin)).data;
    expect(row).toMatchObject({ username: `${net.admin.username} / key Till`, accountId: net.admin._id });
    expect((await t.call(turnoverReport.route, { query: {} }, { token: key })).body.code).toBe('NO_PERMISSION');
  });

  it('gives at most its daily amount, also under concurrency, and again the next day', async () => {
    const { key } = await make({ ...bounded, permissions: [...bounded.permissions] });
    const codes = await Promise.all(
      [40, 40, 40, 40].map(async (points) => (await give(key, points)).body.code ?? 'done'),
    );
    expect(codes.sort()).toEqual(['DAILY_LIMIT', 'DAILY_LIMIT', 'done', 'done']);
    expect((await give(key, 20)).status).toBe(200);
    expect((await t.ok(apiKeys, {}, net.admin)).data[0]).toMatchObject({ creditToday: 100, creditPerDay: 100 });
    t.clock.advance(86_400_000);
    expect((await give(key, 100)).status).toBe(200);
    net.admin = await t.signIn(net.admin.username);
  });

  it('counts credit that it takes back towards its daily amount', async () => {
    const { key } = await make({ ...bounded, permissions: ['credit', 'adjustments'] });
    expect((await give(key, 60)).status).toBe(200);
    const body = {
      toUserId: net.superdistributor._id,
      adjustAmount: 41,
      transactionType: 'debit',
      password: 'none',
    } as const;
    const takeBack = (points: number) =>
      t.call(accountRoutes.superdistributor.creditAdjust, { body: { ...body, adjustAmount: points } }, { token: key });
    expect((await takeBack(41)).body.code).toBe('DAILY_LIMIT');
    expect((await takeBack(40)).status).toBe(200);
  });

  it('belongs to any staff account, and reaches the same as the account', async () => {
    const { key, keyId } = await make({ ...bounded, permissions: ['lists', 'credit'] }, net.retailer);
    const stranger = await t.create(await t.create(net.distributor));
    const { data } = await t.ok(accountLists.user.route, { query: {} }, { token: key });
    expect(data.map(({ _id }) => _id)).toEqual([net.user._id]);
    expect((await t.call(endApiKey, { params: { keyId } }, net.admin)).status).toBe(404);
    const bet = async (to: SignedIn) => {
      const player = await uniqueIdOf(t, to);
      const one = { player, gameId: 'funtargetbingo', requestId: randomUUID(), lines: [{ drawno: '3', qty: 1 }] };
      const { answers } = await t.ok(placeBets, { body: { bets: [one] } }, { token: key });
      return answers[0];
    };
    // Caches this player in the network.
    const { key: ofAdmin } = await make();
    const known = {
      player: await uniqueIdOf(t, stranger),
      gameId: 'funtargetbingo',
      requestId: randomUUID(),
      lines: [{ drawno: '3', qty: 1 }],
    };
    await t.ok(placeBets, { body: { bets: [known] } }, { token: ofAdmin });
    expect(await bet(net.user)).toMatchObject({ success: true });
    expect(await bet(stranger)).toMatchObject({ success: false, code: 'NOT_FOUND' });
    const toggle = { userId: net.retailer._id, action: 'deactivate' } as const;
    await t.ok(accountRoutes.retailer.toggleStatus, { params: toggle }, net.admin);
    expect((await t.call(accountLists.user.route, { query: {} }, { token: key })).body.code).toBe('API_KEY_ENDED');
  });

  it('is named in its requests for approval, which end with it', async () => {
    const rules = [{ kind: 'credit' as const, above: 50 }];
    await t.ok(setApprovalRules, { params: { adminId: net.admin._id }, body: { rules } }, net.superadmin);
    await t.byHand('update accounts set password_set_by = id where id = $1', [net.admin._id]);
    const { key, keyId } = await make({ ...bounded, permissions: [...bounded.permissions], name: 'Till' });
    const [first, second] = [(await give(key, 60)).body.approval!, (await give(key, 70)).body.approval!];
    const decide = (approvalId: string) => t.call(approve, { params: { approvalId } }, net.superadmin);
    expect((await decide(first)).body.data).toMatchObject({ askedBy: `${net.admin.username} / key Till` });
    expect((await decide(second)).body.code).toBe('DAILY_LIMIT');
    await t.ok(endApiKey, { params: { keyId } }, net.admin);
    expect((await decide(second)).body.code).toBe('ALREADY_DECIDED');
    const { data } = await t.ok(approvals.route, { query: {} }, net.superadmin);
    expect(data.find(({ _id }) => _id === second)).toMatchObject({
      state: 'withdrawn',
      reason: 'The API key has ended.',
    });
  });

  it("can't have a request approved that it may no longer make", async () => {
    const rules = [{ kind: 'credit' as const, above: 50 }];
    await t.ok(setApprovalRules, { params: { adminId: net.admin._id }, body: { rules } }, net.superadmin);
    await t.byHand('update accounts set password_set_by = id where id = $1', [net.admin._id]);
    const { key, keyId } = await make({ ...bounded, permissions: [...bounded.permissions], name: 'Till' });
    const approvalId = (await give(key, 60)).body.approval!;
    const permit = (...permissions: ApiKeyTerms['permissions'] & {}) =>
      t.ok(changeApiKey, { params: { keyId }, body: { name: 'Till', ...bounded, permissions } }, net.admin);
    const decide = () => t.call(approve, { params: { approvalId } }, net.superadmin);
    await permit('lists');
    expect((await decide()).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: expect.stringContaining(`${net.admin.username} / key Till`),
    });
    await permit('lists', 'credit');
    expect((await decide()).status).toBe(200);
  });

  it('needs addresses and a daily amount for sensitive calls', async () => {
    for (const without of [{ addresses: [] }, { creditPerDay: null }]) {
      const { key } = await make({ ...bounded, permissions: [...bounded.permissions], ...without });
      expect((await t.call(accountLists.superdistributor.route, { query: {} }, { token: key })).status).toBe(200);
      expect((await give(key, 1)).body).toMatchObject({
        code: 'NOT_ALLOWED',
        message: expect.stringContaining('daily amount'),
      });
    }
  });

  it('never manages keys, accounts, settings or approvals', async () => {
    const { key } = await make({ ...bounded, permissions: [...KEY_PERMISSIONS] });
    for (const [route, input] of [
      [makeApiKey, { body: { name: 'Another' } }],
      [accountRoutes.superdistributor.update, { params: { id: net.superdistributor._id }, body: { password: 'x' } }],
      [confirmPassword, { body: { password: 'x' } }],
      [approve, { params: { approvalId: net.admin._id } }],
      [setAlertThresholds, { body: { tableBelow: null, worstAbove: null } }],
    ] as const)
      expect((await t.call(route as never, input as never, { token: key })).body).toMatchObject({
        code: 'NOT_ALLOWED',
      });
    const wrong = await t.call(makeApiKey, { body: { name: 'Much', permissions: ['keys'] as never } }, net.admin);
    expect(wrong.status).toBe(400);
  });

  it('ends when it expires', async () => {
    const expiresAt = new Date(t.clock.now().getTime() + 60_000).toISOString();
    const { key } = await make({ ...bounded, permissions: [...bounded.permissions], expiresAt });
    expect((await give(key, 1)).status).toBe(200);
    t.clock.advance(60_000);
    expect((await give(key, 1)).body.code).toBe('API_KEY_ENDED');
  });
});
