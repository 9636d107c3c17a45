import { CHANGE_PROOFS, FOLLOWING_FIELDS, LOGGED_TABLES } from '@drawhouse/rules/records/changed-rows';
import { SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { UNSEALED_TABLES } from '../unsealed-tables.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import { TABLE_OWNERS } from '../../src/config/tables/table-owners.ts';
import { REMOVED_TABLES } from '../../src/transparency/read/record-index.ts';
import { TestApp } from '../harness.ts';
import { columnsOf } from '../tampering/sample-rows.ts';

let t: TestApp;
beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

describe('the set of sealed data', () => {
  it('is every table, unless a reason is given', () => {
    const told = [...Object.keys(SEALED_TABLES), ...Object.keys(UNSEALED_TABLES)];
    expect(told.toSorted()).toEqual(Object.keys(TABLE_OWNERS).toSorted());
  });

  it.each(Object.keys(SEALED_TABLES))('of %s is every column, unless a reason is given', async (table) => {
    const { key, columns, left = {} } = SEALED_TABLES[table]!;
    const names = (await columnsOf(t.db, table)).map(({ name }) => name).filter((name) => name !== 'written_by');
    expect([...key, ...columns, ...Object.keys(left)].toSorted()).toEqual(names.toSorted());
  });
});

describe('mutable data', () => {
  const changing = Object.keys(SEALED_TABLES).filter((table) => SEALED_TABLES[table]!.row === 'changes');

  it('states what proves each change', () => {
    expect(Object.keys(CHANGE_PROOFS).toSorted()).toEqual(changing.toSorted());
  });

  it.each(changing)('in any sealed column of %s gives its row a new transaction', async (table) => {
    const triggers = await t.db.query<{ when: string }>(
      `select pg_get_triggerdef(oid) as when from pg_trigger
       where tgrelid = $1::regclass and tgfoid = 'mark_written()'::regprocedure and tgtype & 16 = 16 and tgenabled = 'O'`,
      [table],
    );
    const { key, columns } = SEALED_TABLES[table]!;
    const sees = (column: string) =>
      triggers.some(({ when }) => new RegExp(`\\bold\\.(?:\\* |${column}\\b)`).test(when));
    const unseen = [...key, ...columns].filter((column) => !sees(column));
    expect(unseen).toEqual([]);
  });

  it.each(LOGGED_TABLES)('in any sealed field of %s is recorded for the log', async (table) => {
    const triggers = await t.db.query<{ when: string }>(
      `select pg_get_triggerdef(oid) as when from pg_trigger
       where tgrelid = $1::regclass and tgfoid = 'note_change()'::regprocedure and tgtype & 1 = 1 and tgenabled = 'O'`,
      [table],
    );
    const conditions = triggers.map(({ when }) => when).join('\n');
    const unseen = SEALED_TABLES[table]!.columns.filter(
      (column) => !new RegExp(`\\bold\\.${column}\\b`).test(conditions),
    );
    expect(unseen).toEqual(FOLLOWING_FIELDS[table] ?? []);
    expect(conditions).toContain('AFTER INSERT OR DELETE');
  });

  it('is removed with a record where the seals expect one', async () => {
    const noted = await t.db.query<{ table: string }>(
      `select tgrelid::regclass::text as table from pg_trigger where tgfoid = 'note_removal()'::regprocedure`,
    );
    expect(noted.map(({ table }) => table).toSorted()).toEqual(REMOVED_TABLES.toSorted());
  });

  it('is sealed before the log row naming it', () => {
    const order = Object.keys(SEALED_TABLES);
    for (const table of LOGGED_TABLES) expect(order.indexOf(table)).toBeLessThan(order.indexOf('activity'));
  });

  it('names existing checks and columns', async () => {
    const checks = (await t.served.snapshot(audit)).map(({ name }) => name);
    for (const [table, proved] of Object.entries(CHANGE_PROOFS)) {
      if (proved.by === 'audit') expect(checks).toContain(proved.check);
      if (proved.by === 'records')
        expect(SEALED_TABLES[table]!.columns).toEqual(expect.arrayContaining([...proved.once]));
    }
  });
});
