import { getTimer } from '@drawhouse/contract/draws/draws';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { latestOpening } from './schedule/next-draws.ts';
import type { Network, TestApp } from '../../test/harness.ts';
import { startSteadyApp } from '../../test/worlds/steady-clock-app.ts';

const MINUTE_MS = 60_000;

let t: TestApp;
let net: Network;
let run: (ms: number) => Promise<void>;

beforeAll(async () => {
  ({ t, run } = await startSteadyApp());
});
afterAll(() => t.close());

beforeEach(async () => {
  net = await t.network({ credit: 100 });
  await run(MINUTE_MS - (nowMs() % MINUTE_MS));
  await run(10_000);
});

const nowMs = (): number => t.app.services.clock.now().getTime();

async function betsAt(runs: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const ms of runs) {
    await run(ms);
    found.push((await t.bet(net.user, { 5: 1 })).status);
  }
  return found;
}

it('bets continue after a backward clock step of 27 s, and the draw lasts longer', async () => {
  const drawsAt = await drawsAtOf();
  expect(await betsAt([0])).toEqual([201]);
  t.clock.advance(-27_000);
  expect(await betsAt([0, 1_000, 20_000, 20_000, 12_000, 10_000])).toEqual(Array(6).fill(201));
  expect(await drawsAtOf()).toBe(drawsAt);
  await run(30_000);
  expect(await drawsAtOf()).not.toBe(drawsAt);
  expect(await betsAt([0])).toEqual([201]);
  expect(nowMs()).toBe(t.clock.now().getTime());
  await t.expectBooksToBalance();
});

it('after a larger step bets wait for an undrawn draw, and none is paid twice', async () => {
  const drawsAt = await drawsAtOf();
  expect(await betsAt([0])).toEqual([201]);
  t.clock.advance(-65_000);
  expect(await betsAt([0, 1_000, 53_999])).toEqual([422, 422, 422]);
  expect(await betsAt([1])).toEqual([201]);
  expect(await drawsAtOf()).toBe(drawsAt);
  await run(MINUTE_MS);
  await t.expectBooksToBalance();
});

it('a server started after a step continues from the last opening', async () => {
  const { drawsAt } = await t.ok(getTimer, { query: { gameId: 'funtargetbingo' } }, net.user);
  expect(await latestOpening(t.served)).toEqual(new Date(Date.parse(drawsAt) - MINUTE_MS));
});

async function drawsAtOf(): Promise<string> {
  return (await t.ok(getTimer, { query: { gameId: 'funtargetbingo' } }, net.user)).drawsAt;
}
