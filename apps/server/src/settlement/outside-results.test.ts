import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { fairDraw, generateResult, playerState, voidDraw } from '@drawhouse/contract/draws/draws';
import { changeSchedule, scheduleList } from '@drawhouse/contract/games/schedules';
import { loadGame } from '@drawhouse/contract/live/live';
import { liveTables } from '@drawhouse/contract/live/live-tables';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TestApp } from '../../test/harness.ts';
import { at, GAME, OutsideDraw, SOURCE } from '../../test/worlds/outside-draw.ts';

let draw: OutsideDraw;
let t: TestApp;
beforeEach(async () => {
  draw = await OutsideDraw.start();
  ({ t } = draw);
});
afterEach(() => t.close());

it('waits after its draw time, until two people enter the result', async () => {
  expect(await t.ok(loadGame, { query: draw.pair() }, draw.net.admin)).toMatchObject({
    resultMode: 'outside',
    draw: { outside: SOURCE },
    awaited: [],
  });
  expect((await draw.enter(draw.net.admin, '7')).body).toMatchObject({ code: 'RULE_REFUSED' });
  const early = await t.call(generateResult, { body: { ...draw.pair(), drawId: draw.drawId } }, draw.net.admin);
  expect(early.body).toMatchObject({ code: 'RULE_REFUSED' });
  await draw.wait(at('19:20'));
  expect(await draw.statusOf()).toMatchObject({ status: 'closed' });
  const awaited = { drawId: draw.drawId, number: 202611161900, drawsAt: at('19:00').toISOString(), outside: SOURCE };
  const panel = await t.ok(loadGame, { query: draw.pair() }, draw.net.admin);
  expect(panel).toMatchObject({ resultMode: 'open', draw: { outside: null } });
  expect(panel.awaited).toEqual([
    { ...awaited, voidAt: at('19:00', '17').toISOString(), stakes: { 7: 10 }, staked: 10, saved: null },
  ]);
  expect((await t.ok(liveTables, {}, draw.net.admin)).data[0]!.awaited).toEqual([awaited]);
  expect((await t.ok(playerState, { query: { gameId: GAME } }, draw.net.user)).awaited).toEqual([awaited]);
  const tickets = await t.ok(playerTickets, { query: {} }, draw.net.user);
  expect(tickets.data[0]!.draw).toMatchObject({ outside: SOURCE, status: 'closed' });
  for (const by of [draw.net.admin, draw.net.superadmin])
    expect(await draw.due(by)).toMatchObject([
      { detail: `Result of ${SOURCE}.`, until: at('19:00', '17').toISOString() },
    ]);
  await t.expectBooksToBalanceNow();

  expect((await draw.enter(draw.net.admin, '7', { boosterValue: 2 })).body).toMatchObject({ code: 'INVALID_INPUT' });
  expect((await draw.enter(draw.net.admin, '7')).body.message).toBe(
    `Result of ${SOURCE} saved. A second person must confirm it.`,
  );
  expect((await draw.enter(draw.net.admin, '7')).body).toMatchObject({ code: 'RULE_REFUSED' });
  expect((await t.ok(loadGame, { query: draw.pair() }, draw.net.admin)).awaited[0]!.saved).toMatchObject({
    pays: 90,
    result: '7',
    by: draw.net.admin.username,
  });
  expect(await draw.due(draw.net.superadmin)).toMatchObject([
    { detail: expect.stringContaining(`saved by ${draw.net.admin.username}`) as string },
  ]);
  expect(
    (await t.call(voidDraw, { body: { ...draw.pair(), drawId: draw.drawId, reason: 'Unwanted' } }, draw.net.admin)).body
      .success,
  ).toBe(false);
  await t.app.tick();
  expect(await draw.statusOf()).toMatchObject({ status: 'closed' });
  expect((await draw.enter(draw.net.superadmin, '7', { confirm: true })).body.message).toBe(
    `Result of ${SOURCE} entered. The draw is settled.`,
  );
  expect(await draw.statusOf()).toEqual({ status: 'settled', void_cause: null, booster: 1, result_label: '7' });
  expect(await t.credit(draw.net.user)).toBe(180);
  expect((await draw.enter(draw.net.superadmin, '8')).body).toMatchObject({ code: 'DRAW_STATE' });
  const after = await t.ok(loadGame, { query: draw.pair() }, draw.net.admin);
  expect(after.awaited).toEqual([]);
  expect(after.lastData.data[0]).toMatchObject({ drawno: '7', source: 'declared', outside: SOURCE });
  const proof = await t.ok(fairDraw, { params: { drawId: draw.drawId } });
  expect(proof).toMatchObject({
    resultMode: 'outside',
    outside: SOURCE,
    enteredBy: ['admin', 'superadmin'],
    source: 'declared',
  });
  await t.expectBooksToBalanceNow();
});

it('takes the result from an API key alone', async () => {
  await draw.wait(at('19:01'));
  const { key } = await t.ok(
    makeApiKey,
    { body: { name: 'Results', permissions: ['results'], addresses: ['127.0.0.1'], creditPerDay: 1 } },
    draw.net.admin,
  );
  expect((await draw.enter({ token: key }, '3')).body).toMatchObject({ success: true });
  expect(await draw.statusOf()).toMatchObject({ status: 'settled', result_label: '3' });
  expect((await t.ok(fairDraw, { params: { drawId: draw.drawId } })).enteredBy).toEqual(['api-key']);
  expect(await t.credit(draw.net.user)).toBe(90);
  await t.expectBooksToBalanceNow();
});

it('takes a true number that the table and the admin cannot cover', async () => {
  await t.db.query(`update network_games set per_number = null`);
  await draw.wait(at('19:01'));
  const before = await t.credit(draw.net.admin);
  await draw.enter(draw.net.admin, '7');
  expect((await draw.enter(draw.net.superadmin, '7')).body).toMatchObject({ success: true, cover: 0 });
  expect(await t.credit(draw.net.admin)).toBe(before);
  await t.expectBooksToBalanceNow();
});

it('is void after its deadline, and every stake goes back', async () => {
  await draw.wait(at('18:59', '17'));
  await draw.enter(draw.net.admin, '7');
  expect(await draw.statusOf()).toMatchObject({ status: 'closed' });
  t.clock.set(at('19:00', '17'));
  expect((await draw.enter(draw.net.superadmin, '7')).body).toMatchObject({ code: 'DRAW_STATE' });
  await t.app.tick();
  expect(await draw.statusOf()).toMatchObject({ status: 'void', void_cause: 'outside' });
  expect(await t.credit(draw.net.user)).toBe(100);
  await t.expectBooksToBalanceNow();
});

it('keeps the outside lotteries of a schedule unless a change names them, which needs the password', async () => {
  const [schedule] = (await t.ok(scheduleList.route, {}, draw.net.superadmin)).data;
  const { _id: id, name, times, weekdays, daysOff, daysOn, opensAt, closesBefore } = schedule!;
  const games = schedule!.games.map((game) => game._id);
  const body = { name, times, weekdays, daysOff, daysOn, opensAt, closesBefore, games };
  const byToken = { token: draw.net.superadmin.token };
  const changed = await t.call(
    changeSchedule,
    { params: { id }, body: { ...body, name: 'Night' } },
    draw.net.superadmin,
  );
  expect(changed.body.data).toMatchObject({ name: 'Night', sources: { '19:00': 'National' } });
  const named = { params: { id }, body: { ...body, sources: {} } };
  expect((await t.call(changeSchedule, named, byToken)).body).toMatchObject({ code: 'CONFIRM_PASSWORD' });
  expect((await t.ok(changeSchedule, named, draw.net.superadmin)).data.sources).toEqual({});
  const wrong = await t.call(
    changeSchedule,
    { params: { id }, body: { ...body, sources: { '20:00': 'City' } } },
    draw.net.superadmin,
  );
  expect(wrong.body).toMatchObject({ code: 'INVALID_INPUT', fields: { sources: 'There is no draw at 20:00' } });
});
