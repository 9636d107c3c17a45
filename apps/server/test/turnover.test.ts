import { turnoverReport } from '@drawhouse/contract/reports';
import { ROLES } from '@drawhouse/contract/primitives';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../src/db/sql.ts';
import { turnoverOf } from '../src/reports/turnover.sql.ts';
import { TestApp } from './harness.ts';
import type { Network } from './harness.ts';

let t: TestApp;
let net: Network;
const HOUR_MS = 3_600_000;
const ZONE = 'Europe/Berlin';
/** The rollups' days: across the night on which Berlin's clocks go forward, so that one day has 23 hours. */
const START = new Date('2026-03-28T20:58:00.000Z');

beforeAll(async () => {
  t = await TestApp.start({ timeZone: ZONE });
  net = await t.network({
    credit: 5000,
    commissions: { superdistributor: 1.11, distributor: 2.22, retailer: 3.33, user: 4.44 },
  });
  t.clock.set(START);
  // Sessions end while time flies: the player signs in anew before each bet.
  for (let hour = 0; hour < 30; hour++) {
    const player = await t.signIn(net.user.username);
    await t.app.tick();
    await t.bet(player, { [hour % 10]: hour + 1 });
    // Settled at odd milliseconds, some of them late, as after a crash.
    t.clock.set(new Date(Math.ceil(t.clock.now().getTime() / 60_000 + 1) * 60_000 + hour * 1_237));
    await t.app.tick();
    t.clock.set(new Date(Math.ceil((t.clock.now().getTime() + HOUR_MS) / 60_000) * 60_000));
  }
  net.superadmin = await t.signIn(net.superadmin.username);
});
afterAll(() => t.close());

it('covers exactly the instants asked for, whole days or odd ends, and agrees at every level', async () => {
  const tickets = await t.db.query<{ at: Date; stake: bigint; win: bigint }>(
    `select d.finished_at as at, t.stake, coalesce(w.win, 0) as win from tickets t join draws d on d.id = t.draw_id
     left join ticket_wins w on w.draw_id = t.draw_id and w.ticket_id = t.id`,
  );
  expect(tickets).toHaveLength(30);
  const edges = tickets.flatMap(({ at }) => [at.getTime(), at.getTime() - 1, at.getTime() + 1]);
  const quarters = Array.from(
    { length: 130 },
    (_, index) => START.getTime() - (START.getTime() % 900_000) + index * 900_000,
  );
  const midnights = ['2026-03-27T23:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z', '2026-03-30T22:00Z'].map((text) =>
    Date.parse(text),
  );
  const instant = fc.oneof(fc.constantFrom(...edges), fc.constantFrom(...quarters), fc.constantFrom(...midnights));
  await fc.assert(
    fc.asyncProperty(instant, instant, async (one, other) => {
      const [from, until] = [Math.min(one, other), Math.max(one, other)];
      const expected = tickets.filter(({ at }) => at.getTime() >= from && at.getTime() <= until);
      const sum = (name: 'stake' | 'win'): number =>
        Number(expected.reduce((total, ticket) => total + ticket[name], 0n)) / 100;
      const query = { startDate: new Date(from).toISOString(), endDate: new Date(until).toISOString() };
      const summaries = [];
      for (const role of ROLES.slice(0, -1))
        summaries.push(
          (await t.ok(turnoverReport.route, { query: { ...query, id: net[role]._id } }, net.superadmin)).summary,
        );
      expect(summaries[0]).toMatchObject({ totalPlayPoints: sum('stake'), totalWinPoints: sum('win') });
      for (const summary of summaries) expect(summary).toEqual(summaries[0]);
    }),
    { numRuns: 60 },
  );
});

it('refuses a range whose end lies before its start, and an account outside the own subtree', async () => {
  const wrong = { startDate: '2026-03-10T00:00:00.000Z', endDate: '2026-03-09T00:00:00.000Z' };
  expect((await t.call(turnoverReport.route, { query: wrong }, net.superadmin)).body.fields).toHaveProperty('endDate');
  const right = { startDate: '2026-03-09T00:00:00.000Z', endDate: '2026-03-10T00:00:00.000Z' };
  const retailer = await t.signIn(net.retailer.username);
  const above = await t.call(turnoverReport.route, { query: { ...right, id: net.admin._id } }, retailer);
  expect([above.status, above.body.fields]).toEqual([404, { id: 'There is no such account at or below yours' }]);
});

it('reads none of the settlements that rollups stand for, however many there are', async () => {
  // A year before everything else, a minute apart.
  const last = new Date('2025-03-10T10:00:00.000Z');
  await t.db.query(
    `with old as (
       insert into draw_settlements (network_id, draw_id, settled_at, log_seq, root_log_seq, manual_claims)
       select $1, gen_random_uuid(), $3::timestamptz - i * interval '1 minute', 0, 0, false from generate_series(1, 20000) as i
       returning network_id, draw_id
     )
     insert into player_settlements (network_id, draw_id, account_id, stake, win, super_commission, dist_commission, retail_commission, user_commission)
     select network_id, draw_id, $2, 1, 0, 0, 0, 0, 0 from old`,
    [net.networkId, net.user._id, last],
  );
  await t.db.query('analyze player_settlements, draw_settlements');
  const read = await t.db.transaction(async (tx) => {
    const range = { from: new Date('2025-02-27T00:07:00.000Z'), until: last, timeZone: ZONE };
    await run(tx, turnoverOf({ childrenOf: net.superadmin._id }, range));
    return tx.query<{ rows: bigint }>(
      "select sum(seq_tup_read + idx_tup_fetch)::bigint as rows from pg_stat_xact_user_tables where relname in ('player_settlements', 'draw_settlements')",
    );
  });
  expect(Number(read[0]!.rows)).toBeLessThan(1_000);
});
