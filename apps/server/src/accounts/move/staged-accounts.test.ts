import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../../test/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

it("moves accounts to another network's number without index changes", async () => {
  const { admin } = await t.network();
  const { networkId } = await t.network();
  await t.db
    .transaction(async (tx) => {
      const moved = await tx.query(
        'update accounts set network_id = $1 where network_id = (select network_id from accounts where id = $2) returning id',
        [networkId, admin._id],
      );
      const [counted] = await tx.query<{ hot: bigint }>(
        `select n_tup_hot_upd as hot from pg_stat_xact_user_tables where relname = 'accounts'`,
      );
      expect(Number(counted!.hot)).toBe(moved.length);
      throw new Error('only tried');
    })
    .catch((error: Error) => {
      if (error.message !== 'only tried') throw error;
    });
});
