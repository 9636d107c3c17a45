import { randomUUID } from 'node:crypto';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Actor } from '../../../accounts/authority.ts';
import { enterDrawGate } from '../../../draws/states/update-draw.ts';
import { DatabaseUnavailable } from '../../../platform/db/connection/unavailable.ts';
import { CallError } from '../../../platform/http/http-errors.ts';
import { createBetLanes, type BetLanes } from './bet-lanes.ts';
import type { BetOrder } from '../bet-order.ts';
import type { PlacedBet } from '../judge-bets.ts';
import { TestApp, type Network, type SignedIn } from '../../../../test/harness.ts';
import { statementOf } from '../../../../test/statements/statement-of.ts';
import { untilWaiting } from '../../../../test/statements/until-waiting.ts';

const GAME = 'lottery3d';

let t: TestApp;
let net: Network;
let lanes: BetLanes;

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 50_000, games: [GAME] });
  lanes = createBetLanes(t.app.services, () => {}, { waitMaxMs: Infinity });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

async function orderOf(player: SignedIn): Promise<(lines: number) => BetOrder> {
  const [actor] = await t.db.query<Actor>(
    'select id, network_id as "networkId", username, role, chain from accounts where id = $1',
    [player._id],
  );
  return (lines) => ({
    actor: actor!,
    sessionId: undefined,
    ip: '127.0.0.1',
    gameKey: GAME,
    drawId: undefined,
    requestId: randomUUID(),
    lines: Array.from({ length: lines }, (_, number) => ({
      drawno: String(number).padStart(3, '0'),
      head: 'straight',
      qty: 1,
    })),
  });
}

const batches = async (): Promise<number[]> =>
  (
    await t.db.query<{ lines: bigint }>(
      "select sum(cardinality(string_to_array(lines, ' '))) as lines from tickets where network_id = $1 group by xmin order by 1",
      [net.networkId],
    )
  ).map((row) => Number(row.lines));

it('batches a few large tickets or many small ones', async () => {
  const order = await orderOf(net.user);
  const sizes = [1000, 1000, 999, 1, 1, 1000, 1, 1, 1000, 500];
  const taken = await Promise.all(sizes.map((lines) => lanes.place(order(lines))));
  expect(taken.map(({ ticket }) => ticket.lines.length)).toEqual(sizes);
  expect((await batches()).every((lines) => lines <= 2000)).toBe(true);
  const credit = taken.map(({ walletBalance }) => walletBalance);
  expect(credit).toEqual(credit.toSorted((a, b) => b - a));
  await Promise.all(Array.from({ length: 300 }, () => lanes.place(order(1))));
  expect((await batches()).some((lines) => lines === 300)).toBe(true);
});

it("limits one player's lines so others in the network keep betting", async () => {
  const [greedy, other] = [await orderOf(net.user), await orderOf(await t.create(net.retailer))];
  const most = Array.from({ length: 20 }, () => lanes.place(greedy(TICKET_LIMITS.lines)));
  const refusal = await lanes.place(greedy(1)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CallError);
  expect(refusal).toMatchObject({ code: 'NOT_READY' });
  expect(await lanes.place(other(1)).catch((error: unknown) => error)).toMatchObject({ code: 'INSUFFICIENT_CREDIT' });
  await Promise.all(most);
  await lanes.place(greedy(1));
});

it('takes a repeated ticket of one batch once', async () => {
  const order = await orderOf(net.user);
  const same = order(1000);
  const taken = await Promise.all([order(1), same, same, order(1000), same].map((bet) => lanes.place(bet)));
  expect(new Set(taken.map(({ ticket }) => ticket._id)).size).toBe(3);
  expect(await t.credit(net.user)).toBe(50_000 - 2001);
});

it("takes others' bets while a wallet is locked, then its player's in order", async () => {
  const second = await t.create(net.retailer);
  const [order, others] = [await orderOf(net.user), await orderOf(second)];
  let locked: Promise<PlacedBet>[] = [];
  let answered = 0;
  await t.db.transaction(async (tx) => {
    await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
    locked = Array.from({ length: 5 }, () => lanes.place(order(1)));
    for (const bet of locked) void bet.then(() => answered++);
    for (let n = 0; n < 3; n++)
      expect(await lanes.place(others(1)).catch((error: unknown) => error)).toMatchObject({
        code: 'INSUFFICIENT_CREDIT',
      });
    locked.push(lanes.place(order(1)));
    await untilWaiting(t);
    expect(answered).toBe(0);
  });
  const credit = (await Promise.all(locked)).map(({ walletBalance }) => walletBalance);
  expect(credit).toEqual(Array.from({ length: 6 }, (_, n) => 50_000 - 1 - n));
});

it("takes two batches of a game concurrently, beside other games'", async () => {
  const orders = await Promise.all(Array.from({ length: 3 }, async () => orderOf(await t.create(net.retailer))));
  const small = createBetLanes(t.app.services, () => {}, { batchMax: 2, waitMaxMs: Infinity });
  const pipelined = vi.spyOn(t.app.services.db, 'pipelined');
  await Promise.all(Array.from({ length: 60 }, (_, n) => small.place(orders[n % 3]!(1)).catch(() => {})));
  expect(pipelined.mock.calls.length).toBeGreaterThanOrEqual(30);
  pipelined.mockRestore();
});

it('opens no lane for an unknown game, with one lookup for all requests', async () => {
  const order = await orderOf(net.user);
  const { db } = t.app.services;
  const [pipelined, query] = [vi.spyOn(db, 'pipelined'), vi.spyOn(db, 'query')];
  const codeOf = (gameKey: string): Promise<unknown> =>
    lanes.place({ ...order(1), gameKey }).catch((error: unknown) => (error as CallError).code);
  const looks = (): number => query.mock.calls.filter((call) => statementOf(...call).name === 'game-keys').length;
  const named = Array.from({ length: 300 }, (_, n) => codeOf(`no game ${n}`));
  expect(new Set(await Promise.all(named))).toEqual(new Set(['GAME_UNAVAILABLE']));
  expect(pipelined).not.toHaveBeenCalled();
  expect(looks()).toBe(1);
  await t.byHand(
    "insert into games (select (jsonb_populate_record(g, jsonb_build_object('id', $1::text, 'game_key', 'new', " +
      "'name', 'New'))).* from games g limit 1)",
    [randomUUID()],
  );
  expect(await codeOf('new')).toBe('GAME_UNAVAILABLE');
  expect(pipelined).toHaveBeenCalledTimes(1);
  expect(looks()).toBe(2);
  vi.restoreAllMocks();
  await t.byHand(`delete from games where game_key = 'new'`);
});

it('rejects bets that waited too long and takes later ones', async () => {
  const order = await orderOf(net.user);
  const impatient = createBetLanes(t.app.services, () => {}, { waitMaxMs: 30_000 });
  const now = performance.now();
  const bets: Promise<unknown>[] = [];
  await t.db.transaction(async (tx) => {
    await enterDrawGate(tx, { networkId: net.networkId, gameKey: GAME }, 'close');
    const place = (): void => void bets.push(impatient.place(order(1)).catch((error: unknown) => error));
    place();
    await untilWaiting(t);
    place();
    place();
    vi.spyOn(performance, 'now').mockReturnValue(now + 60_000);
    place();
  });
  const answers = await Promise.all(bets);
  vi.restoreAllMocks();
  const codes = answers.map((answer) => (answer instanceof CallError ? answer.code : 'taken'));
  expect(codes).toEqual(['taken', 'NOT_READY', 'NOT_READY', 'taken']);
  expect(await t.credit(net.user)).toBe(50_000 - 2);
});

it('reports a database outage once, however many unknown games are named', async () => {
  const order = await orderOf(net.user);
  const onError = vi.fn<(error: unknown) => void>();
  const own = createBetLanes(t.app.services, onError);
  const away = vi
    .spyOn(t.app.services.db, 'query')
    .mockRejectedValueOnce(new DatabaseUnavailable(new Error('connection lost')));
  const bets = Array.from({ length: 50 }, (_, n) => own.place({ ...order(1), gameKey: `made-up-${n}` }));
  for (const { status, reason } of (await Promise.allSettled(bets)) as PromiseRejectedResult[])
    expect({ status, code: (reason as CallError).code }).toEqual({ status: 'rejected', code: 'NOT_READY' });
  expect(onError).toHaveBeenCalledTimes(1);
  away.mockRestore();
  await expect(own.place(order(1))).resolves.toMatchObject({ walletBalance: 49_999 });
});
