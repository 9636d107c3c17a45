import { randomInt } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { reverseTransfer } from '@drawhouse/contract/credit/credit';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { statement } from '@drawhouse/contract/credit/statement';
import { transactionOf, transactionReport } from '@drawhouse/contract/reports/transactions';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type As, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { runsOf } from '../../test/test-tier.ts';

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 1000 });
  other = await t.network({ credit: 1000 });
  await t.give(net.superadmin, net.superadmin, 10_000);
  for (const role of ROLES.slice(1)) await t.give(net.superadmin, net[role], 500);
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

async function move(by: SignedIn, to: SignedIn, points: number, type: 'credit' | 'debit' = 'credit'): Promise<string> {
  const body = { toUserId: to._id, adjustAmount: points, password: PASSWORD, transactionType: type };
  return (await t.ok(accountRoutes[to.role].creditAdjust, { body }, by)).transferId;
}
const reverse = (by: SignedIn, transferId: string, as: As = {}, rest: object = {}) =>
  t.call(reverseTransfer, { body: { transferId, password: PASSWORD, ...rest } }, { ...by, ...as });
const creditOf = (...accounts: SignedIn[]): Promise<number[]> => Promise.all(accounts.map((each) => t.credit(each)));
const page = (by: SignedIn, id: string) => t.ok(transactionOf, { params: { id } }, by);

describe('a reversal', () => {
  it.each<[string, Role, Role, 'credit' | 'debit']>([
    ['a transfer within the network', 'admin', 'retailer', 'credit'],
    ['a take-back within the network', 'distributor', 'user', 'debit'],
    ['a transfer across the border', 'superadmin', 'distributor', 'credit'],
    ['a take-back across the border', 'superadmin', 'admin', 'debit'],
  ])('moves the credit of %s back, once', async (_which, from, to, type) => {
    const [upper, lower] = [net[from], net[to]];
    const before = await creditOf(upper, lower);
    const id = await move(upper, lower, 12.5, type);
    const reply = await reverse(upper, id, {}, { note: 'Wrong account' });
    expect(reply).toMatchObject({ status: 200, body: { message: 'Transfer reversed.' } });
    expect(await creditOf(upper, lower)).toEqual(before);
    expect(await reverse(upper, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_REVERSED' } });
    expect(await creditOf(upper, lower)).toEqual(before);
    const counterId = reply.body.transferId;
    expect(await page(upper, id)).toMatchObject({
      reversedBy: { _id: counterId },
      reverses: null,
      reversible: null,
    });
    expect(await page(upper, counterId)).toMatchObject({
      reverses: { _id: id },
      reversedBy: null,
      reversible: null,
      data: { amount: 12.5, note: 'Reversal: Wrong account', actor: { name: upper.username } },
    });
    expect((await reverse(upper, counterId)).body.message).toBe("A reversal can't be reversed.");
    await t.expectBooksToBalance();
  });

  it('appears as a separate movement in statement, report and log, beside the original', async () => {
    const id = await move(net.admin, net.retailer, 7);
    const { body } = await reverse(net.admin, id);
    const period = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-31T23:59:59.999Z' };
    const { data: lines } = await t.ok(statement.route, { query: { ...period, id: net.retailer._id } }, net.admin);
    expect(lines.slice(0, 2)).toMatchObject([
      { _id: body.transferId, kind: 'debit', debit: 7, note: 'Reversal' },
      { _id: id, kind: 'credit', credit: 7 },
    ]);
    const { data: rows } = await t.ok(transactionReport.route, { query: {} }, net.admin);
    expect(rows.slice(0, 2)).toMatchObject([
      {
        _id: body.transferId,
        status: 'completed',
        debit: 7,
        message: `Credit taken back by ${net.admin.username}: Reversal`,
      },
      { _id: id, status: 'completed', credit: 7 },
    ]);
    const { data: log } = await t.ok(activityLog.route, { query: {} }, net.admin);
    expect(log[0]!.subject).toBe(
      `Reversed the transfer of 7.00 points from ${net.admin.username} to ${net.retailer.username}`,
    );
    expect((await page(net.admin, id)).log.map(({ subject }) => subject)).toEqual([log[1]!.subject, log[0]!.subject]);
  });

  it('is allowed to the maker and to accounts above, and to nobody else', async () => {
    const id = await move(net.distributor, net.user, 5);
    const sibling = await t.create(net.superdistributor);
    for (const [by, status] of [
      [net.retailer, 403],
      [sibling, 404],
      [other.admin, 404],
      [other.distributor, 404],
    ] as const)
      expect((await reverse(by, id)).status).toBe(status);
    expect((await page(net.retailer, id)).reversible).toBeNull();
    expect((await page(net.superadmin, id)).reversible).toMatchObject({ payer: { name: net.user.username } });
    expect(await reverse(net.admin, id, {}, { password: 'wrong' })).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    expect((await reverse(net.superadmin, id)).status).toBe(200);
  });

  it('takes no more than the receiver still has', async () => {
    const id = await move(net.retailer, net.user, 40);
    const [has] = await creditOf(net.user);
    await move(net.retailer, net.user, has! - 39.99, 'debit');
    expect(await reverse(net.retailer, id)).toMatchObject({
      status: 422,
      body: {
        code: 'INSUFFICIENT_CREDIT',
        message: `${net.user.username} has only 39.99 of the 40.00 points left.`,
      },
    });
    await move(net.retailer, net.user, 1);
    expect((await reverse(net.retailer, id)).status).toBe(200);
  });

  it('is for transfers and take-backs only', async () => {
    const body = {
      toUserId: net.superadmin._id,
      adjustAmount: 5,
      password: PASSWORD,
      transactionType: 'credit' as const,
    };
    const { transferId } = await t.ok(accountRoutes.superadmin.creditAdjust, { body }, net.superadmin);
    expect(await reverse(net.superadmin, transferId)).toMatchObject({
      status: 404,
      body: { fields: { transferId: 'Choose a transfer to or from an account below you' } },
    });
    expect((await page(net.superadmin, transferId)).reversible).toBeNull();
  });

  it('gives nothing to an inactive account, and needs both accounts', async () => {
    const player = await t.create(other.retailer);
    await t.give(net.superadmin, player, 10);
    const id = await move(other.retailer, player, 10, 'debit');
    await t.ok(accountRoutes.user.toggleStatus, { params: { userId: player._id, action: 'deactivate' } }, other.admin);
    expect((await reverse(other.retailer, id)).body.code).toBe('TARGET_INACTIVE');
    await t.ok(accountRoutes.user.remove, { params: { id: player._id } }, other.retailer);
    expect((await reverse(other.retailer, id)).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: `The account ${player.username} was deleted.`,
    });
  });

  it('does not count towards the daily limit', async () => {
    const body = { dailyLimit: 200 };
    await t.ok(accountRoutes.retailer.update, { params: { id: other.retailer._id }, body }, other.admin);
    const left = async () => (await t.ok(loadCredit, { query: {} }, other.retailer)).data[0]!.leftToday;
    const before = await left();
    const id = await move(other.retailer, other.user, 50, 'debit');
    expect((await reverse(other.retailer, id)).status).toBe(200);
    expect(await left()).toBe(before);
  });

  it('happens once under double clicks and races, with and without keys', async () => {
    for (const role of ROLES.slice(1)) await t.give(net.superadmin, net[role], 100);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<[Role, Role]>(['admin', 'user'], ['superadmin', 'retailer'], ['retailer', 'user']),
        fc.constantFrom('credit' as const, 'debit' as const),
        fc.array(fc.constantFrom('a', 'b', undefined), { minLength: 2, maxLength: 6 }),
        async ([from, to], type, keys) => {
          const [upper, lower] = [net[from], net[to]];
          const before = await creditOf(upper, lower);
          const id = await move(upper, lower, 3, type);
          const name = String(randomInt(2 ** 40));
          const replies = await Promise.all(
            keys.map((key, n) =>
              reverse(upper, id, { ip: `10.0.2.${n}`, ...(key && { idempotencyKey: `${name}-${key}` }) }),
            ),
          );
          const made = new Set(replies.filter(({ status }) => status === 200).map(({ body }) => body.transferId));
          expect(made.size).toBe(1);
          for (const { status, body } of replies) if (status !== 200) expect(body.code).toBe('ALREADY_REVERSED');
          expect(await creditOf(upper, lower)).toEqual(before);
        },
      ),
      { numRuns: runsOf(4) },
    );
  });
});
