import { roleBelow, STAFF_ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { weekDays, weekSheet } from '@drawhouse/contract/weeks/week-sheet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

const COMMISSIONS = { superdistributor: 1.11, distributor: 2.22, retailer: 3.33, user: 4.44 };

const DAY_MS = 86_400_000;

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 5000, commissions: COMMISSIONS });
  other = await t.network();
  await playOnce(700);
  await t.give(net.superadmin, net.superadmin, 11);
  await t.give(net.superadmin, net.admin, 10.5);
  await toNextDay();
  await playOnce(300);
  await t.ok(
    accountRoutes.user.creditAdjust,
    { body: { toUserId: net.user._id, adjustAmount: 40.25, transactionType: 'debit', password: PASSWORD } },
    net.distributor,
  );
});
afterAll(() => t.close());

async function playOnce(stake: number): Promise<void> {
  expect((await t.bet(net.user, { 3: stake })).status).toBe(201);
  await t.finishDraw();
}

async function toNextDay(): Promise<void> {
  t.clock.advance(DAY_MS);
  await t.app.tick();
  for (const role of [...STAFF_ROLES, 'user'] as const) net[role] = await t.signIn(net[role].username);
}

const sheetOf = (by: SignedIn, query: Record<string, string> = {}) => t.ok(weekSheet.route, { query }, by);
const daysOf = (by: SignedIn, query: Record<string, string> = {}) => t.ok(weekDays.route, { query }, by);

it('lists the children of each level with the play of the turnover report', async () => {
  for (const role of STAFF_ROLES) {
    const { data, week, totals } = await sheetOf(net[role]);
    const period = { startDate: week.startDate, endDate: week.endDate };
    const turnover = await t.ok(turnoverReport.route, { query: period }, net[role]);
    expect(data.map(({ id }) => id)).toContain(net[roleBelow(role) as Role]._id);
    expect(new Map(data.map(({ id, play, win, net: rest }) => [id, [play, win, rest]]))).toEqual(
      new Map(turnover.data.map((row) => [row.id, [row.playPoints, row.winPoints, row.net]])),
    );
    expect([totals.play, totals.net]).toEqual([turnover.totals.playPoints, turnover.totals.net]);
  }
});

it('counts credit that crosses to a subtree from above, whoever it went to', async () => {
  const row = async (by: SignedIn) => (await sheetOf(by)).data[0]!;
  // The distributor took 40.25 from the player, past the retailer.
  expect(await row(net.retailer)).toMatchObject({ taken: 40.25 });
  expect(await row(net.distributor)).toMatchObject({ taken: 40.25 });
  expect(await row(net.superdistributor)).toMatchObject({ taken: 0 });
  const own = (await sheetOf(net.superadmin)).data.find(({ id }) => id === net.admin._id)!;
  expect(own.balance).toBe(own.given - own.taken);
  expect(own.given).toBeGreaterThan(10.5);
});

it('shows an account the days that its parent sees, summing up to its row', async () => {
  for (const role of ['admin', 'superdistributor', 'distributor', 'retailer'] as const) {
    const own = await daysOf(net[role]);
    const parent = net[STAFF_ROLES[STAFF_ROLES.indexOf(role) - 1]!];
    const seen = await daysOf(parent, { id: net[role]._id });
    expect({ ...own, requestId: null }).toEqual({ ...seen, requestId: null });
    expect([own.account.username, own.parent?.username]).toEqual([net[role].username, parent.username]);
    const row = (await sheetOf(parent)).data.find(({ id }) => id === net[role]._id)!;
    for (const name of ['given', 'taken', 'play', 'win', 'commission', 'net'] as const)
      expect(own.totals[name]).toBe(row[name]);
    expect(own.data.at(-1)!.balance).toBe(row.balance);
    expect(own.data.map(({ play: stake }) => stake).filter(Boolean)).toEqual([700, 300]);
  }
});

it('ends with today, begins on the first weekday, and names the week of any day', async () => {
  const { week, data } = await daysOf(net.admin);
  expect(new Date(`${week.from}T00:00:00Z`).getUTCDay()).toBe(0);
  expect(
    data
      .map(({ day }) => day)
      .toSorted()
      .at(-1),
  ).toBe(week.today);
  const before = await daysOf(net.admin, { day: '2026-01-07' });
  expect([before.week.from, before.week.to, before.data.length]).toEqual(['2026-01-04', '2026-01-10', 7]);
  expect((await daysOf(net.admin, { day: '2030-01-01' })).data).toEqual([]);
  expect((await daysOf(net.superadmin)).data).toEqual([]);
});

it('hides weeks of other networks and of accounts above', async () => {
  for (const id of [other.admin._id, net.admin._id]) {
    expect((await t.call(weekSheet.route, { query: { id } }, net.distributor)).status).toBe(404);
    expect((await t.call(weekDays.route, { query: { id } }, net.distributor)).status).toBe(404);
  }
});
