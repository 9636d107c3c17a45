import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { addResult } from '@drawhouse/contract/draws/draws';
import { makeWall, wall, wallState, withdrawWall } from '@drawhouse/contract/players/wall';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { httpLimits } from '../platform/http/limits/http-limits.ts';
import { TestApp, type Network } from '../../test/harness.ts';

const GAME = 'titlisorrat';
const GONE = { status: 404, body: { code: 'NOT_FOUND' } };

let t: TestApp;
let net: Network;
beforeAll(async () => {
  t = await TestApp.start({ limits: { stranger: httpLimits({}).stranger } });
});
beforeEach(async () => {
  t.clock.advance(60_000);
  await t.finishDraw();
  net = await t.network({ credit: 500, games: [GAME, 'funtargetbingo'] });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const make = async (by = net.admin) => (await t.ok(makeWall, {}, by)).key;
const look = (key: string) => {
  t.clock.advance(1_000);
  return t.call(wall, { params: { key } });
};

it('shows countdowns and results of the network to anyone with the key, and no sums or names', async () => {
  const other = await t.network({ credit: 500, games: ['fruit12'] });
  await t.bet(net.user, { 3: 77 }, { gameId: GAME });
  await t.ok(addResult, { body: { gameId: GAME, adminId: net.admin._id, result: '3', boosterValue: 2 } }, net.admin);
  await t.finishDraw();
  net.admin = await t.signIn(net.admin.username);
  const key = await make();
  const { status, body } = await look(key);
  expect(status).toBe(200);
  expect(body.serverTime).toBe(t.clock.now().toISOString());
  expect(body.data.map(({ gameId }) => gameId).toSorted()).toEqual(['funtargetbingo', GAME]);
  const shown = body.data.find(({ gameId }) => gameId === GAME)!;
  expect(shown).toMatchObject({
    family: 'numbers',
    digits: 12,
    draw: { status: 'open' },
    results: [{ drawno: '3 Sun', booster: 2, source: 'declared' }],
  });
  expect(Object.keys(shown).toSorted()).toEqual([
    'awaited',
    'digits',
    'draw',
    'family',
    'gameId',
    'gameName',
    'images',
    'nextOpensAt',
    'results',
  ]);
  const text = JSON.stringify(body).replaceAll(/[0-9a-f-]{30,}/g, '');
  for (const hidden of ['77', '1386', net.admin.username, net.user.username, net.admin._id])
    expect(text).not.toContain(hidden);
  const { data } = (await look(await make(other.admin))).body;
  expect(data.map(({ gameId }) => gameId)).toEqual(['fruit12']);
});

it('keeps only a hash of the key, and logs that it was made', async () => {
  expect(await t.ok(wallState, {}, net.admin)).toMatchObject({ madeAt: null });
  const key = await make();
  expect(key).toMatch(/^dhw_[\w-]{64}$/);
  expect(await t.ok(wallState, {}, net.admin)).toMatchObject({ madeAt: t.clock.now().toISOString() });
  const stored = await t.db.query('select row_to_json(s)::text as text from landing_settings s');
  expect(JSON.stringify(stored)).not.toContain(key.slice(30));
  const log = await t.ok(activityLog.route, { query: {} }, net.admin);
  expect(log.data[0]!.subject).toBe(`Created a link to the public wall of ${net.admin.username}`);
  expect(JSON.stringify(log)).not.toContain(key);
});

it('ends a key when it is withdrawn or replaced, and hides the wall of an inactive admin', async () => {
  const first = await make();
  const second = await make();
  expect(await look(first)).toMatchObject(GONE);
  expect((await look(second)).status).toBe(200);
  await t.ok(withdrawWall, {}, net.admin);
  expect(await look(second)).toMatchObject(GONE);
  expect(await t.ok(wallState, {}, net.admin)).toMatchObject({ madeAt: null });
  const third = await make();
  const set = (action: 'activate' | 'deactivate') =>
    t.ok(accountRoutes.admin.toggleStatus, { params: { userId: net.admin._id, action } }, net.superadmin);
  await set('deactivate');
  expect(await look(third)).toMatchObject(GONE);
  await set('activate');
  expect((await look(third)).status).toBe(200);
});

it('knows no similar key', async () => {
  const key = await make();
  const other = key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  expect(await look(other)).toMatchObject(GONE);
  for (const wrong of [key.slice(0, -1), `${key}A`, key.replace('dhw_', 'dhk_')])
    expect(await look(wrong)).toMatchObject({ status: 400, body: { fields: { key: expect.any(String) } } });
});

it('reads the tables of all screens together once a second', async () => {
  const key = await make();
  const { body } = await look(key);
  const later = await t.call(wall, { params: { key } });
  expect(later.body).toEqual(body);
});

it('brings back no withdrawn key by a restore, and keeps a newer one', async () => {
  const old = await make();
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  const restore = async () => {
    await t.ok(importBackup, { query: { folder } }, net.admin);
    net.admin = await t.signIn(net.admin.username);
    await t.app.tick();
  };
  await t.ok(withdrawWall, {}, net.admin);
  await restore();
  expect(await look(old)).toMatchObject(GONE);
  const newer = await make();
  await restore();
  expect(await look(old)).toMatchObject(GONE);
  expect((await look(newer)).status).toBe(200);
});
