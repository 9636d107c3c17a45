import { NOTICES, WEBHOOK_UNSET } from '@drawhouse/contract/notices/notice-texts';
import { listNotices, testWebhook, type FoundNotice } from '@drawhouse/contract/notices/notices';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import type { AppOptions } from '../../compose/app-options.ts';
import { oldestDue } from '../../draws/schedule/due-draws.sql.ts';

const WATCHED: AppOptions['watched'] = {
  folders: {},
  lastClockStep: () => undefined,
  auditEveryDays: 31,
  webhook: undefined,
};

let t: TestApp;
let net: Network;
let until: string | undefined;
let since: string;

beforeAll(async () => {
  t = await TestApp.start({
    notices: () => [{ code: 'SEED_KEY_IN_DATA_DIR' }, ...(until ? [{ code: 'CLOCK_SET_BACK', until } as const] : [])],
    watched: WATCHED,
  });
  since = t.clock.now().toISOString();
  net = await t.network({ credit: 0 });
});
afterAll(() => t.close());

it("shows the superadmin the start's findings, their time and how to send them", async () => {
  const { data, webhook } = await t.ok(listNotices, {}, net.superadmin);
  expect(data).toEqual([{ code: 'SEED_KEY_IN_DATA_DIR', key: '', ...NOTICES.SEED_KEY_IN_DATA_DIR, since }]);
  expect(webhook).toBeNull();
  expect(await t.call(testWebhook, {}, net.superadmin)).toMatchObject({
    status: 422,
    body: { code: 'RULE_REFUSED', message: WEBHOOK_UNSET },
  });
});

it('reports draws that wait too long', async () => {
  expect(await oldestDue(t.served, t.clock.now())).toEqual({ draw: null, payment: null });
  const [open] = await t.db.query<{ at: Date }>("select min(closes_at) as at from draws where status = 'open'");
  const later = new Date(open!.at.getTime() + 20_000);
  expect(await oldestDue(t.served, later)).toEqual({ draw: open!.at, payment: null });
});

it('reports current conditions and when they end', async () => {
  until = '2026-03-10T11:00:00.000Z';
  const { data } = await t.ok(listNotices, {}, net.superadmin);
  expect(data).toEqual([expect.anything(), { code: 'CLOCK_SET_BACK', key: '', ...NOTICES.CLOCK_SET_BACK, until }]);
  until = undefined;
  expect((await t.ok(listNotices, {}, net.superadmin)).data).toHaveLength(1);
});

it("reports another server's findings while it runs and finds them", async () => {
  let found: FoundNotice[] = [{ code: 'DISK_NEARLY_FULL', about: 'BACKUP_DIR', detail: '1 GiB of 40 are free.' }];
  const other = await t.beside({ notices: () => found, watched: WATCHED });
  t.clock.advance(16_000);
  const from = t.clock.now().toISOString();
  const codes = async () => (await t.ok(listNotices, {}, net.superadmin)).data.map(({ code }) => code);
  const look = async () => {
    t.clock.advance(16_000);
    await t.app.tick();
    await other.app.tick();
  };
  await other.app.tick();
  await look();
  expect((await t.ok(listNotices, {}, net.superadmin)).data[1]).toEqual({
    code: 'DISK_NEARLY_FULL',
    key: 'BACKUP_DIR',
    ...NOTICES.DISK_NEARLY_FULL,
    about: 'BACKUP_DIR',
    detail: '1 GiB of 40 are free.',
    since: from,
  });
  found = [];
  for (let looks = 0; looks < 4; looks++) await look();
  expect(await codes()).toEqual(['SEED_KEY_IN_DATA_DIR']);
  await other.close();
});

it('shows admins nothing about the server', async () => {
  const answer = await t.ok(listNotices, {}, net.admin);
  expect(answer.data).toEqual([]);
  expect(answer).not.toHaveProperty('webhook');
});

it('shows other staff nothing about networks, and players nothing; only superadmins send a test', async () => {
  const refused = { status: 403, body: { code: 'NOT_ALLOWED' } };
  for (const role of ['superdistributor', 'distributor', 'retailer'] as const)
    expect((await t.ok(listNotices, {}, net[role])).data, `as ${role}`).toEqual([]);
  expect(await t.call(listNotices, {}, net.user)).toMatchObject(refused);
  for (const role of ['admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const)
    expect(await t.call(testWebhook, {}, net[role]), `as ${role}`).toMatchObject(refused);
  for (const route of [listNotices, testWebhook]) expect(await t.call(route, {})).toMatchObject({ status: 401 });
});
