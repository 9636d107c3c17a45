import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { getTimer, playerState } from '@drawhouse/contract/draws/draws';
import { loadGame } from '@drawhouse/contract/live/live';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDrawMachine } from '../settlement/draw-machine.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { createSeedVault } from './seed/seeds.ts';
import type { Network, TestApp } from '../../test/harness.ts';
import { statementOf } from '../../test/statements/statement-of.ts';
import { GAME, INTERVALS, IntervalWorld, UNSEEN } from '../../test/worlds/interval-world.ts';

let t: TestApp;
let net: Network;
let gameId: string;
let other: IntervalWorld['other'];
let world: IntervalWorld;

beforeAll(async () => {
  world = await IntervalWorld.start();
  ({ t, net, gameId, other } = world);
});
afterAll(() => t.close());

const startAnew = () => world.startAnew();
const setOpen = (open: boolean) => world.setOpen(open);
const changeInterval = (seconds: number) => world.changeInterval(seconds);
const drawsOf = () => world.draws();

describe('changing intervals', () => {
  it('opens one draw at a time on two servers with different clocks', async () => {
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

  it('opens none by an interval being changed, and the new one right after', async () => {
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

  it('uses an interval changed just before opening; reads games under all network locks', async () => {
    await t.network({ credit: 0, games: [GAME] });
    await startAnew();
    const { services } = t.app;
    const messages: (string | undefined)[] = [];
    const noting = (tx: Tx): Tx => ({
      ...tx,
      query: (text, values, name) => (
        messages.push(statementOf(text, values, name).name),
        tx.query(text, values, name)
      ),
    });
    const db: Database = {
      ...services.db,
      query: (async (text, values, name) => {
        const rows = await services.db.query(text, values, name);
        if (statementOf(text, values, name).name === 'draws-missing') await changeInterval(300);
        return rows;
      }) as Database['query'],
      pipelined: (act) => services.db.pipelined((tx) => act(noting(tx))),
    };
    const before = new Set((await drawsOf()).map((draw) => draw.id));
    const changed = { ...services, db };
    await createDrawMachine(changed, createSeedVault('5a'.repeat(32))).tick();
    const opened = (await drawsOf()).filter((draw) => !before.has(draw.id));
    expect(opened.map((draw) => draw.ends - draw.opens)).toEqual([300]);
    const opening = messages.filter((name) => name === 'pairs-to-open' || name === 'games-active');
    expect(opening).toEqual(['pairs-to-open', 'pairs-to-open', 'games-active']);
  });

  it('starts a one-day interval after a one-minute one on the next day, as the timer shows', async () => {
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

  it('applies a shorter interval after the running draw, as every timer shows', async () => {
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

  it('finishes the running draw of a deactivated game or admin and opens no other', async () => {
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
