import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult } from '@drawhouse/contract/draws/draws';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { describe, expect, it, vi } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { listen, TestApp, type Network } from '../../../test/harness.ts';
import { statementOf } from '../../../test/statements/statement-of.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { PlayerClient } from '../../../test/clients/player-client.ts';
import {
  balances,
  GAME,
  OTHER_GAME,
  readNothingByItself,
  serveWatchingPlayers,
  type WatchingPlayers,
} from '../../../test/clients/watching-players.ts';

let t: TestApp;
let players: WatchingPlayers;
let net: Network;

serveWatchingPlayers((its) => ({ t, players, net } = its));

const pair = () => ({ gameId: GAME, adminId: net.admin._id });

describe('a player watching games', () => {
  it('receives new terms: limits at once, pays with the next draw', async () => {
    const client = await players.watch(net.user);
    const { data } = await t.ok(listLimits, { params: { adminId: net.admin._id } }, net.admin);
    const { id } = data.find(({ gameId }) => gameId === GAME)!;
    await t.ok(
      setLimits,
      { params: { adminId: net.admin._id }, body: { updates: [{ id, perTicket: 50 }] } },
      net.admin,
    );
    await expect.poll(() => client.of(GAME)?.terms?.limits.perTicket).toBe(50);
    const games = (await t.ok(gameList.route, { query: {} }, net.superadmin)).data;
    const row = games.find(({ gameId }) => gameId === GAME)!;
    const change = (pay: number) =>
      t.ok(changeGame, { params: { id: row._id }, body: { pays: { number: pay } } }, net.superadmin);
    await change(8);
    await t.finishDraw();
    await expect.poll(() => client.games.findLast(({ terms }) => terms)?.terms?.pays).toEqual({ number: 800 });
    await change(9);
  });

  it('receives the last requested games', async () => {
    const client = await players.watch(net.user, [GAME]);
    client.watch([OTHER_GAME]);
    await expect.poll(() => client.of(OTHER_GAME)).toBeTruthy();
    client.forget();
    for (const gameId of [GAME, OTHER_GAME])
      await t.ok(addResult, { body: { ...pair(), gameId, result: '7' } }, net.admin);
    await expect.poll(() => client.of(OTHER_GAME)?.draw?.status === 'closed').toBeTruthy();
    client.watch([]);
    await expect.poll(() => client.wallet).toBeTruthy();
    expect(client.of(GAME)).toBeUndefined();
    client.forget();
    await t.finishDraw();
    await t.bet(net.user, { 1: 1 });
    await expect.poll(() => client.wallet).toBeTruthy();
    expect(client.games).toEqual([]);
  });

  it('learns that its network lost a game', async () => {
    const client = await players.watch(net.user, [GAME, OTHER_GAME]);
    const setGames = (games: string[]) =>
      t.ok(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { games } }, net.superadmin);
    await setGames([GAME]);
    await t.finishDraw();
    await expect
      .poll(() => client.of(OTHER_GAME))
      .toMatchObject({ draw: null, nextOpensAt: null, result: null, terms: null });
    await setGames([GAME, OTHER_GAME]);
  });
});

describe("a watching player's wallet", () => {
  it('is not computed on servers without watchers', async () => {
    const alone = await TestApp.start();
    const accountIds = vi.fn(() => [net.user._id]);
    alone.app.services.events.emit('creditMoved', { networkId: 1, accountIds });
    await alone.close();
    expect(accountIds).not.toHaveBeenCalled();

    const client = await players.watch(net.user);
    t.app.services.events.emit('creditMoved', { networkId: net.networkId, accountIds });
    expect(accountIds).toHaveBeenCalledOnce();
    client.forget();
  });

  it('follows credit given and taken back in all tabs', async () => {
    const clients = [await players.watch(net.user), await players.watch(net.user, [])];
    await players.fund(net.user, 25);
    for (const client of clients) expect(await balances(client, 1)).toEqual([525]);
    const body = { toUserId: net.user._id, adjustAmount: 125, transactionType: 'debit', password: PASSWORD } as const;
    await t.ok(accountRoutes.user.creditAdjust, { body }, net.retailer);
    for (const client of clients) expect(await balances(client, 2)).toEqual([525, 400]);
  });

  it('is sent to losers too, and not to players without bets', async () => {
    const idle = await players.anotherPlayer(0);
    const [client, bystander] = [await players.watch(net.user), await players.watch(idle)];
    await t.bet(net.user, { 1: 2 });
    await t.ok(addResult, { body: { ...pair(), result: '7' } }, net.admin);
    await t.finishDraw();
    await expect.poll(() => bystander.games.some(({ result }) => result)).toBeTruthy();
    await expect.poll(() => client.wallet).toMatchObject({ walletBalance: 498, settled: { staked: 2, won: 0 } });
    expect(bystander.wallets).toEqual([]);
  });

  it('is not read for players who do not watch, however many bets', async () => {
    // Without notifications, loss handling and periodic reads.
    const deaf = (served: Database): Database => ({
      ...served,
      listen: (channel, listener) =>
        served.listen(channel, channel === 'panels' ? { onMessage: () => {}, missed: () => {} } : listener),
    });
    const alone = await t.beside({ through: deaf });
    try {
      readNothingByItself();
      const query = vi.spyOn(alone.served, 'query');
      const neighbour = await players.anotherPlayer(100);
      const client = await players.watch(net.user, [GAME], await listen(alone.app));
      const boards = (): number =>
        query.mock.calls.filter((call) => statementOf(...call).name === 'draws-of-network').length;
      expect(boards()).toBe(1);
      for (let bet = 0; bet < 10; bet++) await alone.bet(neighbour, { 3: 1 });
      await alone.bet(net.user, { 1: 1 });
      expect(await balances(client, 1)).toEqual([499]);
      const read = query.mock.calls
        .filter((call) => statementOf(...call).name === 'wallets-players')
        .map((call) => String(statementOf(...call).values));
      expect(read.length).toBeGreaterThan(0);
      expect(boards()).toBe(1);
      expect(read.filter((values) => values.includes(neighbour._id))).toEqual([]);
      client.socket.disconnect();
    } finally {
      await alone.close();
    }
  });
});

describe('across several servers', () => {
  it('a player receives the same from each', async () => {
    const clients = [await players.watch(net.user), await players.watch(net.user, [GAME], players.urls[1])];
    await t.bet(net.user, { 7: 1 });
    for (const client of clients) await expect.poll(() => client.wallet?.walletBalance).toBe(499);
    await players.other.bet(net.user, { 8: 1 });
    for (const client of clients) await expect.poll(() => client.wallet?.walletBalance).toBe(498);
    await players.other.ok(addResult, { body: { ...pair(), result: '7' } }, net.admin);
    for (const client of clients) await expect.poll(() => client.of(GAME)?.draw?.status).toBe('closed');
    await t.finishDraw();
    for (const client of clients) {
      await expect.poll(() => client.games.some(({ result }) => result)).toBeTruthy();
      const at = client.received.findIndex((news) => 'settled' in news && news.settled);
      expect(client.received[at]).toMatchObject({ walletBalance: 507, settled: { staked: 2, won: 9 } });
      expect(at).toBeLessThan(client.received.findIndex((news) => 'result' in news && news.result));
      expect(client.wallets.filter((news) => news.settled)).toHaveLength(1);
    }
  });

  it('a returning player receives everything from any server', async () => {
    const client = await players.watch(net.user);
    (client.socket.io as unknown as { uri: string }).uri = players.urls[1];
    client.drop();
    await t.bet(net.user, { 7: 1 });
    await t.ok(addResult, { body: { ...pair(), result: '7' } }, net.admin);
    await t.finishDraw();
    await expect.poll(() => client.wallet).toMatchObject({ walletBalance: 508 });
    await expect.poll(() => client.games.findLast(({ result }) => result)?.result?.drawno).toBe('7');
    await expect.poll(() => client.of(GAME)?.draw?.status).toBe('open');
    expect(client.games.some(({ terms }) => terms)).toBe(true);
  });
});

describe('an invalid watch request', () => {
  it('is refused with advice and changes nothing', async () => {
    const client = await players.watch(net.user);
    const wrong = [null, GAME, { 0: GAME }, [7], [GAME, ''], [GAME, null], ['x'.repeat(65)], Array(501).fill(GAME)];
    for (const [index, games] of wrong.entries()) {
      client.socket.emit('watchGames', games);
      await expect.poll(() => client.refusals).toEqual(Array(index + 1).fill('INVALID_INPUT'));
    }
    await t.ok(addResult, { body: { ...pair(), result: '7' } }, net.admin);
    await expect.poll(() => client.of(GAME)?.draw?.status).toBe('closed');
  });

  it('is refused for a while if repeated too often', async () => {
    const client = await players.watch(net.user);
    for (let time = 0; time < 40; time++) client.socket.emit('watchGames', [GAME]);
    await expect.poll(() => client.refusals.includes('THROTTLED')).toBe(true);
    expect(client.socket.connected).toBe(true);
    t.clock.advance(10_000);
    client.forget();
    client.watch([OTHER_GAME]);
    await expect.poll(() => client.of(OTHER_GAME)).toBeTruthy();
  });

  it('is impossible for betting programs, which receive no news', async () => {
    const silent = new PlayerClient(players.urls[0], net.user);
    players.open.push(silent);
    await expect.poll(() => silent.socket.connected).toBeTruthy();
    const client = await players.watch(net.user);
    await t.bet(net.user, { 1: 1 });
    expect(await balances(client, 1)).toEqual([499]);
    expect(silent.received).toEqual([]);
  });
});
