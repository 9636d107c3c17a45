import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { fairDraw } from '@drawhouse/contract/draws/draws';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TestApp } from '../../test/harness.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';
import { at, OutsideDraw, SOURCE } from '../../test/worlds/outside-draw.ts';

let draw: OutsideDraw;
let t: TestApp;
beforeEach(async () => {
  draw = await OutsideDraw.start();
  ({ t } = draw);
});
afterEach(() => t.close());

it('is void after the restore of a backup in which it waited, and its former result names the lottery', async () => {
  await draw.wait(at('19:01'));
  const { folder } = await t.ok(exportBackup, {}, draw.net.admin);
  await draw.enter(draw.net.admin, '7');
  await draw.enter(draw.net.superadmin, '7');
  await t.ok(importBackup, { query: { folder } }, draw.net.admin);
  const [row] = await t.db.query(
    'select status, void_cause, outside from draws where id = $1 and network_id in (select id from networks)',
    [draw.drawId],
  );
  expect(row).toEqual({ status: 'void', void_cause: 'restore', outside: SOURCE });
  expect(await t.ok(fairDraw, { params: { drawId: draw.drawId } })).toMatchObject({
    outside: SOURCE,
    resultLabel: '7',
  });
  await draw.signInAgain();
  expect(await t.credit(draw.net.user)).toBe(100);
  await t.expectBooksToBalanceNow();
});

it('is audited: its lottery, its booster, its second person and the time of its entry', async () => {
  await draw.wait(at('19:01'));
  await draw.enter(draw.net.admin, '7');
  await draw.enter(draw.net.superadmin, '7');
  const ofDraw = `where id = '${draw.drawId}'`;
  const changes: Record<string, RegExp> = {
    [`update draws set outside = null ${ofDraw}`]: /Its results are outside, but it is of no outside lottery/,
    [`update draws set booster = 2 ${ofDraw}`]: /National 19:00 decides it, but its result is declared with booster 2/,
    [`update draws set confirmed_by = null ${ofDraw}`]: /confirmed by nobody/,
    [`update draws set saved_at = draws_at - interval '1 minute' ${ofDraw}`]:
      /result of National 19:00 saved at .*, before its draw time/,
  };
  for (const [change, problem] of Object.entries(changes))
    expect(await auditAfter(t, change)).toContainEqual(expect.stringMatching(problem));
  await t.expectBooksToBalanceNow();
});
