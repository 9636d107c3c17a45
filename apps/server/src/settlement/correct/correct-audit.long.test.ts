import { afterEach, expect, it } from 'vitest';
import { auditAfter } from '../../../test/tampering/tampered.ts';
import { at, OutsideDraw } from '../../../test/worlds/outside-draw.ts';

let draw: OutsideDraw;
afterEach(() => draw.t.close());

it('fails the audit if rows or transfers of a correction are changed, and keeps its tickets from clearing', async () => {
  draw = await OutsideDraw.start();
  const { t } = draw;
  await t.bet(draw.net.user, { 3: 5 });
  await draw.wait(at('19:01'));
  await draw.enter(draw.net.admin, '7');
  await draw.enter(draw.net.superadmin, '7');
  await draw.spend(170);
  await draw.correct('3');
  for (const [change, found] of [
    [
      `update draws set result = '{"drawno": "5"}', result_label = '5' where id = :draw`,
      /but the draw has the result 5/,
    ],
    [`update corrections set before_result = '{"drawno": "4"}'`, /is in no log/],
    ['update corrections set approval = gen_random_uuid()', /has no approved request/],
    ["update corrections set at = at + interval '2 days'", /is not of the 24 hours after the result/],
    ['delete from corrections', /is logged and is gone/],
    ['update approvals set decided_by = account_id', /approved by the person who asked/],
    [
      'update ticket_corrections set win = win + 1, paid = paid + 1 where win > 0',
      /wins 4500 hundredths by correction 1/,
    ],
    ['delete from ticket_corrections where win > 0', /wins 4500 hundredths by correction 1/],
    ['update ticket_corrections set moved = moved - 1 where win > 0', /were moved in 1 transfers/],
    ['delete from transfers where kind = 17', /were moved in 0 transfers/],
    [
      'update ticket_corrections set moved = moved + 100, paid = paid + 100 where win = 0',
      /its player still had|were moved/,
    ],
    ['update rollups set win = win + 1', /rollups/],
  ] as const) {
    const problems = await auditAfter(t, change.replace(':draw', `'${draw.drawId}'`));
    expect({ change, problems }).toEqual({ change, problems: expect.arrayContaining([expect.stringMatching(found)]) });
  }
  const judged = await t.db.query('select stays from judged_plays($1, $2, $3)', [
    draw.net.networkId,
    at('00:00'),
    at('00:00', '17'),
  ]);
  expect(judged).toEqual([{ stays: 'corrected' }]);
});
