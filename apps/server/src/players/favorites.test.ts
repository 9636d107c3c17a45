import { activityLog } from '@drawhouse/contract/activity/activity';
import { FAVORITE_LIMITS } from '@drawhouse/contract/players/player-limits';
import { deleteFavorite, listFavorites, pinGame, saveFavorite } from '@drawhouse/contract/players/favorites';
import { lobby } from '@drawhouse/contract/players/lobby';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;
let stranger: Network;

beforeAll(async () => {
  t = await TestApp.start();
  [net, stranger] = [await t.network(), await t.network()];
});
afterAll(() => t.close());

const listed = async (by: SignedIn, gameId = GAME) => (await t.ok(listFavorites, { query: { gameId } }, by)).data;
const save = (by: SignedIn, name: string, bets = '7*5', gameId = GAME) =>
  t.call(saveFavorite, { body: { gameId, name, bets } }, by);

it('a player saves lists of bets by name, and finds them on another device', async () => {
  expect(await listed(net.user)).toEqual([]);
  expect(await save(net.user, ' My sevens ')).toMatchObject({ status: 200, body: { message: 'My sevens saved.' } });
  t.clock.advance(1000);
  await save(net.user, 'Low', '1-3*2');
  const elsewhere = await t.signIn(net.user.username);
  expect(await listed(elsewhere)).toMatchObject([
    { name: 'Low', bets: '1-3*2' },
    { name: 'My sevens', bets: '7*5' },
  ]);
  t.clock.advance(1000);
  const { body } = await save(elsewhere, 'My sevens', '7*50');
  expect((body as { data: unknown }).data).toMatchObject([{ name: 'My sevens', bets: '7*50' }, { name: 'Low' }]);
  const [first] = await listed(elsewhere);
  await t.ok(deleteFavorite, { params: { favoriteId: first!._id } }, elsewhere);
  expect(await listed(elsewhere)).toMatchObject([{ name: 'Low' }]);
  const subjects = (await t.ok(activityLog.route, { query: {} }, net.admin)).data.map(({ subject }) => subject);
  expect(subjects).toEqual(
    expect.arrayContaining(['Saved favorite bets Low of Fun Target Bingo', 'Deleted favorite bets My sevens']),
  );
});

it('players cannot read, change or delete the favorites of others', async () => {
  await save(stranger.user, 'Mine', '3*1');
  const [own] = await listed(stranger.user);
  expect((await listed(net.user)).map(({ name }) => name)).not.toContain('Mine');
  expect(await t.call(deleteFavorite, { params: { favoriteId: own!._id } }, net.user)).toMatchObject({ status: 404 });
  expect(await t.call(listFavorites, { query: { gameId: GAME } }, net.retailer)).toMatchObject({ status: 403 });
  expect(await listed(stranger.user)).toEqual([own]);
});

it('refuses bets that do not fit the game, unknown games, and long texts, naming the field', async () => {
  expect(await save(net.user, 'Wrong', '7*5 77')).toMatchObject({
    status: 400,
    body: { fields: { bets: '77: The draw number must be from 0 to 9.' } },
  });
  expect(await save(net.user, ' ')).toMatchObject({ status: 400, body: { fields: { name: 'Enter a name' } } });
  expect(await save(net.user, 'x'.repeat(FAVORITE_LIMITS.name + 1))).toMatchObject({ status: 400 });
  expect(await save(net.user, 'Long', '7'.repeat(FAVORITE_LIMITS.text + 1))).toMatchObject({ status: 400 });
  expect(await save(net.user, 'None', '7*5', 'no such game')).toMatchObject({ body: { code: 'GAME_UNAVAILABLE' } });
});

it('keeps at most twenty per player and game, also if saved at once', async () => {
  const { user } = await t.network();
  const names = Array.from({ length: FAVORITE_LIMITS.most + 3 }, (_, index) => `List ${index}`);
  const answers = await Promise.all(names.map((name) => save(user, name)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(FAVORITE_LIMITS.most);
  const saved = await listed(user);
  expect(saved).toHaveLength(FAVORITE_LIMITS.most);
  expect(await save(user, 'One more')).toMatchObject({
    body: { code: 'RULE_REFUSED', message: 'You have 20 favorites of this game. Delete one first.' },
  });
  expect(await save(user, saved[0]!.name, '1*1'), 'replacing one').toMatchObject({ status: 200 });
});

it('pins games on all devices of a player, and lists no favorite for a pin', async () => {
  const { user } = await t.network();
  const pinned = async (by: SignedIn) =>
    (await t.ok(lobby, {}, by)).games.filter(({ isPinned }) => isPinned).map(({ gameId }) => gameId);
  const pin = (gameId: string, isPinned = true) => t.call(pinGame, { body: { gameId, pinned: isPinned } }, user);
  expect(await pinned(user)).toEqual([]);
  for (let time = 0; time < 2; time++) expect(await pin(GAME)).toMatchObject({ status: 200 });
  expect(await pinned(await t.signIn(user.username))).toEqual([GAME]);
  expect(await pinned(stranger.user)).toEqual([]);
  expect(await listed(user)).toEqual([]);
  expect(await pin('no such game')).toMatchObject({ body: { code: 'GAME_UNAVAILABLE' } });
  for (let time = 0; time < 2; time++) expect(await pin(GAME, false)).toMatchObject({ status: 200 });
  expect(await pinned(user)).toEqual([]);
});
