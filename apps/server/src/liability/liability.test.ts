import { sumPoints } from '@drawhouse/contract/core/primitives';
import { liabilityDays, liabilityReport, type LiabilityDay } from '@drawhouse/contract/liability/liability';
import { readXlsx } from 'hucre';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit } from '../audit/audit.ts';
import { keepVerdict } from './verdicts.ts';
import { operator, playNetwork } from '../../test/worlds/audit-world.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';

let t: TestApp;
let net: Network;
let other: Network;
let root: SignedIn;
const DAY_MS = 86_400_000;
const PERIOD = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-04-01T00:00:00.000Z' };

beforeAll(async () => {
  t = await TestApp.start({ timeZone: 'Europe/Berlin' });
  ({ net } = await playNetwork(t, { confirmed: false }));
  other = await t.network({ credit: 70 });
  root = net.superadmin;
});
afterAll(() => t.close());

async function toNextDay(): Promise<void> {
  t.clock.advance(DAY_MS);
  await t.app.tick();
  for (const role of ['superadmin', 'admin', 'retailer', 'user'] as const)
    net[role] = await t.signIn(net[role].username);
  other.admin = await t.signIn(other.admin.username);
  root = net.superadmin;
}

const daysOf = async (by: SignedIn, id?: string): Promise<LiabilityDay[]> =>
  (await t.ok(liabilityDays.route, { query: { ...PERIOD, ...(id !== undefined && { id }), sort: 'day' } }, by)).data;

async function heldAt(until: string, networkId: number, kinds: number[], role?: string): Promise<number> {
  const rows = await t.db.query<{ kind: number; role: string | null; held: bigint }>(
    `select w.kind, a.role, sum(case when t.to_wallet = w.id then t.amount else -t.amount end)::bigint as held
     from transfers t join wallets w on w.network_id = t.network_id and w.id in (t.from_wallet, t.to_wallet)
     left join accounts a on a.id = w.owner_id where t.at < $1 and t.network_id = $2 group by w.kind, a.role`,
    [until, networkId],
  );
  const kept = rows.filter(
    (row) => kinds.includes(row.kind) && (role === undefined || (row.role === 'user') === (role === 'user')),
  );
  return Number(kept.reduce((sum, { held }) => sum + held, 0n)) / 100;
}

it("shows each network's current holdings by owner, and that no audit ran", async () => {
  const { data, totals, audits } = await t.ok(liabilityReport.route, { query: {} }, root);
  expect(audits).toEqual({ whole: null, daily: null });
  const mine = data.find(({ id }) => id === net.admin._id)!;
  const now = '2030-01-01';
  const holdings = async (...args: [number[], string?]) => heldAt(now, net.networkId, ...args);
  expect(mine).toEqual({
    id: net.admin._id,
    username: net.admin.username,
    playerCredit: await holdings([1], 'user'),
    staffCredit: await holdings([1], 'staff'),
    commission: await holdings([2]),
    winnings: await holdings([3]),
    tables: await holdings([4]),
    escrow: 10,
    owedToPlayers: sumPoints([await holdings([1], 'user'), await holdings([3]), 10]),
    inAll: await holdings([1, 2, 3, 4, 5]),
  });
  expect(mine.commission).toBeGreaterThan(0);
  expect(totals.inAll).toBe(sumPoints(data.map(({ inAll }) => inAll)));
});

it("stores each finished day in the server's time zone, per network and in total", async () => {
  for (let day = 0; day < 3; day++) {
    await toNextDay();
    await t.bet(net.user, { [day]: 2 + day });
    await t.finishDraw();
    await operator(t, net).addBalance(net.admin, 5);
  }
  const days = await daysOf(root, net.admin._id);
  expect(days.map(({ day }) => day)).toEqual(['2026-03-10', '2026-03-11', '2026-03-12']);
  for (const { day, ...figures } of days) {
    const end = `${day} 23:00Z`;
    expect(figures).toMatchObject({
      playerCredit: await heldAt(end, net.networkId, [1], 'user'),
      staffCredit: await heldAt(end, net.networkId, [1], 'staff'),
      escrow: await heldAt(end, net.networkId, [5]),
      commission: await heldAt(end, net.networkId, [2]),
      tables: await heldAt(end, net.networkId, [4]),
      inAll: await heldAt(end, net.networkId, [1, 2, 3, 4, 5]),
    });
  }
  const [all, others] = [await daysOf(root), await daysOf(other.admin)];
  expect(all.map(({ inAll }) => inAll)).toEqual(
    days.map(({ inAll }, index) => sumPoints([inAll, others[index]!.inAll])),
  );
  expect(await daysOf(net.admin)).toEqual(days);
});

it('sums a day an hour after its end, on one server, from transfers only', async () => {
  const before = await daysOf(root);
  await t.db.query('delete from liability_days');
  const second = await t.beside();
  try {
    await Promise.all([t.app.tick(), second.app.tick(), t.app.tick()]);
    t.clock.advance(60_000);
    await Promise.all([t.app.tick(), second.app.tick()]);
  } finally {
    await second.close();
  }
  expect(await daysOf(root)).toEqual(before);
  const nightfall = new Date('2026-03-13T23:59:59.000Z');
  t.clock.set(nightfall);
  await t.app.tick();
  root = await t.signIn(root.username);
  expect(await daysOf(root)).toEqual(before);
  t.clock.advance(60_000);
  await t.app.tick();
  expect((await daysOf(root)).map(({ day }) => day)).toEqual([...before.map(({ day }) => day), '2026-03-13']);
});

it('sums days again that a fast clock summed early', async () => {
  const before = await daysOf(root);
  const now = t.clock.now();
  t.clock.advance(DAY_MS);
  await t.app.tick();
  t.clock.set(now);
  root = await t.signIn(root.username);
  expect(await daysOf(root)).toHaveLength(before.length + 1);
  t.clock.advance(60_000);
  await t.app.tick();
  expect(await daysOf(root)).toEqual(before);
  net.admin = await t.signIn(net.admin.username);
  await operator(t, net).addBalance(net.admin, 7);
  await toNextDay();
  await toNextDay();
  const [last] = (await daysOf(root)).slice(before.length);
  expect(last).toMatchObject({ day: '2026-03-14', tables: sumPoints([before.at(-1)!.tables, 7]) });
  await t.expectBooksToBalance();
});

it('exports days as dates and sums as numbers', async () => {
  const { route } = liabilityDays.files.find(({ format }) => format === 'xlsx')!;
  const { rawPayload } = await t.app.http.inject({
    url: `/api/${route.path}?${String(new URLSearchParams(PERIOD))}`,
    headers: { authorization: `Bearer ${root.token}` },
  });
  const { rows } = (await readXlsx(new Uint8Array(rawPayload))).sheets[0]!;
  const days = rows.filter(([first]) => first instanceof Date);
  expect(days.map(([first]) => (first as Date).toISOString().slice(0, 10))).toContain('2026-03-14');
  for (const [, ...sums] of days) for (const sum of sums) expect(typeof sum).toBe('number');
});

it('shows the latest audit findings, details only to the superadmin', async () => {
  net.admin = await t.signIn(net.admin.username);
  const audits = async (by: SignedIn) => (await t.ok(liabilityReport.route, { query: {} }, by)).audits;
  expect(await audits(root)).toMatchObject({ whole: null, daily: { problems: 0, finding: null, checks: 4 } });
  await keepVerdict(t.served, t.app.services, 'whole', [
    { problems: [] },
    { problems: ['wallet 7 is wrong', 'wallet 8 is wrong'] },
  ]);
  expect((await audits(root)).whole).toMatchObject({ checks: 2, problems: 2, finding: 'wallet 7 is wrong' });
  expect((await audits(net.admin)).whole).toMatchObject({ checks: 2, problems: 2, finding: null });
});

it('the daily check finds a balance differing from its transfers', async () => {
  const credit = `network_id = ${net.networkId} and kind = 1 and owner_id =`;
  await t.db.query(`update wallets set balance = balance + 5 where ${credit} $1`, [net.user._id]);
  await t.db.query(`update wallets set balance = balance - 5 where ${credit} $1`, [net.retailer._id]);
  await toNextDay();
  const { audits } = await t.ok(liabilityReport.route, { query: {} }, root);
  expect(audits.daily).toMatchObject({ problems: 1 });
  expect(audits.daily!.finding).toMatch(
    new RegExp(`^network ${net.networkId}: player_credit has \\d+ hundredths and should have \\d+, staff_credit has`),
  );
  await t.db.query(`update wallets set balance = balance - 5 where ${credit} $1`, [net.user._id]);
  await t.db.query(`update wallets set balance = balance + 5 where ${credit} $1`, [net.retailer._id]);
});

it('the audit finds wrong and missing days', async () => {
  expect((await t.db.snapshot((on) => audit(on))).flatMap(({ problems }) => problems)).toEqual([]);
  const ofDay = `network_id = ${net.networkId} and day = '2026-03-11'`;
  expect(
    await auditAfter(t, `update liability_days set escrow = escrow + 7, commission = commission - 7 where ${ofDay}`),
  ).toEqual([
    expect.stringMatching(new RegExp(`^day 2026-03-11 of network ${net.networkId}: escrow has .*commission has`)),
  ]);
  const missing = await auditAfter(t, `delete from liability_days where ${ofDay}`);
  expect(missing).toContain(`the day before 2026-03-12 of network ${net.networkId} is not summed`);
  const cut = await auditAfter(
    t,
    `delete from liability_days where network_id = ${net.networkId} and day > '2026-03-12'`,
  );
  expect(cut).toContain(
    `day 2026-03-12 of network ${net.networkId} is the last that is summed, and others have later ones`,
  );
});

it('is for superadmins and admins, each for their subtree', async () => {
  const { data } = await t.ok(liabilityReport.route, { query: {} }, other.admin);
  expect(data.map(({ id }) => id)).toEqual([other.admin._id]);
  const foreign = await t.call(liabilityDays.route, { query: { ...PERIOD, id: net.admin._id } }, other.admin);
  expect([foreign.status, Object.keys(foreign.body.fields!)]).toEqual([404, ['id']]);
  expect((await t.call(liabilityReport.route, { query: { id: net.admin._id } }, other.admin)).status).toBe(404);
  const own = await t.ok(liabilityReport.route, { query: { id: other.admin._id } }, root);
  expect(own.data).toEqual(data);
  for (const route of [liabilityReport.route, liabilityDays.route])
    expect((await t.call(route, { query: PERIOD }, net.retailer)).status).toBe(403);
});
