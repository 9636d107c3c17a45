import { listNotices, NOTICES } from '@drawhouse/contract/notices';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from './harness.ts';
import type { Network } from './harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ notices: ['SEED_KEY_IN_DATA_DIR'] });
  net = await t.network({ credit: 0 });
});
afterAll(() => t.close());

it('tells the superadmin what the start found', async () => {
  const { data } = await t.ok(listNotices, {}, net.superadmin);
  expect(data).toEqual([{ code: 'SEED_KEY_IN_DATA_DIR', ...NOTICES.SEED_KEY_IN_DATA_DIR }]);
});

it('tells nobody else', async () => {
  for (const role of ['admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const)
    expect(await t.call(listNotices, {}, net[role]), `as ${role}`).toMatchObject({
      status: 403,
      body: { code: 'NOT_ALLOWED' },
    });
  expect(await t.call(listNotices, {})).toMatchObject({ status: 401 });
});
