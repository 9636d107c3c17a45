import { CLEARING_ORDER } from '@drawhouse/contract/clearing/clearing';
import type { ClearingModel } from '@drawhouse/contract/clearing/clearing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { clearWithin, DAYS, playHistory, rowsOf, takenBack } from '../../test/clearing-world.ts';
import type { ClearingWorld } from '../../test/clearing-world.ts';
import { TestApp } from '../../test/harness.ts';

let t: TestApp;
let world: ClearingWorld;

beforeAll(async () => {
  t = await TestApp.start();
  world = await playHistory(t);
}, 60_000);
afterAll(() => t.close());

const problemsOf = async (on: Queryable): Promise<string[]> => (await audit(on)).flatMap((check) => check.problems);
const balancesOf = (on: Queryable): Promise<object[]> =>
  on.query('select network_id, id, balance, version from wallets order by 1, 2');
const rollupsOf = (on: Queryable): Promise<object[]> =>
  on.query('select r::text from (select * from rollups union all select * from rollups where false) r order by 1');

async function clearAndLook(tx: Tx, models: readonly ClearingModel[], days: [string?, string?] = []): Promise<void> {
  const [startDate, endDate] = days;
  await clearWithin(t, tx, { net: world.net, models, ...(startDate && { startDate }), ...(endDate && { endDate }) });
  expect(await problemsOf(tx), `after ${models.join(', ')} of ${days.join(' to ')}`).toEqual([]);
}

describe('after clearing the audit finds nothing wrong', () => {
  it('to begin with', async () => {
    expect(await problemsOf(t.db)).toEqual([]);
  });

  it.each(CLEARING_ORDER)('of %s alone, and then of all', async (model) => {
    await takenBack(t, async (tx) => {
      await clearAndLook(tx, [model]);
      await clearAndLook(tx, CLEARING_ORDER);
    });
  });

  it('of all, in any order, day by day', async () => {
    const [before, rollups, theirs] = [await balancesOf(t.db), await rollupsOf(t.db), await rowsOf(t.db, world.other.networkId)];
    await takenBack(t, async (tx) => {
      for (const day of [DAYS.second, DAYS.first, DAYS.third])
        for (const model of CLEARING_ORDER.toReversed()) await clearAndLook(tx, [model], [day, day]);
      expect(await balancesOf(tx)).toEqual(before);
      expect(await rollupsOf(tx)).toEqual(rollups);
      expect(await rowsOf(tx, world.other.networkId)).toBe(theirs);
    });
  });
});
