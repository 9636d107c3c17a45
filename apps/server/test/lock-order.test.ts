import { accountRoutes } from '@drawhouse/contract/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from './harness.ts';
import type { Network } from './harness.ts';
import { untilWaiting } from './until-waiting.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
});
afterAll(() => t.close());

it('games that an admin is given are locked in the order of their ids, as by a change of a time', async () => {
  const [first, last] = await t.db.query<{ id: string }>('select id from games order by id limit 2');
  // Where the table is read from its beginning, the first one now comes after the other.
  await t.db.query('update games set description = $2 where id = $1', [first!.id, 'moved']);
  const games = [first!.id, last!.id];
  let given: Promise<unknown> | undefined;
  await t.db.transaction(async (tx) => {
    await tx.query('select from games where id = $1 for update', [first!.id]);
    given = t.call(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { games } }, net.superadmin);
    await untilWaiting(t);
    await tx.query('select from games where id = $1 for update nowait', [last!.id]);
  });
  expect(await given).toMatchObject({ status: 200 });
});
