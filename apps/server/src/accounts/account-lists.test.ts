import { childRoutes } from '@drawhouse/contract/accounts/account-children';
import { accountLists, childLists, olderLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import { XLSX_TYPE } from '@drawhouse/contract/core/list';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { percentOf, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { RouteInput } from '@drawhouse/contract/core/route';
import { readXlsx } from 'hucre';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appendActivity } from '../activity/append-activity.ts';
import { openWallets, type WalletName } from '../ledger/wallets.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

type Target = Pick<SignedIn, '_id' | 'role'>;

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

const get = (by: SignedIn, target: Target) =>
  t.call(accountRoutes[target.role].get, { params: { id: target._id } }, by);

describe('children', () => {
  beforeEach(async () => {
    net = await t.network({ credit: 10 });
  });

  it('are listed with their parent, created, read, changed and deleted by its path', async () => {
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

  it('are found only below the parent in the path', async () => {
    const sibling = await t.make(net.superdistributor);
    const wrong = { params: { id: sibling._id, childId: net.retailer._id } };
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

  it('receive credit by path, ignoring another id in the body', async () => {
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

  it.each(ROLES)('the older list of %ss equals the list of that level', async (role) => {
    const query = { search: role, sort: 'username' };
    const { data, total } = await t.ok(accountLists[role].route, { query }, net.superadmin);
    expect(total).toBeGreaterThan(0);
    expect(await t.ok(olderLists[role].route, { query }, net.superadmin)).toEqual({ success: true, data, total });
  });
});

async function manyPlayers(): Promise<void> {
  net = await t.network({ credit: 0 });
  const second = await t.make(net.distributor, { username: `Zed-${net.retailer.username}` });
  const made = await t.db.transaction(async (tx) => {
    const added = await tx.query<{
      id: string;
      username: string;
      parent_id: string;
      commission: number;
      active: boolean;
    }>(
      `insert into accounts (id, network_id, role, chain, parent_id, username, unique_id, password_hash, commission,
       commission_granted, note, active, created_at, last_login_at)
       select new.id, p.network_id, 'user', p.chain || new.id, p.id, 'Many' || (97 * new.n % 61) || '_' || p.network_id,
              'X' || new.n || p.network_id, 'none', 100 * (new.n % 3), true, 'x', new.n % 4 > 0,
              timestamptz '2026-01-01' + (new.n % 7) * interval '1 day',
              case when new.n % 2 = 0 then timestamptz '2026-02-01' + (new.n % 5) * interval '1 hour' end
       from (select n, gen_random_uuid() as id from generate_series(1, 60) n) new
       join accounts p on p.id = case when new.n % 3 = 0 then $1::uuid else $2::uuid end
       returning id, username, parent_id, commission, active`,
      [second._id, net.retailer._id],
    );
    const wallets = added.flatMap(({ id }): WalletName[] => [`credit:${id}`, `commission:${id}`, `winnings:${id}`]);
    await openWallets(tx, net.networkId, wallets);
    const origin = { url: '/test', method: 'POST', ip: '127.0.0.1' };
    const logged = added.map(({ id, username, parent_id, commission }) => ({
      accountId: id,
      username,
      subject: `Created user ${username}`,
      origin,
      detail: { accountId: id, parentId: parent_id, commission: percentOf(commission) },
    }));
    await appendActivity(tx, net.networkId, t.app.services, logged);
    return added;
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

const natural = new Intl.Collator('en', { numeric: true });

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
    'sorted by %s is ordered, and its pages cover the whole list',
    async (sort) => {
      const whole = await list({ sort, pageSize: '500' });
      expect(whole.total).toBe(61);
      expect(whole.data).toHaveLength(61);
      const keys = whole.data.map((account) => key(sort.replace('-', ''), account));
      const isName = ['username', 'refId'].includes(sort.replace('-', ''));
      const sorted = keys.toSorted((a, b) =>
        isName ? natural.compare(String(a), String(b)) : a < b ? -1 : Number(a > b),
      );
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

  it("finds parts of names in any case, and players by their parent's name", async () => {
    expect((await list({ search: 'mANY1' })).data.every((row) => row.username.startsWith('Many1'))).toBe(true);
    const ofSecond = await list({ search: `zed-${net.retailer.username}`, pageSize: '500' });
    expect(ofSecond.total).toBe(20);
    expect(ofSecond.data.every((row) => row.refId!.username.startsWith('Zed-'))).toBe(true);
    const retailers = await t.ok(accountLists.retailer.route, { query: { search: 'distributor' } }, net.admin);
    expect(retailers.data).toEqual([]);
  });

  it('searches literally, without wildcards', async () => {
    expect((await list({ search: '%' })).total).toBe(0);
    expect((await list({ search: 'Many_' })).total).toBe(0);
    expect((await list({ search: String.raw`\\` })).total).toBe(0);
    expect((await list({ search: `_${net.networkId}` })).total).toBe(60);
  });

  it('without parameters is complete', async () => {
    const { data, total } = await list({});
    expect([data.length, total]).toEqual([61, 61]);
  });

  it('shows only accounts with a live session as signed in', async () => {
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

  // Source: docs/spec/accounts-and-credit.md §2.
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
  ] as const)('of %ss has its file name, sheet, titles and widths', async (role, name, sheetName, heads, spaces) => {
    const { headers, sheet, rows } = await fileOf(role, '', net.superadmin);
    expect(headers['content-type']).toBe(XLSX_TYPE);
    expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
    expect(sheet.name).toBe(sheetName);
    expect(rows[0]).toEqual(heads);
    expect(sheet.columns?.slice(0, heads.length).map((column) => column.width)).toEqual(spaces);
    const { total } = await t.ok(accountLists[role].route, { query: {} }, net.superadmin);
    expect(rows).toHaveLength(total + 1);
    expect(headers['x-total-rows']).toBe(String(total));
  });

  it('has every matching row in the requested order, not just the page', async () => {
    const query = { search: `zed-${net.retailer.username}`, sort: '-username' };
    const { data } = await t.ok(accountLists.user.route, { query: { ...query, pageSize: '500' } }, net.admin);
    const { rows } = await fileOf('user', `?search=${query.search}&sort=${query.sort}`);
    expect(rows.slice(1).map((row) => row[0])).toEqual(data.map((account) => account.username));
    expect(rows[1]!.slice(1, 4)).toEqual([data[0]!.refId!.username, data[0]!.uniqueId, data[0]!.walletBalance]);
    const [, first] = rows;
    expect(first![4]).toEqual(new Date(data[0]!.createdAt.replace(/T.*/, 'T05:30:00Z')));
  });

  it('names the games of admins', async () => {
    const { rows } = await fileOf('admin', `?search=${net.admin.username}`, net.superadmin);
    const { data } = await get(net.superadmin, net.admin).then((reply) => reply.body);
    expect(rows[1]![4]).toBe(data.games!.map((game) => game.gameName).join(', '));
  });

  it('has only titles if the search matches nothing', async () => {
    const { rows, headers } = await fileOf('user', '?search=nobody-at-all');
    expect(rows).toHaveLength(1);
    expect(headers['x-total-rows']).toBe('0');
  });

  it('contains only the caller’s subtree', async () => {
    const other = await t.network({ credit: 0 });
    const { rows } = await fileOf('user', '', other.retailer);
    expect(rows.slice(1).map((row) => row[0])).toEqual([other.user.username]);
    const { rows: none } = await fileOf('user', `?parentId=${net.retailer._id}`, other.admin);
    expect(none).toHaveLength(1);
  });
});
