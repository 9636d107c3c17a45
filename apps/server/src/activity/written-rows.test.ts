import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import { appendActivity, SYSTEM } from './append-activity.ts';

let t: TestApp;
beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

interface Logged {
  readonly subject: string;
  readonly wrote: readonly { readonly table: string; readonly fields?: string[]; readonly keys: string[] }[] | null;
}

async function newestLogged(networkId: number, count: number): Promise<Logged[]> {
  return t.db.query<Logged & Record<string, unknown>>(
    "select subject, detail -> 'wrote' as wrote from activity where network_id = $1 order by seq desc limit $2",
    [networkId, count],
  );
}

it('names the row and fields a command changed', async () => {
  const net = await t.network({});
  const { retailer, user, networkId } = net;
  await t.ok(
    accountRoutes.user.update,
    { params: { id: user._id }, body: { note: 'another', commission: 0 } },
    retailer,
  );
  expect(await newestLogged(networkId, 1)).toMatchObject([
    { wrote: [{ table: 'accounts', fields: ['note'], keys: [user._id] }] },
  ]);
  const added = await t.create(retailer);
  const [, created] = await newestLogged(networkId, 2);
  expect(created!.wrote).toEqual([{ table: 'accounts', keys: [added._id] }]);
  expect(await t.db.query('select from pending_changes')).toEqual([]);
});

it('names nothing if the row was not changed', async () => {
  const { user, networkId } = await t.network({});
  await t.signIn(user.username);
  expect(await newestLogged(networkId, 1)).toEqual([{ subject: 'Signed in', wrote: null }]);
});

it('splits many rows over several log rows, so each is sealed', async () => {
  const entry = { accountId: null, username: SYSTEM, subject: 'Added times', origin: NOWHERE };
  await t.db.transaction(async (tx) => {
    await tx.query(
      'insert into times (id, seconds) select gen_random_uuid(), 50000 + n from generate_series(1, 1200) as n',
    );
    await appendActivity(tx, ROOT_NETWORK, t.app.services, [entry]);
  });
  const rows = (await newestLogged(ROOT_NETWORK, 3)).toReversed();
  expect(rows.map(({ subject, wrote }) => [subject, wrote?.map(({ keys }) => keys.length)])).toEqual([
    ['Added times', [500]],
    ['Added times (continued)', [500]],
    ['Added times (continued)', [200]],
  ]);
  expect(new Set(rows.flatMap(({ wrote }) => wrote?.flatMap(({ keys }) => keys))).size).toBe(1200);
  const removed = { ...entry, subject: 'Removed times', detail: { long: 'x'.repeat(70_000) } };
  await t.db.transaction(async (tx) => {
    await tx.query('delete from times where seconds > 50000');
    await appendActivity(tx, ROOT_NETWORK, t.app.services, [removed]);
  });
  const [, , last, long] = await newestLogged(ROOT_NETWORK, 4);
  expect([long, last!.subject]).toEqual([{ subject: 'Removed times', wrote: null }, 'Removed times (continued)']);
  await t.expectBooksToBalanceNow();
});
