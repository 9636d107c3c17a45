import { activityLog } from '@drawhouse/contract/activity/activity';
import {
  checkImport,
  importAccounts,
  importProgress,
  type ImportRow,
} from '@drawhouse/contract/accounts/bulk-accounts';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ commissions: { superdistributor: 3, distributor: 2, retailer: 1 } });
  other = await t.network();
});
afterAll(() => t.close());

const FIRST = 'blue horse 42 x';
const row = (username: string, rest: ImportRow = {}): ImportRow => ({ username, password: FIRST, ...rest });

interface Sent {
  role?: 'superdistributor' | 'distributor' | 'retailer' | 'user';
  refId?: string;
  key?: string;
}

function send(by: SignedIn, rows: readonly ImportRow[], { role = 'user', key, refId }: Sent = {}) {
  const as = { ...by, ...(key !== undefined && { idempotencyKey: key }) };
  const body = { role, rows: [...rows], ...(refId !== undefined && { refId }) };
  return t.call(importAccounts, { body }, as);
}

const check = (by: SignedIn, rows: readonly ImportRow[], role: Sent['role'] = 'user') =>
  t.call(checkImport, { body: { role, rows: [...rows] } }, by);

const count = async (): Promise<unknown> =>
  (await t.db.query('select (select count(*) from accounts) as accounts, (select count(*) from activity) as log'))[0];

describe('an import', () => {
  it('creates every account with its own terms, and logs each', async () => {
    const rows = [
      row('meera', { commission: '0,5', note: 'by the door', status: 'Deactive' }),
      row('kabir', { reference: net.retailer.username.toUpperCase() }),
    ];
    const { body } = await send(net.retailer, rows);
    expect(body).toMatchObject({ message: '2 accounts created.' });
    expect(body.accounts.map(({ username, reference }) => [username, reference])).toEqual([
      ['meera', net.retailer.username],
      ['kabir', net.retailer.username],
    ]);
    const { data } = await t.ok(accountLists.user.route, { query: { search: 'meera' } }, net.retailer);
    expect(data[0]).toMatchObject({ commission: 0.5, note: 'by the door', userStatus: false });
    await t.signIn('kabir', FIRST);
    const log = await t.ok(activityLog.route, { query: { pageSize: '10' } }, net.admin);
    for (const name of ['meera', 'kabir'])
      expect(log.data.map(({ subject }) => subject)).toContain(`Created user ${name}`);
  });

  it('is checked by every rule and writes nothing', async () => {
    const before = await count();
    const rows = [
      row('fine-one', { password: '' }),
      row(net.user.username.toUpperCase()),
      row('admin1'),
      row('fine-one'),
      row('rich', { commission: '50' }),
      row('lost', { reference: other.retailer.username }),
      row('above', { reference: net.distributor.username }),
      row('weak', { password: 'password123' }),
      row('like-its-name', { password: 'like-its-name' }),
      row(`${net.admin.username}x`, { status: 'maybe' }),
    ];
    const { status, body } = await check(net.retailer, rows);
    expect(status).toBe(200);
    expect(body.problems.map(({ row: nth, field }) => [nth, field])).toEqual([
      [1, 'username'],
      [3, 'username'],
      [4, 'commission'],
      [5, 'reference'],
      [6, 'reference'],
      [7, 'password'],
      [8, 'password'],
      [9, 'status'],
    ]);
    expect(body.problems[3]!.message).toBe(`There is no retailer ${other.retailer.username} below you`);
    expect(await count()).toEqual(before);
    expect((await check(net.retailer, [row('fine-one', { password: '' })])).body).toMatchObject({
      message: 'All rows are correct.',
      problems: [],
    });
  });

  it('is refused as a whole for one wrong row, even if only the database can tell', async () => {
    const before = await count();
    const refused = (rows: readonly ImportRow[]) => send(net.retailer, rows);
    expect(await refused([row('first'), row(net.user.username)])).toMatchObject({
      status: 400,
      body: { fields: { 'rows.1.username': expect.stringContaining('This username is taken') as string } },
    });
    expect(await refused([row('first'), row('second', { password: '' })])).toMatchObject({
      status: 400,
      body: {
        message: 'Some rows are wrong. Nothing was created.',
        fields: { 'rows.1.password': 'Password is required' },
      },
    });
    expect(await count()).toEqual(before);
  });

  it('goes only below the caller, to the level right above', async () => {
    const before = await count();
    for (const [by, options] of [
      [net.retailer, { refId: other.retailer._id }],
      [net.retailer, { refId: net.distributor._id }],
      [net.distributor, {}],
      [net.distributor, { role: 'distributor' }],
    ] as const)
      expect((await send(by, [row('stray')], options)).status).toBe(400);
    expect((await send(net.user, [row('stray')])).status).toBe(403);
    expect(await count()).toEqual(before);
    const { body } = await send(net.distributor, [row('shop-1')], { role: 'retailer' });
    expect(body.accounts).toMatchObject([{ username: 'shop-1', reference: net.distributor.username }]);
  });

  it('names staff accounts of one import that look alike', async () => {
    const rows = [row('hill-shop'), row('hi11_shop'), row('valley-shop'), row('h1ll.shop')];
    const { body } = await check(net.distributor, rows, 'retailer');
    expect(body.problems.map(({ row: nth, field }) => [nth, field])).toEqual([
      [1, 'username'],
      [3, 'username'],
    ]);
  });

  it('goes into several networks at once, and judges each commission by its own chain', async () => {
    const rows = [
      row('here-1', { reference: net.retailer.username, commission: '1' }),
      row('there-1', { reference: other.retailer.username }),
      row('here-2', { reference: net.retailer.username, commission: '30' }),
      row('here-3', { reference: net.retailer.username, commission: '30' }),
    ];
    const { body } = await check(net.superadmin, rows);
    expect(body.problems.map(({ row: nth, field }) => [nth, field])).toEqual([
      [2, 'commission'],
      [3, 'commission'],
    ]);
    expect((await send(net.superadmin, rows.slice(0, 2))).body.accounts).toMatchObject([
      { username: 'here-1', reference: net.retailer.username },
      { username: 'there-1', reference: other.retailer.username },
    ]);
  });

  it('is made once per Idempotency-Key', async () => {
    const first = await send(net.retailer, [row('once-only')], { key: 'one-import' });
    const second = await send(net.retailer, [row('once-only')], { key: 'one-import' });
    expect(second.body.accounts).toEqual(first.body.accounts);
    expect(await send(net.retailer, [row('once-other')], { key: 'one-import' })).toMatchObject({ status: 409 });
  });

  it('shows its progress to the caller alone, and ends with it', async () => {
    const read = async (by: SignedIn, key = 'seen-import') =>
      (await t.ok(importProgress, { query: { key } }, by)).progress;
    const names = Array.from({ length: 100 }, (_, nth) => row(`seen-${nth}`));
    const sent = send(net.retailer, names, { key: 'seen-import' });
    await expect.poll(() => read(net.retailer), { interval: 1 }).toMatchObject({ step: 'hash', total: 100 });
    expect([await read(net.admin), await read(net.retailer, 'other-key')]).toEqual([null, null]);
    expect((await sent).status).toBe(200);
    expect(await read(net.retailer)).toBeNull();
  });

  it('lets only one of two concurrent imports with the same names succeed', async () => {
    const names = ['same-a', 'same-b', 'same-c'].map((name) => row(name));
    const replies = await Promise.all([send(net.retailer, names), send(net.retailer, names.toReversed())]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('refuses 501 rows', async () => {
    const rows = Array.from({ length: BULK_MAX + 1 }, (_, nth) => row(`many-${nth}`));
    expect(await send(net.retailer, rows)).toMatchObject({
      status: 400,
      body: { fields: { rows: 'Import at most 500 accounts at once' } },
    });
  });
});
