import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { logout } from '@drawhouse/contract/auth/auth';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../db/database.ts';
import { listen, TestApp } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import type { Network, SignedIn } from '../../test/harness.ts';
import { PlayerClient } from '../../test/player-client.ts';

const GAME = 'funtargetbingo';
const OTHER_GAME = 'luckycard12';
const CUT_LISTENERS = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'drawhouse listener' and datname = current_database()`;

let t: TestApp;
/** Another server on the same database. */
let other: TestApp;
let urls: [string, string];
let net: Network;
const open: PlayerClient[] = [];

beforeAll(async () => {
  t = await TestApp.start();
  other = await t.beside();
  urls = [await listen(t.app), await listen(other.app)];
  net = await t.network({ credit: 0, games: [GAME, OTHER_GAME] });
});
beforeEach(async () => {
  await t.finishDraw();
  net = { ...net, user: await anotherPlayer(500) };
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const { socket } of open.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await other.close();
  await t.close();
});

/** A player who watches games at one of the servers, once it was told of the draws of now: that of the one before may be on its way when it comes. */
async function watcher(player: SignedIn, games: readonly string[] = [GAME], url = urls[0]): Promise<PlayerClient> {
  const client = new PlayerClient(url, player, { reconnectMs: 20 }).watch(games);
  open.push(client);
  const isOfNow = (gameId: string) => Date.parse(client.of(gameId)?.nextOpensAt ?? '') > t.clock.now().getTime();
  await expect.poll(() => client.wallet && games.every(isOfNow)).toBeTruthy();
  client.forget();
  return client;
}

/** Time as the servers measure it stands still until the test is over: nothing is read because some has passed. */
function readNothingByItself(): void {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
}

/** Gives a player credit that is issued for it. */
async function fund(whom: SignedIn, points: number): Promise<void> {
  await t.give(net.superadmin, net.superadmin, points);
  await t.give(net.superadmin, whom, points);
}

/** Another player of the network, with so much credit. */
async function anotherPlayer(points: number): Promise<SignedIn> {
  const made = await t.create(net.retailer);
  if (points > 0) await fund(made, points);
  return made;
}

const pair = () => ({ gameId: GAME, adminId: net.admin._id });
const balances = async (client: PlayerClient, count: number): Promise<(number | undefined)[]> => {
  await expect.poll(() => client.wallets.length >= count).toBeTruthy();
  return client.wallets.map(({ walletBalance }) => walletBalance);
};

describe('a player who watches games', () => {
  it('is told all of them at once, of its own network alone, and what it has', async () => {
    const foreign = await t.network({ games: ['pingpong1'] });
    const client = new PlayerClient(urls[0], net.user).watch([GAME, 'pingpong1', 'nothing', GAME]);
    open.push(client);
    await expect.poll(() => client.games.length > 0).toBeTruthy();
    expect(client.heard).toEqual([
      { walletBalance: 500, winnings: 0, settled: null },
      {
        gameId: GAME,
        serverTime: t.clock.now().toISOString(),
        draw: expect.objectContaining({
          status: 'open',
          commitment: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        }) as object,
        nextOpensAt: expect.any(String) as string,
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

    // What happens to others it hears nothing of.
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

  it('hears when betting closes, of the result, and of the next draw; each once, in a few hundred bytes', async () => {
    const client = await watcher(net.user);
    await t.ok(addResult, { body: { ...pair(), result: '7', boosterValue: 2 } }, net.admin);
    await expect.poll(() => client.of(GAME)?.draw?.status).toBe('closed');
    // A result that is saved is nobody's to know.
    expect(JSON.stringify(client.heard)).not.toContain('"7"');
    await t.finishDraw();
    // The next draw opens while this one gets its result: either may be told first.
    const results = () => client.games.flatMap(({ result }) => result ?? []);
    await expect.poll(() => results().length > 0).toBeTruthy();
    await expect.poll(() => client.of(GAME)?.draw?.status).toBe('open');
    expect(results()).toMatchObject([{ drawno: '7', booster: 2, source: 'declared' }]);
    expect(client.games.map(({ terms }) => terms)).toEqual(client.games.map(() => null));
    for (const news of client.games) expect(JSON.stringify(news).length).toBeLessThan(700);
    expect(client.games.length).toBeLessThanOrEqual(4);
  });

  it('hears nothing of bets, whoever lays them, and no sums of a draw', async () => {
    const neighbour = await anotherPlayer(100);
    const client = await watcher(net.user);
    for (let bet = 0; bet < 5; bet++) await t.bet(neighbour, { 3: 7 });
    await t.bet(net.user, { 3: 1 });
    expect(await balances(client, 1)).toEqual([499]);
    expect(client.games).toEqual([]);
    await t.finishDraw();
    await expect.poll(() => client.games.some(({ result }) => result)).toBeTruthy();
    await expect.poll(() => client.games.some(({ draw }) => draw)).toBeTruthy();
    expect(new Set(client.games.flatMap((news) => Object.keys(news)))).toEqual(
      new Set(['gameId', 'serverTime', 'draw', 'nextOpensAt', 'result', 'terms']),
    );
    expect(new Set(client.games.flatMap(({ draw }) => Object.keys(draw ?? {})))).toEqual(
      new Set(['_id', 'number', 'opensAt', 'closesAt', 'drawsAt', 'status', 'commitment']),
    );
  });

  it('hears of a void draw and gets its stake back', async () => {
    const client = await watcher(net.user);
    await t.bet(net.user, { 3: 4 });
    expect(await balances(client, 1)).toEqual([496]);
    await t.ok(voidDraw, { body: { ...pair(), reason: 'Wrong ball' } }, net.admin);
    await expect.poll(() => client.of(GAME)?.draw?.status).toBe('void');
    await expect.poll(() => client.wallet).toEqual({ walletBalance: 500, winnings: 0, settled: null });
  });

  it('hears of other terms: limits at once, what a game pays with the next draw', async () => {
    const client = await watcher(net.user);
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

  it('hears of the games that it asked for last', async () => {
    const client = await watcher(net.user, [GAME]);
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

  it('is told that a game is not open any more that its network has lost', async () => {
    const client = await watcher(net.user, [GAME, OTHER_GAME]);
    const setGames = (games: string[]) =>
      t.ok(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { games } }, net.superadmin);
    await setGames([GAME]);
    await t.finishDraw();
    await expect
      .poll(() => client.of(OTHER_GAME))
      .toMatchObject({ draw: null, nextOpensAt: null, result: null, terms: null });
    await setGames([GAME, OTHER_GAME]);
  });

  it('is told at once of a game that its network has lost or been given, on whichever server', async () => {
    const clients = [await watcher(net.user, [GAME, OTHER_GAME]), await watcher(net.user, [GAME, OTHER_GAME], urls[1])];
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

describe('the wallet of a player who watches', () => {
  it('is worked out by a server on which nobody watches for no movement of credit', async () => {
    const alone = await TestApp.start();
    const accountIds = vi.fn(() => [net.user._id]);
    alone.app.services.events.emit('creditMoved', { networkId: 1, accountIds });
    await alone.close();
    expect(accountIds).not.toHaveBeenCalled();

    const client = await watcher(net.user);
    t.app.services.events.emit('creditMoved', { networkId: net.networkId, accountIds });
    expect(accountIds).toHaveBeenCalledOnce();
    client.forget();
  });

  it('has the win in the moment in which the result is told: the wallet first, then the result', async () => {
    const client = await watcher(net.user);
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
    const at = client.heard.findIndex((news) => 'settled' in news && news.settled);
    expect(client.heard[at]).toEqual({ walletBalance: 496 + won, winnings: 0, settled });
    expect(at).toBeLessThan(client.heard.findIndex((news) => 'result' in news && news.result));
    // It is told once.
    await t.bet(net.user, { 7: 1 }, { gameId: OTHER_GAME });
    await expect.poll(() => client.wallet?.walletBalance === 495 + won).toBeTruthy();
    expect(client.wallets.filter((news) => news.settled)).toHaveLength(1);
  });

  it('follows credit that is given and taken back, in all tabs', async () => {
    const clients = [await watcher(net.user), await watcher(net.user, [])];
    await fund(net.user, 25);
    for (const client of clients) expect(await balances(client, 1)).toEqual([525]);
    const body = { toUserId: net.user._id, adjustAmount: 125, transactionType: 'debit', password: PASSWORD } as const;
    await t.ok(accountRoutes.user.creditAdjust, { body }, net.retailer);
    for (const client of clients) expect(await balances(client, 2)).toEqual([525, 400]);
  });

  it('follows a win that waits, and its claim', async () => {
    const games = (await t.ok(gameList.route, { query: {} }, net.superadmin)).data;
    const params = { id: games.find(({ gameId }) => gameId === OTHER_GAME)!._id };
    const setClaims = (manualClaims: 'yes' | 'no') =>
      t.ok(changeGame, { params, body: { manualClaims } }, net.superadmin);
    await setClaims('yes');
    await t.finishDraw();
    const client = await watcher(net.user, [OTHER_GAME]);
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

  it('tells who has lost everything too, and nobody who did not play', async () => {
    const idle = await anotherPlayer(0);
    const [client, bystander] = [await watcher(net.user), await watcher(idle)];
    await t.bet(net.user, { 1: 2 });
    await t.ok(addResult, { body: { ...pair(), result: '7' } }, net.admin);
    await t.finishDraw();
    await expect.poll(() => bystander.games.some(({ result }) => result)).toBeTruthy();
    await expect.poll(() => client.wallet).toMatchObject({ walletBalance: 498, settled: { staked: 2, won: 0 } });
    expect(bystander.wallets).toEqual([]);
  });

  it('is read for nobody who does not watch, however many bets they lay', async () => {
    // Its games are read for nothing that others tell of them, or that it may have missed, or because time passes.
    const deaf = (served: Database): Database => ({
      ...served,
      listen: (channel, hearing) =>
        served.listen(channel, channel === 'panels' ? { heard: () => {}, missed: () => {} } : hearing),
    });
    const alone = await t.beside({ through: deaf });
    try {
      readNothingByItself();
      const query = vi.spyOn(alone.served, 'query');
      const neighbour = await anotherPlayer(100);
      const client = await watcher(net.user, [GAME], await listen(alone.app));
      const boards = (): number => query.mock.calls.filter(([, , name]) => name === 'draws-of-network').length;
      expect(boards()).toBe(1);
      for (let bet = 0; bet < 10; bet++) await alone.bet(neighbour, { 3: 1 });
      await alone.bet(net.user, { 1: 1 });
      expect(await balances(client, 1)).toEqual([499]);
      const read = query.mock.calls
        .filter(([, , name]) => name === 'wallets-players')
        .map(([, values]) => String(values));
      expect(read.length).toBeGreaterThan(0);
      expect(boards()).toBe(1);
      expect(read.filter((values) => values.includes(neighbour._id))).toEqual([]);
      client.socket.disconnect();
    } finally {
      await alone.close();
    }
  });
});

describe('on several servers', () => {
  it('a player hears the same at each, whichever does it', async () => {
    const clients = [await watcher(net.user), await watcher(net.user, [GAME], urls[1])];
    await t.bet(net.user, { 7: 1 });
    for (const client of clients) await expect.poll(() => client.wallet?.walletBalance).toBe(499);
    await other.bet(net.user, { 8: 1 });
    for (const client of clients) await expect.poll(() => client.wallet?.walletBalance).toBe(498);
    await other.ok(addResult, { body: { ...pair(), result: '7' } }, net.admin);
    for (const client of clients) await expect.poll(() => client.of(GAME)?.draw?.status).toBe('closed');
    await t.finishDraw();
    for (const client of clients) {
      await expect.poll(() => client.games.some(({ result }) => result)).toBeTruthy();
      const at = client.heard.findIndex((news) => 'settled' in news && news.settled);
      expect(client.heard[at]).toMatchObject({ walletBalance: 507, settled: { staked: 2, won: 9 } });
      expect(at).toBeLessThan(client.heard.findIndex((news) => 'result' in news && news.result));
      expect(client.wallets.filter((news) => news.settled)).toHaveLength(1);
    }
  });

  it('what was missed while a server heard nothing is told as soon as it hears again', async () => {
    const clients = [await watcher(net.user), await watcher(net.user, [GAME], urls[1])];
    await t.db.query(CUT_LISTENERS);
    await t.bet(net.user, { 7: 1 });
    await t.ok(addResult, { body: { ...pair(), result: '7' } }, net.admin);
    await t.finishDraw();
    for (const client of clients) {
      await expect.poll(() => client.wallet?.walletBalance).toBe(508);
      await expect.poll(() => client.games.some(({ result }) => result?.drawno === '7')).toBeTruthy();
    }
  });

  it('who was away is told all when it comes back, at whichever', async () => {
    const client = await watcher(net.user);
    (client.socket.io as unknown as { uri: string }).uri = urls[1];
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

describe('what is no watching', () => {
  it('of the staff is refused, and a player opens no panel', async () => {
    for (const account of [net.superadmin, net.admin, net.retailer]) {
      const client = new PlayerClient(urls[0], account).watch([GAME]);
      open.push(client);
      await expect.poll(() => client.refusals).toEqual(['NOT_ALLOWED']);
      expect(client.heard).toEqual([]);
    }
  });

  it('is refused with what would be right, and changes nothing', async () => {
    const client = await watcher(net.user);
    const wrong = [null, GAME, { 0: GAME }, [7], [GAME, ''], [GAME, null], ['x'.repeat(65)], Array(501).fill(GAME)];
    for (const [index, games] of wrong.entries()) {
      client.socket.emit('watchGames', games);
      await expect.poll(() => client.refusals).toEqual(Array(index + 1).fill('INVALID_INPUT'));
    }
    await t.ok(addResult, { body: { ...pair(), result: '7' } }, net.admin);
    await expect.poll(() => client.of(GAME)?.draw?.status).toBe('closed');
  });

  it('too often is refused, until a while has passed', async () => {
    const client = await watcher(net.user);
    for (let time = 0; time < 40; time++) client.socket.emit('watchGames', [GAME]);
    await expect.poll(() => client.refusals.includes('THROTTLED')).toBe(true);
    expect(client.socket.connected).toBe(true);
    t.clock.advance(10_000);
    client.forget();
    client.watch([OTHER_GAME]);
    await expect.poll(() => client.of(OTHER_GAME)).toBeTruthy();
  });

  it('is over when the session has ended', async () => {
    const client = await watcher(net.user, [GAME], urls[1]);
    await t.ok(logout, {}, net.user);
    await expect.poll(() => client.closed).toEqual(['io server disconnect']);
    await fund(net.user, 10);
    expect(client.wallets).toEqual([]);
  });

  it('is what a program has that only bets: it is told nothing', async () => {
    const silent = new PlayerClient(urls[0], net.user);
    open.push(silent);
    await expect.poll(() => silent.socket.connected).toBeTruthy();
    const client = await watcher(net.user);
    await t.bet(net.user, { 1: 1 });
    expect(await balances(client, 1)).toEqual([499]);
    expect(silent.heard).toEqual([]);
  });
});
