import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { figures } from '@drawhouse/contract/reports/turnover';
import { addDays, dayOf, dayStart } from '@drawhouse/rules/time/zone-days';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

/** Havana has two midnights on 1 November 2026, 04:00Z and 05:00Z. The hour between belongs to that day. */

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ timeZone: 'America/Havana' });
  t.clock.set(new Date('2026-10-31T12:00:00.000Z'));
  net = await t.network({ credit: 1000 });
  await t.give(net.superadmin, net.superadmin, 100);
  await t.give(net.superadmin, net.retailer, 100);
  t.clock.set(new Date('2026-11-01T04:10:00.000Z'));
});
afterAll(() => t.close());

it('counts credit between two midnights toward the daily limit', async () => {
  const [distributor, retailer] = [await t.signIn(net.distributor.username), await t.signIn(net.retailer.username)];
  const limited = { params: { id: net.retailer._id }, body: { dailyLimit: 10 } };
  await t.ok(accountRoutes.retailer.update, limited, distributor);
  const give = () =>
    t.call(
      accountRoutes.user.creditTransfer,
      { body: { toUserId: net.user._id, transferAmount: 8, password: PASSWORD } },
      retailer,
    );
  expect((await give()).status).toBe(200);
  expect((await give()).body.code).toBe('DAILY_LIMIT');
});

it('counts play between two midnights toward the day', async () => {
  t.clock.set(new Date('2026-11-01T04:20:00.000Z'));
  await t.app.tick();
  const player = await t.signIn(net.user.username);
  await t.bet(player, { 1: 5 });
  await t.finishDraw();
  const admin = await t.signIn(net.admin.username);
  expect((await t.ok(dashboard, { query: {} }, admin)).today.playPoints).toBe(5);
  const played = async (startDate: string, endDate: string) =>
    (await t.ok(figures, { query: { id: net.admin._id, startDate, endDate } }, admin)).data.playPoints;
  expect(await played('2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z')).toBe(5);
  expect(await played('2026-11-01T04:00:00.000Z', '2026-11-01T04:44:59.999Z')).toBe(5);
  expect(await played('2026-10-30T04:00:00.000Z', '2026-11-01T04:44:59.999Z')).toBe(5);
});

it('the database and the clients agree on the first instants of days', async () => {
  const zones = ['America/Havana', 'Atlantic/Azores', 'Asia/Amman', 'America/Sao_Paulo', 'Africa/Cairo', 'Asia/Beirut'];
  for (const zone of [...zones, 'Pacific/Apia', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Santiago'])
    for (const year of ['2011', '2018', '2026']) {
      const rows = await t.db.query<{ day: string; starts: Date; again: Date }>(
        `select day::text, day_start(day, $1) as starts, day_start(day_start(day, $1), $1) as again
         from (select generate_series($2::date, $2::date + 364, '1 day')::date as day) as days`,
        [zone, `${year}-01-01`],
      );
      for (const { day, starts, again } of rows) {
        expect([zone, day, starts]).toEqual([zone, day, dayStart(day, zone)]);
        // A skipped day begins with the next one.
        expect(again).toEqual(starts);
        expect(dayOf(starts, zone) >= day && dayOf(starts.getTime() - 1, zone) <= addDays(day, -1)).toBe(true);
      }
    }
});
