import { addBalance } from '@drawhouse/contract/games/game-pair';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { userGames } from '@drawhouse/contract/games/games';
import { loadGame } from '@drawhouse/contract/live/live';
import { liveFrequencies, liveResult } from '@drawhouse/contract/live/live-results';
import { liveTables, type LiveTable } from '@drawhouse/contract/live/live-tables';
import { setPercentages } from '@drawhouse/contract/games/percentages';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aWeekLater, setResultMode, setTableLine } from '../../../test/worlds/audit-world.ts';
import { statementOf } from '../../../test/statements/statement-of.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { eachNth } from '../../../test/test-tier.ts';

const GAME = 'funtargetbingo';
const BETS: Record<string, { drawno: string; head?: string; series?: string; qty: number }[]> = {
  funroulette: [
    { drawno: '00', qty: 3 },
    { drawno: '7', qty: 5 },
    { drawno: '0-00', head: 'split', qty: 4 },
    { drawno: 'red', qty: 20 },
  ],
  triplefun: [
    { drawno: '123', head: 'triple', qty: 1 },
    { drawno: '23', head: 'double', qty: 20 },
    { drawno: '4', head: 'single', qty: 100 },
  ],
  andarbahar: [
    { drawno: '13', head: 'rank', qty: 2 },
    { drawno: 'spade', head: 'suit', qty: 4 },
    { drawno: 'red', head: 'color', qty: 20 },
  ],
  lottery3d: [
    { drawno: '213', head: 'straight', qty: 1 },
    { drawno: '123', head: 'spbox', qty: 2 },
    { drawno: '12', head: 'ap', qty: 9 },
    { drawno: '22', head: 'sp', qty: 30 },
  ],
  lottery4d: [
    { drawno: '1042', qty: 2 },
    { drawno: '1043', qty: 3 },
    { drawno: '5999', qty: 1 },
  ],
  acqOpdpL: [
    { drawno: '4', head: 'andhar', series: 'K50SILVER', qty: 3 },
    { drawno: '42', head: 'jodi', series: 'K50SILVER', qty: 1 },
    { drawno: '2', head: 'bahar', series: 'K60GOLD', qty: 2 },
  ],
};

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 2000, games: [GAME, ...Object.keys(BETS)] });
});

const read = (by: SignedIn): Promise<RouteAnswer<typeof liveTables>> => t.ok(liveTables, {}, by);
const pairOf = (gameId: string = GAME) => ({ gameId, adminId: net.admin._id });

async function table(gameId: string = GAME, by: SignedIn = net.admin): Promise<LiveTable> {
  return (await read(by)).data.find((each) => each.gameId === gameId && each.adminId === net.admin._id)!;
}

const resultOf = (drawId: string, by: SignedIn = net.admin, gameId: string = GAME) =>
  t.call(liveResult, { query: { ...pairOf(gameId), drawId } }, by);

describe('the list of live panels', () => {
  it("covers the caller's network, for a superadmin all its networks, and nobody else", async () => {
    const other = await t.network({ credit: 0, games: [GAME, 'fruit12'] });
    const keysOf = async (by: SignedIn): Promise<string[]> =>
      (await read(by)).data.map(({ adminId, gameId }) => `${adminId}/${gameId}`);
    const own = await keysOf(net.admin);
    expect(own.toSorted()).toEqual([GAME, ...Object.keys(BETS)].map((game) => `${net.admin._id}/${game}`).toSorted());
    const foreign = await keysOf(other.admin);
    expect(foreign.toSorted()).toEqual([`${other.admin._id}/${GAME}`, `${other.admin._id}/fruit12`].toSorted());
    expect(await keysOf(net.superadmin)).toEqual(expect.arrayContaining([...own, ...foreign]));
    for (const role of ['superdistributor', 'distributor', 'retailer', 'user'] as const)
      expect((await t.call(liveTables, {}, net[role])).status).toBe(403);
  });

  it('is sorted by game and admin, with draw, clock and next draw', async () => {
    const { data, serverTime } = await read(net.superadmin);
    const { compare } = new Intl.Collator('en', { numeric: true });
    expect(data).toEqual(data.toSorted((a, b) => compare(a.gameName, b.gameName) || compare(a.username, b.username)));
    expect(serverTime).toBe(t.clock.now().toISOString());
    const panel = await t.ok(loadGame, { query: pairOf() }, net.admin);
    const { commitment: _, ...draw } = panel.draw!;
    expect(await table()).toMatchObject({
      gameName: panel.gameName,
      username: net.admin.username,
      draw,
      nextOpensAt: panel.nextOpensAt,
      collection: 0,
      worst: null,
      saved: null,
    });
  });

  it.each(eachNth(6, Object.keys(BETS)))('of %s matches the panel, plus the worst case', async (gameId) => {
    const bet = (lines: (typeof BETS)[string]) =>
      t.ok(placeBet, { body: { gameId, requestId: crypto.randomUUID(), lines } }, net.user);
    await t.ok(addBalance, { body: { ...pairOf(gameId), balance: 100_000 } }, net.admin);
    for (const lines of [BETS[gameId]!, [BETS[gameId]![0]!]]) {
      await bet(lines);
      const panel = await t.ok(loadGame, { query: pairOf(gameId) }, net.admin);
      const { collection, worst } = await table(gameId);
      expect(collection).toBe(panel.totalsumdata);
      const most = (pays: readonly number[]): number => Math.max(...pays);
      const rows = panel.data.map((row) => row.pays);
      const groups = gameId === 'lottery4d' ? 30 : gameId === 'acqOpdpL' ? 3 : 1;
      const size = rows.length / groups;
      const colors = new Map(panel.dataColors.map(({ drawno, pays }) => [drawno, pays]));
      const suits = panel.dataCardTypes.map(({ color, pays }) => pays + colors.get(color!)!);
      expect(worst!.pays).toBe(
        sumPoints([
          ...Array.from({ length: groups }, (_, group) => most(rows.slice(group * size, (group + 1) * size))),
          ...(suits.length > 0 ? [most(suits)] : []),
        ]),
      );
      expect(worst!.result).not.toBe('');
      expect(worst!.boosted).toBeNull();
    }
  });

  it('names the booster of the worst case if odds allow more', async () => {
    const { adminGameList } = await t.ok(userGames, { params: { id: net.admin._id } }, net.admin);
    const { _id: id } = adminGameList.find(({ gameId }) => gameId === GAME)!;
    await t.ok(
      setPercentages,
      { params: { id: net.admin._id }, body: { updates: [{ id, winpercentage: 500 }] } },
      net.admin,
    );
    await t.finishDraw();
    net = { ...net, user: await t.signIn(net.user.username), admin: await t.signIn(net.admin.username) };
    await t.ok(addBalance, { body: { ...pairOf(), balance: 2_000 } }, net.admin);
    await t.bet(net.user, { 7: 10, 3: 4 });
    expect((await table()).worst).toEqual({
      result: '7',
      outcome: { drawno: '7' },
      pays: 90,
      boosted: { booster: 20, pays: 1800 },
    });
  });

  it('follows each bet, a void draw, and the next one', async () => {
    await t.bet(net.user, { 7: 10 });
    expect(await table()).toMatchObject({ collection: 10, worst: { result: '7', pays: 90 } });
    expect(await table()).toMatchObject({ collection: 10, worst: { result: '7', pays: 90 } });
    await t.bet(net.user, { 3: 12 });
    expect(await table(GAME, net.superadmin)).toMatchObject({ collection: 22, worst: { result: '3', pays: 108 } });
    await t.ok(voidDraw, { body: { ...pairOf(), reason: 'a trial' } }, net.admin);
    expect(await table()).toMatchObject({ draw: { status: 'void' }, collection: 0, worst: null, last: null });
    await t.finishDraw();
    await t.bet(net.user, { 1: 2 });
    expect(await table()).toMatchObject({ draw: { status: 'open' }, collection: 2, worst: { pays: 18 } });
    await t.ok(generateResult, { body: pairOf() }, net.admin);
    expect(await table()).toMatchObject({ draw: { status: 'settled' }, collection: 2, worst: null });
    await t.expectBooksToBalance();
  });

  it('never mixes draws while the previous one is being read', async () => {
    const query = t.served.query.bind(t.served);
    const waiting: (() => void)[] = [];
    let holds = true;
    vi.spyOn(t.served, 'query').mockImplementation(async (...statement) => {
      const { name } = statementOf(...statement);
      const rows = await query<never>(...statement);
      if (holds && name?.startsWith('exposures-of-draws')) await new Promise<void>((resolve) => waiting.push(resolve));
      return rows;
    });
    await t.bet(net.user, { 7: 10 });
    const slow = table();
    await expect.poll(() => waiting.length).toBe(1);
    await t.finishDraw();
    await t.bet(net.user, { 7: 3 });
    holds = false;
    expect((await table()).collection).toBe(3);
    holds = true;
    await t.bet(net.user, { 7: 1 }, { gameId: 'funroulette' });
    const quick = table();
    await expect.poll(() => waiting.length).toBe(2);
    waiting[0]!();
    expect((await slow).collection).toBe(10);
    waiting[1]!();
    expect((await quick).collection).toBe(3);
    vi.restoreAllMocks();
  });

  it('shows the saved result, a pending confirmation and the last result', async () => {
    await aWeekLater(t, net.superadmin, net.admin);
    await setResultMode(t, 'two-person');
    await t.ok(addResult, { body: { ...pairOf(), result: '4', boosterValue: 2 } }, net.admin);
    const saved = { result: '4', booster: 2, byId: net.admin._id, by: net.admin.username };
    expect(await table()).toMatchObject({ draw: { status: 'closed' }, saved: { ...saved, waits: true } });
    await t.ok(addResult, { body: { ...pairOf(), result: '4', boosterValue: 2, confirm: true } }, net.superadmin);
    expect((await table()).saved).toEqual({ ...saved, waits: false });
    await setResultMode(t, 'open');
    expect(await table(GAME, await t.signIn(net.admin.username))).toMatchObject({
      saved: null,
      last: { drawno: '4', result: { drawno: '4' }, booster: 2, source: 'declared' },
    });
  });

  it('shows what the table can cost, as bets are judged by it', async () => {
    await setTableLine(t, net, 82);
    const exposure = async () => (await table()).exposure;
    expect(await exposure()).toEqual({ takes: 0, balance: 0, line: 82 });
    // 10 on one number pays 90; commissions are at most 20 %.
    await t.bet(net.user, { 7: 10 });
    expect(await exposure()).toEqual({ takes: 82, balance: 0, line: 82 });
    expect((await t.bet(net.user, { 7: 1 })).status).toBe(422);
    await t.ok(addBalance, { body: { ...pairOf(), balance: 100 } }, net.admin);
    await t.bet(net.user, { 3: 4 });
    expect(await exposure()).toEqual({ takes: 78.8, balance: 100, line: 82 });
    expect(await table()).toMatchObject({ fullest: 10, perNumber: null });
    // A saved result may use a higher booster than the odds: 270 + 2.80 - 14.
    await t.ok(addResult, { body: { ...pairOf(), result: '7', boosterValue: 3 } }, net.admin);
    const saved = await exposure();
    expect(saved.takes).toBeGreaterThanOrEqual(258.8);
    expect(saved.balance + saved.line).toBeGreaterThanOrEqual(saved.takes - 82);
    await t.finishDraw();
    expect((await exposure()).takes).toBe(0);
  });

  it('shows an overdue draw until drawn, and no next one of an inactive game', async () => {
    const { draw } = await table();
    await t.bet(net.user, { 7: 3 }, { gameId: 'funroulette' });
    t.clock.set(new Date(Date.parse(draw!.drawsAt) + 1));
    expect((await table()).draw).toMatchObject({ _id: draw!._id, status: 'open' });
    await t.byHand(`update games set status = 'inactive' where game_key = 'funroulette'`);
    expect(await table('funroulette')).toMatchObject({ nextOpensAt: null, collection: 3 });
    await t.finishDraw();
    expect(await table('funroulette')).toMatchObject({ draw: null, collection: 0, worst: null, nextOpensAt: null });
    await t.byHand(`update games set status = 'active' where game_key = 'funroulette'`);
  });
});

describe("a draw's outcome", () => {
  it('shows stakes, payouts, net and who declared it', async () => {
    await t.bet(net.user, { 7: 10, 3: 5 });
    await t.bet(net.user, { 7: 1 });
    const { drawId } = await t.ok(addResult, { body: { ...pairOf(), result: '7', boosterValue: 2 } }, net.admin);
    expect((await resultOf(drawId)).status).toBe(404);
    await t.finishDraw();
    const [admin, superadmin] = [await t.signIn(net.admin.username), await t.signIn(net.superadmin.username)];
    for (const by of [admin, superadmin])
      expect((await resultOf(drawId, by)).body).toMatchObject({
        drawno: '7',
        booster: 2,
        source: 'declared',
        drawId,
        players: 1,
        tickets: 2,
        staked: 16,
        paid: 198,
        left: -182,
        declared: { by: net.admin.username, at: expect.any(String), confirmedBy: null, sameAddress: false },
      });
  });

  it('shows only the result without play, and no author if generated', async () => {
    const { drawId, result } = await t.ok(generateResult, { body: pairOf() }, net.admin);
    expect((await resultOf(drawId)).body).toMatchObject({
      drawno: result,
      source: 'generated',
      players: 0,
      tickets: 0,
      staked: 0,
      paid: 0,
      left: 0,
      declared: null,
    });
  });

  it('is hidden for another game, network or caller', async () => {
    const other = await t.network({ credit: 0, games: [GAME] });
    const { drawId } = await t.ok(generateResult, { body: pairOf() }, net.admin);
    expect((await resultOf(drawId, net.admin, 'funroulette')).status).toBe(404);
    expect((await resultOf(drawId, other.admin)).status).toBe(404);
    const foreign = { query: { gameId: GAME, adminId: other.admin._id, drawId } };
    expect((await t.call(liveResult, foreign, other.admin)).status).toBe(404);
    for (const role of ['superdistributor', 'user'] as const)
      expect((await resultOf(drawId, net[role])).status).toBe(403);
  });
});

describe('outcome frequencies', () => {
  it('count the latest settled draws without void ones, newest first', async () => {
    const read100 = (by: SignedIn) => t.ok(liveFrequencies, { query: pairOf() }, by);
    expect(await read100(net.admin)).toMatchObject({ draws: 0 });
    for (const result of ['3', '7', '3', null, '9']) {
      const by = await t.signIn(net.admin.username);
      if (result === null) await t.ok(voidDraw, { body: { ...pairOf(), reason: 'a trial' } }, by);
      else await t.ok(addResult, { body: { ...pairOf(), result } }, by);
      await t.finishDraw();
    }
    const { draws, groups } = await read100(await t.signIn(net.admin.username));
    expect(draws).toBe(4);
    expect(groups).toHaveLength(1);
    expect(groups[0]!.values.filter(({ count }) => count > 0)).toEqual([
      { value: '3', label: '3', count: 2, since: 1 },
      { value: '7', label: '7', count: 1, since: 2 },
      { value: '9', label: '9', count: 1, since: 0 },
    ]);
  });
});
