import { addResult } from '@drawhouse/contract/draws/draws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '../platform/db/database.ts';
import { lockBetDraw } from './place/bet-draw.ts';
import { TestApp, type Network } from '../../test/harness.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ poolSize: 8 });
  net = await t.network({ credit: 1_000, games: [GAME] });
});
afterAll(() => t.close());

function batch(): { draw: Promise<string | undefined>; end: () => void } {
  const ended = Promise.withResolvers<void>();
  const found = Promise.withResolvers<string | undefined>();
  const act = async (tx: Tx): Promise<void> => {
    const draw = await lockBetDraw(tx, net.networkId, GAME, t.clock.now());
    found.resolve(draw?.draw_status);
    await ended.promise;
  };
  t.db.transaction(act).catch(found.reject);
  return { draw: found.promise, end: ended.resolve };
}

it('lets nobody bet ahead of a waiting close', async () => {
  await t.finishDraw();
  const first = batch();
  expect(await first.draw).toBe('open');
  const second = batch();
  expect(await second.draw).toBe('open');
  const pair = { gameId: GAME, adminId: net.admin._id };
  const saved = t.call(addResult, { body: { ...pair, result: '3', boosterValue: 2 } }, net.admin);
  await untilWaiting(t);
  const late = batch();
  await untilWaiting(t, 2);
  first.end();
  second.end();
  expect(await saved).toMatchObject({ status: 200 });
  expect(await late.draw).toBe('closed');
  late.end();
});

it('does not lock a draw too late to bet on, so closing finds it free', async () => {
  await t.finishDraw();
  const open = batch();
  expect(await open.draw).toBe('open');
  open.end();
  const [row] = await t.db.query<{ closes_at: Date }>(
    "select closes_at from draws where network_id = $1 and status = 'open'",
    [net.networkId],
  );
  t.clock.set(row!.closes_at);
  const late = batch();
  expect(await late.draw).toBe('open');
  await t.app.tick();
  const [closed] = await t.db.query('select status from draws where network_id = $1 order by opens_at desc limit 1', [
    net.networkId,
  ]);
  expect(closed).toEqual({ status: 'closed' });
  expect((await t.bet(net.user, { 1: 1 })).body).toMatchObject({ code: 'BETTING_CLOSED' });
  late.end();
});
