import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '../database.ts';
import { planOnce } from './sql.ts';
import { TestApp } from '../../../../test/harness.ts';

let t: TestApp;

beforeAll(async () => {
  t = await TestApp.start({ poolSize: 1 });
  await t.db.query('create table grown (id integer primary key)');
  // Statistics now record an empty table.
  await t.db.query('vacuum analyze grown');
});
afterAll(() => t.close());

it('plans a statement once by the key of a seemingly empty table, without later effects', async () => {
  const look = (tx: Tx, id: number): Promise<unknown> =>
    tx.query('select from grown where id = $1', [id], 'grown-look');
  const plans = await t.db.transaction(async (tx) => {
    await planOnce(tx);
    for (let id = 0; id < 20; id++) await look(tx, id);
    const [counts] = await tx.query(
      `select generic_plans::int as once, custom_plans::int as anew from pg_prepared_statements where name = 'grown-look'`,
    );
    const plan = await tx.query<{ 'QUERY PLAN': string }>('explain execute "grown-look" (1)');
    return { counts, plan: plan.map((row) => row['QUERY PLAN']).join('\n') };
  });
  expect(plans.counts).toEqual({ once: 20, anew: 0 });
  expect(plans.plan).toContain('grown_pkey');
  const [after] = await t.db.query(
    "select current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as seqscan",
  );
  expect(after).toEqual({ plans: 'auto', seqscan: 'on' });
});
