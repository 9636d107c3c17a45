import { getTimer } from '@drawhouse/contract/draws/draws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Network, TestApp } from '../../test/harness.ts';
import { startSteadyApp } from '../../test/worlds/steady-clock-app.ts';
import { latestLogTime } from '../activity/append-activity.ts';
import { correctionOf } from '../platform/settings/pinned-settings.ts';
import { correctClock, readFutureRows } from './correct-clock.ts';
import { DRAW_NUMBER } from '../draws/draws.sql.ts';
import { createDrawMachine } from './draw-machine.ts';
import { createSeedVault } from '../draws/seed/seeds.ts';

const MINUTE_MS = 60_000;
const SEED_KEY = '5a'.repeat(32);
const SHELL = { command: 'npm run admin', osUser: 'root' };

let t: TestApp;
let net: Network;
let run: (ms: number) => Promise<void>;

beforeAll(async () => {
  ({ t, run } = await startSteadyApp());
  net = await t.network({ credit: 100 });
});
afterAll(() => t.close());

const bet = async (): Promise<number> => (await t.bet(net.user, { 5: 1 })).status;
const timer = () => t.ok(getTimer, { query: { gameId: 'funtargetbingo' } }, net.user);
const machine = () => createDrawMachine(t.app.services, createSeedVault(SEED_KEY));

it('lets settlement continue after a fast clock is corrected', async () => {
  const startMs = t.clock.now().getTime();
  await run(MINUTE_MS - (startMs % MINUTE_MS) + 10_000);
  for (let minute = 0; minute < 4; minute++) await run(MINUTE_MS);
  expect(await bet()).toBe(201);
  const credit = await t.credit(net.user);
  await t.signIn(net.user.username);
  const logged = (await latestLogTime(t.db))!;
  t.clock.advance(-3 * MINUTE_MS);
  await run(0);
  expect(await bet()).toBe(422);
  const ahead = await readFutureRows(t.db, t.clock.now());
  expect(ahead).toMatchObject({ finished: 2 * ahead.unfinished });
  expect(ahead.until, 'the log is later than the last opening').toEqual(logged);

  expect(await correctClock(machine(), SHELL)).toBe(ahead.unfinished);
  expect(await t.credit(net.user)).toBe(credit + 1);
  await run(1_000);
  const drawsAt: string[] = [];
  for (let minute = 0; minute < 5; minute++) {
    expect(await bet()).toBe(201);
    drawsAt.push((await timer()).drawsAt);
    await run(MINUTE_MS);
  }
  const first = Math.ceil((t.clock.now().getTime() - 5 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
  expect(drawsAt).toEqual([0, 1, 2, 3, 4].map((minute) => new Date(first + minute * MINUTE_MS).toISOString()));
  const numbers = await numbersOf();
  expect(numbers.rows).toBeGreaterThan(8);
  expect(numbers.wrong).toEqual([]);
  const [correction, ...more] = await t.db.query<{ after: string }>(
    "select detail #>> '{changes,0,after}' as after from activity where subject like 'Let draws open again%'",
  );
  expect(more).toEqual([]);
  expect(correction!.after).toMatch(/^\d+ \w+ \d{4} at \d\d:\d\d \(.+\)$/);
  expect(await correctionOf(t.db, logged)).toMatchObject({ until: logged });
  await t.expectBooksToBalanceNow();
});

it('does nothing if nothing is ahead', async () => {
  await run(30 * MINUTE_MS);
  expect(await readFutureRows(t.db, t.clock.now())).toEqual({ finished: 0, unfinished: 0, until: undefined });
  expect(await correctClock(machine(), SHELL)).toBe(0);
});

it('records how far the clock was ahead if only the log says so', async () => {
  await run(2 * 60 * MINUTE_MS);
  // Between two draws of an hour, a minute's lead is in the log only.
  const startMs = t.clock.now().getTime();
  t.clock.advance(3 * MINUTE_MS);
  await t.signIn(net.user.username);
  t.clock.advance(-3 * MINUTE_MS);
  const ahead = await readFutureRows(t.db, t.clock.now());
  expect(ahead).toMatchObject({ finished: 0, unfinished: 0 });
  expect(ahead.until!.getTime()).toBeGreaterThan(startMs);
  expect(await correctClock(machine(), SHELL)).toBe(0);
  const newest = (await latestLogTime(t.db))!;
  expect(await correctionOf(t.db, newest), 'the doctor has nothing left to advise').toBeDefined();
});

async function numbersOf(): Promise<{ rows: number; wrong: string[] }> {
  const rows = await t.db.query<{ number: bigint; draws_at: Date }>(
    `select ${DRAW_NUMBER} as number, draws_at from draws d`,
  );
  const wrong = rows.filter(({ number, draws_at }) => (Number(number) + 1) * MINUTE_MS !== draws_at.getTime());
  return { rows: rows.length, wrong: wrong.map(({ draws_at }) => draws_at.toISOString()) };
}
