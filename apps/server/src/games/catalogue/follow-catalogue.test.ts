import { activityLog } from '@drawhouse/contract/activity/activity';
import { session } from '@drawhouse/contract/auth/auth';
import {
  addGame,
  changeGame,
  deleteGame,
  gameList,
  oneGame,
  toggleGame,
} from '@drawhouse/contract/games/game-catalogue';
import { addSchedule, changeSchedule, deleteSchedule } from '@drawhouse/contract/games/schedules';
import { changeHouse, readHouse } from '@drawhouse/contract/house/house';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { addTime, changeTime, deleteTime, timeList } from '@drawhouse/contract/games/times';
import { ELEVATION_HEADER } from '@drawhouse/contract/core/route';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Network, TestApp } from '../../../test/harness.ts';
import { TestGroup } from '../../../test/worlds/cells.ts';
import { ALIVE } from '../../cells/call-cell.ts';
import { joinGroup } from '../../cells/join-group.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { createFirstCellFollower } from '../../compose/follow-first-cell.ts';

type Cell = Awaited<ReturnType<TestGroup['add']>>;

let group: TestGroup;
let first: Cell;
let second: Cell;
let here: Network;
let there: Network;

beforeAll(async () => {
  ({ group, first, second, here, there } = await TestGroup.startTwo());
  await group.connectCells();
});
afterAll(() => group.close());

const PLAN = {
  name: 'Evenings',
  times: ['18:00'],
  weekdays: [1, 2],
  daysOff: [],
  daysOn: [],
  opensAt: null,
  closesBefore: 1,
};

const follow = async (cell: Cell): Promise<void> => {
  cell.clock.advance(5_000);
  await cell.app.tick();
};
const gamesIn = async (t: TestApp, { superadmin }: Network) => (await t.ok(gameList.route, {}, superadmin)).data;
const secondsIn = async (t: TestApp, { superadmin }: Network) =>
  (await t.ok(timeList.route, {}, superadmin)).data.map(({ timecount }) => timecount);
/** Intervals have ids of their own in each cell. */
const withoutIds = (games: Awaited<ReturnType<typeof gamesIn>>) =>
  games.map(({ timeId, ...game }) => ({ ...game, times: timeId.map(({ timecount }) => timecount) }));
const expectSame = async (cell: Cell, net: Network): Promise<void> => {
  expect(withoutIds(await gamesIn(cell, net))).toEqual(withoutIds(await gamesIn(first, here)));
  expect(await secondsIn(cell, net)).toEqual(await secondsIn(first, here));
};
/** With a logo, by the superadmin of the first cell. */
const formWith = async (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  form.set('logo', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'logo.png');
  const multipart = new Response(form);
  const { token, elevation } = here.superadmin;
  return {
    payload: Buffer.from(await multipart.arrayBuffer()),
    headers: {
      'content-type': multipart.headers.get('content-type')!,
      authorization: `Bearer ${token}`,
      [ELEVATION_HEADER]: elevation,
    },
  };
};
const add = async (gameName: string): Promise<string> => {
  const { data: time } = await first.ok(timeList.route, {}, here.superadmin);
  const body = { gameName, gameDescription: 'd', releaseDate: '2026-03-01', publisher: 'p', nodigit: 7 };
  return (await first.ok(addGame, { body: { ...body, timeId: time[0]!._id } }, here.superadmin)).data._id;
};

it('takes over games, times, schedules and images of the first cell, and logs each change', async () => {
  const by = here.superadmin;
  const { data: time } = await first.ok(addTime, { body: { timecount: 77 } }, by);
  const id = await add('Seven Up');
  const form = await formWith({ unitPrice: '2.5', timeId: time._id });
  const changed = await first.app.http.inject({ method: 'PUT', url: `/api/game/${id}`, ...form });
  expect(changed.statusCode).toBe(200);
  await first.ok(addSchedule, { body: { ...PLAN, games: [id] } }, by);
  await follow(second);
  await expectSame(second, there);
  const game = (await gamesIn(second, there)).find(({ _id }) => _id === id);
  expect(game).toMatchObject({ unitPrice: 2.5, schedule: 'Evenings', logo: expect.stringContaining('/') as string });
  const { data: log } = await second.ok(activityLog.route, {}, there.superadmin);
  expect(log.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['Took the games, times and schedules over from cell-1', 'Added game Seven Up']),
  );
  const { total } = await second.ok(activityLog.route, {}, there.superadmin);
  await follow(second);
  expect((await second.ok(activityLog.route, {}, there.superadmin)).total, 'nothing is left to take over').toBe(total);
});

it('refuses changes in other cells, naming the first', async () => {
  const by = there.superadmin;
  const [game] = await gamesIn(second, there);
  const params = { id: game!._id };
  const time = (await second.ok(timeList.route, {}, by)).data[0]!._id;
  const answers = [
    await second.call(toggleGame, { params: { ...params, action: 'deactivate' } }, by),
    await second.call(changeGame, { params, body: { gameName: 'Mine' } }, by),
    await second.call(deleteGame, { params }, by),
    await second.call(addTime, { body: { timecount: 88 } }, by),
    await second.call(changeTime, { params: { id: time }, body: { timecount: 88 } }, by),
    await second.call(deleteTime, { params: { id: time } }, by),
    await second.call(addSchedule, { body: { ...PLAN, name: 'Mine', games: [] } }, by),
    await second.call(changeSchedule, { params, body: { ...PLAN, name: 'Mine', games: [] } }, by),
    await second.call(deleteSchedule, { params }, by),
  ];
  for (const { status, body } of answers)
    expect([status, body]).toEqual([
      403,
      expect.objectContaining({
        code: 'NOT_ALLOWED',
        message: expect.stringContaining('belong to cell-1') as string,
      }),
    ]);
  await expectSame(second, there);
  expect((await second.ok(session, {}, by)).user.followsFirstCell).toBe(true);
  expect((await first.ok(session, {}, here.superadmin)).user).not.toHaveProperty('followsFirstCell');
});

it('shows the house of the first cell, with its logo', async () => {
  const form = await formWith({ name: 'Lucky Lotto', color: '#102030' });
  const changed = await first.app.http.inject({ method: 'PUT', url: '/api/house', ...form });
  expect(changed.statusCode).toBe(200);
  expect((await second.call(changeHouse, { body: { name: 'Mine' } }, there.superadmin)).status).toBe(403);
  await follow(second);
  first.clock.advance(5_000);
  const { data } = await first.ok(readHouse, {});
  expect(data).toMatchObject({ name: 'Lucky Lotto', logo: { width: 8 } });
  expect((await second.ok(readHouse, {})).data).toEqual(data);
  expect((await second.send('GET', data.logo!.url)).status).toBe(200);
  const { data: log } = await second.ok(activityLog.route, {}, there.superadmin);
  expect(log.map(({ subject }) => subject)).toContain('Took over from cell-1 how the house presents itself');
});

it('takes over games while the house can’t be followed, and says so', async () => {
  const request = globalThis.fetch;
  vi.stubGlobal('fetch', (...call: Parameters<typeof fetch>) =>
    (call[1]!.body as string).includes('cells/house') ? Promise.reject(new TypeError('no house')) : request(...call),
  );
  const id = await add('Without House');
  const warn = vi.fn();
  await createFirstCellFollower(second.app.services, { logger: { warn }, house: { forget: () => {} } }).follow();
  vi.unstubAllGlobals();
  expect((await gamesIn(second, there)).some(({ _id }) => _id === id)).toBe(true);
  expect(warn.mock.calls).toEqual([[{ reason: 'cell-1 does not answer: no house' }, expect.any(String)]]);
});

it('deletes no game that another cell draws, or may draw', async () => {
  const params = { id: await add('Elsewhere') };
  await follow(second);
  const [game] = await second.db.query<{ key: string }>('select game_key as key from games where id = $1', [params.id]);
  const deletion = () => first.call(deleteGame, { params }, here.superadmin);
  const form = async () => (await first.ok(oneGame, { params }, here.superadmin)) as object;
  await second.directory.announce(second.served, 'http://127.0.0.1:1');
  expect(await deletion()).toMatchObject({
    status: 503,
    body: { code: 'NOT_READY', message: expect.stringContaining('cell-2 does not answer') as string },
  });
  expect(await form()).toMatchObject({ hasDraws: false, silentCell: 'cell-2' });
  const asked = vi.spyOn(globalThis, 'fetch');
  const { family, nodigit } = (await first.ok(oneGame, { params }, here.superadmin)).data;
  expect(
    asked.mock.calls.map(([, call]) => call!.body),
    'only whether it is alive',
  ).toEqual([expect.stringContaining(ALIVE.path)]);
  asked.mockClear();
  const change = (body: object) => first.call(changeGame, { params, body }, here.superadmin);
  expect((await change({ gameName: 'Renamed', family, nodigit })).status, 'needs no other cell').toBe(200);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  expect((await change({ nodigit: 8 })).body).toMatchObject({ code: 'NOT_READY' });
  const peers = vi.spyOn(first.app.services.directory!, 'peers').mockRejectedValue(new CallError('NOT_READY'));
  expect(await form()).toMatchObject({ hasDraws: false, silentCell: null });
  peers.mockRestore();
  await group.connectCells();
  first.clock.advance(30_000);
  second.clock.advance(30_000);
  expect(await form()).toMatchObject({ hasDraws: false });
  await second.network({ games: [game!.key] });
  expect(await form()).toMatchObject({ hasDraws: true });
  expect(await deletion()).toMatchObject({ body: { code: 'GAME_IN_USE' } });
});

it('keeps a deleted game that has draws here, without new ones', async () => {
  const unused = await add('Unused');
  const [{ _id: played } = { _id: '' }] = await second.db.query<{ _id: string }>(
    `select game_id as _id from network_games where network_id = $1`,
    [there.networkId],
  );
  await follow(second);
  await second.bet(there.user, { 1: 1 });
  await first.byHand(`update games set deleted_at = now(), status = 'inactive', name = 'x' where id = '${played}'`);
  await first.ok(deleteGame, { params: { id: unused } }, here.superadmin);
  await follow(second);
  const games = await gamesIn(second, there);
  expect(games.some(({ _id }) => _id === unused)).toBe(false);
  expect(games.find(({ _id }) => _id === played)).toMatchObject({ status: 'inactive' });
  await first.byHand(`update games set deleted_at = null, status = 'active' where id = '${played}'`);
  await follow(second);
  await expectSame(second, there);
});

it('keeps outcomes, pays and images of a game with draws here, and takes over the rest', async () => {
  const [{ _id: played } = { _id: '' }] = await second.db.query<{ _id: string }>(
    `select game_id as _id from network_games where network_id = $1`,
    [there.networkId],
  );
  await second.bet(there.user, { 1: 1 });
  const before = (await gamesIn(second, there)).find(({ _id }) => _id === played)!;
  const broken = await add('Broken');
  await follow(second);
  await first.byHand(
    `update games set name = 'Wheel', family = 'roulette', digits = 37, pays = '{"straight": 3600}' where id = '${played}'`,
  );
  await first.byHand(`update games set name = 'x', family = 'mars' where id = '${broken}'`);
  const other = await add('After those');
  await follow(second);
  const games = await gamesIn(second, there);
  expect(games.find(({ _id }) => _id === played)).toEqual({ ...before, gameName: 'Wheel' });
  expect(games.find(({ _id }) => _id === broken)).toMatchObject({ gameName: 'Broken', family: 'numbers' });
  expect(games.some(({ _id }) => _id === other)).toBe(true);
  const lockedBy = () =>
    second.db.query(`select xmax::text from games where id = any($1) order by id`, [[played, broken]]);
  const locks = await lockedBy();
  await follow(second);
  expect(await lockedBy(), 'what stays different locks nothing at each pass').toEqual(locks);
  await first.byHand(
    `update games set family = 'numbers', pays = null, digits = ${before.nodigit} where id = '${played}'`,
  );
  await first.byHand(`update games set family = 'numbers' where id = '${broken}'`);
  await follow(second);
  await expectSame(second, there);
});

it('gives a new cell the catalogue at its first start, and works without the first cell', async () => {
  await first.directory.announce(first.served, 'http://127.0.0.1:1');
  const third = await group.add('cell-3');
  const net = await third.network();
  await follow(third);
  expect((await gamesIn(third, net)).some(({ gameName }) => gameName === 'Seven Up')).toBe(false);
  expect((await third.bet(net.user, { 1: 1 })).status).toBe(201);
  await group.connectCells();
  third.clock.advance(30_000);
  await follow(third);
  await expectSame(third, net);
});

it('follows no other cell while a rebuilt directory lacks the first', async () => {
  const [, , third] = group.cells as [Cell, Cell, Cell];
  await group.loseDirectory();
  for (const { directory, served, database } of [second, third])
    await joinGroup(directory, { db: served, timeZone: 'Asia/Kolkata', ownerUrl: database.ownerUrl });
  await group.connectCells();
  const { superadmin } = await third.network();
  const subjects = async () => third.db.query(`select subject from activity where username = 'system'`);
  const before = await subjects();
  await second.byHand(`update games set name = 'Of another cell' where name = 'After those'`);
  await follow(third);
  expect(await subjects()).toEqual(before);
  const noticed = async () =>
    (await third.ok(listNotices, {}, superadmin)).data.filter(({ code }) => code === 'CATALOGUE_BEHIND');
  expect(await noticed()).toEqual([]);
  for (const { clock } of group.cells) clock.advance(300_000);
  expect(await noticed()).toEqual([
    expect.objectContaining({ detail: 'The directory does not have the first cell. Start that cell.' }),
  ]);
  await joinGroup(first.directory, { db: first.served, timeZone: 'Asia/Kolkata', ownerUrl: first.database.ownerUrl });
  await group.connectCells();
  await follow(third);
  expect(await noticed()).toEqual([]);
});
