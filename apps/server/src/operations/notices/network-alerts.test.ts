import { findNegativeNetworks } from '../../liability/negative-networks.ts';
import { activityLog, logEntry } from '@drawhouse/contract/activity/activity';
import { alertThresholds, markNotice, setAlertThresholds, unmarkNotice } from '@drawhouse/contract/notices/notice-acts';
import { noticeHistory } from '@drawhouse/contract/notices/notice-history';
import { listNotices, type NoticeCode } from '@drawhouse/contract/notices/notices';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { winDraw } from '../../../test/worlds/foresee-draw.ts';
import { OperatedPair, GAME, expectResultSaved } from '../../../test/worlds/operated-pair.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

let t: TestApp;
let net: Network;
let stranger: Network;

beforeAll(async () => {
  t = await TestApp.start({
    watched: { folders: {}, lastClockStep: () => undefined, auditEveryDays: 31, webhook: undefined },
  });
  stranger = await t.network({ credit: 100 });
  net = await t.network();
});
afterAll(() => t.close());

const noticesOf = async (by: SignedIn, code: NoticeCode) =>
  (await t.ok(listNotices, {}, await t.signIn(by.username))).data.filter((notice) => notice.code === code);
const TABLE = { code: 'TABLE_LOW', key: '' } as const;
const tableOf = () => ({ ...TABLE, key: `${net.admin.username}: Fun Target Bingo` });
const historyOf = async (by: SignedIn) =>
  (await t.ok(noticeHistory.route, { query: {} }, await t.signIn(by.username))).data;
async function look(): Promise<void> {
  t.clock.advance(16_000);
  await t.app.tick();
}

it('the admin sets the balance and the payout from which it is notified', async () => {
  expect(await t.ok(alertThresholds, {}, net.admin)).toMatchObject({ tableBelow: 0, worstAbove: null });
  const wrong = await t.call(setAlertThresholds, { body: { tableBelow: 0.001, worstAbove: null } }, net.admin);
  expect(wrong).toMatchObject({ status: 400, body: { fields: { tableBelow: expect.stringContaining('2 decimals') } } });

  await t.bet(net.user, { 7: 10 });
  await t.ok(setAlertThresholds, { body: { tableBelow: 5000.5, worstAbove: 50 } }, net.admin);
  expect(await t.ok(alertThresholds, {}, net.admin)).toMatchObject({ tableBelow: 5000.5, worstAbove: 50 });
  expect(await noticesOf(net.admin, 'TABLE_LOW')).toMatchObject([
    { ...tableOf(), detail: expect.stringMatching(/^Its balance is .*, below 5,000\.50\.$/), table: { gameId: GAME } },
  ]);
  expect(await noticesOf(net.admin, 'WORST_CASE_HIGH')).toMatchObject([
    { about: 'Fun Target Bingo', detail: expect.stringMatching(/^Result 7 would pay up to .*, above 50\.00\.$/) },
  ]);
  for (const by of [stranger.admin, net.superadmin])
    for (const code of ['TABLE_LOW', 'WORST_CASE_HIGH'] as const)
      expect(await noticesOf(by, code), `${code} as ${by.username}`).toEqual([]);
  const { data: log } = await t.ok(activityLog.route, {}, net.admin);
  const row = log.find(({ subject }) => subject === `Changed the alerts of ${net.admin.username}`);
  expect((await t.ok(logEntry, { params: { id: row!._id } }, net.admin)).data.changes).toEqual([
    { what: 'Table below', before: '0.00', after: '5,000.50' },
    { what: 'Worst case above', before: 'No notice', after: '50.00' },
  ]);
});

it('a mark lasts as long as its notice, and counts only for its account', async () => {
  await look();
  const day = new Date(t.clock.now().getTime() + 86_400_000).toISOString();
  expect((await t.call(markNotice, { body: { ...tableOf(), until: null } }, stranger.admin)).status).toBe(404);
  for (const until of [t.clock.now().toISOString(), '2199-01-01T00:00:00Z'])
    expect((await t.call(markNotice, { body: { ...tableOf(), until } }, net.admin)).body).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { until: expect.stringContaining('31 days') },
    });
  await t.ok(markNotice, { body: { ...tableOf(), until: day } }, net.admin);
  expect(await noticesOf(net.admin, 'TABLE_LOW')).toMatchObject([{ mark: { until: day } }]);
  await t.ok(unmarkNotice, { body: tableOf() }, net.admin);
  expect((await noticesOf(net.admin, 'TABLE_LOW'))[0]).not.toHaveProperty('mark');
  await t.ok(markNotice, { body: { ...tableOf(), until: null } }, net.admin);

  const began = (await historyOf(net.admin)).find(({ code }) => code === 'TABLE_LOW');
  expect(began).toMatchObject({ title: 'A table is low', endedAt: null, markedAt: expect.any(String) });
  expect(began).toMatchObject({ adminId: net.admin._id, table: { gameId: GAME, username: net.admin.username } });
  expect(await historyOf(stranger.admin)).toEqual([]);
  expect((await historyOf(net.superadmin)).map(({ code }) => code)).not.toContain('TABLE_LOW');

  await t.ok(addBalance, { body: { gameId: GAME, adminId: net.admin._id, balance: 6000 } }, net.admin);
  expect(await noticesOf(net.admin, 'TABLE_LOW')).toEqual([]);
  for (let looks = 0; looks < 6; looks++) await look();
  expect((await historyOf(net.admin)).find(({ id }) => id === began!.id)).toMatchObject({
    endedAt: expect.any(String),
    markedAt: expect.any(String),
  });
  const admin = await t.signIn(net.admin.username);
  await t.ok(setAlertThresholds, { body: { tableBelow: 9000, worstAbove: null } }, admin);
  await look();
  const [again] = await noticesOf(net.admin, 'TABLE_LOW');
  expect(again).toMatchObject(tableOf());
  expect(again).not.toHaveProperty('mark');
});

it('without thresholds only a table below zero is a notice', async () => {
  await winDraw(t, stranger, stranger.user, 1);
  expect(await noticesOf(stranger.admin, 'TABLE_LOW')).toMatchObject([{ detail: expect.stringMatching(/−/) }]);
  const admin = await t.signIn(stranger.admin.username);
  await t.ok(setAlertThresholds, { body: { tableBelow: null, worstAbove: null } }, admin);
  expect(await noticesOf(stranger.admin, 'TABLE_LOW')).toEqual([]);
});

it('names the id of its admin to those above and to the admin', async () => {
  const { body } = await t.call(listNotices, {}, await t.signIn(stranger.superadmin.username));
  const below = body.data.filter(({ code }) => code === 'TABLE_BELOW_ZERO');
  expect(below).not.toEqual([]);
  for (const { about, adminId } of below)
    expect([about, adminId]).toEqual([stranger.admin.username, stranger.admin._id]);
});

it("raises no notice for a test network's table below zero", async () => {
  const test = await t.network();
  await winDraw(t, test, test.user, 1);
  await t.ok(setAlertThresholds, { body: { tableBelow: 100, worstAbove: 0 } }, await t.signIn(test.admin.username));
  await t.bet(await t.signIn(test.user.username), { 7: 1 });
  const found = async () => [
    ...(await noticesOf(test.admin, 'TABLE_LOW')),
    ...(await noticesOf(test.admin, 'WORST_CASE_HIGH')),
  ];
  expect(await found()).toHaveLength(2);
  await t.db.query('update accounts set test_network = true where id = $1', [test.admin._id]);
  await look();
  expect(await found()).toEqual([]);
  expect((await findNegativeNetworks(t.db, 'all')).map(({ username }) => username)).not.toContain(test.admin.username);
});

it('a declared result that waits for a second person is a notice to both who can confirm it', async () => {
  const operated = await OperatedPair.start(t);
  const { admin, superadmin } = operated.net;
  await expectResultSaved(operated.save(admin, '3'));
  for (const by of [admin, superadmin])
    expect(await noticesOf(by, 'RESULT_TO_CONFIRM'), `as ${by.username}`).toMatchObject([
      { admin: admin.username, about: 'Fun Target Bingo', detail: `Declared by ${admin.username}.` },
    ]);
  expect(await noticesOf(net.admin, 'RESULT_TO_CONFIRM')).toEqual([]);
  await expectResultSaved(operated.save(superadmin, '3'));
  expect(await noticesOf(admin, 'RESULT_TO_CONFIRM')).toEqual([]);
});
