import { SEALED_TABLES } from '@drawhouse/rules/sealed-records';
import { UNSEALED_TABLES } from '@drawhouse/rules/unsealed-tables';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLE_OWNERS } from '../src/table-owners.ts';
import { TestApp } from './harness.ts';
import { columnsOf } from './some-rows.ts';

let t: TestApp;
beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

describe('what is sealed', () => {
  it('is every table that there is, or it has a reason not to be', () => {
    const told = [...Object.keys(SEALED_TABLES), ...Object.keys(UNSEALED_TABLES)];
    expect(told.toSorted()).toEqual(Object.keys(TABLE_OWNERS).toSorted());
  });

  it.each(Object.keys(SEALED_TABLES))('of %s is every column, or it has a reason not to be', async (table) => {
    const { key, columns, left = {} } = SEALED_TABLES[table]!;
    const names = (await columnsOf(t.db, table)).map(({ name }) => name).filter((name) => name !== 'written_by');
    expect([...key, ...columns, ...Object.keys(left)].toSorted()).toEqual(names.toSorted());
  });
});
