import { expect, it, vi } from 'vitest';
import { TestApp } from '../harness.ts';
import { StatementWatch } from './statement-watch.ts';

it("the statement watch sees the server's queries, from pool and transactions", async () => {
  const t = await TestApp.start();
  const look = vi.spyOn(StatementWatch.prototype, 'look');
  await t.served.query('select 1 as by_pool');
  await t.served.transaction((tx) => tx.query('select 1 as in_transaction'));
  const seen = look.mock.calls.map(([text]) => text);
  look.mockRestore();
  expect(seen).toEqual(expect.arrayContaining(['select 1 as by_pool', 'select 1 as in_transaction']));
  await t.close();
});
