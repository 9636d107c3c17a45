import { addBalance } from '@drawhouse/contract/games/game-pair';
import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult, fairDraw, playerState, voidDraw } from '@drawhouse/contract/draws/draws';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { loadGame } from '@drawhouse/contract/live/live';
import { liveTables } from '@drawhouse/contract/live/live-tables';
import { percentages, setPercentages } from '@drawhouse/contract/games/percentages';
import { placeBet, playerTickets, type betLine, type Ticket } from '@drawhouse/contract/tickets/tickets';
import { boosterMean } from '@drawhouse/rules/fair/booster';
import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { verifyDraw, type PublishedDraw } from '@drawhouse/rules/fair/fair';
import { paysInUnits, paysOf, type Pays } from '@drawhouse/rules/games/pays';
import { returnMark } from '@drawhouse/rules/games/game-rules';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { readTerms } from './draw-terms.ts';
import { TestApp, type Network } from '../../test/harness.ts';
import { eachNth } from '../../test/test-tier.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

const LONGEST_SECONDS = 300;

interface Play {
  readonly gameId: string;
  readonly line: Omit<z.infer<typeof betLine>, 'qty'>;
  readonly head: string;
  readonly result: { result: string; type?: string; color?: string };
  readonly outcome: string;
}
const PLAYS: Play[] = [
  { gameId: 'funtargetbingo', line: { drawno: '7' }, head: 'number', result: { result: '7' }, outcome: '7' },
  { gameId: 'gkroulette', line: { drawno: '17' }, head: 'straight', result: { result: '17' }, outcome: '17' },
  {
    gameId: 'triplefun',
    line: { drawno: '23', head: 'double' },
    head: 'double',
    result: { result: '123' },
    outcome: '123',
  },
  {
    gameId: 'andarbahar',
    line: { drawno: 'heart', head: 'suit' },
    head: 'suit',
    result: { result: '1', type: 'heart', color: 'red' },
    outcome: 'heart',
  },
  { gameId: 'lottery3d', line: { drawno: '13', head: 'ap' }, head: 'ap', result: { result: '123' }, outcome: '123' },
  {
    gameId: 'lottery4d',
    line: { drawno: '1042' },
    head: 'number',
    result: { result: JSON.stringify([{ series: '1000', results: [{ subseries: '1000', drawno: '1042' }] }]) },
    outcome: '1042',
  },
  {
    gameId: 'acqOpdpL',
    line: { drawno: '4', head: 'andhar', series: 'K60GOLD' },
    head: 'andhar',
    result: { result: JSON.stringify([{ series: 'K60GOLD', drawno: '42' }]) },
    outcome: '42',
  },
];

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100_000, games: PLAYS.map((play) => play.gameId) });
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

async function setTerms(gameId: string, pays: Pays | null, unitPrice: number): Promise<void> {
  const { data } = await t.ok(gameList.route, { query: {} }, net.superadmin);
  const params = { id: data.find((game) => game.gameId === gameId)!._id };
  await t.ok(changeGame, { params, body: { pays: pays && paysInUnits(pays), unitPrice } }, net.superadmin);
}

async function lay({ gameId, line }: Play, qty: number): Promise<Ticket> {
  const body = { gameId, requestId: randomUUID(), lines: [{ ...line, qty }] };
  return (await t.ok(placeBet, { body }, net.user)).ticket;
}

const stateOf = (gameId: string) => t.ok(playerState, { query: { gameId } }, net.user);

const ticketsOf = async (gameId: string): Promise<Ticket[]> =>
  (await t.ok(playerTickets, { query: { gameId, page: '1' } }, net.user)).data;

describe.each(eachNth(6, PLAYS))('a draw of $gameId', (play) => {
  const { gameId, head, result, outcome } = play;
  const pair = { gameId, adminId: '' };
  const game = builtInGame(gameId)!;
  const usual = paysOf(rulesFor(game));
  const own = Object.fromEntries(Object.keys(usual).map((name, index) => [name, 13_75 + 50 * index]));
  const unitsOf = (heads: readonly { head: string; pay: number }[]): Record<string, number> =>
    Object.fromEntries(heads.map(({ head: name, pay }) => [name, pay]));

  beforeAll(() => (pair.adminId = net.admin._id));

  async function expectTerms(pays: Pays, unitPrice: number, staked: number): Promise<string> {
    const state = await stateOf(gameId);
    expect({ pays: unitsOf(state.heads), unitPrice: state.unitPrice }).toEqual({ pays: paysInUnits(pays), unitPrice });
    const drawId = state.draw!._id;
    expect(await t.ok(fairDraw, { params: { drawId } })).toMatchObject({ pays: paysInUnits(pays), unitPrice });
    const panel = await t.ok(loadGame, { query: pair }, net.admin);
    const row = [...panel.data, ...panel.dataCardTypes].findLast((one) => one.drawno === outcome && one.sum > 0);
    expect(row).toMatchObject({ sum: staked, pays: (staked * pays[head]!) / 100 });
    const tables = await t.ok(liveTables, {}, net.admin);
    expect(tables.data.find((one) => one.gameId === gameId)!.worst).toMatchObject({ pays: row!.pays });
    return drawId;
  }

  it("keeps its opening pays and price; the next draw gets the game's new ones", async () => {
    // Bets above 100 % return need table funds.
    await t.ok(addBalance, { body: { ...pair, balance: 100_000 } }, net.admin);
    await setTerms(gameId, null, 1);
    await t.finishDraw(LONGEST_SECONDS);
    expect((await lay(play, 2)).playpoints).toBe(2);
    await setTerms(gameId, own, 2.5);
    expect((await lay(play, 1)).playpoints).toBe(1);
    const first = await expectTerms(usual, 1, 3);
    const { data } = await t.ok(gameList.route, {}, net.admin);
    const listed = data.find((one) => one.gameId === gameId)!;
    expect(listed.unitPrice).toBe(2.5);
    expect(unitsOf(listed.pays)).toEqual(paysInUnits(own));
    expect(Object.fromEntries(listed.pays.map((one) => [one.head, one.default]))).toEqual(paysInUnits(usual));
    expect(listed.returns.map(({ bet, pay }) => [bet, pay])).toEqual(Object.entries(paysInUnits(own)));
    for (const bet of listed.returns) expect(bet.mark).toBe(returnMark(bet.return));
    await t.ok(addResult, { body: { ...pair, ...result, boosterValue: 2 } }, net.admin);
    await t.finishDraw(LONGEST_SECONDS);
    expect((await ticketsOf(gameId)).map((one) => one.winpoints)).toEqual(
      [1, 2].map((qty) => (qty * 2 * usual[head]!) / 100),
    );

    expect((await lay(play, 2)).playpoints).toBe(5);
    const second = await expectTerms(own, 2.5, 5);
    await t.ok(addResult, { body: { ...pair, ...result, boosterValue: 2 } }, net.admin);
    await t.finishDraw(LONGEST_SECONDS);
    expect((await ticketsOf(gameId))[0]!.winpoints).toBe((5 * 2 * own[head]!) / 100);
    const fair = await t.ok(fairDraw, { params: { drawId: second } });
    const { results, outcomes } = await stateOf(gameId);
    expect(outcomes.map(({ color }) => color)).toEqual(rulesFor(game).outcomes.map(({ color }) => color ?? null));
    const last = results[0];
    expect([last!.drawId, last!.drawno, last!.result]).toEqual([second, fair.resultLabel, fair.result]);

    for (const [drawId, pays, unitPrice] of [
      [first, usual, 1],
      [second, own, 2.5],
    ] as const) {
      const published = await t.ok(fairDraw, { params: { drawId } });
      expect(published).toMatchObject({ status: 'settled', pays: paysInUnits(pays), unitPrice });
      expect(verifyDraw(published as unknown as PublishedDraw)).toEqual({ ok: true });
    }
  });
});

const PLAY = PLAYS[0]!;

it('a draw voided after a change refunds the price paid', async () => {
  await setTerms(PLAY.gameId, null, 1);
  await t.finishDraw(LONGEST_SECONDS);
  const before = await t.credit(net.user);
  await lay(PLAY, 10);
  await setTerms(PLAY.gameId, { number: 500 }, 3);
  await lay(PLAY, 10);
  const body = { gameId: PLAY.gameId, adminId: net.admin._id, reason: 'a test' };
  await t.ok(voidDraw, { body }, net.admin);
  expect(await t.credit(net.user)).toBe(before);
});

it('booster odds follow from the pays at opening', async () => {
  const wheel = PLAYS[1]!.gameId;
  const half = Object.entries(paysOf(rulesFor(builtInGame(wheel)!))).map(([head, pay]) => [head, pay / 2]);
  await setTerms(wheel, Object.fromEntries(half), 1);
  const rows = await t.ok(percentages, { params: { id: net.admin._id } }, net.admin);
  const { id } = rows.data.find((row) => row.gameId === wheel)!;
  const body = { updates: [{ id, winpercentage: 90 }] };
  await t.ok(setPercentages, { params: { id: net.admin._id }, body }, net.admin);
  await t.finishDraw(LONGEST_SECONDS);
  const { draw } = await stateOf(wheel);
  const { weights } = await t.ok(fairDraw, { params: { drawId: draw!._id } });
  // Win percentage 90; the game alone returns 18 of 37.
  expect(boosterMean(weights)).toBeCloseTo(1.85, 6);
});

it('a game removed from a network and returned has no win percentage, and the audit accepts it', async () => {
  const wheel = PLAYS[1]!.gameId;
  const games = PLAYS.map((play) => play.gameId);
  const give = (body: { games: string[] }): Promise<unknown> =>
    t.ok(accountRoutes.admin.update, { params: { id: net.admin._id }, body }, net.superadmin);
  await t.finishDraw(LONGEST_SECONDS);
  await give({ games: games.filter((game) => game !== wheel) });
  await t.finishDraw(LONGEST_SECONDS);
  await give({ games });
  await t.finishDraw(LONGEST_SECONDS);
  const { draw } = await stateOf(wheel);
  const { weights } = await t.ok(fairDraw, { params: { drawId: draw!._id } });
  expect(boosterMean(weights)).toBe(1);
});

it('a draw opening while its game changes gets the new terms', async () => {
  await setTerms(PLAY.gameId, null, 1);
  await t.finishDraw(LONGEST_SECONDS);
  t.clock.advance(60_000);
  const { changing } = await t.db.transaction(async (tx) => {
    await tx.query('select from games where game_key = $1 for update', [PLAY.gameId]);
    const begun = setTerms(PLAY.gameId, { number: 625 }, 2);
    await untilWaiting(t);
    await t.app.tick();
    return { changing: begun };
  });
  await changing;
  expect((await stateOf(PLAY.gameId)).draw).toBeNull();
  await t.app.tick();
  const state = await stateOf(PLAY.gameId);
  expect(state).toMatchObject({ draw: { status: 'open' }, unitPrice: 2, heads: [{ pay: 6.25 }] });
  await setTerms(PLAY.gameId, null, 1);
});

it('draws with equal terms share them across networks', async () => {
  await t.network({ credit: 0, games: [PLAY.gameId] });
  await setTerms(PLAY.gameId, { number: 875 }, 1);
  await t.finishDraw(LONGEST_SECONDS);
  await t.finishDraw();
  await t.finishDraw();
  const rows = await t.db.query(
    `select t.id, count(*) as draws, count(distinct network_id) as networks from draws d join draw_terms t on t.id = d.terms_id
     where t.pays = '{"number": 875}' group by t.id`,
  );
  expect(rows).toEqual([expect.objectContaining({ draws: 6n, networks: 2n })]);
  await setTerms(PLAY.gameId, null, 1);
});

it("without a running draw, the next one's terms are shown", async () => {
  await setTerms(PLAY.gameId, { number: 777 }, 1.5);
  t.clock.advance(60_000);
  const state = await stateOf(PLAY.gameId);
  expect(state).toMatchObject({ draw: null, unitPrice: 1.5, heads: [{ head: 'number', pay: 7.77 }] });
  await setTerms(PLAY.gameId, null, 1);
  await t.app.tick();
});

it('terms are read in any number, cached and uncached together', async () => {
  const more = 5_001;
  const rows = await t.db.query<{ id: string }>(
    `insert into draw_terms (id, unit_price, rules_version, pays, weights, result_mode, manual_claims)
     select gen_random_uuid(), 100, 1, '{}', '[]', 'open', false from generate_series(1, $1) returning id`,
    [more],
  );
  const ids = rows.map((row) => row.id);
  expect((await readTerms(t.db, new Set(ids.slice(1)))).size).toBe(more - 1);
  for (let times = 0; times < 2; times++)
    expect([...(await readTerms(t.db, new Set([ids[0]!, ids.at(-1)!]))).keys()].toSorted()).toEqual(
      [ids[0]!, ids.at(-1)!].toSorted(),
    );
  await t.db.query('delete from draw_terms where id = any($1::uuid[])', [ids]);
});
