import { addBalance } from '@drawhouse/contract/games/game-pair';
import { loadGame } from '@drawhouse/contract/live/live';
import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tableNotices } from '../operations/health/server-health.ts';
import { setTableLine } from '../../test/worlds/audit-world.ts';
import { winDraw } from '../../test/worlds/foresee-draw.ts';
import { TestApp } from '../../test/harness.ts';
import type { Network, SignedIn } from '../../test/harness.ts';
import { findNegativeNetworks } from './negative-tables.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  await t.network();
  net = await t.network();
  await winDraw(t, net, net.user, 10);
});
afterAll(() => t.close());

const panel = () => t.ok(loadGame, { query: { gameId: GAME, adminId: net.admin._id } }, net.admin);
const below = async (by: SignedIn) => (await t.ok(dashboard, { query: {} }, by)).tablesBelow;

it('a negative table shows on both dashboards and as a notice', async () => {
  const table = {
    gameId: GAME,
    adminId: net.admin._id,
    username: net.admin.username,
    balance: -80,
    opensNoDraw: false,
  };
  for (const by of [net.admin, net.superadmin]) expect(await below(by)).toMatchObject([table]);
  expect(await below(net.distributor)).toEqual([]);
  expect(tableNotices(await findNegativeNetworks(t.db, 'all'))).toEqual([
    { code: 'TABLE_BELOW_ZERO', about: net.admin.username, detail: 'Fun Target Bingo is at −80.00.' },
  ]);
});

it('no draw of a network opens while its tables together are below its line', async () => {
  await setTableLine(t, net, 79.99);
  await t.finishDraw();
  expect((await panel()).draw).toBeNull();
  expect(await below(net.admin)).toMatchObject([{ opensNoDraw: true }]);
  expect(tableNotices(await findNegativeNetworks(t.db, 'all'))).toMatchObject([
    { detail: 'Fun Target Bingo is at −80.00. Its network opens no draws.' },
  ]);
  await t.ok(addBalance, { body: { gameId: GAME, adminId: net.admin._id, balance: 0.01 } }, net.admin);
  await t.app.tick();
  expect((await panel()).draw).toMatchObject({ status: 'open' });
  await t.expectBooksToBalance();
});
