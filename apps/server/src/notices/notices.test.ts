import { listNotices, NOTICES } from '@drawhouse/contract/notices/notices';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';

let t: TestApp;
let net: Network;
let until: string | undefined;

beforeAll(async () => {
  t = await TestApp.start({
    notices: () => [{ code: 'SEED_KEY_IN_DATA_DIR' }, ...(until ? [{ code: 'CLOCK_SET_BACK', until } as const] : [])],
  });
  net = await t.network({ credit: 0 });
});
afterAll(() => t.close());

it('tells the superadmin what the start found', async () => {
  const { data } = await t.ok(listNotices, {}, net.superadmin);
  expect(data).toEqual([{ code: 'SEED_KEY_IN_DATA_DIR', ...NOTICES.SEED_KEY_IN_DATA_DIR }]);
});

it('tells what holds at the moment, and until when', async () => {
  until = '2026-03-10T11:00:00.000Z';
  const { data } = await t.ok(listNotices, {}, net.superadmin);
  expect(data).toEqual([expect.anything(), { code: 'CLOCK_SET_BACK', ...NOTICES.CLOCK_SET_BACK, until }]);
  until = undefined;
  expect((await t.ok(listNotices, {}, net.superadmin)).data).toHaveLength(1);
});

it('tells an admin nothing of the server', async () => {
  expect((await t.ok(listNotices, {}, net.admin)).data).toEqual([]);
});

it('tells nobody else', async () => {
  for (const role of ['superdistributor', 'distributor', 'retailer', 'user'] as const)
    expect(await t.call(listNotices, {}, net[role]), `as ${role}`).toMatchObject({
      status: 403,
      body: { code: 'NOT_ALLOWED' },
    });
  expect(await t.call(listNotices, {})).toMatchObject({ status: 401 });
});
