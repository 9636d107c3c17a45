import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import { TestApp } from '../../../test/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

const NAMES = ['kid_a1', 'kid1', 'KID2', 'kid02b', 'kid10', 'kid10b2', 'kid10b11', 'kid100', 'kida1', 'kidb'];

it('lists names by the value of their numbers, over pages and in both directions', async () => {
  const net = await t.network({ credit: 0 });
  for (const username of NAMES.toSorted()) await t.make(net.retailer, { role: 'user', username });
  const listed = async (sort: string): Promise<string[]> => {
    const names: string[] = [];
    for (let page = 1; page <= 4; page++) {
      const query = { search: 'kid', sort, page: String(page), pageSize: '3' };
      const { data } = await t.ok(accountLists.user.route, { query }, net.admin);
      names.push(...data.map(({ username }) => username));
    }
    return names;
  };
  expect(await listed('username')).toEqual(NAMES);
  expect(await listed('-username')).toEqual(NAMES.toReversed());
});

it('reads a page of names from an index', async () => {
  await t.db.transaction(async (tx) => {
    await tx.query('set local enable_sort = off');
    const plan = await tx.query(
      sql`explain (format json) select a.id from accounts a where a.role = 'user' and a.deleted_at is null
       order by ${naturalOrder(sql`a.username`)}, a.id limit 25`,
    );
    expect(JSON.stringify(plan)).toContain('accounts_list_username');
    expect(JSON.stringify(plan)).not.toContain('"Sort"');
  });
});
