import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { closeWeeks } from '@drawhouse/contract/weeks/close-weeks';
import { setWeekTerms } from '@drawhouse/contract/weeks/week-terms';
import { weekSheet } from '@drawhouse/contract/weeks/week-sheet';
import { addDays } from '@drawhouse/rules/time/zone-days';
import { afterEach, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';
import { PASSWORD } from '../../test/test-password.ts';

let t: TestApp;
let net: Network;
afterEach(() => t.close());

async function play(stake: number): Promise<void> {
  expect((await t.bet(net.user, { 3: stake })).status).toBe(201);
  await t.finishDraw();
}

async function signInAgain(): Promise<void> {
  for (const role of ['admin', 'distributor', 'user'] as const) net[role] = await t.signIn(net[role].username);
}

async function closeWeek(): Promise<void> {
  t.clock.advance(7 * 86_400_000);
  await t.app.tick();
  await signInAgain();
  const day = addDays((await t.ok(weekSheet.route, { query: {} }, net.distributor)).week.from, -7);
  const [row] = (await t.ok(weekSheet.route, { query: { day } }, net.distributor)).data;
  const lines = [{ accountId: net.retailer._id, expectedBalance: row!.balance }];
  await t.ok(closeWeeks, { body: { day, lines, password: PASSWORD } }, net.distributor);
}

it('fails the audit if the late amount of a closed week is changed, even with its balance', async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500 });
  const share = { accounts: [net.retailer._id], share: 100, commission: 'atOnce' as const };
  await t.ok(setWeekTerms, { body: share }, net.distributor);
  await play(40);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  t.clock.advance(1000);
  await play(60);
  await closeWeek();
  await t.ok(importBackup, { query: { folder } }, net.admin);
  await closeWeek();
  const closings = await t.db.query<{ late: bigint }>('select late from week_closings order by from_day');
  const late = closings[1]!.late;
  expect(closings).toEqual([{ late: 0n }, { late: expect.any(BigInt) as bigint }]);
  expect(late).not.toBe(0n);
  await t.expectBooksToBalance();

  for (const [change, found] of [
    ['late = late + 1', `adds ${late + 1n} hundredths of earlier weeks; their days changed by ${late}`],
    ['late = late + 1, balance = balance + 1', `adds ${late + 1n} hundredths of earlier weeks`],
    ['late = 0, balance = balance - late', 'adds 0 hundredths of earlier weeks'],
    ['balance = balance + 1', 'its figures come to'],
  ] as const) {
    const problems = await auditAfter(t, `update week_closings set ${change} where late <> 0`);
    expect({ change, problems }).toEqual({
      change,
      problems: expect.arrayContaining([expect.stringContaining(found)]) as string[],
    });
  }
});
