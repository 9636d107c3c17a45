import { addBalance } from '@drawhouse/contract/games/game-pair';
import { loadGame } from '@drawhouse/contract/live/live';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tableNotices } from '../operations/health/server-health.ts';
import { setTableLine } from '../../test/worlds/audit-world.ts';
import { winDraw } from '../../test/worlds/foresee-draw.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { findNegativeNetworks } from './negative-networks.ts';

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
const low = async (by: SignedIn) => (await t.ok(listNotices, {}, by)).data.filter(({ code }) => code === 'TABLE_LOW');

it('a negative table is a notice to the admin and to the superadmin', async () => {
  expect(await low(net.admin)).toMatchObject([
    {
      admin: net.admin.username,
      about: 'Fun Target Bingo',
      detail: 'Its balance is −80.00.',
      table: { gameId: GAME, adminId: net.admin._id },
    },
  ]);
  expect(await low(net.superadmin)).toEqual([]);
  expect(tableNotices(await findNegativeNetworks(t.db, 'all'))).toEqual([
    { code: 'TABLE_BELOW_ZERO', about: net.admin.username, detail: 'Fun Target Bingo is at −80.00.' },
  ]);
});

it('no draw of a network opens while its tables together are below its line', async () => {
  await setTableLine(t, net, 79.99);
  await t.finishDraw();
  expect((await panel()).draw).toBeNull();
  expect(await low(net.admin)).toMatchObject([
    { detail: 'Its balance is −80.00. No draw opens until balance is added.' },
  ]);
  expect(tableNotices(await findNegativeNetworks(t.db, 'all'))).toMatchObject([
    { detail: 'Fun Target Bingo is at −80.00. Its network opens no draws.' },
  ]);
  await t.ok(addBalance, { body: { gameId: GAME, adminId: net.admin._id, balance: 0.01 } }, net.admin);
  await t.app.tick();
  expect((await panel()).draw).toMatchObject({ status: 'open' });
  await t.expectBooksToBalance();
});
