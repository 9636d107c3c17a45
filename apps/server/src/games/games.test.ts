import {
  addGame,
  changeGame,
  deleteGame,
  gameList,
  oneGame,
  toggleGame,
  type GameToAdd,
} from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import { timeList } from '@drawhouse/contract/games/times';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { parseCsv, readXlsx } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNKNOWN_ID } from '../../test/routes/contract-routes.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { ensureCatalogue } from './catalogue/built-in-games.ts';
import { GAME_FIELD_TEXTS } from '@drawhouse/contract/games/game-texts';

let t: TestApp;
let net: Network;
let timeIds: Map<number, string>;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  const { data } = await t.ok(timeList.route, {}, net.superadmin);
  timeIds = new Map(data.map((time) => [time.timecount, time._id]));
});
afterAll(() => t.close());

const bodyOf = (more: Partial<GameToAdd> = {}): GameToAdd => ({
  gameName: 'Seven Up',
  gameDescription: 'Numbers from 0 to 6',
  releaseDate: '2026-03-01',
  publisher: 'superadmin',
  nodigit: 7,
  timeId: timeIds.get(60)!,
  ...more,
});
const make = async (more?: Partial<GameToAdd>): Promise<Game> =>
  (await t.ok(addGame, { body: bodyOf(more) }, net.superadmin)).data;
const lastLog = async () =>
  (
    await t.db.query<{ subject: string; detail: Record<string, unknown> }>(
      'select subject, detail from activity order by id desc limit 1',
    )
  )[0]!;

describe('adding a game', () => {
  it('creates it with its own key and defaults', async () => {
    const { status, body } = await t.call(addGame, { body: bodyOf() }, net.superadmin);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      gameId: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
      gameName: 'Seven Up',
      description: 'Numbers from 0 to 6',
      family: 'numbers',
      nodigit: 7,
      publisher: 'superadmin',
      releaseDate: '2026-03-01',
      status: 'active',
      label: 'no',
      timeId: [{ timecount: 60 }],
      unitPrice: 1,
      resultMode: 'open',
      images: [],
      logo: null,
      image: null,
    });
    expect(await lastLog()).toMatchObject({
      subject: 'Added game Seven Up',
      detail: { gameId: body.data.gameId, after: { gameName: 'Seven Up', nodigit: 7, times: [60] } },
    });
    expect((await make()).gameId).not.toBe(body.data.gameId);
  });

  it('accepts answer field names, repeated fields in order, and everything else', async () => {
    const { gameDescription: description, ...body } = bodyOf({
      status: 'coming-soon',
      family: 'roulette',
      nodigit: 38,
      unitPrice: 2.5,
      resultMode: 'two-person',
      timeId: [timeIds.get(300)!, timeIds.get(60)!],
    });
    const { data } = await t.ok(addGame, { body: { ...body, description } }, net.superadmin);
    expect(data).toMatchObject({
      description,
      status: 'coming-soon',
      family: 'roulette',
      nodigit: 38,
      unitPrice: 2.5,
      resultMode: 'two-person',
    });
    expect(data.timeId.map((time) => time.timecount)).toEqual([300, 60]);
  });

  it("names each missing field in the form's words", async () => {
    const reply = await t.send('POST', '/api/game', net.superadmin, {});
    expect(reply.body.fields).toEqual({
      gameName: 'Game name is required',
      gameDescription: 'Description is required',
      releaseDate: 'Release date is required',
      publisher: 'Publisher is required',
      nodigit: 'Number of digits is required',
      timeId: 'Time is required',
    });
    const zero = await t.call(addGame, { body: bodyOf({ nodigit: 0 }) }, net.superadmin);
    expect(zero.body.fields).toEqual({ nodigit: 'Must be at least 1' });
  });

  it.each([
    ['roulette', 36, 'nodigit'],
    ['numbers', 1001, 'nodigit'],
    ['lottery3d', 10, 'nodigit'],
    ['chess', 64, 'family'],
  ])('refuses %s of %i digits', async (family, nodigit, field) => {
    const reply = await t.call(addGame, { body: bodyOf({ family, nodigit }) }, net.superadmin);
    expect([reply.status, Object.keys(reply.body.fields!)]).toEqual([400, [field]]);
  });

  it('is a superadmin’s right, like every catalogue change', async () => {
    const { _id: id } = await make();
    for (const role of ROLES.slice(1))
      for (const reply of [
        await t.call(addGame, { body: bodyOf() }, net[role]),
        await t.call(changeGame, { params: { id }, body: { gameName: 'Mine' } }, net[role]),
        await t.call(toggleGame, { params: { id, action: 'deactivate' } }, net[role]),
        await t.call(deleteGame, { params: { id } }, net[role]),
        await t.call(oneGame, { params: { id } }, net[role]),
      ])
        expect([role, reply.status]).toEqual([role, 403]);
  });
});

describe('changing a game', () => {
  it('changes the fields sent, confirms, and logs before and after', async () => {
    const game = await make();
    const body = { gameName: 'Eight Down', description: 'Anew', status: 'inactive', unitPrice: 0.5 } as const;
    const { message, data } = await t.ok(changeGame, { params: { id: game._id }, body }, net.superadmin);
    expect(message).toBe('Game "Eight Down" updated successfully');
    expect(data).toEqual({ ...game, ...body });
    expect(await lastLog()).toMatchObject({
      subject: 'Changed game Seven Up',
      detail: {
        gameId: game.gameId,
        before: { gameName: 'Seven Up', description: 'Numbers from 0 to 6', status: 'active', unitPrice: 1 },
        after: body,
      },
    });
    const before = await lastLog();
    await t.ok(changeGame, { params: { id: game._id }, body: { gameName: 'Ｅｉｇｈｔ　Ｄｏｗｎ' } }, net.superadmin);
    expect(await lastLog()).toEqual(before);
  });

  it("names each missing field in the edit form's words", async () => {
    const { _id } = await make();
    const body = {
      gameName: ' ',
      nodigit: '',
      description: '',
      publisher: '',
      releaseDate: '',
      status: '',
      timeId: '',
    };
    const reply = await t.send('PUT', `/api/game/${_id}`, net.superadmin, body);
    expect(reply.body.fields).toEqual({
      gameName: 'Game Name is required',
      nodigit: 'Number of Digits is required',
      description: 'Description is required',
      publisher: 'Publisher is required',
      releaseDate: 'Release Date is required',
      status: 'Status is required',
      timeId: 'Time is required',
    });
  });

  it('keeps family and digits once there is a draw; before, they change together', async () => {
    const game = await make({ family: 'roulette', nodigit: 37 });
    const params = { id: game._id };
    const changed = await t.ok(changeGame, { params, body: { family: 'numbers', nodigit: 20 } }, net.superadmin);
    expect([changed.data.family, changed.data.nodigit, changed.data.gameId]).toEqual(['numbers', 20, game.gameId]);
    expect(await t.ok(oneGame, { params }, net.superadmin)).toMatchObject({ data: changed.data, hasDraws: false });
    await t.create(net.superadmin, { games: [game.gameId] });
    await t.app.tick();
    expect((await t.ok(oneGame, { params }, net.superadmin)).hasDraws).toBe(true);
    for (const [body, field] of [
      [{ nodigit: 21 }, 'nodigit'],
      [{ family: 'roulette', nodigit: 37 }, 'family'],
    ] as const) {
      const reply = await t.call(changeGame, { params, body }, net.superadmin);
      expect([reply.status, reply.body.code]).toEqual([409, 'GAME_IN_USE']);
      expect(Object.keys(reply.body.fields!)).toContain(field);
    }
    await t.ok(changeGame, { params, body: { nodigit: 20, family: 'numbers', gameName: 'As it was' } }, net.superadmin);
    const again = await t.send('PUT', `/api/game/${game._id}`, net.superadmin, { gameId: 'other' });
    expect(again.body).toMatchObject({ data: { gameId: game.gameId } });
  });
});

it.each(['', ':'])('every call accepts the id written "%s{id}"', async (colon) => {
  const game = await make();
  const url = `/api/game/${colon}${game._id}`;
  expect((await t.send('PUT', url, net.superadmin, { gameName: 'Colon' })).body.message).toBe(
    'Game "Colon" updated successfully',
  );
  for (const action of ['deactivate', 'activate'])
    expect((await t.send('PUT', `${url}/${action}`, net.superadmin)).status).toBe(200);
  expect((await t.send('DELETE', url, net.superadmin)).body.message).toBe('Game deleted successfully');
  for (const [method, path, body] of [
    ['PUT', url, {}],
    ['PUT', `${url}/activate`, undefined],
    ['DELETE', url, undefined],
    ['GET', url, undefined],
    ['DELETE', `/api/game/${colon}${UNKNOWN_ID}`, undefined],
  ] as const)
    expect(await t.send(method, path, net.superadmin, body)).toMatchObject({
      status: 404,
      body: { message: GAME_FIELD_TEXTS.notFound },
    });
});

describe('a deactivated game', () => {
  it('finishes its running draw, opens no other, and resumes once active', async () => {
    const game = await make();
    const own = await t.network({ games: [game.gameId] });
    const params = { id: game._id };
    const states = () => t.db.query('select status from draws where game_id = $1 order by opens_at', [game._id]);
    expect((await t.bet(own.user, { 3: 5 }, { gameId: game.gameId })).status).toBe(201);
    const { data } = await t.ok(toggleGame, { params: { ...params, action: 'deactivate' } }, net.superadmin);
    expect(data.status).toBe('inactive');
    expect(await lastLog()).toMatchObject({
      subject: 'Deactivated game Seven Up',
      detail: { before: { status: 'active' }, after: { status: 'inactive' } },
    });
    expect((await t.bet(own.user, { 3: 5 }, { gameId: game.gameId })).body.code).toBe('GAME_UNAVAILABLE');
    await t.finishDraw();
    await t.finishDraw();
    expect(await states()).toEqual([{ status: 'settled' }]);
    await t.ok(toggleGame, { params: { ...params, action: 'activate' } }, net.superadmin);
    await t.app.tick();
    expect(await states()).toEqual([{ status: 'settled' }, { status: 'open' }]);
    await t.expectBooksToBalance();
  });
});

describe('deleting a game', () => {
  it('removes it from every network and the catalogue', async () => {
    const game = await make({ status: 'inactive' });
    const admin = await t.create(net.superadmin, { games: [game.gameId, 'fruit12'] });
    await t.ok(deleteGame, { params: { id: game._id } }, net.superadmin);
    expect(await lastLog()).toMatchObject({
      subject: 'Deleted game Seven Up',
      detail: { gameId: game.gameId, admins: 1 },
    });
    const { data } = await t.ok(accountRoutes.admin.get, { params: { id: admin._id } }, net.superadmin);
    expect(data.games!.map(({ gameId }) => gameId)).toEqual(['fruit12']);
    const { data: games } = await t.ok(gameList.route, {}, net.superadmin);
    expect(games.some(({ _id }) => _id === game._id)).toBe(false);
    await t.expectBooksToBalance();
  });

  it('is refused once it had a draw', async () => {
    const game = await make();
    await t.create(net.superadmin, { games: [game.gameId] });
    await t.app.tick();
    const reply = await t.call(deleteGame, { params: { id: game._id } }, net.superadmin);
    expect([reply.status, reply.body.code]).toEqual([409, 'GAME_IN_USE']);
    expect(reply.body.message).toBe(
      "Seven Up has draws and may have tickets, so it can't be deleted. Deactivate it instead.",
    );
  });

  it('is refused while it has a game balance', async () => {
    const game = await make({ status: 'inactive' });
    const own = await t.network({ games: [game.gameId], credit: 100 });
    const balance = { gameId: game.gameId, adminId: own.admin._id };
    await t.give(net.superadmin, net.superadmin, 100);
    await t.give(net.superadmin, own.admin, 100);
    await t.ok(addBalance, { body: { ...balance, balance: 10, type: 'add' } }, own.admin);
    const reply = await t.call(deleteGame, { params: { id: game._id } }, net.superadmin);
    expect([reply.status, reply.body.message]).toEqual([
      409,
      'An admin has a game balance on Seven Up. Reset it, or deactivate the game instead.',
    ]);
    await t.ok(addBalance, { body: { ...balance, type: 'remove' } }, own.admin);
    await t.ok(deleteGame, { params: { id: game._id } }, net.superadmin);
    expect(await t.call(addBalance, { body: { ...balance, balance: 10, type: 'add' } }, own.admin)).toMatchObject({
      status: 404,
    });
    await t.expectBooksToBalance();
  });

  it('persists across restarts and keeps its key reserved', async () => {
    const { data: before } = await t.ok(gameList.route, { query: { search: 'grandchance' } }, net.superadmin);
    await t.ok(deleteGame, { params: { id: before[0]!._id } }, net.superadmin);
    await t.app.bootstrap('whatever it is');
    const { data } = await t.ok(gameList.route, { query: { search: 'grandchance' } }, net.superadmin);
    expect(data).toEqual([]);
    const body = { username: 'late', password: PASSWORD, commission: 0, note: 'A', games: ['grandchance'] };
    const reply = await t.call(accountRoutes.admin.create, { body }, net.superadmin);
    expect(reply.body.fields).toMatchObject({ games: 'There is no game grandchance' });
  });

  it('excludes concurrent uses of the game', async () => {
    for (let round = 0; round < 5; round++) {
      const game = await make();
      await t.create(net.superadmin, { games: [game.gameId] });
      const [deleted] = await Promise.all([
        t.call(deleteGame, { params: { id: game._id } }, net.superadmin),
        t.app.tick(),
      ]);
      const draws = await t.db.query('select from draws where game_id = $1', [game._id]);
      expect([200, 409]).toContain(deleted.status);
      expect(draws.length === 0).toBe(deleted.status === 200);
    }
    const orphans = await t.db.query(
      'select from network_games where game_id not in (select id from games where deleted_at is null)',
    );
    expect(orphans).toEqual([]);
  });
});

describe('the games export', () => {
  it("has the specification's columns", async () => {
    const heads = ['Game ID', 'Game Name', 'No. of Digits', 'Status', 'Publisher', 'Release Date'];
    const send = (path: string) =>
      t.app.http.inject({ url: `/api/game/${path}`, headers: { authorization: `Bearer ${net.superadmin.token}` } });
    const xlsx = await send('xlsx?search=titlisorrat');
    expect(xlsx.headers['content-disposition']).toBe('attachment; filename="GamesList.xlsx"');
    const { sheets } = await readXlsx(new Uint8Array(xlsx.rawPayload));
    expect(sheets[0]!.rows[0]).toEqual(heads);
    expect(sheets[0]!.rows[1]!.slice(0, 4)).toEqual(['titlisorrat', 'Titli Sorrat', 12, 'active']);
    expect(parseCsv((await send('csv?search=titlisorrat')).rawPayload.toString())[0]).toEqual(heads);
  });
});

it('staff see return marks, players do not', async () => {
  const marksOf = async (by: SignedIn) =>
    Object.fromEntries(
      (await t.ok(gameList.route, {}, by)).data.map(({ gameId, returns }) => [gameId, returns.map(({ mark }) => mark)]),
    );
  const own = await t.network({ games: ['acqOpdpL', 'fruit12'] });
  expect(await marksOf(own.admin)).toEqual({ acqOpdpL: ['above', 'above', 'below'], fruit12: [null] });
  expect(await marksOf(own.user)).toEqual({ acqOpdpL: [null, null, null], fruit12: [null] });
});

describe('catalogue and log', () => {
  it('a change without effect writes nothing', async () => {
    const game = await make({ timeId: timeIds.get(60)! });
    await t.ok(changeGame, { params: { id: game._id }, body: { timeId: timeIds.get(60)! } }, net.superadmin);
    expect(await lastLog()).toMatchObject({ subject: 'Added game Seven Up' });
    await t.expectBooksToBalance();
  });

  it('a built-in game added by a newer version is logged', async () => {
    const game = "(select id from games where game_key = 'titlisorrat')";
    await t.byHand(`delete from game_times where game_id = ${game}`);
    await t.byHand(`delete from games where id = ${game}`);
    await ensureCatalogue(t.app.services);
    expect(await lastLog()).toMatchObject({
      subject: 'Added built-in game Titli Sorrat',
      detail: { gameId: 'titlisorrat' },
    });
    await t.expectBooksToBalance();
  });
});
