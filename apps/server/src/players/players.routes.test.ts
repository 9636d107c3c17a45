import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { lobby, LOBBY_RESULTS, LOBBY_TICKETS, type Lobby } from '@drawhouse/contract/players/lobby';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';

const GAME = 'funtargetbingo';
const GAMES = [GAME, 'pingpong1', 'luckycard12', 'lottery3d'];

let t: TestApp;
let net: Network;
beforeAll(async () => {
  t = await TestApp.start({ timeZone: 'Asia/Kolkata' });
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 500, games: GAMES });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

async function fund(player: SignedIn, points: number): Promise<void> {
  await t.give(net.superadmin, net.superadmin, points);
  await t.give(net.superadmin, player, points);
}

const lobbyOf = (player: SignedIn = net.user): Promise<Lobby> => t.ok(lobby, {}, player);
const namesOf = ({ games }: Lobby): string[] => games.map(({ gameId }) => gameId);
const declare = (gameId: string, result: string) =>
  t.ok(addResult, { body: { gameId, adminId: net.admin._id, result } }, net.admin);

it("returns wallet, session and all games of the player's network by name, with running draws", async () => {
  const signedInAt = t.clock.now().toISOString();
  t.clock.advance(2_000);
  const shown = await lobbyOf();
  expect(shown).toMatchObject({
    username: net.user.username,
    serverTime: t.clock.now().toISOString(),
    signedInAt,
    walletBalance: 500,
    winnings: 0,
    today: { staked: 0, won: 0, open: 0 },
  });
  expect(namesOf(shown).toSorted()).toEqual(GAMES.toSorted());
  expect(shown.games.map(({ gameName }) => gameName)).toEqual(shown.games.map(({ gameName }) => gameName).toSorted());
  expect(shown.games.find(({ gameId }) => gameId === 'lottery3d')).toMatchObject({
    family: 'lottery3d',
    digits: 1000,
    unitPrice: 1,
    pays: { straight: 90_000, ap: 6_000 },
    draw: { status: 'open' },
    lastPlayedAt: null,
    results: [],
  });
  for (const { draw, nextOpensAt } of shown.games) expect(nextOpensAt).toBe(draw!.drawsAt);
});

it("lists the last played game first, with the day's settled, won and open amounts", async () => {
  await t.bet(net.user, { 7: 2, 8: 1 });
  await declare(GAME, '7');
  await t.finishDraw();
  await t.bet(net.user, { 3: 5 }, { gameId: 'pingpong1' });
  t.clock.advance(1_000);
  await t.bet(net.user, { 3: 4 }, { gameId: 'luckycard12' });
  const playedAt = t.clock.now().toISOString();
  const shown = await lobbyOf();
  expect(namesOf(shown).slice(0, 3)).toEqual(['luckycard12', 'pingpong1', GAME]);
  expect(shown.games[0]!.lastPlayedAt).toBe(playedAt);
  expect(shown).toMatchObject({ walletBalance: 506, today: { staked: 3, won: 18, open: 9 } });
  expect(new Set(shown.openDraws)).toEqual(new Set(shown.games.slice(0, 2).map(({ draw }) => draw!._id)));
  expect(shown.games.slice(0, 3).map(({ open }) => open)).toEqual([4, 5, 0]);
  expect(shown.games[2]!.results).toMatchObject([{ drawno: '7', booster: 1, source: 'declared' }]);

  await t.ok(voidDraw, { body: { gameId: 'luckycard12', adminId: net.admin._id, reason: 'a test' } }, net.admin);
  expect(await lobbyOf()).toMatchObject({ walletBalance: 510, today: { staked: 3, won: 18, open: 5 } });
});

it('restarts the day at midnight of the time zone, keeping open stakes', async () => {
  t.clock.set(new Date('2026-03-20T18:00:00.000Z'));
  await t.app.tick();
  await signInAnew();
  await t.bet(net.user, { 7: 2 });
  await declare(GAME, '8');
  await t.finishDraw();
  expect((await lobbyOf()).today).toEqual({ staked: 2, won: 0, open: 0 });
  t.clock.set(new Date('2026-03-20T18:29:30.000Z'));
  await t.app.tick();
  await signInAnew();
  await t.bet(net.user, { 7: 3 });
  t.clock.set(new Date('2026-03-20T18:30:00.500Z'));
  expect((await lobbyOf()).today).toEqual({ staked: 0, won: 0, open: 3 });
  await t.app.tick();
  expect((await lobbyOf()).today).toMatchObject({ staked: 3, open: 0 });
});
async function signInAnew(): Promise<void> {
  for (const role of ['user', 'admin'] as const) Object.assign(net[role], await t.signIn(net[role].username));
}

it("returns each game's latest results, newest first, up to the stated number", async () => {
  for (let draw = 0; draw < LOBBY_RESULTS + 2; draw++) {
    await declare(GAME, String(draw));
    await t.finishDraw();
  }
  const { results } = (await lobbyOf()).games.find(({ gameId }) => gameId === GAME)!;
  expect(results.map(({ drawno }) => drawno)).toEqual(['6', '5', '4', '3', '2']);
  expect(results[0]!.drawsAt).toBe(t.clock.now().toISOString());
});

it('contains nothing of other networks or players', async () => {
  const other = await t.network({ credit: 100, games: ['horse12', GAME] });
  const neighbour = await t.create(net.retailer);
  await fund(neighbour, 50);
  await t.bet(other.user, { 1: 1 });
  await t.bet(neighbour, { 1: 2 });
  const shown = await lobbyOf();
  expect(namesOf(shown)).not.toContain('horse12');
  expect(shown).toMatchObject({ walletBalance: 500, today: { open: 0 } });
  expect(shown.games.every(({ lastPlayedAt, open }) => lastPlayedAt === null && open === 0)).toBe(true);
  const own = shown.games.find(({ gameId }) => gameId === GAME)!;
  const theirs = (await lobbyOf(other.user)).games.find(({ gameId }) => gameId === GAME)!;
  expect(own.draw!._id).not.toBe(theirs.draw!._id);
  for (const role of ['superadmin', 'admin', 'retailer'] as const)
    expect(await t.call(lobby, {}, net[role])).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } });
});

it('omits inactive games once their draws are over', async () => {
  const { data } = await t.ok(gameList.route, { query: {} }, net.superadmin);
  const params = { id: data.find(({ gameId }) => gameId === 'pingpong1')!._id };
  const setStatus = (status: 'active' | 'inactive') => t.ok(changeGame, { params, body: { status } }, net.superadmin);
  await setStatus('inactive');
  const running = (await lobbyOf()).games.find(({ gameId }) => gameId === 'pingpong1')!;
  expect(running).toMatchObject({ draw: { status: 'open' }, nextOpensAt: null });
  await t.finishDraw();
  expect(namesOf(await lobbyOf())).not.toContain('pingpong1');
  await setStatus('active');
});

it("shows the next draw's pays when none runs", async () => {
  t.clock.advance(60_000);
  const shown = (await lobbyOf()).games.find(({ gameId }) => gameId === GAME)!;
  expect(shown).toMatchObject({ draw: null, pays: { number: 900 }, unitPrice: 1 });
  expect(shown.nextOpensAt).not.toBeNull();
});

it('needs equally few statements for many games as for few', async () => {
  const games = (await t.ok(gameList.route, { query: {} }, net.superadmin)).data.map(({ gameId }) => gameId);
  const many = await t.network({ credit: 0, games });
  const query = vi.spyOn(t.served, 'query');
  const count = async (player: SignedIn): Promise<number> => {
    const before = query.mock.calls.length;
    await lobbyOf(player);
    return query.mock.calls.length - before;
  };
  const few = await count(net.user);
  expect(await count(many.user)).toBe(few);
  expect(few).toBeLessThanOrEqual(9);
  query.mockRestore();
});

it('derives played games from the latest tickets only', async () => {
  await t.bet(net.user, { 1: 1 }, { gameId: 'pingpong1' });
  for (let bet = 0; bet < LOBBY_TICKETS; bet++) await t.bet(net.user, { 1: 1 });
  const shown = await lobbyOf();
  expect(namesOf(shown)[0]).toBe(GAME);
  expect(shown.games.find(({ gameId }) => gameId === 'pingpong1')!.lastPlayedAt).toBeNull();
  expect(shown.today.open).toBe(LOBBY_TICKETS + 1);
});

it('is refused after deactivation', async () => {
  await t.ok(accountRoutes.user.toggleStatus, { params: { userId: net.user._id, action: 'deactivate' } }, net.retailer);
  expect(await t.call(lobby, {}, net.user)).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
});
