import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { logout } from '@drawhouse/contract/auth/auth';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { describe, expect, it } from 'vitest';
import type { TestApp, Network } from '../../../test/harness.ts';
import { PlayerClient } from '../../../test/clients/player-client.ts';
import {
  balances,
  GAME,
  OTHER_GAME,
  readNothingByItself,
  serveWatchingPlayers,
  type WatchingPlayers,
} from '../../../test/clients/watching-players.ts';

const CUT_LISTENERS =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'drawhouse listener' and " +
  'datname = current_database()';

let t: TestApp;
let players: WatchingPlayers;
let net: Network;

serveWatchingPlayers((its) => ({ t, players, net } = its));

const pair = () => ({ gameId: GAME, adminId: net.admin._id });

describe('a player who watches games', () => {
  it('receives all games of its network and its own wallet immediately', async () => {
    const foreign = await t.network({ games: ['pingpong1'] });
    const client = new PlayerClient(players.urls[0], net.user).watch([GAME, 'pingpong1', 'nothing', GAME]);
    players.open.push(client);
    await expect.poll(() => client.games.length > 0).toBeTruthy();
    expect(client.received).toEqual([
      { walletBalance: 500, winnings: 0, settled: null },
      {
        gameId: GAME,
        serverTime: t.clock.now().toISOString(),
        draw: expect.objectContaining({
          status: 'open',
          commitment: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        }) as object,
        nextOpensAt: expect.any(String) as string,
        awaited: [],
        result: expect.objectContaining({ source: 'generated' }) as object,
        terms: {
          unitPrice: 1,
          pays: { number: 900 },
          limits: { perNumber: null, perTicket: null, perPlayer: null },
          manualClaims: false,
        },
      },
    ]);
    expect(client.games[0]!.nextOpensAt).toBe(client.games[0]!.draw!.drawsAt);
    client.forget();

    await t.bet(foreign.user, { 1: 1 }, { gameId: 'pingpong1' });
    await t.ok(
      voidDraw,
      { body: { gameId: 'pingpong1', adminId: foreign.admin._id, reason: 'a test' } },
      foreign.admin,
    );
    await t.bet(net.user, { 1: 1 });
    expect(await balances(client, 1)).toEqual([499]);
    expect(client.games).toEqual([]);
  });

  it('receives close, result and next draw, once each, in a few hundred bytes', async () => {
    const client = await players.watch(net.user);
    await t.ok(addResult, { body: { ...pair(), result: '7', boosterValue: 2 } }, net.admin);
    await expect.poll(() => client.of(GAME)?.draw?.status).toBe('closed');
    // Saved results are secret until drawn.
    expect(JSON.stringify(client.received)).not.toContain('"7"');
    await t.finishDraw();
    // Opening and result may arrive in either order.
    const results = () => client.games.flatMap(({ result }) => result ?? []);
    await expect.poll(() => results().length > 0).toBeTruthy();
    await expect.poll(() => client.of(GAME)?.draw?.status).toBe('open');
    expect(results()).toMatchObject([{ drawno: '7', booster: 2, source: 'declared' }]);
    expect(client.games.map(({ terms }) => terms)).toEqual(client.games.map(() => null));
    for (const news of client.games) expect(JSON.stringify(news).length).toBeLessThan(700);
    expect(client.games.length).toBeLessThanOrEqual(4);
  });

  it("receives neither others' bets nor a draw's sums", async () => {
    const neighbour = await players.anotherPlayer(100);
    const client = await players.watch(net.user);
    for (let bet = 0; bet < 5; bet++) await t.bet(neighbour, { 3: 7 });
    await t.bet(net.user, { 3: 1 });
    expect(await balances(client, 1)).toEqual([499]);
    expect(client.games).toEqual([]);
    await t.finishDraw();
    await expect.poll(() => client.games.some(({ result }) => result)).toBeTruthy();
    await expect.poll(() => client.games.some(({ draw }) => draw)).toBeTruthy();
    expect(new Set(client.games.flatMap((news) => Object.keys(news)))).toEqual(
      new Set(['gameId', 'serverTime', 'draw', 'nextOpensAt', 'awaited', 'result', 'terms']),
    );
    expect(new Set(client.games.flatMap(({ draw }) => Object.keys(draw ?? {})))).toEqual(
      new Set(['_id', 'number', 'opensAt', 'closesAt', 'drawsAt', 'status', 'commitment', 'outside']),
    );
  });

  it('receives a void draw and its refund', async () => {
    const client = await players.watch(net.user);
    await t.bet(net.user, { 3: 4 });
    expect(await balances(client, 1)).toEqual([496]);
    await t.ok(voidDraw, { body: { ...pair(), reason: 'Wrong ball' } }, net.admin);
    await expect.poll(() => client.of(GAME)?.draw?.status).toBe('void');
    await expect.poll(() => client.wallet).toEqual({ walletBalance: 500, winnings: 0, settled: null });
  });

  it('learns immediately of a game lost or gained on any server', async () => {
    const clients = [
      await players.watch(net.user, [GAME, OTHER_GAME]),
      await players.watch(net.user, [GAME, OTHER_GAME], players.urls[1]),
    ];
    const setGames = (games: string[]) =>
      t.ok(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { games } }, net.superadmin);
    readNothingByItself();
    await setGames([GAME]);
    for (const client of clients) await expect.poll(() => client.of(OTHER_GAME)).toMatchObject({ terms: null });
    for (const client of clients) client.forget();
    await setGames([GAME, OTHER_GAME]);
    for (const client of clients) await expect.poll(() => client.of(OTHER_GAME)?.terms).toBeTruthy();
  });
});

describe('the wallet of a watching player', () => {
  it('includes a win when the result arrives: wallet first, then result', async () => {
    const client = await players.watch(net.user);
    await t.bet(net.user, { 7: 3, 8: 1 });
    expect(await balances(client, 1)).toEqual([496]);
    client.forget();
    await t.ok(generateResult, { body: pair() }, net.admin);
    await expect.poll(() => client.games.some(({ result }) => result)).toBeTruthy();
    const [{ draw_id, win }] = (await t.db.query<{ draw_id: string; win: bigint }>(
      'select draw_id, win from player_settlements where network_id = $1 and account_id = $2',
      [net.networkId, net.user._id],
    )) as [{ draw_id: string; win: bigint }];
    const won = Number(win) / 100;
    const settled = { gameId: GAME, drawId: draw_id, staked: 4, won };
    const at = client.received.findIndex((news) => 'settled' in news && news.settled);
    expect(client.received[at]).toEqual({ walletBalance: 496 + won, winnings: 0, settled });
    expect(at).toBeLessThan(client.received.findIndex((news) => 'result' in news && news.result));
    await t.bet(net.user, { 7: 1 }, { gameId: OTHER_GAME });
    await expect.poll(() => client.wallet?.walletBalance === 495 + won).toBeTruthy();
    expect(client.wallets.filter((news) => news.settled)).toHaveLength(1);
  });

  it('follows a pending win and its claim', async () => {
    const games = (await t.ok(gameList.route, { query: {} }, net.superadmin)).data;
    const params = { id: games.find(({ gameId }) => gameId === OTHER_GAME)!._id };
    const setClaims = (manualClaims: 'yes' | 'no') =>
      t.ok(changeGame, { params, body: { manualClaims } }, net.superadmin);
    await setClaims('yes');
    await t.finishDraw();
    const client = await players.watch(net.user, [OTHER_GAME]);
    await t.bet(net.user, { 7: 1 }, { gameId: OTHER_GAME });
    await t.ok(addResult, { body: { ...pair(), gameId: OTHER_GAME, result: '7' } }, net.admin);
    await t.finishDraw();
    await expect
      .poll(() => client.wallet)
      .toMatchObject({ walletBalance: 499, winnings: 10, settled: { staked: 1, won: 10 } });
    const { data } = await t.ok(playerTickets, { query: { claims: 'waiting' } }, net.user);
    await t.ok(claimWin, { body: { ticketId: data[0]!._id } }, net.user);
    await expect.poll(() => client.wallet).toEqual({ walletBalance: 509, winnings: 0, settled: null });
    await setClaims('no');
  });
});

describe('with several servers', () => {
  it('missed news arrive once notifications resume', async () => {
    const clients = [await players.watch(net.user), await players.watch(net.user, [GAME], players.urls[1])];
    await t.db.query(CUT_LISTENERS);
    await t.bet(net.user, { 7: 1 });
    await t.ok(addResult, { body: { ...pair(), result: '7' } }, net.admin);
    await t.finishDraw();
    for (const client of clients) {
      await expect.poll(() => client.wallet?.walletBalance).toBe(508);
      await expect.poll(() => client.games.some(({ result }) => result?.drawno === '7')).toBeTruthy();
    }
  });
});

describe('watching', () => {
  it('is refused to staff, and panels to players', async () => {
    for (const account of [net.superadmin, net.admin, net.retailer]) {
      const client = new PlayerClient(players.urls[0], account).watch([GAME]);
      players.open.push(client);
      await expect.poll(() => client.refusals).toEqual(['NOT_ALLOWED']);
      expect(client.received).toEqual([]);
    }
  });

  it('ends with the session', async () => {
    const client = await players.watch(net.user, [GAME], players.urls[1]);
    await t.ok(logout, {}, net.user);
    await expect.poll(() => client.closed).toEqual(['io server disconnect']);
    await players.fund(net.user, 10);
    expect(client.wallets).toEqual([]);
  });
});
