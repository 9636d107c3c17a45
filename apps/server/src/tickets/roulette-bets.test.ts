import { randomUUID } from 'node:crypto';
import { addResult } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { loadGame } from '@drawhouse/contract/live/live';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { ticketDetails } from '@drawhouse/contract/reports/bet-list';
import { betOfRequest, placeBet } from '@drawhouse/contract/tickets/tickets';
import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { wheelBets } from '@drawhouse/rules/games/families/roulette';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';

const GAME = 'europeanroulette';
const RULES = rulesFor(builtInGame(GAME)!);

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 10_000, games: [GAME] });
});
afterAll(() => t.close());

interface Line {
  readonly drawno: string;
  readonly head?: string;
  readonly qty: number;
}

const bet = (lines: readonly Line[], requestId = randomUUID()) =>
  t.call(placeBet, { body: { gameId: GAME, requestId, lines: [...lines] } }, net.user);
const panel = () => t.ok(loadGame, { query: { gameId: GAME, adminId: net.admin._id } }, net.admin);

it('each kind is one bet, split over its numbers on the panel and paid whole', async () => {
  const lines = wheelBets(RULES).map(({ kind, drawno }, index) => ({ drawno, head: kind, qty: 1 + (index % 7) }));
  await t.ok(addBalance, { body: { gameId: GAME, adminId: net.admin._id, balance: 10_000 } }, net.admin);
  const requestId = randomUUID();
  const placed = await bet(lines, requestId);
  expect(placed).toMatchObject({ status: 201 });
  const staked = lines.reduce((sum, { qty }) => sum + qty, 0);
  const { ticketId, lines: shown, playpoints } = placed.body.ticket;
  expect({ shown, playpoints }).toEqual({ shown: lines, playpoints: staked });

  const { data, totalsumdata } = await panel();
  expect(totalsumdata).toBe(staked);
  expect(sumPoints(data.map(({ sum }) => sum))).toBe(staked);
  const won = (drawno: string): number =>
    wheelBets(RULES).reduce(
      (sum, { numbers }, index) => sum + (numbers.includes(drawno) ? (lines[index]!.qty * 36) / numbers.length : 0),
      0,
    );
  for (const { drawno, pays } of data) expect({ drawno, pays }).toEqual({ drawno, pays: won(drawno) });

  const declared = { gameId: GAME, adminId: net.admin._id, result: '17', boosterValue: 1 };
  await t.ok(addResult, { body: declared }, net.admin);
  await t.finishDraw();
  const { ticket } = await t.ok(betOfRequest, { params: { requestId } }, net.user);
  expect(ticket).toMatchObject({ playpoints: staked, winpoints: won('17') });
  expect(await t.credit(net.user)).toBe(10_000 - staked + won('17'));
  const { data: details } = await t.ok(ticketDetails, { query: { ticketId, gameId: GAME } }, net.admin);
  expect(details.slice(0, 2)).toMatchObject([
    { drawno: '0', head: 'Straight', outcome: { color: 'green' } },
    { drawno: '1', head: 'Straight', outcome: { color: 'red' } },
  ]);
  expect(details.filter(({ drawno, outcome }) => drawno === '1' && !outcome)).toMatchObject([
    { head: 'Dozen' },
    { head: 'Column' },
  ]);
  expect(details.find(({ drawno }) => drawno === 'red')).toMatchObject({ head: 'Even chance' });
});

describe('a limit per number', () => {
  const limit = async (perNumber: number) => {
    const params = { adminId: net.admin._id };
    const { data } = await t.ok(listLimits, { params }, net.admin);
    await t.ok(setLimits, { params, body: { updates: [{ id: data[0]!.id, perNumber }] } }, net.admin);
  };
  const fieldsOf = async (lines: readonly Line[]) => (await bet(lines)).body.fields;
  const full = (line: number) => ({ [`lines.${line}`]: 'This number is full for this bet' });

  it('counts the share of bets on several numbers, exactly', async () => {
    await limit(10);
    // 180 on 18 numbers is 10.00 on each.
    expect(await fieldsOf([{ drawno: 'red', qty: 181 }])).toEqual(full(0));
    expect(await fieldsOf([{ drawno: 'red', qty: 90 }])).toBeUndefined();
    expect(await fieldsOf([{ drawno: '5', qty: 6 }])).toEqual(full(0));
    expect(await fieldsOf([{ drawno: '5', qty: 5 }])).toBeUndefined();
    expect(await fieldsOf([{ drawno: '2', qty: 10 }])).toBeUndefined();
    // 2 is full: it is the first black number, and the second of its row, which takes the second hundredth.
    expect(await fieldsOf([{ drawno: 'black', qty: 1 }])).toEqual(full(0));
    expect(
      await fieldsOf([
        { drawno: '1-3', head: 'street', qty: 1 },
        { drawno: '3', qty: 5 },
      ]),
    ).toEqual(full(0));
  });

  it('counts other lines of the same ticket', async () => {
    await limit(10);
    const lines = [
      { drawno: '1-2', head: 'split', qty: 10 },
      { drawno: '1', qty: 5 },
      { drawno: '1-4', head: 'split', qty: 1 },
    ];
    expect(await fieldsOf(lines)).toEqual(full(2));
    expect(await fieldsOf(lines.slice(0, 2))).toBeUndefined();
    expect(await fieldsOf(lines.slice(2))).toEqual(full(0));
    expect(await fieldsOf([{ drawno: '4', qty: 10 }])).toBeUndefined();
  });
});

it('names the field of a bet that the wheel lacks', async () => {
  expect((await bet([{ drawno: '1-5', head: 'split', qty: 1 }])).body).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { 'lines.0.drawno': 'A Split bet names two neighbors on the table, such as 1-2.' },
  });
  expect((await bet([{ drawno: '1', head: 'basket', qty: 1 }])).body).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { 'lines.0.head': expect.stringMatching(/^The head must be straight, split, /) },
  });
});
