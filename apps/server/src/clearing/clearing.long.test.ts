import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clearWithin, DAYS, playHistory, takenBack, type ClearingWorld } from '../../test/worlds/clearing-world.ts';
import { TestApp } from '../../test/harness.ts';
import type { Database } from '../platform/db/database.ts';
import { TABLE_OWNERS } from '../config/tables/table-owners.ts';
import { clearableDays } from './clearable-records.ts';
import { CLEARING_ORDER, type ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

let t: TestApp;
let world: ClearingWorld;
const WHOLE = { startDate: '2026-03-01', endDate: '2026-03-31' };

beforeAll(async () => {
  // Draws with one ticket settle whole, others in pieces.
  t = await TestApp.start({ pieceSizes: { wholeUpTo: 1 } });
  world = await playHistory(t);
});
afterAll(() => t.close());

async function leftAfterAll(models: readonly ClearingModel[] = CLEARING_ORDER) {
  const left: Record<string, object> = {};
  await takenBack(t, async (tx) => {
    const cleared = await clearWithin(t, tx, { net: world.net, models });
    for (const { model, left: stays } of cleared.models)
      if (stays.length > 0) left[model] = Object.fromEntries(stays.map(({ why, rows }) => [why, rows]));
  });
  return left;
}

describe('history that clearing keeps', () => {
  it('is explained, and excludes rows outside the request', async () => {
    expect(await leftAfterAll()).toEqual({
      usertransaction: { unclaimed: 1 },
      refertransaction: { border: 4 },
      commission: { unpaid: expect.any(Number) },
      ticket: { unclaimed: 1 },
      draw: { tickets: 1 },
      upcome: { 'in force': 2, draws: 1 },
      userlog: { account: expect.any(Number), last: expect.any(Number) },
    });
  });

  it('includes draws whose tickets are not cleared with them', async () => {
    expect(await leftAfterAll(['draw'])).toMatchObject({ draw: { tickets: expect.any(Number) } });
  });

  it('includes draws opened together with a kept one', async () => {
    await takenBack(t, async (tx) => {
      const { models } = await clearWithin(t, tx, { net: world.other, models: ['draw'] });
      expect(models[0]!.left).toContainEqual({ why: 'together', rows: expect.any(Number) });
      expect(models[0]!.left).toContainEqual({ why: 'tickets', rows: 2 });
    });
  });

  it("includes each game's newest draw, which the next one follows", async () => {
    await takenBack(t, async (tx) => {
      // Unassigned games have no running draw.
      await tx.query("delete from draws where network_id = $1 and draws_at >= '2026-03-12T00:00:00Z'", [
        world.net.networkId,
      ]);
      const { models } = await clearWithin(t, tx, { net: world.net, models: ['ticket', 'draw'] });
      expect(models[1]!.left).toContainEqual({ why: 'newest', rows: 1 });
    });
  });

  it('includes the whole running day', async () => {
    const since = [new Date('2026-03-12T18:30:00Z')]; // Midnight in Kolkata.
    await takenBack(t, async (tx) => {
      const rowsOfToday = () =>
        tx.query<{ row: string }>(
          `select r::text as row from transfers r where at >= $1 union all select r::text from tickets r where placed_at >= $1
           union all select r::text from draws r where draws_at >= $1 union all select r::text from activity r where at >= $1`,
          since,
        );
      const before = await rowsOfToday();
      await clearWithin(t, tx, { net: world.net, models: CLEARING_ORDER, endDate: DAYS.today });
      expect(await rowsOfToday()).toEqual(expect.arrayContaining(before));
    });
  });

  it('includes undrawn draws of past days, with tickets and stakes', async () => {
    await takenBack(t, async (tx) => {
      await tx.query(`update draws set status = 'closed', result = null, result_label = null, booster = null, source = null,
       finished_at = null, seed = null,
        sealed_seed = seed, saved_result = null, saved_booster = null, saved_by = null, saved_at = null
         where id = (select draw_id from tickets order by id limit 1)`);
      const undrawn = await tx.query<{ id: string }>(
        `select t.id from tickets t join draws d on d.id = t.draw_id where d.status = 'closed'`,
      );
      await clearWithin(t, tx, { net: world.net, models: CLEARING_ORDER });
      const ids = [undrawn.map((row) => row.id)];
      expect(await tx.query('select from tickets where id = any($1)', ids)).toHaveLength(undrawn.length);
      expect(await tx.query('select from transfers where kind = 7 and reference = any($1)', ids)).toHaveLength(
        undrawn.length,
      );
    });
  });

  it("includes the retention setting's period", async () => {
    const days = (endDate: string, retention: number) =>
      clearableDays(t.db, t.app.services, {
        networkId: world.net.networkId,
        retentionDays: retention,
        startDate: DAYS.first,
        endDate,
      });
    expect(await days(DAYS.third, 0)).toMatchObject({ days: { last: DAYS.third }, daysLeft: null });
    expect(await days(DAYS.today, 0)).toMatchObject({
      days: { last: DAYS.third },
      daysLeft: expect.stringContaining('Today'),
    });
    expect(await days(DAYS.third, 1)).toMatchObject({
      days: { last: DAYS.second },
      daysLeft: expect.stringContaining(DAYS.second),
    });
    expect(await days(DAYS.second, 1)).toMatchObject({ days: { last: DAYS.second }, daysLeft: null });
    expect((await days(DAYS.third, 3)).days).toBeUndefined();
  });

  it('includes days with open books', async () => {
    await takenBack(t, async (tx) => {
      await tx.query('delete from liability_days where day >= $1', [DAYS.second]);
      const found = await clearableDays(tx, t.app.services, {
        networkId: world.net.networkId,
        retentionDays: 0,
        startDate: DAYS.first,
        endDate: DAYS.third,
      });
      expect(found).toMatchObject({ days: { last: DAYS.first }, daysLeft: expect.stringContaining(DAYS.first) });
    });
  });

  it('covers every table that declares it; every other one loses rows', async () => {
    await takenBack(t, async (tx) => {
      const count = async (table: string): Promise<string[]> =>
        (await tx.query<{ row: string }>(`select r::text as row from ${table} r order by 1`)).map(({ row }) => row);
      const before = new Map<string, string[]>();
      for (const table of Object.keys(TABLE_OWNERS)) before.set(table, await count(table));
      await clearWithin(t, tx, { net: world.net, models: CLEARING_ORDER });
      const grows = [
        'activity_heads',
        ...Object.keys(TABLE_OWNERS).filter((table) => TABLE_OWNERS[table]!.owner === 'clearing'),
      ];
      for (const [table, { clearing }] of Object.entries(TABLE_OWNERS)) {
        if (grows.includes(table)) continue;
        const after = new Set(await count(table));
        const gone = before.get(table)!.filter((row) => !after.has(row)).length;
        expect([table, gone > 0]).toEqual([table, !('stays' in clearing)]);
      }
    });
  });
});

describe('after a clearing the calls', () => {
  beforeAll(async () => {
    await t.app.tick();
    await t.ok(deleteRecords, { body: { ...WHOLE, models: [...CLEARING_ORDER] } }, world.net.admin);
  });

  it('keep the log of clearings when the log is cleared', async () => {
    const clearedRows = "select from activity where network_id = $1 and detail ? 'cleared'";
    expect(await t.db.query(clearedRows, [world.net.networkId])).toHaveLength(2);
    t.clock.advance(86_400_000);
    for (let times = 0; times < 3; times++) await t.app.tick();
    Object.assign(world.net.admin, await t.signIn(world.net.admin.username));
    const body = { startDate: DAYS.today, endDate: DAYS.today, models: ['userlog' as const] };
    const { models } = await t.ok(deleteRecords, { body }, world.net.admin);
    expect(models[0]!.left).toContainEqual({ why: 'clearing', rows: 2 });
    expect(await t.db.query(clearedRows, [world.net.networkId])).toHaveLength(4);
    await t.expectBooksToBalance();
  });

  it('refuse more once their admin is stopped', async () => {
    const { admin, superadmin } = world.net;
    t.clock.advance(86_400_000);
    for (let times = 0; times < 3; times++) await t.app.tick();
    Object.assign(admin, await t.signIn(admin.username));
    const toggle = async (action: 'activate' | 'deactivate'): Promise<void> => {
      Object.assign(superadmin, await t.signIn(superadmin.username));
      const params = { userId: admin._id, action };
      await t.ok(accountRoutes.admin.toggleStatus, { params }, superadmin);
    };
    const other = await t.beside({ through: (db) => asItBegins(db, () => toggle('deactivate')) });
    const rows = () => t.db.query('select seq from activity where network_id = $1 order by seq', [world.net.networkId]);
    const before = (await rows()).length;
    const body = { ...WHOLE, models: ['userlog' as const] };
    expect(await other.call(deleteRecords, { body }, admin)).toMatchObject({ status: 401 });
    await other.close();
    expect(await rows()).toHaveLength(before + 1);
    await toggle('activate');
    Object.assign(admin, await t.signIn(admin.username));
    Object.assign(admin, await t.signIn(admin.username));
    await t.ok(deleteRecords, { body }, admin);
    await t.expectBooksToBalance();
  });
});

function asItBegins(db: Database, act: () => Promise<void>): Database {
  return {
    ...db,
    transaction: (run, patience) =>
      db.transaction(
        (tx) =>
          run({
            ...tx,
            async query(text, values, name) {
              if (String(text).includes('insert into clearings')) await act();
              return tx.query(text, values, name);
            },
          }),
        patience,
      ),
  };
}
