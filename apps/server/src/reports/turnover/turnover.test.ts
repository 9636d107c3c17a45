import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { adminCommission } from '@drawhouse/contract/reports/commission';
import { turnoverReport, turnoverSeries } from '@drawhouse/contract/reports/turnover';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { ROLES, sumPoints } from '@drawhouse/contract/core/primitives';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { turnoverOf } from './turnover.sql.ts';
import { TestApp, type Network } from '../../../test/harness.ts';
import { runsOf } from '../../../test/test-tier.ts';

let t: TestApp;
let net: Network;
const HOUR_MS = 3_600_000;
const ZONE = 'Europe/Berlin';
/** Crosses Berlin's daylight-saving night, so one day has 23 hours. */
const START = new Date('2026-03-28T20:58:00.000Z');

beforeAll(async () => {
  t = await TestApp.start({ timeZone: ZONE });
  net = await t.network({
    credit: 5000,
    commissions: { superdistributor: 1.11, distributor: 2.22, retailer: 3.33, user: 4.44 },
  });
  t.clock.set(START);
  for (let hour = 0; hour < 30; hour++) {
    const player = await t.signIn(net.user.username);
    await t.app.tick();
    await t.bet(player, { [hour % 10]: hour + 1 });
    t.clock.set(new Date(Math.ceil(t.clock.now().getTime() / 60_000 + 1) * 60_000 + hour * 1_237));
    await t.app.tick();
    t.clock.set(new Date(Math.ceil((t.clock.now().getTime() + HOUR_MS) / 60_000) * 60_000));
  }
  net.superadmin = await t.signIn(net.superadmin.username);
});
afterAll(() => t.close());

interface Played {
  at: number;
  stake: bigint;
  win: bigint;
}

async function ticketsPlayed(): Promise<Played[]> {
  const rows = await t.db.query<{ at: Date; stake: bigint; win: bigint }>(
    `select d.finished_at as at, t.stake, coalesce(w.win, 0) as win from tickets t join draws d on d.id = t.draw_id
     left join ticket_wins w on w.draw_id = t.draw_id and w.ticket_id = t.id`,
  );
  expect(rows).toHaveLength(30);
  return rows.map((row) => ({ ...row, at: row.at.getTime() }));
}

function someRange(tickets: readonly Played[]): fc.Arbitrary<{ startDate: string; endDate: string }> {
  const edges = tickets.flatMap(({ at }) => [at, at - 1, at + 1]);
  const first = START.getTime() - (START.getTime() % 900_000);
  const quarters = Array.from({ length: 130 }, (_, index) => first + index * 900_000);
  const midnights = [
    '2026-03-27T23:00Z',
    '2026-03-28T23:00Z',
    '2026-03-29T22:00Z',
    '2026-03-30T22:00Z',
    '2026-07-01T10:00Z',
  ];
  const instant = fc.oneof(
    fc.constantFrom(...edges),
    fc.constantFrom(...quarters),
    fc.constantFrom(...midnights.map((text) => Date.parse(text))),
  );
  return fc.tuple(instant, instant).map((ends) => {
    const [startDate, endDate] = ends.toSorted((one, other) => one - other).map((at) => new Date(at).toISOString());
    return { startDate: startDate!, endDate: endDate! };
  });
}

function sumOf(
  tickets: readonly Played[],
  name: 'stake' | 'win',
  { startDate, endDate }: { startDate: string; endDate: string },
): number {
  const counted = tickets.filter(({ at }) => at >= Date.parse(startDate) && at <= Date.parse(endDate));
  return Number(counted.reduce((total, ticket) => total + ticket[name], 0n)) / 100;
}

it('covers exactly the requested instants, whole days or odd ends, and agrees at every level', async () => {
  const tickets = await ticketsPlayed();
  await fc.assert(
    fc.asyncProperty(someRange(tickets), async (query) => {
      const summaries = [];
      for (const role of ROLES.slice(0, -1))
        summaries.push(
          (await t.ok(turnoverReport.route, { query: { ...query, id: net[role]._id } }, net.superadmin)).summary,
        );
      expect(summaries[0]).toMatchObject({
        totalPlayPoints: sumOf(tickets, 'stake', query),
        totalWinPoints: sumOf(tickets, 'win', query),
      });
      for (const summary of summaries) expect(summary).toEqual(summaries[0]);
    }),
    { numRuns: runsOf(60) },
  );
});

it('has contiguous periods, each matching its tickets, that sum to the report', async () => {
  const tickets = await ticketsPlayed();
  const zone = fc.constantFrom(ZONE, 'UTC', 'Asia/Kolkata', 'Africa/Monrovia', undefined);
  await fc.assert(
    fc.asyncProperty(
      someRange(tickets),
      zone,
      fc.constantFrom(...ROLES.slice(0, -1)),
      async (range, timeZone, role) => {
        const query = { ...range, id: net[role]._id };
        const { data } = await t.ok(turnoverSeries, { query: { ...query, timeZone } }, net.superadmin);
        expect([data[0]!.startDate, data.at(-1)!.endDate]).toEqual([range.startDate, range.endDate]);
        for (const [index, part] of data.entries()) {
          if (index > 0) expect(Date.parse(part.startDate)).toBe(Date.parse(data[index - 1]!.endDate) + 1);
          expect([part.playPoints, part.winPoints]).toEqual([
            sumOf(tickets, 'stake', part),
            sumOf(tickets, 'win', part),
          ]);
        }
        const { totals } = await t.ok(turnoverReport.route, { query }, net.superadmin);
        const sums = Object.keys(totals).map((name) => [
          name,
          sumPoints(data.map((part) => part[name as keyof typeof totals])),
        ]);
        expect(Object.fromEntries(sums)).toEqual(totals);
      },
    ),
    { numRuns: runsOf(80) },
  );
});

it("has periods by the viewer's hours, days or months", async () => {
  const course = async (startDate: string, endDate: string, timeZone: string) => {
    const query = { startDate, endDate, timeZone };
    const { grain, data } = await t.ok(turnoverSeries, { query }, net.superadmin);
    return [grain, data.length, data[1]!.startDate];
  };
  expect(await course('2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z', ZONE)).toEqual([
    'hour',
    23,
    '2026-03-29T00:00:00.000Z',
  ]);
  expect(await course('2026-02-28T23:00:00.000Z', '2026-03-31T21:59:59.999Z', ZONE)).toEqual([
    'day',
    31,
    '2026-03-01T23:00:00.000Z',
  ]);
  expect(await course('2025-09-28T18:30:00.000Z', '2026-03-29T18:29:59.999Z', 'Asia/Kolkata')).toEqual([
    'month',
    7,
    '2025-09-30T18:30:00.000Z',
  ]);
});

it('refuses an inverted range and an account outside the subtree', async () => {
  const wrong = { startDate: '2026-03-10T00:00:00.000Z', endDate: '2026-03-09T00:00:00.000Z' };
  expect((await t.call(turnoverReport.route, { query: wrong }, net.superadmin)).body.fields).toHaveProperty('endDate');
  const right = { startDate: '2026-03-09T00:00:00.000Z', endDate: '2026-03-10T00:00:00.000Z' };
  const retailer = await t.signIn(net.retailer.username);
  for (const route of [turnoverReport.route, turnoverSeries]) {
    const above = await t.call(route, { query: { ...right, id: net.admin._id } }, retailer);
    expect([above.status, above.body.fields]).toEqual([404, { id: 'Choose yourself or an account below you' }]);
  }
});

it('reads no settlements covered by rollups', async () => {
  const last = new Date('2025-03-10T10:00:00.000Z');
  await t.db.query(
    `with old as (
       insert into draw_settlements (network_id, draw_id, settled_at, manual_claims)
       select $1, gen_random_uuid(), $3::timestamptz - i * interval '1 minute', false from generate_series(1, 20000) as i
       returning network_id, draw_id
     )
     insert into player_settlements (network_id, draw_id, account_id, stake, win, super_commission, dist_commission,
       retail_commission, user_commission)
     select network_id, draw_id, $2, 1, 0, 0, 0, 0, 0 from old`,
    [net.networkId, net.user._id, last],
  );
  await t.db.query('analyze player_settlements, draw_settlements');
  const read = await t.db.transaction(async (tx) => {
    const range = { from: new Date('2025-02-27T00:07:00.000Z'), until: last, timeZone: ZONE };
    await tx.query(
      turnoverOf({ childrenOf: net.superadmin._id }, range, { id: net.superadmin._id, networkId: ROOT_NETWORK }),
    );
    return tx.query<{ rows: bigint }>(
      'select sum(seq_tup_read + idx_tup_fetch)::bigint as rows from pg_stat_xact_user_tables where relname in ' +
        "('player_settlements', 'draw_settlements')",
    );
  });
  expect(Number(read[0]!.rows)).toBeLessThan(1_000);
});

it('covers today, a server day, without instants, and asks for the missing one', async () => {
  t.clock.set(new Date('2026-03-30T20:30:00.000Z'));
  for (const role of ['superadmin', 'admin'] as const) net[role] = await t.signIn(net[role].username);
  const today = { startDate: '2026-03-29T22:00:00.000Z', endDate: '2026-03-30T21:59:59.999Z' };
  for (const { route } of [turnoverReport, { route: turnoverSeries }, adminCommission]) {
    const ask = (query: object) => t.call(route, { query }, net.admin);
    const [alone, named] = [await ask({}), await ask(today)];
    expect([alone.status, alone.body], `at ${route.path}`).toEqual([200, named.body]);
    expect(JSON.stringify(named.body), `at ${route.path}`).toMatch(/oints":[1-9]/);
    expect((await ask({ startDate: '', endDate: '' })).body, `at ${route.path}`).toEqual(named.body);
    for (const [query, field, message] of [
      [{ startDate: today.startDate }, 'endDate', 'Send both startDate and endDate, or neither'],
      [{ endDate: today.endDate }, 'startDate', 'Send both startDate and endDate, or neither'],
      [{ startDate: today.endDate, endDate: today.startDate }, 'endDate', 'The end is before the start'],
      [{ ...today, startDate: '30/03/2026' }, 'startDate', 'Enter a time such as 2026-01-31T18:30:00.000Z'],
    ] as const)
      expect(await ask(query), `${route.path} ${field}`).toMatchObject({
        status: 400,
        body: { fields: { [field]: message } },
      });
  }
});

it('drills down to deleted accounts, whose play is kept', async () => {
  const all = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-12-31T23:59:59.999Z' };
  const asked = (id: string, by = net.superadmin) => t.call(turnoverReport.route, { query: { ...all, id } }, by);
  const before = await asked(net.retailer._id);
  expect(before.body.summary.totalPlayPoints).toBeGreaterThan(0);
  await t.ok(accountRoutes.user.remove, { params: { id: net.user._id } }, net.superadmin);
  await t.ok(accountRoutes.retailer.remove, { params: { id: net.retailer._id } }, net.superadmin);
  const above = await asked(net.distributor._id);
  expect(above.body.data.map(({ id }) => id)).toContain(net.retailer._id);
  expect(await asked(net.retailer._id)).toMatchObject({ status: 200, body: before.body });
  const query = { ...all, id: net.retailer._id };
  expect((await t.ok(turnoverSeries, { query }, net.superadmin)).data.some(({ playPoints }) => playPoints > 0)).toBe(
    true,
  );
  const other = await t.network();
  expect((await asked(net.retailer._id, other.admin)).status).toBe(404);
  const { data } = await t.ok(
    transactionReport.route,
    { query: { id: net.retailer._id, startDate: all.startDate, endDate: all.endDate } },
    net.superadmin,
  );
  expect(data.length).toBeGreaterThan(0);
  for (const { user, recipient } of data)
    for (const side of [user, recipient]) expect([net.retailer._id, net.user._id]).not.toContain(side.id);
  expect(data.flatMap(({ user, recipient }) => [user.name, recipient.name])).toContain(net.retailer.username);
});
