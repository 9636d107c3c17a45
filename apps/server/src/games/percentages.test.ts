import { fairDraw } from '@drawhouse/contract/draws/draws';
import { userGames } from '@drawhouse/contract/games/games';
import { percentages, setPercentages, type Percentage } from '@drawhouse/contract/games/percentages';
import { BOOSTER_WEIGHT_SUM, boosterMean } from '@drawhouse/rules/fair/booster';
import { beforeEach, describe, expect, it } from 'vitest';
import { audit } from '../audit/audit.ts';
import { DRAW_NUMBER } from '../draws/draws.sql.ts';
import { UNKNOWN_ID } from '../../test/routes/contract-routes.ts';
import { onFreshNetworks, type Network, type Reply, type SignedIn, type TestApp } from '../../test/harness.ts';
import { eachNth } from '../../test/test-tier.ts';

let t: TestApp;
let net: Network;
onFreshNetworks((app, network) => {
  t = app;
  net = network;
});

const read = async (as: SignedIn): Promise<Percentage[]> =>
  (await t.ok(percentages, { params: { id: as._id } }, as)).data;
const rowOf = async (as: SignedIn, gameId = 'funtargetbingo'): Promise<Percentage> =>
  (await read(as)).find((row) => row.adminId === net.admin._id && row.gameId === gameId)!;
const set = (as: SignedIn, updates: { id: string; winpercentage: number }[]): Promise<Reply<typeof setPercentages>> =>
  t.call(setPercentages, { params: { id: as._id }, body: { updates } }, as);

const everything = (): Promise<object[]> =>
  t.db.query(
    'select (select json_agg(ng order by network_id, game_id) from network_games ng)::text as games, (select ' +
      'count(*) from activity) as activity',
  );

describe('win percentages', () => {
  it('cover games below the caller, with odds and the specified lists', async () => {
    const other = await t.network({ credit: 0, games: ['lottery3d'] });
    const own = await read(net.admin);
    expect(own).toEqual([
      {
        id: expect.any(String),
        adminId: net.admin._id,
        username: net.admin.username,
        gameId: 'funtargetbingo',
        gameName: 'Fun Target Bingo',
        winpercentage: null,
        baseReturn: 0.9,
        boosterMean: 1,
        willReturn: 0.9,
        weights: [BOOSTER_WEIGHT_SUM, ...Array<number>(19).fill(0)],
        actual: [7, 30].map((days) => ({ days, return: null, low: null, high: null, draws: 0 })),
      },
    ]);
    const all = await read(net.superadmin);
    expect(all.map((row) => row.adminId)).toEqual(expect.arrayContaining([net.admin._id, other.admin._id]));
    const {
      success: _,
      message: __,
      data: ___,
      ...lists
    } = await t.ok(percentages, { params: { id: net.admin._id } }, net.admin);
    const { success: ____, ...same } = await t.ok(userGames, { params: { id: net.admin._id } }, net.admin);
    expect(lists).toEqual(same);
    expect(lists.adminGameList.map(({ _id }) => _id)).toEqual(own.map(({ id }) => id));
  });

  it('apply from the next draw, not the running one', async () => {
    const { id } = await rowOf(net.admin);
    const [running] = await t.db.query<{ number: bigint; draws_at: Date; id: string }>(
      `select d.id, ${DRAW_NUMBER} as number, d.draws_at from draws d where d.network_id = $1 and d.status = 'open'`,
      [net.networkId],
    );
    const { status, body } = await set(net.admin, [{ id, winpercentage: 95.5 }]);
    expect(status).toBe(200);
    const [row] = body.data;
    expect(row).toMatchObject({ winpercentage: 95.5, baseReturn: 0.9, boosterMean: expect.closeTo(95.5 / 90, 6) });
    expect(row!.willReturn).toBeCloseTo(0.955, 6);
    expect(row!.holdsFrom).toEqual({
      number: Number(running!.number) + 1,
      opensAt: running!.draws_at.toISOString(),
    });
    await t.finishDraw();
    const [next] = await t.db.query<{ id: string; number: bigint }>(
      `select id, ${DRAW_NUMBER} as number from draws d where network_id = $1 and status = 'open'`,
      [net.networkId],
    );
    expect(Number(next!.number)).toBe(row!.holdsFrom!.number);
    const odds = async (drawId: string) => (await t.ok(fairDraw, { params: { drawId } })).weights;
    expect(await odds(running!.id)).toEqual([BOOSTER_WEIGHT_SUM, ...Array<number>(19).fill(0)]);
    expect(await odds(next!.id)).toEqual(row!.weights);
    expect(boosterMean(await odds(next!.id))).toBeCloseTo(95.5 / 90, 6);
  });

  it('apply to the running interval if its draw is not open yet and not too late', async () => {
    const { id } = await rowOf(net.admin);
    t.clock.advance(61_000);
    const from = async (): Promise<string> =>
      (await set(net.admin, [{ id, winpercentage: 95 }])).body.data[0]!.holdsFrom!.opensAt;
    const minute = Math.floor(t.clock.now().getTime() / 60_000) * 60_000;
    expect(Date.parse(await from())).toBe(minute);
    t.clock.set(new Date(minute + 56_000));
    expect(Date.parse(await from())).toBe(minute + 60_000);
    await t.finishDraw();
  });

  it('apply to a draw opening while they are set', async () => {
    const { id } = await rowOf(net.admin);
    t.clock.set(new Date((Math.floor(t.clock.now().getTime() / 60_000) + 1) * 60_000));
    const opens = t.clock.now();
    await t.db.transaction(async (tx) => {
      await tx.query('update network_games set win_percentage = 10000 where network_id = $1', [net.networkId]);
      await t.app.tick();
    });
    const opened = () =>
      t.db.query<{ weights: number[] }>(
        'select weights from draws d join draw_terms terms on terms.id = d.terms_id where network_id = $1 and opens_at = $2',
        [net.networkId, opens],
      );
    expect(await opened()).toEqual([]);
    const { holdsFrom } = (await set(net.admin, [{ id, winpercentage: 100 }])).body.data[0]!;
    expect(holdsFrom!.opensAt).toBe(opens.toISOString());
    await t.app.tick();
    expect(boosterMean((await opened())[0]!.weights)).toBeCloseTo(10 / 9, 6);
  });

  it("are removed by 0: the next draw's odds are those of a game without one", async () => {
    const { id } = await rowOf(net.admin);
    await set(net.admin, [{ id, winpercentage: 95.5 }]);
    await t.finishDraw();
    const { status, body } = await set(net.admin, [{ id, winpercentage: 0 }]);
    const always1 = [BOOSTER_WEIGHT_SUM, ...Array<number>(19).fill(0)];
    expect([status, body.data[0]]).toMatchObject([200, { winpercentage: null, boosterMean: 1, weights: always1 }]);
    expect((await rowOf(net.admin)).winpercentage).toBeNull();
    await t.finishDraw();
    const [open] = await t.db.query<{ id: string }>(`select id from draws where network_id = $1 and status = 'open'`, [
      net.networkId,
    ]);
    expect((await t.ok(fairDraw, { params: { drawId: open!.id } })).weights).toEqual(always1);
    const problems = (await t.served.snapshot(audit)).flatMap((check) => check.problems);
    expect(problems.filter((problem) => problem.includes(`of network ${net.networkId} `))).toEqual([]);
  });

  it('are logged with the previous value, only if changed', async () => {
    const { id } = await rowOf(net.superadmin);
    const loggedChanges = async () =>
      (
        await t.db.query<{ subject: string; detail: object }>(
          `select subject, detail -> 'percentages' as detail from activity where detail ? 'percentages' order by id desc limit 1`,
        )
      )[0];
    await set(net.superadmin, [{ id, winpercentage: 120 }]);
    const change = {
      adminId: net.admin._id,
      adminName: net.admin.username,
      gameId: 'funtargetbingo',
      gameName: 'Fun Target Bingo',
    };
    expect(await loggedChanges()).toEqual({
      subject: `Set the win percentage of Fun Target Bingo of ${net.admin.username} to 120 %, before none`,
      detail: [{ ...change, before: null, after: 120 }],
    });
    await set(net.admin, [{ id, winpercentage: 90.25 }]);
    const last = await loggedChanges();
    expect(last).toEqual({
      subject: `Set the win percentage of Fun Target Bingo of ${net.admin.username} to 90.25 %, before 120 %`,
      detail: [{ ...change, before: 120, after: 90.25 }],
    });
    const before = await everything();
    expect((await set(net.admin, [{ id, winpercentage: 90.25 }])).status).toBe(200);
    expect(await everything()).toEqual(before);
    await set(net.admin, [{ id, winpercentage: 0 }]);
    expect(await loggedChanges()).toEqual({
      subject: `Set the win percentage of Fun Target Bingo of ${net.admin.username} to none, before 90.25 %`,
      detail: [{ ...change, before: 90.25, after: null }],
    });
  });
});

describe('a wrong percentage changes nothing:', () => {
  let ids: { bingo: string; foreign: string };
  beforeEach(async () => {
    // Eviction order is arbitrary among sessions of one instant.
    t.clock.advance(1000);
    const other = await t.network({ credit: 0, games: ['europeanroulette'] });
    ids = { bingo: (await rowOf(net.admin)).id, foreign: (await read(other.admin))[0]!.id };
  });

  it.each(
    eachNth(6, [
      [0.99, 'Enter a percentage from 1'],
      [0.01, 'or 0 for none'],
      [-5, 'Enter a percentage from 1'],
      [90.125, 'at most 2 decimals'],
      [1800.01, 'At most 1800 for Fun Target Bingo'],
      [1e12, 'At most 1800 for Fun Target Bingo'],
    ]),
  )('%d', async (winpercentage, text) => {
    const before = await everything();
    const reply = await set(net.admin, [
      { id: ids.bingo, winpercentage: 95 },
      { id: ids.bingo, winpercentage },
    ]);
    expect([reply.status, reply.body.code]).toEqual([400, 'INVALID_INPUT']);
    const alone = await set(net.admin, [{ id: ids.bingo, winpercentage }]);
    expect(alone.body.fields?.['updates.0.winpercentage']).toContain(text);
    expect(await everything()).toEqual(before);
  });

  it('accepts minimum and maximum', async () => {
    for (const winpercentage of [1, 1800])
      expect((await set(net.admin, [{ id: ids.bingo, winpercentage }])).status).toBe(200);
    expect((await rowOf(net.admin)).boosterMean).toBe(20);
    expect((await set(net.superadmin, [{ id: ids.foreign, winpercentage: 1945.94 }])).status).toBe(200);
    const above = await set(net.superadmin, [{ id: ids.foreign, winpercentage: 1945.95 }]);
    expect(above.body.fields?.['updates.0.winpercentage']).toMatch(/^At most 1945.94 for European Roulette of admin-/);
  });

  it('a row of another admin, unknown, or named twice', async () => {
    const before = await everything();
    for (const id of [ids.foreign, UNKNOWN_ID]) {
      const reply = await set(net.admin, [
        { id: ids.bingo, winpercentage: 95 },
        { id, winpercentage: 95 },
      ]);
      expect([reply.status, Object.keys(reply.body.fields!)]).toEqual([404, ['updates.1.id']]);
    }
    const twice = await set(net.admin, [
      { id: ids.bingo, winpercentage: 95 },
      { id: ids.bingo, winpercentage: 96 },
    ]);
    expect([twice.status, Object.keys(twice.body.fields!)]).toEqual([400, ['updates.1.id']]);
    expect(await everything()).toEqual(before);
  });

  it('other roles and false identities', async () => {
    const before = await everything();
    const updates = [{ id: ids.bingo, winpercentage: 95 }];
    for (const as of [net.superdistributor, net.distributor, net.retailer, net.user]) {
      expect((await set(as, updates)).status).toBe(403);
      expect((await t.call(percentages, { params: { id: as._id } }, as)).status).toBe(403);
    }
    const params = { id: net.superadmin._id };
    expect((await t.call(setPercentages, { params, body: { updates } }, net.admin)).body.code).toBe(
      'IDENTITY_MISMATCH',
    );
    expect((await t.call(percentages, { params }, net.admin)).body.code).toBe('IDENTITY_MISMATCH');
    expect(await everything()).toEqual(before);
  });
});
