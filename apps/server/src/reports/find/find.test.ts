import { STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import { find, FIND_MOST, type Found } from '@drawhouse/contract/reports/find';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { playerState } from '@drawhouse/contract/draws/draws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  other = await t.network();
});
afterAll(() => t.close());

const search = (text: string, as: SignedIn): Promise<Found> => t.ok(find, { query: { text } }, as);
const NOTHING = { accounts: [], tickets: [], draws: [], transactions: [] };

describe('accounts', () => {
  it('are found by part of the name, in the subtree only', async () => {
    for (const role of STAFF_ROLES) {
      const isBelow = STAFF_ROLES.indexOf(role) < STAFF_ROLES.indexOf('retailer');
      const { accounts } = await search(net.retailer.username.slice(1).toUpperCase(), net[role]);
      expect(accounts.map(({ _id }) => _id)).toEqual(isBelow ? [net.retailer._id] : []);
    }
    expect(await search(other.user.username, net.admin)).toEqual({ success: true, ...NOTHING });
  });

  it('are found by unique id and its start, with role, state and parent', async () => {
    const child = await t.make(net.retailer);
    for (const text of [child.uniqueId, child.uniqueId.slice(0, 5).toLowerCase(), child._id]) {
      const { accounts } = await search(text, net.distributor);
      expect(accounts).toContainEqual({
        _id: child._id,
        username: child.username,
        uniqueId: child.uniqueId,
        role: 'user',
        userStatus: true,
        reference: net.retailer.username,
      });
    }
    expect((await search(child.uniqueId, other.admin)).accounts).toEqual([]);
  });

  it('come best first and at most eight; wildcards are plain letters', async () => {
    const names = ['x_zed', 'zed', ...Array.from({ length: FIND_MOST }, (_, index) => `zed-and-${index}`)];
    for (const username of names) await t.make(net.retailer, { username });
    const found = (await search('zed', net.retailer)).accounts.map(({ username }) => username);
    expect(found).toEqual(['zed', ...names.slice(2, FIND_MOST + 1)]);
    const { accounts } = await search('x_z', net.retailer);
    expect(accounts.map(({ username }) => username)).toEqual(['x_zed']);
    expect((await search('%', net.retailer)).accounts).toEqual([]);
  });

  it('are not found once deleted', async () => {
    const gone = await t.make(net.retailer, { username: 'soon-gone' });
    await t.byHand('update accounts set deleted_at = now() where id = $1', [gone._id]);
    expect((await search('soon-gone', net.superadmin)).accounts).toEqual([]);
  });
});

it('finds a ticket by number, with or without hyphens, and by id', async () => {
  const { ticket } = (await t.bet(net.user, { 7: 2 })).body;
  for (const text of [ticket.ticketId, ticket.ticketId.replaceAll('-', '').toLowerCase(), ticket._id]) {
    for (const role of STAFF_ROLES) {
      const { tickets } = await search(text, net[role]);
      expect(tickets).toEqual([
        expect.objectContaining({ _id: ticket._id, username: net.user.username, playpoints: 2, status: 'open' }),
      ]);
    }
    expect((await search(text, other.retailer)).tickets).toEqual([]);
  }
});

it('finds a draw by id and by number with the game or the admin, in its network only', async () => {
  const { draw } = await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user);
  const ofDraw = { _id: draw!._id, number: draw!.number, gameId: 'funtargetbingo', admin: net.admin.username };
  for (const text of [draw!._id, `${draw!.number}`, `target ${draw!.number}`])
    expect((await search(text, net.retailer)).draws, `by ${text}`).toEqual([expect.objectContaining(ofDraw)]);
  expect((await search(draw!._id, other.admin)).draws).toEqual([]);
  expect((await search(`roulette ${draw!.number}`, net.retailer)).draws).toEqual([]);
  const both = (await search(`${draw!.number}`, net.superadmin)).draws.map(({ admin }) => admin);
  expect(both.toSorted()).toEqual([net.admin.username, other.admin.username].toSorted());
  expect((await search(`${draw!.number} ${net.admin.username}`, net.superadmin)).draws).toHaveLength(1);
  expect((await search('999999999999', net.superadmin)).draws).toEqual([]);
});

it('finds a transaction by id as the transaction report shows it, with an account of the subtree', async () => {
  await t.give(net.superadmin, net.superadmin, 10);
  await t.give(net.superadmin, net.admin, 1);
  for (const role of ['superadmin', 'admin', 'retailer'] as const) {
    const { data } = await t.ok(transactionReport.route, { query: {} }, net[role]);
    expect(data.length).toBeGreaterThan(0);
    for (const row of data.slice(0, 5)) expect((await search(row._id, net[role])).transactions).toEqual([row]);
  }
  const { data } = await t.ok(transactionReport.route, { query: {} }, net.admin);
  for (const { _id } of data.slice(0, 5)) expect((await search(_id, other.admin)).transactions).toEqual([]);
});
