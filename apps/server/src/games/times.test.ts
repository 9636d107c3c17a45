import { activityLog } from '@drawhouse/contract/activity/activity';
import { loadGame } from '@drawhouse/contract/live/live';
import { addTime, changeTime, deleteTime, oneTime, timeList, type DrawTime } from '@drawhouse/contract/games/times';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, TestClock, type Network, type SignedIn } from '../../test/harness.ts';
import { createDrawMachine } from '../settlement/draw-machine.ts';
import { createSeedVault } from '../draws/seed/seeds.ts';

const GAME = 'funtargetbingo';
const MINUTE = 60;

let t: TestApp;
let net: Network;
let top: SignedIn;

beforeAll(async () => {
  t = await TestApp.start({ poolSize: 8 });
  net = await t.network({ credit: 0, games: [GAME, 'fruit12'] });
});
afterAll(() => t.close());
beforeEach(async () => {
  top = await t.signIn(net.superadmin.username);
});

const times = async (by: SignedIn = top): Promise<DrawTime[]> => (await t.ok(timeList.route, {}, by)).data;
const timeOf = async (seconds: number): Promise<DrawTime> =>
  (await times()).find(({ timecount }) => timecount === seconds)!;
const change = (id: string, timecount: number) => t.call(changeTime, { params: { id }, body: { timecount } }, top);
const lastLogged = async (): Promise<{ username: string; subject: string }> =>
  (await t.ok(activityLog.route, {}, top)).data.find(({ subject }) => subject !== 'Signed in')!;

const drawBy = (gameKey: string, timeId: string): Promise<unknown> =>
  t.byHand('update game_times set time_id = $2 where game_id = (select id from games where game_key = $1)', [
    gameKey,
    timeId,
  ]);

describe('a time', () => {
  it('is added, listed with its games, changed and deleted, with and without the stray colon', async () => {
    const added = await t.call(addTime, { body: { timecount: 45 } }, top);
    expect([added.status, added.body]).toEqual([
      201,
      { success: true, message: 'Time created successfully!', data: expect.objectContaining({ timecount: 45 }) },
    ]);
    const { _id: id } = added.body.data;
    expect(await lastLogged()).toMatchObject({ username: top.username, subject: 'Added a time of 45 s' });
    expect((await times()).map(({ timecount }) => timecount)).toEqual([45, 60, 300]);
    const put = await t.send('PUT', `/api/time/:${id}`, top, { timecount: 50 });
    expect([put.status, put.body]).toMatchObject([200, { data: { _id: id, timecount: 50, games: [] } }]);
    expect(await lastLogged()).toMatchObject({ subject: 'Changed a time from 45 s to 50 s' });
    expect((await t.ok(oneTime, { params: { id } }, top)).data).toMatchObject({ timecount: 50, games: [] });
    const gone = await t.send('DELETE', `/api/time/:${id}`, top);
    expect([gone.status, gone.body]).toMatchObject([200, { message: 'Time deleted successfully!' }]);
    expect(await lastLogged()).toMatchObject({ subject: 'Deleted the time of 50 s' });
    for (const route of [oneTime, deleteTime])
      expect((await t.call(route, { params: { id } }, top)).body.code).toBe('NOT_FOUND');
    expect((await change(id, 51)).body.code).toBe('NOT_FOUND');
  });

  it('is refused if its length exists or is not a whole number from 5 to 86,400 seconds', async () => {
    const { _id: id } = (await t.ok(addTime, { body: { timecount: 86_400 } }, top)).data;
    for (const reply of [await t.call(addTime, { body: { timecount: 60 } }, top), await change(id, 60)]) {
      expect([reply.status, reply.body.code]).toEqual([409, 'TIME_TAKEN']);
      expect(reply.body.fields).toEqual({ timecount: 'A time of 60 seconds already exists' });
    }
    for (const timecount of [0, 4, 4.5, 5.5, -5, 86_401, 1e15, '60', null, Number.NaN])
      for (const [method, path] of [
        ['POST', '/api/time'],
        ['PUT', `/api/time/${id}`],
      ] as const) {
        const { status, body } = await t.send(method, path, top, { timecount });
        expect({ timecount, status, fields: body.fields }).toMatchObject({
          status: 400,
          fields: { timecount: 'Enter a whole number of seconds from 5 to 86,400' },
        });
      }
    expect((await change(id, 5)).status).toBe(200);
    await t.ok(deleteTime, { params: { id } }, top);
  });

  it('exists once per length under concurrent additions', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => t.call(addTime, { body: { timecount: 777 } }, top)),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409]);
    await t.ok(deleteTime, { params: { id: (await timeOf(777))._id } }, top);
  });

  it('without a change writes nothing and logs nothing', async () => {
    const before = await lastLogged();
    expect((await change((await timeOf(MINUTE))._id, MINUTE)).status).toBe(200);
    expect(await lastLogged()).toEqual(before);
  });

  it('in use is not deleted; the refusal names its games', async () => {
    const { _id: id, games } = await timeOf(MINUTE);
    expect(games.length).toBeGreaterThan(20);
    const { status, body } = await t.call(deleteTime, { params: { id } }, top);
    expect([status, body.code]).toEqual([409, 'TIME_IN_USE']);
    expect(body.message).toMatch(/^\w.*, .*, .* and \d+ more use this time\. Give them another time first\.$/);
    expect(await timeOf(MINUTE)).toBeDefined();
  });

  it('shows each reader their own games, and is edited by superadmins only', async () => {
    const keys = async (by: SignedIn): Promise<string[]> =>
      (await times(by)).flatMap(({ games }) => games.map(({ gameId }) => gameId)).sort();
    expect(await keys(await t.signIn(net.user.username))).toEqual(['fruit12', GAME]);
    const admin = await t.signIn(net.admin.username);
    const { _id: id } = await timeOf(MINUTE);
    for (const reply of [
      await t.call(addTime, { body: { timecount: 30 } }, admin),
      await t.call(changeTime, { params: { id }, body: { timecount: 30 } }, admin),
      await t.call(deleteTime, { params: { id } }, admin),
      await t.call(oneTime, { params: { id } }, admin),
    ])
      expect(reply.body.code).toBe('NOT_ALLOWED');
  });
});

describe('a changed time', () => {
  let id: string;
  const runs = async (): Promise<{ opens: number; ends: number }> => {
    const [draw] = await t.db.query<{ opens: number; ends: number }>(
      `select extract(epoch from opens_at)::float8 as opens, extract(epoch from draws_at)::float8 as ends from draws d
       join games g on g.id = d.game_id where network_id = $1 and game_key = $2 order by opens_at desc limit 1`,
      [net.networkId, GAME],
    );
    return draw!;
  };
  beforeEach(async () => {
    ({ _id: id } = (await t.ok(addTime, { body: { timecount: 40 } }, top)).data);
    await drawBy(GAME, id);
    t.clock.set(new Date(Math.ceil(t.clock.now().getTime() / 86_400_000) * 86_400_000));
    await t.app.tick();
    top = await t.signIn(net.superadmin.username);
  });

  it('names affected games and the start, and applies after the running draw', async () => {
    const running = await runs();
    expect(running.ends - running.opens).toBe(40);
    const { data } = await t.ok(oneTime, { params: { id } }, top);
    expect(data.games).toEqual([
      expect.objectContaining({ gameId: GAME, draws: true, runsUntil: new Date(running.ends * 1000).toISOString() }),
    ]);
    t.clock.advance(10_000);
    await change(id, 90);
    expect((await lastLogged()).subject).toMatch(
      /^Changed a time from 40 s to 90 s, for .* after their running draws$/,
    );
    const panel = await t.ok(loadGame, { query: { gameId: GAME, adminId: net.admin._id } }, top);
    expect(panel).toMatchObject({
      draw: { drawsAt: new Date(running.ends * 1000).toISOString() },
      nextOpensAt: new Date((running.opens + 90) * 1000).toISOString(),
    });
    await t.app.tick();
    expect(await runs()).toEqual(running);
    t.clock.set(new Date(running.ends * 1000));
    await t.app.tick();
    expect(await runs()).toEqual(running);
    t.clock.set(new Date((running.opens + 90) * 1000));
    await t.app.tick();
    expect(await runs()).toEqual({ opens: running.opens + 90, ends: running.opens + 180 });
    await drawBy(GAME, (await timeOf(MINUTE))._id);
    await t.ok(deleteTime, { params: { id } }, top);
  });

  it('never overlaps draws of other servers, nor opens by the old interval after its answer', async () => {
    const clock = new TestClock();
    const services = { ...t.app.services, clock };
    const other = createDrawMachine(services, createSeedVault('5a'.repeat(32)));
    for (let round = 0; round < 8; round++) {
      const { ends } = await runs();
      const seconds = [35, 40, 80, 7][round % 4]!;
      t.clock.set(new Date(ends * 1000));
      clock.set(t.clock.now());
      const [answered] = await Promise.all([change(id, seconds), other.tick(), t.app.tick()]);
      expect([200, 401]).toContain(answered.status);
      top = await t.signIn(net.superadmin.username);
      expect((await change(id, seconds)).status).toBe(200);
      const now = t.clock.now().getTime() / 1000;
      await Promise.all([other.tick(), t.app.tick()]);
      const next = await runs();
      if (next.ends <= now) {
        t.clock.set(new Date(Math.ceil(now / seconds) * seconds * 1000));
        clock.set(t.clock.now());
        await Promise.all([other.tick(), t.app.tick()]);
        expect(await runs()).toEqual({
          opens: Math.ceil(now / seconds) * seconds,
          ends: (Math.ceil(now / seconds) + 1) * seconds,
        });
      }
    }
    expect(
      await t.db.query(
        `select from draws a join draws b on b.network_id = a.network_id and b.game_id = a.game_id and b.id <> a.id
         where a.opens_at <= b.opens_at and a.draws_at > b.opens_at`,
      ),
    ).toEqual([]);
    await t.expectBooksToBalance();
  });
});
