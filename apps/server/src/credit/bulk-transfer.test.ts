import { activityLog } from '@drawhouse/contract/activity/activity';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { transferToMany } from '@drawhouse/contract/credit/payouts';
import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { randomUUID } from 'node:crypto';

let t: TestApp;
let net: Network;
let other: Network;
let players: readonly { _id: string; username: string }[];

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100 });
  other = await t.network({ credit: 100 });
  await t.give(net.superadmin, net.superadmin, 1_000);
  await t.give(net.superadmin, net.retailer, 100);
  players = [net.user, ...(await Promise.all([t.make(net.retailer), t.make(net.retailer)]))];
});
afterAll(() => t.close());

interface Sent {
  transactionType?: 'credit' | 'debit';
  password?: string;
  key?: string;
}

function send(
  by: SignedIn,
  amounts: Readonly<Record<string, number>>,
  { key, password = PASSWORD, ...rest }: Sent = {},
) {
  const transfers = Object.entries(amounts).map(([toUserId, amount]) => ({ toUserId, amount }));
  const as = { ...by, ...(key !== undefined && { idempotencyKey: key }) };
  return t.call(transferToMany, { body: { transfers, password, note: 'by hand', ...rest } }, as);
}

const each = (amount: number, of = players) => Object.fromEntries(of.map(({ _id }) => [_id, amount]));

async function creditOf(...accounts: readonly { _id: string; role?: string }[]): Promise<number[]> {
  const rows = await t.db.query<{ id: string; balance: bigint }>(
    `select owner_id as id, balance from wallets where kind = (select kind from wallets where owner_id = $1
      order by id limit 1) and owner_id = any($2::uuid[])`,
    [net.user._id, accounts.map(({ _id }) => _id)],
  );
  return accounts.map(({ _id }) => Number(rows.find(({ id }) => id === _id)!.balance) / 100);
}

const subjects = async (count: number): Promise<string[]> =>
  (await t.ok(activityLog.route, { query: { pageSize: String(count) } }, net.admin)).data.map(({ subject }) => subject);

describe('credit for many', () => {
  it('moves every row and logs one row per account, with balances before and after', async () => {
    const [before, ...theirs] = await creditOf(net.retailer, ...players);
    const { body } = await send(net.retailer, each(10.25));
    expect(body).toMatchObject({ moved: 30.75, senderWallet: before! - 30.75 });
    expect(body.results.map(({ username, receiverWallet }) => [username, receiverWallet])).toEqual(
      players.map(({ username }, nth) => [username, theirs[nth]! + 10.25]),
    );
    expect((await subjects(3)).toSorted()).toEqual(
      players.map(({ username }) => `Gave 10.25 points to ${username}`).toSorted(),
    );
    const steps = await t.db.query<{ before: string; after: string }>(
      `select c->>'before' as before, c->>'after' as after from activity l,
        jsonb_array_elements(l.detail->'changes') c where c->>'what' = $1 and l.account_id = $2 order by l.seq`,
      [`Credit of ${net.retailer.username}`, net.retailer._id],
    );
    expect(steps.slice(-3)).toEqual(
      [0, 1, 2].map((nth) => ({
        before: (before! - 10.25 * nth).toFixed(2),
        after: (before! - 10.25 * (nth + 1)).toFixed(2),
      })),
    );
    const back = await send(net.retailer, each(10.25), { transactionType: 'debit' });
    expect(back.body).toMatchObject({ message: 'Credit adjustment successful!', senderWallet: before });
    await t.expectBooksToBalance();
  });

  it('crosses into several networks by the boundary wallets of each', async () => {
    const [root] = await creditOf(net.superadmin);
    const both = { [net.user._id]: 5, [other.user._id]: 6, [net.admin._id]: 7 };
    const { body } = await send(net.superadmin, both);
    expect(body).toMatchObject({ moved: 18, senderWallet: root! - 18 });
    await t.expectBooksToBalance();
    expect((await send(net.superadmin, both, { transactionType: 'debit' })).body).toMatchObject({ senderWallet: root });
    await t.expectBooksToBalance();
  });

  it.each([
    ['an account of another network', () => ({ ...each(1), [other.user._id]: 1 }), 404, 3],
    ['an unknown account', () => ({ ...each(1), [randomUUID()]: 1 }), 404, 3],
    ['an account above', () => ({ ...each(1), [net.distributor._id]: 1 }), 404, 3],
  ])('refuses the whole list for %s', async (_name, amounts, status, row) => {
    const before = await creditOf(net.retailer, ...players);
    expect(await send(net.retailer, amounts())).toMatchObject({
      status,
      body: { code: 'NOT_FOUND', fields: { [`transfers.${row}.toUserId`]: 'Choose an account below you' } },
    });
    expect(await creditOf(net.retailer, ...players)).toEqual(before);
  });

  it('refuses the whole list for one inactive, one short or one repeated account, and names it', async () => {
    const before = await creditOf(net.retailer, ...players);
    const [first, second] = players as [(typeof players)[0], (typeof players)[0]];
    const toggle = (action: 'activate' | 'deactivate') =>
      t.ok(accountRoutes.user.toggleStatus, { params: { userId: second._id, action } }, net.retailer);
    await toggle('deactivate');
    expect(await send(net.retailer, each(1))).toMatchObject({
      status: 422,
      body: {
        code: 'TARGET_INACTIVE',
        fields: { 'transfers.1.toUserId': `${second.username} is not active, so it can't receive credit` },
      },
    });
    await toggle('activate');
    const [has] = await creditOf(first);
    expect(await send(net.retailer, { ...each(1), [first._id]: 1000 }, { transactionType: 'debit' })).toMatchObject({
      status: 422,
      body: { fields: { 'transfers.0.amount': `${first.username} has only ${has!.toFixed(2)} points` } },
    });
    expect(await send(net.retailer, each(0.5), { transactionType: 'debit' })).toMatchObject({
      status: 400,
      body: { fields: { 'transfers.0.amount': 'Amount must be greater than 0' } },
    });
    const twice = [1, 2].map((amount) => ({ toUserId: first._id, amount }));
    expect(
      await t.call(transferToMany, { body: { transfers: twice, password: PASSWORD } }, net.retailer),
    ).toMatchObject({ status: 400, body: { fields: { transfers: 'Name each account once' } } });
    expect(await send(net.retailer, each(1), { password: 'wrong' })).toMatchObject({
      body: { code: 'WRONG_PASSWORD' },
    });
    expect(await send(net.retailer, each(40))).toMatchObject({ status: 422, body: { code: 'INSUFFICIENT_CREDIT' } });
    expect(await send(net.retailer, { [net.retailer._id]: 1 })).toMatchObject({ status: 403 });
    expect(await creditOf(net.retailer, ...players)).toEqual(before);
  });

  it('counts the sum against the daily limit', async () => {
    const limit = (dailyLimit: number | null) =>
      t.ok(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body: { dailyLimit } }, net.distributor);
    await limit(1_000);
    const left = (await t.ok(loadCredit, { query: {} }, net.retailer)).data[0]!.leftToday!;
    await limit(1_000 - left + 5);
    expect(await send(net.retailer, each(2))).toMatchObject({ status: 422, body: { code: 'DAILY_LIMIT' } });
    expect((await send(net.retailer, each(1))).status).toBe(200);
    await limit(null);
  });

  it('moves once per Idempotency-Key', async () => {
    const first = await send(net.retailer, each(1), { key: 'one-bulk' });
    const [before] = await creditOf(net.retailer);
    const second = await send(net.retailer, each(1), { key: 'one-bulk' });
    expect(second.body.results).toEqual(first.body.results);
    expect(await creditOf(net.retailer)).toEqual([before]);
    expect(await send(net.retailer, each(2), { key: 'one-bulk' })).toMatchObject({ status: 409 });
  });

  it('lets only one of two concurrent calls succeed if the balance is enough for one', async () => {
    const [has] = await creditOf(net.retailer);
    const share = Math.floor(has! / 3);
    const replies = await Promise.all([
      send(net.retailer, each(share)),
      send(net.retailer, Object.fromEntries(Object.entries(each(share)).toReversed())),
    ]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect(await creditOf(net.retailer)).toEqual([has! - 3 * share]);
    await t.expectBooksToBalance();
  });

  it('refuses 501 rows', async () => {
    const many = Array.from({ length: BULK_MAX + 1 }, () => ({ _id: randomUUID(), username: '' }));
    expect(await send(net.retailer, each(1, many))).toMatchObject({
      status: 400,
      body: { fields: { transfers: 'Choose at most 500 accounts at once' } },
    });
  });
});
