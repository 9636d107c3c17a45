import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../../test/harness.ts';
import { connectTeams } from '../../../../test/processes/test-teams.ts';
import { listenAt } from '../../../platform/cluster/peer-link.ts';
import type { Team } from '../../../platform/cluster/team.ts';
import type { CallError } from '../../../platform/http/http-errors.ts';
import type { BetOrder } from '../bet-order.ts';
import type { PlacedBet } from '../judge-bets.ts';
import { createBetLanes, type BetLanes } from './bet-lanes.ts';
import { routeBets, slotOf } from './routed-lanes.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;
let folder: string;
let teams: readonly Team[];
/** Bets asked of each process's lanes. */
let asked: [number, number];
let processes: BetLanes[];
let owner: number;

function start(team: Team): Promise<BetLanes> {
  const lanes = createBetLanes(t.app.services, () => {}, { waitMaxMs: Infinity });
  const ask: BetLanes['ask'] = (order, answer) => {
    asked[team.slot as 0 | 1]++;
    lanes.ask(order, answer);
  };
  return routeBets({ ...lanes, ask }, team);
}

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 500, games: [GAME] });
  folder = await mkdtemp(join(tmpdir(), 'lanes-'));
  ({ teams } = connectTeams(2, folder));
  asked = [0, 0];
  processes = await Promise.all(teams.map(start));
  owner = slotOf(net.networkId, 2);
});
afterEach(async () => {
  await Promise.all(processes.map((lanes) => lanes.drain()));
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

function orderOf(changes: Partial<BetOrder> = {}): BetOrder {
  const actor = { id: net.user._id, networkId: net.networkId };
  const own = { actor, sessionId: undefined, ip: '203.0.113.1', gameKey: GAME, drawId: undefined };
  return { ...own, requestId: randomUUID(), lines: [{ drawno: '7', qty: 1 }], ...changes };
}

const outcomeOf = (at: number, order: BetOrder): Promise<PlacedBet | object> =>
  processes[at]!.place(order).catch((error: CallError) => ({ ...error.toRefusal(), after: error.retryAfterSeconds }));

const tickets = async (): Promise<number> =>
  Number(
    (await t.db.query<{ count: bigint }>('select count(*) from tickets where network_id = $1', [net.networkId]))[0]!
      .count,
  );

it('takes all bets of a network in the lanes of one process, and answers each process its own', async () => {
  const orders = Array.from({ length: 40 }, () => orderOf());
  const placed = await Promise.all(orders.map((order, nth) => processes[nth % 2]!.place(order)));
  expect(asked[owner]).toBe(40);
  const repeated = await Promise.all(orders.map((order, nth) => processes[(nth + 1) % 2]!.place(order)));
  expect(repeated.map(({ ticket }) => ticket)).toEqual(placed.map(({ ticket }) => ticket));
  expect(await tickets()).toBe(40);
});

it('refuses with the same message in every process', async () => {
  const first = orderOf();
  await outcomeOf(owner, first);
  const wrong = [
    orderOf({ gameKey: 'nothing' }),
    orderOf({ drawId: randomUUID() }),
    orderOf({ lines: [{ drawno: '77', qty: 1 }] }),
    orderOf({ lines: [{ drawno: '7', qty: 1_000 }] }),
    orderOf({ ...first, lines: [{ drawno: '8', qty: 1 }] }),
  ];
  for (const order of wrong) {
    const here = await outcomeOf(owner, order);
    expect(here).toMatchObject({ success: false });
    expect(await outcomeOf(1 - owner, order)).toEqual(here);
  }
});

it('takes bets itself while the other process stops and after it has stopped', async () => {
  const before = Array.from({ length: 20 }, () => outcomeOf(1 - owner, orderOf()));
  const stopping = processes[owner]!.drain();
  const during = Array.from({ length: 20 }, () => outcomeOf(1 - owner, orderOf()));
  await stopping;
  const after = await outcomeOf(1 - owner, orderOf());
  for (const outcome of [...(await Promise.all([...before, ...during])), after])
    expect(outcome).toMatchObject({ ticket: { playpoints: 1 } });
  expect(await tickets()).toBe(41);
});

it('says that the outcome is unknown if the process dies with the bet, and makes one ticket of its repeat', async () => {
  await processes[owner]!.drain();
  const dying = createServer((socket) => socket.once('data', () => socket.destroy()));
  await listenAt(dying, teams[owner]!.socketOf(owner, 'bets'));
  const order = orderOf();
  await expect
    .poll(() => outcomeOf(1 - owner, order), { interval: 100 })
    .toMatchObject({ code: 'OUTCOME_UNKNOWN', after: 1 });
  dying.close();
  expect(await outcomeOf(1 - owner, order)).toMatchObject({ ticket: { playpoints: 1 } });
  expect(await tickets()).toBe(1);
});
