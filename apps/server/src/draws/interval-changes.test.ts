import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { getTimer, playerState } from '@drawhouse/contract/draws/draws';
import { loadGame } from '@drawhouse/contract/live/live';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDrawMachine } from './draw-machine.ts';
import type { Database, Tx } from '../db/database.ts';
import type { DrawMachine } from './draw-machine.ts';
import { createSeedVault } from './seeds.ts';
import { ticketHooks } from '../tickets/ticket-hooks.ts';
import { TestApp, TestClock } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';

const GAME = 'funtargetbingo';
const INTERVALS = [5, 7, 10, 45, 60, 90, 300, 3600, 86_400];

let t: TestApp;
let net: Network;
let gameId: string;
/** A second server on the same database, with a clock of its own. */
let other: { clock: TestClock; machine: DrawMachine };

beforeAll(async () => {
  t = await TestApp.start({ poolSize: 8 });
  const clock = new TestClock();
  const services = { ...t.app.services, clock };
  other = { clock, machine: createDrawMachine(services, createSeedVault('5a'.repeat(32)), ticketHooks(services)) };
  net = await t.network({ credit: 0, games: [GAME] });
  [{ id: gameId } = { id: '' }] = await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME]);
  for (const seconds of INTERVALS)
    await t.byHand(
      "insert into times (id, seconds, written_by) values (gen_random_uuid(), $1, '3') on conflict do nothing",
      [seconds],
    );
});
afterAll(() => t.close());

/** Past everything that was opened before, at the beginning of a day. */
async function startAnew(): Promise<void> {
  t.clock.set(new Date(Math.ceil(t.clock.now().getTime() / 86_400_000 + 2) * 86_400_000));
  other.clock.set(t.clock.now());
  await setOpen(true);
  await changeInterval(60);
}

const setOpen = (open: boolean): Promise<unknown> =>
  t.byHand('update games set status = $2 where id = $1', [gameId, open ? 'active' : 'inactive']);

/** What a person changes stands in the log; what is changed here is as if it had been so before there was one. */
const UNSEEN = 'set local session_replication_role = replica';

/** Gives the game another first time as the calls do, under the lock of the game. */
const changeInterval = (seconds: number): Promise<unknown> =>
  t.db.transaction(async (tx) => {
    await tx.query(UNSEEN);
    await tx.query('select from games where id = $1 for update', [gameId]);
    await tx.query('update game_times set time_id = (select id from times where seconds = $2) where game_id = $1', [
      gameId,
      seconds,
    ]);
  });

interface Drawn {
  id: string;
  opens: number;
  ends: number;
  status: string;
}

const drawsOf = (): Promise<Drawn[]> =>
  t.db.query<Drawn>(
    `select id, extract(epoch from opens_at)::float8 as opens, extract(epoch from draws_at)::float8 as ends, status
     from draws where network_id = $1 order by opens_at`,
    [net.networkId],
  );

type Step =
  | { do: 'wait'; seconds: number }
  | { do: 'step'; seconds: number }
  | { do: 'change'; seconds: number; beside: boolean }
  | { do: 'open'; open: boolean };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        seconds: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 90_000 })),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('step' as const), seconds: fc.integer({ min: -400, max: 400 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('change' as const),
        seconds: fc.constantFrom(...INTERVALS),
        beside: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('open' as const), open: fc.boolean() }) },
  ),
  { minLength: 8, maxLength: 30 },
);

/** Which server ticks: the first, the second, or both at once. */
const tickOf: readonly (() => Promise<unknown>)[] = [
  () => t.app.tick(),
  () => other.machine.tick(),
  () => Promise.all([t.app.tick(), other.machine.tick()]),
];

/**
 * When the draw opens that is to run at an instant, as section 3 of the domain has it: from the first boundary of the interval at or after
 * the end of what ran before, every slot, unless it is too late to bet on it.
 */
function dueAt(now: number, interval: number, before: readonly Drawn[]): number | undefined {
  const last = Math.max(0, ...before.filter((draw) => draw.opens <= now).map((draw) => draw.ends));
  const first = Math.ceil(last / interval) * interval;
  const slot = Math.floor(now / interval) * interval;
  const closesBefore = interval >= 30 ? 5 : interval / 6;
  const ahead = before.some((draw) => draw.opens > now && draw.opens < slot + interval);
  return last <= now && slot >= first && !ahead && now < slot + interval - closesBefore ? slot : undefined;
}

describe('whatever intervals follow each other', () => {
  it(
    'draws never overlap, none is missed, each opens by the interval in force, and all are settled',
    { timeout: 120_000 },
    async () => {
      let interval = 60;
      let opened = 0;
      let gaps = 0;
      await fc.assert(
        fc.asyncProperty(
          steps,
          fc.array(fc.nat({ max: 2 }), { minLength: 30, maxLength: 30 }),
          async (sequence, ticks) => {
            await startAnew();
            interval = 60;
            let isOpen = true;
            for (const [index, step] of sequence.entries()) {
              const before = await drawsOf();
              const tick = tickOf[ticks[index]!]!;
              let allowed = [interval];
              if (step.do === 'wait' || step.do === 'step') {
                t.clock.advance(step.seconds * 1000);
                other.clock.set(t.clock.now());
                await tick();
              } else if (step.do === 'open') {
                await setOpen((isOpen = step.open));
                await tick();
              } else {
                allowed = step.beside ? [interval, step.seconds] : [step.seconds];
                interval = step.seconds;
                if (step.beside) await Promise.all([changeInterval(interval), tick()]);
                else await changeInterval(interval).then(tick);
              }
              const after = await drawsOf();
              const known = new Set(before.map((draw) => draw.id));
              const fresh = after.filter((draw) => !known.has(draw.id));
              opened += fresh.length;
              const now = t.clock.now().getTime() / 1000;
              for (const [place, draw] of after.entries())
                if (place > 0) expect(draw.opens).toBeGreaterThanOrEqual(after[place - 1]!.ends);
              expect(fresh.length).toBeLessThanOrEqual(1);
              for (const draw of fresh) {
                expect(isOpen).toBe(true);
                expect(allowed).toContain(draw.ends - draw.opens);
                expect(draw.opens % (draw.ends - draw.opens)).toBe(0);
              }
              if (step.do !== 'change' || !step.beside) {
                const due = isOpen ? dueAt(now, interval, before) : undefined;
                expect(fresh.map((draw) => draw.opens)).toEqual(due === undefined ? [] : [due]);
                if (isOpen && !after.some((draw) => draw.opens <= now && draw.ends > now)) gaps++;
              }
            }
            await setOpen(false);
            t.clock.advance(2 * 86_400_000);
            other.clock.set(t.clock.now());
            await t.app.tick();
            expect((await drawsOf()).filter((draw) => draw.status !== 'settled')).toEqual([]);
            expect(Math.max(...(await drawsOf()).map((draw) => draw.ends))).toBeLessThanOrEqual(
              t.clock.now().getTime() / 1000,
            );
          },
        ),
        { numRuns: 14 },
      );
      // It has seen what it is about, by far more than chance takes away: draws, and times between two intervals in which none runs.
      expect(opened).toBeGreaterThan(20);
      expect(gaps).toBeGreaterThan(1);
      await t.expectBooksToBalance();
    },
  );

  it('two servers whose clocks differ open one draw after the other, never two at once', async () => {
    await startAnew();
    for (let round = 0; round < 40; round++) {
      t.clock.advance(7_300);
      other.clock.set(new Date(t.clock.now().getTime() + (round % 2 ? 2_500 : -2_500)));
      const seconds = INTERVALS[(round * 5) % 6]!;
      await Promise.all([t.app.tick(), ...(round % 4 === 0 ? [changeInterval(seconds)] : []), other.machine.tick()]);
    }
    const draws = await drawsOf();
    for (const [place, draw] of draws.entries())
      if (place > 0) expect(draw.opens).toBeGreaterThanOrEqual(draws[place - 1]!.ends);
  });

  it('nothing opens by an interval that is being changed, and by the new one as soon as it is', async () => {
    await startAnew();
    const opened = async (): Promise<number[]> => (await drawsOf()).slice(-1).map((draw) => draw.ends - draw.opens);
    const before = (await drawsOf()).length;
    await t.db.transaction(async (tx) => {
      await tx.query(UNSEEN);
      await tx.query('select from games where id = $1 for update', [gameId]);
      await tx.query('update game_times set time_id = (select id from times where seconds = 300) where game_id = $1', [
        gameId,
      ]);
      await t.app.tick();
      expect(await drawsOf()).toHaveLength(before);
    });
    await t.app.tick();
    expect(await opened()).toEqual([300]);
  });

  it('an interval that changes between the look and the opening is that of the draw; games are read under the locks of all networks', async () => {
    await t.network({ credit: 0, games: [GAME] });
    await startAnew();
    const { services } = t.app;
    const said: (string | undefined)[] = [];
    const noting = (tx: Tx): Tx => ({
      ...tx,
      query: (text, values, name) => (said.push(name), tx.query(text, values, name)),
    });
    const db: Database = {
      ...services.db,
      query: (async (text, values, name) => {
        const rows = await services.db.query(text, values, name);
        if (name === 'draws-missing') await changeInterval(300);
        return rows;
      }) as Database['query'],
      pipelined: (act) => services.db.pipelined((tx) => act(noting(tx))),
    };
    const before = new Set((await drawsOf()).map((draw) => draw.id));
    const changed = { ...services, db };
    await createDrawMachine(changed, createSeedVault('5a'.repeat(32)), ticketHooks(changed)).tick();
    const opened = (await drawsOf()).filter((draw) => !before.has(draw.id));
    expect(opened.map((draw) => draw.ends - draw.opens)).toEqual([300]);
    const opening = said.filter((name) => name === 'pairs-to-open' || name === 'games-active');
    expect(opening).toEqual(['pairs-to-open', 'pairs-to-open', 'games-active']);
  });

  it('an interval of a day that comes after one of a minute begins with the next day, and the timer says so', async () => {
    await startAnew();
    t.clock.advance(3600_000);
    await t.app.tick();
    const day = t.clock.now().getTime() - 3600_000;
    await changeInterval(86_400);
    t.clock.advance(60_000);
    await t.app.tick();
    const player = await t.signIn(net.user.username);
    const timer = await t.ok(getTimer, { query: { gameId: GAME } }, player);
    expect(timer).toMatchObject({
      time: 2 * 86_400 - 3660,
      format: 'minutes',
      opensAt: new Date(day + 86_400_000).toISOString(),
      drawsAt: new Date(day + 2 * 86_400_000).toISOString(),
    });
    const top = await t.signIn(net.superadmin.username);
    expect(await t.ok(getTimer, { query: { gameId: GAME } }, top)).toMatchObject({ drawsAt: timer.drawsAt });
    const state = await t.ok(playerState, { query: { gameId: GAME } }, player);
    expect([state.draw, state.nextOpensAt]).toEqual([null, timer.opensAt]);
    const panel = await t.ok(loadGame, { query: { gameId: GAME, adminId: net.admin._id } }, top);
    expect([panel.draw, panel.nextOpensAt]).toEqual([null, timer.opensAt]);
    expect((await t.bet(player, { 1: 1 })).body.code).toBe('BETTING_CLOSED');
    t.clock.set(new Date(day + 86_400_000));
    await t.app.tick();
    const again = await t.signIn(net.user.username);
    expect((await t.ok(playerState, { query: { gameId: GAME } }, again)).draw).toMatchObject({
      opensAt: timer.opensAt,
      drawsAt: timer.drawsAt,
      status: 'open',
    });
  });

  it('a shorter interval waits for the end of the running draw, which every timer tells', async () => {
    await startAnew();
    await changeInterval(3600);
    t.clock.advance(2 * 3600_000);
    await t.app.tick();
    const ends = new Date(t.clock.now().getTime() + 3600_000).toISOString();
    await changeInterval(60);
    t.clock.advance(600_000);
    await t.app.tick();
    for (const { username } of [net.superadmin, net.admin, net.user]) {
      const by = await t.signIn(username);
      expect(await t.ok(getTimer, { query: { gameId: GAME } }, by)).toMatchObject({ time: 3000, drawsAt: ends });
    }
    const player = await t.signIn(net.user.username);
    expect((await t.ok(playerState, { query: { gameId: GAME } }, player)).nextOpensAt).toBe(ends);
    t.clock.set(new Date(ends));
    await t.app.tick();
    expect((await drawsOf()).at(-1)).toMatchObject({
      opens: Date.parse(ends) / 1000,
      ends: Date.parse(ends) / 1000 + 60,
    });
  });

  it('a game that is switched off, or whose admin is, has its draw in progress drawn and settled, and opens no other', async () => {
    await startAnew();
    await changeInterval(300);
    await t.app.tick();
    const top = await t.signIn(net.superadmin.username);
    const toggle = (action: 'activate' | 'deactivate'): Promise<unknown> =>
      t.ok(accountRoutes.admin.toggleStatus, { params: { userId: net.admin._id, action } }, top);
    for (const [off, on] of [
      [() => setOpen(false), () => setOpen(true)],
      [() => toggle('deactivate'), () => toggle('activate')],
    ] as const) {
      const running = (await drawsOf()).at(-1)!;
      expect(running.status).toBe('open');
      await off();
      await changeInterval(60);
      t.clock.set(new Date(running.ends * 1000));
      await t.app.tick();
      expect((await drawsOf()).at(-1)).toMatchObject({ id: running.id, status: 'settled' });
      t.clock.advance(120_000);
      await t.app.tick();
      expect((await drawsOf()).at(-1)).toMatchObject({ id: running.id });
      await on();
      await t.app.tick();
      expect((await drawsOf()).at(-1)).toMatchObject({ opens: t.clock.now().getTime() / 1000, status: 'open' });
    }
  });
});
