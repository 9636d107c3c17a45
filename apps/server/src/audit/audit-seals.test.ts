import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playNetwork } from '../../test/audit-world.ts';
import { TestApp } from '../../test/harness.ts';
import { TestSeals } from '../../test/sealed-world.ts';

let t: TestApp;
let seals: TestSeals;

beforeAll(async () => {
  t = await TestApp.start();
  seals = await TestSeals.make(t.database);
  await playNetwork(t);
});
afterAll(async () => {
  await t.close();
  await seals.remove();
});

describe('the audit against the seals', () => {
  it('says so where there are none', async () => {
    const [check] = await seals.audit();
    expect(check).toMatchObject({ rows: 0, problems: [], unproven: [expect.stringMatching(/^nothing is sealed/)] });
  });

  it('finds what is sealed as it was', async () => {
    await seals.seal();
    const checks = await seals.audit();
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    console.log(checks);
  });

  it('names', async () => {
    console.log(await seals.foundAfter("update accounts set commission = commission + 1; update games set name = 'x'"));
  });
});
