import { addResult, fairDraw } from '@drawhouse/contract/draws/draws';
import { betList } from '@drawhouse/contract/reports/bet-list';
import { drawPage } from '@drawhouse/contract/reports/object-pages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

let t: TestApp;
let net: Network;
let other: Network;
let sibling: SignedIn;
let neighbour: SignedIn;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ commissions: { superdistributor: 1, distributor: 1, retailer: 1, user: 1 } });
  other = await t.network();
  sibling = await t.create(net.distributor);
  neighbour = await t.create(sibling);
  await t.give(net.superadmin, net.superadmin, 100);
  await t.give(net.superadmin, neighbour, 100);
});
afterAll(() => t.close());

const page = (by: SignedIn, drawId: string) => t.ok(drawPage, { params: { drawId } }, by);

it('sums the stakes and payouts of the players below the caller', async () => {
  const { body } = await t.bet(net.user, { 5: 2, 7: 1 });
  await t.bet(neighbour, { 5: 1 });
  const { drawId, ticketId } = body.ticket;
  expect(await page(net.retailer, drawId)).toMatchObject({
    admin: { _id: net.admin._id, username: net.admin.username },
    outcome: null,
    finishedAt: null,
    figures: { tickets: 1, players: 1, stake: 3, win: null, commission: null },
    saved: null,
    log: [],
  });
  expect((await page(net.admin, drawId)).figures).toMatchObject({ tickets: 2, players: 2, stake: 4 });

  const pair = { adminId: net.admin._id, gameId: 'funtargetbingo' };
  await t.ok(addResult, { body: { ...pair, result: '5', boosterValue: 2 } }, net.admin);
  const saved = { by: net.admin.username, at: expect.any(String), ip: expect.any(String), confirmedBy: null };
  expect(await page(net.admin, drawId)).toMatchObject({ saved, outcome: null });
  expect((await page(net.retailer, drawId)).saved).toBeNull();
  await t.finishDraw();
  expect(await page(net.retailer, drawId)).toMatchObject({
    finishedAt: t.clock.now().toISOString(),
    outcome: { drawno: '5' },
    figures: { tickets: 1, stake: 3, win: 36, commission: 0.12 },
    saved: null,
    log: [],
  });
  const whole = await page(net.superadmin, drawId);
  expect(whole).toMatchObject({ figures: { tickets: 2, stake: 4, win: 54, commission: 0.14 }, saved });
  expect(whole.log.map(({ username }) => username)).toContain(net.admin.username);
  expect((await t.ok(fairDraw, { params: { drawId } }, net.admin)).resultLabel).toBe('5');

  const listed = async (by: SignedIn) => (await t.ok(betList.route, { query: { drawId } }, by)).data;
  expect((await listed(net.retailer)).map((row) => row.ticketId)).toEqual([ticketId]);
  expect(await listed(net.admin)).toHaveLength(2);
  expect(await listed(net.superadmin)).toHaveLength(2);
  t.clock.advance(3 * 86_400_000);
  net.retailer = await t.signIn(net.retailer.username);
  expect(await listed(net.retailer)).toHaveLength(1);
});

it('is not found outside the network', async () => {
  const player = await t.signIn(net.user.username);
  await t.app.tick();
  const { body } = await t.bet(player, { 1: 1 });
  const { drawId } = body.ticket;
  const [stranger, foreign] = [await t.signIn(other.admin.username), await t.signIn(other.retailer.username)];
  for (const by of [stranger, foreign]) {
    expect((await t.call(drawPage, { params: { drawId } }, by)).status).toBe(404);
    expect((await t.ok(betList.route, { query: { drawId } }, by)).data).toEqual([]);
  }
  expect((await t.call(drawPage, { params: { drawId } }, player)).status).toBe(403);
});
