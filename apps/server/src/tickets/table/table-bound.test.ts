import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { loadGame } from '@drawhouse/contract/live/live';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import fc from 'fast-check';
import { setTableLine } from '../../../test/worlds/audit-world.ts';
import { statementOf } from '../../../test/statements/statement-of.ts';
import { foreseeDraw } from '../../../test/worlds/foresee-draw.ts';
import { runsOf } from '../../../test/test-tier.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { needOfTable } from './table-need.ts';

const GAME = 'funtargetbingo';
const JODI = 'acqOpdpL';

let t: TestApp;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

async function make(line: number | null, games = [GAME]): Promise<Network> {
  const net = await t.network({ credit: 100_000, games });
  await setTableLine(t, net, line);
  return net;
}

const table = async (net: Network, gameId = GAME): Promise<number> => {
  const panel = await t.ok(loadGame, { query: { gameId, adminId: net.admin._id } }, net.admin);
  return panel.percentageData[0]!.gameBalance;
};
const add = (net: Network, balance: number, gameId = GAME) =>
  t.ok(addBalance, { body: { gameId, adminId: net.admin._id, balance } }, net.admin);
const andhar = (player: SignedIn, qty: number, drawno = '3') =>
  t.call(
    placeBet,
    { body: { gameId: JODI, requestId: randomUUID(), lines: [{ drawno, head: 'andhar', series: 'K50SILVER', qty }] } },
    player,
  );

const REFUSED = { status: 422, body: { code: 'LIMIT_REACHED', message: 'The game cannot cover this bet.' } };

describe('a bet at its table line', () => {
  it('is taken down to the line and refused below', async () => {
    // 10 on one number pays 90; commission at most 20 %.
    const net = await make(82);
    expect(await t.bet(net.user, { 7: 11 })).toMatchObject(REFUSED);
    expect((await t.bet(net.user, { 7: 10 })).status).toBe(201);
    expect(await t.bet(net.user, { 7: 1 })).toMatchObject(REFUSED);
    expect((await t.bet(net.user, { 3: 10 })).status).toBe(201);
    await add(net, 100);
    expect((await t.bet(net.user, { 7: 10 })).status).toBe(201);
  });

  it('is limited exactly under concurrency on any server', async () => {
    const net = await make(820);
    const other = await t.beside({});
    const players = [net.user, ...(await Promise.all(Array.from({ length: 5 }, () => t.create(net.retailer))))];
    for (const player of players.slice(1)) await t.give(net.admin, player, 1_000);
    const replies = await Promise.all(
      Array.from({ length: 150 }, (_, nth) => (nth % 2 ? t : other).bet(players[nth % players.length]!, { 7: 1 })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(100);
    await other.close();
  });

  it("counts an earlier draw's need until it settles", async () => {
    const net = await make(82);
    const { result } = await foreseeDraw(t, net);
    const { drawno } = result as { drawno: string };
    await t.bet(net.user, { [drawno]: 10 });
    await t.finishDraw();
    expect(await table(net)).toBe(-80);
    expect(await t.bet(net.user, { 7: 1 })).toMatchObject(REFUSED);
    await add(net, 80);
    expect((await t.bet(net.user, { 7: 10 })).status).toBe(201);
  });
});

it('reads the tickets of a closed draw once', async () => {
  const net = await make(null);
  await t.bet(net.user, { 7: 10 });
  await t.ok(addResult, { body: { gameId: GAME, adminId: net.admin._id, result: '3', boosterValue: 1 } }, net.admin);
  const [draw] = await t.db.query<{ network_id: number; game_id: string }>(
    "select network_id, game_id from draws where network_id = $1 and status = 'closed'",
    [net.networkId],
  );
  const sent: unknown[] = [];
  const watched: Queryable = {
    query(...statement) {
      sent.push(statementOf(...statement).name);
      return t.db.query(...statement);
    },
  };
  expect(await needOfTable(watched, draw!)).toBe(80_00n);
  sent.length = 0;
  expect(await needOfTable(watched, draw!)).toBe(80_00n);
  expect(sent).toEqual(['draws-on-table']);
});

describe('a bet on a head returning more than 100 %', () => {
  it('is taken only while the table alone covers it, whatever its line', async () => {
    const net = await make(1_000_000, [JODI]);
    expect(await andhar(net.user, 1)).toMatchObject(REFUSED);
    await add(net, 492, JODI);
    expect((await andhar(net.user, 10)).status).toBe(201);
    expect(await andhar(net.user, 1)).toMatchObject(REFUSED);
    for (const digit of '0124567') expect((await andhar(net.user, 10, digit)).status).toBe(201);
    await t.finishDraw();
    expect(await table(net, JODI)).toBeGreaterThanOrEqual(0);
  });

  it('leaves the line to other bets', async () => {
    const net = await make(1_000, [JODI]);
    const body = {
      gameId: JODI,
      requestId: randomUUID(),
      lines: [{ drawno: '37', head: 'jodi', series: 'K50SILVER', qty: 1 }],
    };
    expect((await t.call(placeBet, { body }, net.user)).status).toBe(201);
  });
});

it("a reset leaves the running draw's need", async () => {
  const net = await make(0);
  await add(net, 200);
  await t.bet(net.user, { 7: 10 });
  const { gameBalance } = await t.ok(
    addBalance,
    { body: { gameId: GAME, adminId: net.admin._id, type: 'remove' } },
    net.admin,
  );
  expect(gameBalance).toBe(80);
});

it('a reset keeps enough for a declared result, covered or not', async () => {
  const net = await make(0);
  await add(net, 80);
  await t.bet(net.user, { 7: 5 });
  await t.ok(addResult, { body: { gameId: GAME, adminId: net.admin._id, result: '7', boosterValue: 3 } }, net.admin);
  const reset = { body: { gameId: GAME, adminId: net.admin._id, type: 'remove' as const } };
  expect(await t.call(addBalance, reset, net.admin)).toMatchObject({ status: 422, body: { code: 'RULE_REFUSED' } });
  expect(await table(net)).toBe(130);
  await t.finishDraw();
  expect(await table(net)).toBe(0);
});

type Step =
  | { readonly do: 'bet'; readonly game: number; readonly qty: number; readonly knows: boolean }
  | { readonly do: 'declare' | 'generate' | 'void' | 'reset' | 'add'; readonly game: number; readonly amount: number }
  | { readonly do: 'draw' };

const GAMES = [GAME, 'titlisorrat', JODI] as const;

it('no table falls below its line and no credit appears, for any bets, results, voids and draws', async () => {
  const game = fc.integer({ min: 0, max: GAMES.length - 1 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('bet' as const),
        game,
        qty: fc.integer({ min: 1, max: 60 }),
        knows: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom('declare', 'generate', 'void', 'reset', 'add'),
        game,
        amount: fc.integer({ min: 1, max: 400 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('draw' as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 150), fc.array(step, { minLength: 8, maxLength: 30 }), async (line, steps) => {
      const net = await t.network({
        credit: 2_000,
        reserve: 600,
        games: [...GAMES],
        commissions: { retailer: 5, user: 2 },
      });
      await setTableLine(t, net, line);
      for (const each of steps) {
        await play(net, each);
        await expectCovered(net, line);
      }
      await t.finishDraw();
      await expectCovered(net, line);
    }),
    { numRuns: runsOf(6) },
  );
  await t.expectBooksToBalance();
});

async function play(net: Network, step: Step): Promise<void> {
  if (step.do === 'draw') {
    await t.finishDraw();
    return;
  }
  const gameId = GAMES[step.game]!;
  const pair = { gameId, adminId: net.admin._id };
  switch (step.do) {
    case 'bet':
      await betOn(net, gameId, step);
      break;
    case 'declare':
      await declare(net, gameId, step.amount);
      break;
    case 'generate':
      await t.call(generateResult, { body: pair }, net.admin);
      break;
    case 'void':
      await t.call(voidDraw, { body: { ...pair, reason: 'a test' } }, net.admin);
      break;
    case 'reset':
      await t.call(addBalance, { body: { ...pair, type: 'remove' } }, net.admin);
      break;
    case 'add':
      await t.call(addBalance, { body: { ...pair, balance: step.amount } }, net.admin);
  }
}

async function betOn(net: Network, gameId: string, { qty, knows }: { qty: number; knows: boolean }): Promise<void> {
  const foreseen = await foreseeDraw(t, net, gameId).catch(() => undefined);
  if (!foreseen) return;
  const result = foreseen.result as { drawno?: string; winners?: Record<string, string> };
  if (gameId === JODI) await andhar(net.user, qty, knows ? result.winners!.K50SILVER![0]! : '4');
  else await t.bet(net.user, { [knows ? result.drawno! : '4']: qty }, { gameId });
}

async function declare(net: Network, gameId: string, amount: number): Promise<void> {
  const result = gameId === JODI ? JSON.stringify([{ series: 'K50SILVER', drawno: '44' }]) : '4';
  const body = {
    gameId,
    adminId: net.admin._id,
    result,
    boosterValue: gameId === JODI ? 1 + (amount % 2) : 1 + (amount % 20),
  };
  await t.call(addResult, { body }, net.admin);
}

async function expectCovered(net: Network, line: number): Promise<void> {
  const rows = await t.db.query<{ kind: number; balance: bigint }>(
    'select kind, balance from wallets where network_id = $1',
    [net.networkId],
  );
  const tables = rows.filter(({ kind }) => kind === WALLET_KINDS.table).map(({ balance }) => balance);
  // Commission remainders add less than a hundredth per earning account (two here).
  for (const balance of tables) expect(balance).toBeGreaterThanOrEqual(BigInt(-line) * 100n - 2n);
  const given = -rows.find(({ kind }) => kind === WALLET_KINDS.boundary)!.balance;
  const spendable = rows
    .filter(({ kind }) => kind !== WALLET_KINDS.table && kind !== WALLET_KINDS.boundary)
    .reduce((sum, { balance }) => sum + balance, 0n);
  expect(spendable).toBeLessThanOrEqual(given + BigInt(GAMES.length * line) * 100n + 6n);
}
