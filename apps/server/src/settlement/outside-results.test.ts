import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { addResult, fairDraw, generateResult, playerState, voidDraw } from '@drawhouse/contract/draws/draws';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { addSchedule, changeSchedule, scheduleList } from '@drawhouse/contract/games/schedules';
import { loadGame } from '@drawhouse/contract/live/live';
import { liveTables } from '@drawhouse/contract/live/live-tables';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import type { As, Network, Reply } from '../../test/harness.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';
import { aWeekLater } from '../../test/worlds/audit-world.ts';

const GAME = 'funtargetbingo';
const at = (clock: string, day = '16'): Date => new Date(`2026-11-${day}T${clock}:00Z`);
const SOURCE = 'National 19:00';

let t: TestApp;
let net: Network;
let drawId: string;

/** A draw of 19:00 that a public lottery decides, and one of 21:00 of the house. */
beforeEach(async () => {
  t = await TestApp.start({ timeZone: 'UTC' });
  t.clock.set(at('08:00', '08'));
  net = await t.network({ credit: 100, games: [GAME] });
  await aWeekLater(t, net.superadmin, net.admin);
  t.clock.set(at('12:00'));
  await signInAgain();
  const [game] = await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME]);
  const plan = { name: 'Evening', times: ['19:00', '21:00'], weekdays: [0, 1, 2, 3, 4, 5, 6], daysOff: [], daysOn: [] };
  const body = { ...plan, opensAt: null, closesBefore: 10, sources: { '19:00': 'National' }, games: [game!.id] };
  await t.ok(addSchedule, { body }, net.superadmin);
  await t.app.tick();
  t.clock.set(at('18:00'));
  await t.app.tick();
  await signInAgain();
  drawId = (await t.ok(playerState, { query: { gameId: GAME } }, net.user)).draw!._id;
  await t.bet(net.user, { 7: 10 });
});
afterEach(() => t.close());

async function signInAgain(): Promise<void> {
  const [superadmin, admin, user] = await Promise.all(
    [net.superadmin, net.admin, net.user].map(({ username }) => t.signIn(username)),
  );
  net = { ...net, superadmin: superadmin!, admin: admin!, user: user! };
}

const pair = () => ({ gameId: GAME, adminId: net.admin._id });
const enter = (
  by: As,
  result: string,
  more: { boosterValue?: number; confirm?: boolean } = {},
): Promise<Reply<typeof addResult>> => t.call(addResult, { body: { ...pair(), drawId, result, ...more } }, by);
const statusOf = async (): Promise<unknown> =>
  (await t.db.query('select status, void_cause, booster, result_label from draws where id = $1', [drawId]))[0];

const due = async (by: As) =>
  (await t.ok(listNotices, {}, by)).data.filter(({ code }) => code === 'OUTSIDE_RESULT_DUE');

async function wait(until: Date): Promise<void> {
  t.clock.set(at('18:50'));
  await t.app.tick();
  t.clock.set(until);
  await t.app.tick();
  await signInAgain();
}

it('waits after its draw time, until two persons enter the result', async () => {
  expect(await t.ok(loadGame, { query: pair() }, net.admin)).toMatchObject({
    resultMode: 'outside',
    draw: { outside: SOURCE },
    awaited: [],
  });
  expect((await enter(net.admin, '7')).body).toMatchObject({ code: 'RULE_REFUSED' });
  const early = await t.call(generateResult, { body: { ...pair(), drawId } }, net.admin);
  expect(early.body).toMatchObject({ code: 'RULE_REFUSED' });
  await wait(at('19:20'));
  expect(await statusOf()).toMatchObject({ status: 'closed' });
  const awaited = { drawId, number: 202611161900, drawsAt: at('19:00').toISOString(), outside: SOURCE };
  const panel = await t.ok(loadGame, { query: pair() }, net.admin);
  expect(panel).toMatchObject({ resultMode: 'open', draw: { outside: null } });
  expect(panel.awaited).toEqual([
    { ...awaited, voidAt: at('19:00', '17').toISOString(), stakes: { 7: 10 }, staked: 10, saved: null },
  ]);
  expect((await t.ok(liveTables, {}, net.admin)).data[0]!.awaited).toEqual([awaited]);
  expect((await t.ok(playerState, { query: { gameId: GAME } }, net.user)).awaited).toEqual([awaited]);
  const tickets = await t.ok(playerTickets, { query: {} }, net.user);
  expect(tickets.data[0]!.draw).toMatchObject({ outside: SOURCE, status: 'closed' });
  for (const by of [net.admin, net.superadmin])
    expect(await due(by)).toMatchObject([{ detail: `Result of ${SOURCE}.`, until: at('19:00', '17').toISOString() }]);
  await t.expectBooksToBalanceNow();

  expect((await enter(net.admin, '7', { boosterValue: 2 })).body).toMatchObject({ code: 'INVALID_INPUT' });
  expect((await enter(net.admin, '7')).body.message).toBe(
    `Result of ${SOURCE} saved. A second person must confirm it.`,
  );
  expect((await enter(net.admin, '7')).body).toMatchObject({ code: 'RULE_REFUSED' });
  expect((await t.ok(loadGame, { query: pair() }, net.admin)).awaited[0]!.saved).toMatchObject({
    pays: 90,
    result: '7',
    by: net.admin.username,
  });
  expect(await due(net.superadmin)).toMatchObject([
    { detail: expect.stringContaining(`saved by ${net.admin.username}`) as string },
  ]);
  expect((await t.call(voidDraw, { body: { ...pair(), drawId, reason: 'Unwanted' } }, net.admin)).body.success).toBe(
    false,
  );
  await t.app.tick();
  expect(await statusOf()).toMatchObject({ status: 'closed' });
  expect((await enter(net.superadmin, '7', { confirm: true })).body.message).toBe(
    `Result of ${SOURCE} entered. The draw is settled.`,
  );
  expect(await statusOf()).toEqual({ status: 'settled', void_cause: null, booster: 1, result_label: '7' });
  expect(await t.credit(net.user)).toBe(180);
  expect((await enter(net.superadmin, '8')).body).toMatchObject({ code: 'DRAW_STATE' });
  const after = await t.ok(loadGame, { query: pair() }, net.admin);
  expect(after.awaited).toEqual([]);
  expect(after.lastData.data[0]).toMatchObject({ drawno: '7', source: 'declared', outside: SOURCE });
  const proof = await t.ok(fairDraw, { params: { drawId } });
  expect(proof).toMatchObject({
    resultMode: 'outside',
    outside: SOURCE,
    enteredBy: ['admin', 'superadmin'],
    source: 'declared',
  });
  await t.expectBooksToBalanceNow();
});

it('takes the result from an API key alone', async () => {
  await wait(at('19:01'));
  const { key } = await t.ok(
    makeApiKey,
    { body: { name: 'Results', permissions: ['results'], addresses: ['127.0.0.1'], creditPerDay: 1 } },
    net.admin,
  );
  expect((await enter({ token: key }, '3')).body).toMatchObject({ success: true });
  expect(await statusOf()).toMatchObject({ status: 'settled', result_label: '3' });
  expect((await t.ok(fairDraw, { params: { drawId } })).enteredBy).toEqual(['api-key']);
  expect(await t.credit(net.user)).toBe(90);
  await t.expectBooksToBalanceNow();
});

it('takes a true number that the table and the admin cannot cover', async () => {
  await t.db.query(`update network_games set per_number = null`);
  await wait(at('19:01'));
  const before = await t.credit(net.admin);
  await enter(net.admin, '7');
  expect((await enter(net.superadmin, '7')).body).toMatchObject({ success: true, cover: 0 });
  expect(await t.credit(net.admin)).toBe(before);
  await t.expectBooksToBalanceNow();
});

it('is void after its deadline, and every stake goes back', async () => {
  await wait(at('18:59', '17'));
  await enter(net.admin, '7');
  expect(await statusOf()).toMatchObject({ status: 'closed' });
  t.clock.set(at('19:00', '17'));
  expect((await enter(net.superadmin, '7')).body).toMatchObject({ code: 'DRAW_STATE' });
  await t.app.tick();
  expect(await statusOf()).toMatchObject({ status: 'void', void_cause: 'outside' });
  expect(await t.credit(net.user)).toBe(100);
  await t.expectBooksToBalanceNow();
});

it('keeps the outside lotteries of a schedule unless a change names them, which needs the password', async () => {
  const [schedule] = (await t.ok(scheduleList.route, {}, net.superadmin)).data;
  const { _id: id, name, times, weekdays, daysOff, daysOn, opensAt, closesBefore } = schedule!;
  const games = schedule!.games.map((game) => game._id);
  const body = { name, times, weekdays, daysOff, daysOn, opensAt, closesBefore, games };
  const byToken = { token: net.superadmin.token };
  const changed = await t.call(changeSchedule, { params: { id }, body: { ...body, name: 'Night' } }, net.superadmin);
  expect(changed.body.data).toMatchObject({ name: 'Night', sources: { '19:00': 'National' } });
  const named = { params: { id }, body: { ...body, sources: {} } };
  expect((await t.call(changeSchedule, named, byToken)).body).toMatchObject({ code: 'CONFIRM_PASSWORD' });
  expect((await t.ok(changeSchedule, named, net.superadmin)).data.sources).toEqual({});
  const wrong = await t.call(
    changeSchedule,
    { params: { id }, body: { ...body, sources: { '20:00': 'City' } } },
    net.superadmin,
  );
  expect(wrong.body).toMatchObject({ code: 'INVALID_INPUT', fields: { sources: 'There is no draw at 20:00' } });
});

it('is void after the restore of a backup in which it waited, and its former result names the lottery', async () => {
  await wait(at('19:01'));
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await enter(net.admin, '7');
  await enter(net.superadmin, '7');
  await t.ok(importBackup, { query: { folder } }, net.admin);
  const [draw] = await t.db.query(
    'select status, void_cause, outside from draws where id = $1 and network_id in (select id from networks)',
    [drawId],
  );
  expect(draw).toEqual({ status: 'void', void_cause: 'restore', outside: SOURCE });
  expect(await t.ok(fairDraw, { params: { drawId } })).toMatchObject({ outside: SOURCE, resultLabel: '7' });
  await signInAgain();
  expect(await t.credit(net.user)).toBe(100);
  await t.expectBooksToBalanceNow();
});

it('is audited: its lottery, its booster, its second person and the time of its entry', async () => {
  await wait(at('19:01'));
  await enter(net.admin, '7');
  await enter(net.superadmin, '7');
  const ofDraw = `where id = '${drawId}'`;
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
