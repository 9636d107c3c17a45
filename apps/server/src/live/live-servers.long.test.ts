import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { logout } from '@drawhouse/contract/auth/auth';
import { addResult, generateResult } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { loadGame } from '@drawhouse/contract/live/live';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOTIFY_AFTER_MS } from './news/broadcast.ts';
import { listen, TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { moveAdmin, secondSuperadmin } from '../../test/worlds/second-superadmin.ts';
import { LiveClient, shownOf } from '../../test/clients/live-client.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let other: TestApp;
let urls: [string, string];
let net: Network;
let stranger: Network;
const open: LiveClient[] = [];

beforeAll(async () => {
  t = await TestApp.start();
  other = await t.beside();
  urls = [await listen(t.app), await listen(other.app)];
  stranger = await t.network({ credit: 0, games: [GAME] });
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 1000, games: [GAME] });
});
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.disconnect();
  vi.restoreAllMocks();
});
afterAll(async () => {
  await other.close();
  await t.close();
});

function client(url: string, { token }: SignedIn, adminId = net.admin._id): LiveClient {
  const made = new LiveClient(url, token).open(adminId, GAME);
  open.push(made);
  return made;
}

async function onBoth(): Promise<LiveClient[]> {
  const clients = urls.flatMap((url) => [net.admin, net.superadmin].map((by) => client(url, by)));
  await expect.poll(() => clients.every(({ panel }) => panel !== null)).toBeTruthy();
  return clients;
}

const truth = async () => shownOf(await t.ok(loadGame, { query: { gameId: GAME, adminId: net.admin._id } }, net.admin));

describe('events on one server appear on both', () => {
  afterAll(() => t.expectBooksToBalance());

  it('for bets, operators and the clock', async () => {
    const clients = await onBoth();
    const all = (value: (one: LiveClient) => unknown) => () => clients.map(value);
    const pair = { gameId: GAME, adminId: net.admin._id };
    for (const [staked, server] of [
      [3, t],
      [8, other],
    ] as const) {
      await server.bet(net.user, { 7: staked === 3 ? 3 : 5 });
      await expect.poll(all(({ panel }) => panel!.data[7]!.sum)).toEqual(clients.map(() => staked));
    }
    await t.give(net.superadmin, net.superadmin, 20);
    await t.give(net.superadmin, net.admin, 20);
    await other.ok(addBalance, { body: { ...pair, balance: 20 } }, net.admin);
    await expect.poll(all(({ panel }) => panel!.percentageData[0]!.gameBalance)).toEqual(clients.map(() => 20));
    await t.ok(addResult, { body: { ...pair, result: '7' } }, net.admin);
    await expect.poll(all(({ panel }) => panel!.saved?.result)).toEqual(clients.map(() => '7'));
    await t.finishDraw();
    await expect.poll(all(({ panel }) => panel!.lastData.data[0]?.drawno)).toEqual(clients.map(() => '7'));
    await expect.poll(all(({ panel }) => panel!.draw?.status)).toEqual(clients.map(() => 'open'));
    const right = await truth();
    for (const { panel, got } of clients) {
      expect(shownOf(panel)).toEqual(right);
      expect(got).toMatchObject({ wholes: 1, gaps: 0 });
    }
  });

  it('in few messages for many bets', async () => {
    await onBoth();
    const notified: string[] = [];
    const ear = t.db.listen('panels', { onMessage: (message) => void notified.push(message), missed() {} });
    await expect.poll(() => ear.isCurrent()).toBeTruthy();
    const from = performance.now();
    await Promise.all(Array.from({ length: 60 }, () => t.bet(net.user, { 1: 1 })));
    await expect.poll(() => open.map(({ panel }) => panel!.totalsumdata)).toEqual(open.map(() => 60));
    await expect.poll(() => notified.length).toBeGreaterThan(0);
    await ear.close();
    expect(notified.length).toBeLessThanOrEqual((performance.now() - from) / NOTIFY_AFTER_MS + 2);
    for (const message of notified)
      expect(JSON.parse(message)).toMatchObject({ news: [[net.networkId, GAME, 'stakes']] });
  });

  it('also after a server missed notifications', async () => {
    const clients = await onBoth();
    const cut =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'drawhouse listener' and " +
      'datname = current_database()';
    await t.db.query(cut);
    await t.bet(net.user, { 2: 4 });
    await expect.poll(() => clients.map(({ panel }) => panel!.data[2]!.sum)).toEqual(clients.map(() => 4));
    await other.bet(net.user, { 2: 4 });
    await expect.poll(() => clients.map(({ panel }) => panel!.data[2]!.sum)).toEqual(clients.map(() => 8));
  });

  it('also after an unknown notification', async () => {
    const clients = await onBoth();
    const nonsense = [
      '',
      'x',
      'null',
      '7',
      '{}',
      '{"news":7}',
      '{"ended":null}',
      '{"ended":{"ids":7}}',
      '{"moved":{}}',
    ];
    for (const channel of ['panels', 'wallets', 'sessions'])
      for (const message of nonsense) await t.db.query('select pg_notify($1, $2)', [channel, message]);
    await t.bet(net.user, { 2: 4 });
    await other.bet(net.user, { 2: 3 });
    await expect.poll(() => clients.map(({ panel }) => panel!.data[2]!.sum)).toEqual(clients.map(() => 7));
    expect(clients.every(({ socket }) => socket.connected)).toBe(true);
  });

  it('also for a client that switches servers and their numbering', async () => {
    const stays = client(urls[1], net.superadmin);
    const moving = new LiveClient(urls[0], net.admin.token, { reconnectMs: 20 }).open(net.admin._id, GAME);
    open.push(moving);
    await expect.poll(() => stays.panel && moving.panel).toBeTruthy();
    for (let staked = 1; staked <= 3; staked++) {
      await t.bet(net.user, { 2: 1 });
      await expect.poll(() => [stays, moving].every(({ panel }) => panel!.data[2]!.sum === staked)).toBeTruthy();
    }
    (moving.socket.io as unknown as { uri: string }).uri = urls[1];
    const { wholes } = moving.got;
    moving.drop();
    await expect.poll(() => moving.got.wholes > wholes).toBeTruthy();
    await other.bet(net.user, { 2: 1 });
    await expect.poll(() => moving.panel!.data[2]!.sum === 4).toBeTruthy();
    expect(shownOf(moving.panel)).toEqual(await truth());
    expect(moving.got.gaps).toBe(0);
  });

  it('eventually also without notification', async () => {
    const clients = await onBoth();
    // Simulates a server dying between commit and notification.
    await t.byHand('update network_games set win_percentage = 4321 where network_id = $1', [net.networkId]);
    await expect
      .poll(() => clients.map(({ panel }) => panel!.percentageData[0]!.winpercentage))
      .toEqual(clients.map(() => 43.21));
    await t.byHand('update network_games set win_percentage = null where network_id = $1', [net.networkId]);
  });
});

async function changesBy(by: SignedIn): Promise<unknown[]> {
  const pair = { gameId: GAME, adminId: net.admin._id };
  const codes: unknown[] = [];
  for (const server of [t, other]) {
    codes.push((await server.call(addResult, { body: { ...pair, result: '7' } }, by)).body.code);
    codes.push((await server.call(generateResult, { body: pair }, by)).body.code);
    codes.push((await server.call(addBalance, { body: { ...pair, balance: 1 } }, by)).body.code);
  }
  return [...new Set(codes)];
}

describe('a socket on either of two servers', () => {
  const refused: [string, () => SignedIn, string][] = [
    ['the admin of another network', () => stranger.admin, 'NOT_FOUND'],
    ['a superdistributor', () => net.superdistributor, 'NOT_ALLOWED'],
    ['a distributor', () => net.distributor, 'NOT_ALLOWED'],
    ['a retailer', () => net.retailer, 'NOT_ALLOWED'],
    ['a player', () => net.user, 'NOT_ALLOWED'],
  ];
  it.each(refused)('of %s joins no room of the admin and changes nothing there', async (_name, by, code) => {
    const own = await onBoth();
    const clients = urls.map((url) => client(url, by()));
    await expect.poll(() => clients.map(({ refusals }) => refusals)).toEqual([[code], [code]]);
    await t.bet(net.user, { 1: 1 });
    await expect.poll(() => own.map(({ panel }) => panel!.totalsumdata)).toEqual(own.map(() => 1));
    for (const one of clients) one.open(net.admin._id, GAME);
    await expect.poll(() => clients.map(({ refusals }) => refusals.length)).toEqual([2, 2]);
    for (const { got } of clients) expect(got).toEqual({ wholes: 0, changes: 0, gaps: 0 });
    expect(await changesBy(by())).toEqual([code]);
  });

  it('leaves its room when its superadmin loses the admin, and the new one may enter', async () => {
    const second = await secondSuperadmin(t);
    const clients = await onBoth();
    const late = urls.map((url) => client(url, second));
    await expect.poll(() => late.map(({ refusals }) => refusals)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
    expect(await changesBy(second)).toEqual(['NOT_FOUND']);
    await moveAdmin(t, net.admin._id, second._id);
    await t.db.query('select pg_notify($1, $2)', ['sessions', JSON.stringify({ moved: net.admin._id })]);
    const [admins, superadmins] = [
      clients.filter((_one, at) => at % 2 === 0),
      clients.filter((_one, at) => at % 2 === 1),
    ];
    await expect.poll(() => superadmins.map(({ refusals }) => refusals)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
    for (const one of late) one.open(net.admin._id, GAME);
    await expect.poll(() => late.every(({ panel }) => panel !== null)).toBeTruthy();
    await t.bet(net.user, { 1: 1 });
    for (const group of [admins, late])
      await expect.poll(() => group.map(({ panel }) => panel!.totalsumdata)).toEqual([1, 1]);
    expect(superadmins.map(({ panel }) => panel!.totalsumdata)).toEqual([0, 0]);
    await t.ok(accountRoutes.admin.toggleStatus, { params: { userId: net.admin._id, action: 'deactivate' } }, second);
    await expect
      .poll(() => admins.map(({ closed }) => closed))
      .toEqual([['io server disconnect'], ['io server disconnect']]);
  });

  const ends: [string, (own: SignedIn) => Promise<unknown>][] = [
    ['logs out', (own) => t.ok(logout, {}, own)],
    [
      'gets another password',
      () =>
        t.ok(
          accountRoutes.admin.update,
          { params: { id: net.admin._id }, body: { password: 'another horse battery' } },
          net.superadmin,
        ),
    ],
    [
      'is deactivated',
      () =>
        t.ok(
          accountRoutes.admin.toggleStatus,
          { params: { userId: net.admin._id, action: 'deactivate' } },
          net.superadmin,
        ),
    ],
  ];
  it.each(ends)('is closed when its admin %s and stays out', async (_name, end) => {
    const clients = urls.map((url) => client(url, net.admin));
    const stays = urls.map((url) => client(url, net.superadmin));
    await expect.poll(() => [...clients, ...stays].every(({ panel }) => panel !== null)).toBeTruthy();
    await end(net.admin);
    await expect
      .poll(() => clients.map(({ closed }) => closed))
      .toEqual([['io server disconnect'], ['io server disconnect']]);
    expect(stays.every(({ socket }) => socket.connected)).toBe(true);
    await expect.poll(() => changesBy(net.admin)).toEqual(['SESSION_ENDED']);
    for (const { socket } of clients) {
      const refusal = new Promise((resolve) => socket.once('connect_error', (error) => resolve(error)));
      socket.connect();
      expect(await refusal).toMatchObject({ data: { code: 'SESSION_ENDED' } });
    }
  });

  it('is closed if its session ended while the server missed notifications', async () => {
    const clients = urls.map((url) => client(url, net.admin));
    await expect.poll(() => clients.every(({ panel }) => panel !== null)).toBeTruthy();
    // Manual changes raise no event; a reconnecting listener checks on its own.
    await t.db.query('delete from sessions where account_id = $1', [net.admin._id]);
    await t.db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'drawhouse listener' and " +
        'datname = current_database()',
    );
    await expect
      .poll(() => clients.map(({ closed }) => closed))
      .toEqual([['io server disconnect'], ['io server disconnect']]);
  });

  it('leaves the room of a game its admin lost', async () => {
    const clients = await onBoth();
    await t.db.query('delete from draws where network_id = $1', [net.networkId]);
    await t.db.query('delete from network_games where network_id = $1', [net.networkId]);
    await expect.poll(() => clients.map(({ refusals }) => refusals)).toEqual(clients.map(() => ['NOT_FOUND']));
  });
});
