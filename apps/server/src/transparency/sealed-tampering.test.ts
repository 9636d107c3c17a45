import { BATCHED_TABLES, SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playNetwork } from '../../test/worlds/audit-world.ts';
import { eachNth } from '../../test/test-tier.ts';
import { TestApp } from '../../test/harness.ts';
import type { TestSeals } from '../../test/worlds/sealed-world.ts';
import { oneOf, sealEveryKind } from '../../test/tampering/seal-every-kind.ts';
import { columnsOf, otherValue } from '../../test/tampering/sample-rows.ts';
import type { Queryable } from '../platform/db/database.ts';

let t: TestApp;
let seals: TestSeals;

const TABLES = Object.keys(SEALED_TABLES);
const MOST_COLUMNS = Math.max(...Object.values(SEALED_TABLES).map(({ key, columns }) => key.length + columns.length));
const of = (table: string): RegExp => new RegExp(`^${table} \\(`);

beforeAll(async () => {
  t = await TestApp.start();
  const { net } = await playNetwork(t);
  seals = await sealEveryKind(t, net.networkId);
});
afterAll(async () => {
  await t.close();
  await seals.remove();
});

it('with seals nothing is wrong before any change', async () => {
  expect(await seals.problems()).toEqual([]);
});

describe('each kind of change is named', () => {
  async function expectNamed(
    change: (on: Queryable, table: string) => Promise<boolean>,
    says: (table: string) => RegExp,
  ): Promise<void> {
    const changed: string[] = [];
    const { sealed } = await seals.foundAfter(async (on) => {
      for (const table of TABLES) if (await change(on, table)) changed.push(table);
    });
    expect(changed.length).toBeGreaterThan(0);
    for (const table of changed) expect(sealed).toContainEqual(expect.stringMatching(says(table)));
  }

  it.each(
    eachNth(
      4,
      Array.from({ length: MOST_COLUMNS }, (_, nth) => nth),
    ),
  )('a change of any column (%i)', async (nth) => {
    await expectNamed(async (on, table) => {
      const { key, columns, where = 'true' } = SEALED_TABLES[table]!;
      const name = [...key, ...columns][nth];
      const column = (await columnsOf(on, table)).find((other) => other.name === name);
      if (!column || (table === 'networks' && name === 'id')) return false;
      const live = key[0] === 'network_id' ? `${where} and network_id in (select id from networks)` : where;
      await on.query(`update ${table} set ${column.name} = ${otherValue(column)} where ${oneOf(table, live)}`);
      return true;
    }, of);
  });

  it('a missing row', async () => {
    const byItself = TABLES.filter((table) => SEALED_TABLES[table]!.row === 'forgotten');
    expect(byItself).toEqual(['past_sessions']);
    await expectNamed(
      async (on, table) => {
        if (byItself.includes(table)) return false;
        const { where = 'true' } = SEALED_TABLES[table]!;
        await on.query(`delete from ${table} where ${oneOf(table, table === 'networks' ? 'id <> 0' : where)}`);
        return true;
      },
      (table) =>
        new RegExp(
          `^${table} \\(.*\\) was ${BATCHED_TABLES.includes(table) ? '(removed|changed)' : 'removed'} after it was sealed, as record \\d+$`,
        ),
    );
  });

  it('an added row made to look old', async () => {
    await expectNamed(
      async (on, table) => {
        const { key, where = 'true' } = SEALED_TABLES[table]!;
        const columns = await columnsOf(on, table);
        const changed = columns.find(({ name }) => name === key.at(-1))!;
        const names = columns.filter(({ is_generated }) => !is_generated).map(({ name }) => name);
        const values = names.map((name) => (name === changed.name ? otherValue(changed) : name));
        await on.query(
          `insert into ${table} (${names.join(', ')}) overriding system value select ${values.join(', ')} from ${table} ` +
            `where ${where} order by ctid desc limit 1`,
        );
        return true;
      },
      (table) =>
        new RegExp(
          `^${table} \\(.*\\) was ${BATCHED_TABLES.includes(table) ? '(added|changed)' : 'added'} (without being|after it was) sealed`,
        ),
    );
  });

  it('a row with a future transaction id', async () => {
    const { sealed } = await seals.foundAfter("update games set name = name || 'x', written_by = '999999999'");
    expect(sealed).toContainEqual(
      expect.stringMatching(/^games \(id .*\) names the transaction 999999999, which has not happened yet$/),
    );
  });
});
