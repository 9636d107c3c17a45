import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../accounts/authority.ts';
import { appendActivity } from '../activity/append-activity.ts';
import { lockBetDraw } from './place/bet-draw.ts';
import type { BetOrder } from './place/bet-order.ts';
import { takeBatch } from './place/take-batch.ts';
import { TestApp, type Network, type Reply, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;
let pair: { gameId: string; adminId: string };

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 1000, games: [GAME] });
  pair = { gameId: GAME, adminId: net.admin._id };
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

async function whileLocked<R>(lock: string, what: () => Promise<R>, meanwhile?: () => Promise<unknown>): Promise<R> {
  const { answer } = await t.db.transaction(async (tx) => {
    await tx.query(lock, [net.networkId]);
    const begun = what();
    await untilWaiting(t);
    t.clock.advance(1000);
    await meanwhile?.();
    return { answer: begun };
  });
  return answer;
}

const succeeded = ({ body }: Reply<unknown>): void => expect(body).toMatchObject({ success: true });

describe('the close of betting', () => {
  it.each([
    ['Save', () => t.call(addResult, { body: { ...pair, result: '3' } }, net.admin)],
    ['Generate', () => t.call(generateResult, { body: pair }, net.admin)],
    ['Void', () => t.call(voidDraw, { body: { ...pair, reason: 'wrong ball' } }, net.admin)],
  ])('%s, started before a bet was taken, is later than it', async (_name, operate) => {
    const [actor] = await t.db.query<Actor>(
      'select id, network_id as "networkId", username, role, chain from accounts where id = $1',
      [net.user._id],
    );
    const order: BetOrder = {
      actor: actor!,
      sessionId: undefined,
      ip: '127.0.0.1',
      gameKey: pair.gameId,
      drawId: undefined,
      requestId: randomUUID(),
      lines: [{ drawno: 5, qty: 1 }],
    };
    const { begun } = await t.db.transaction(async (tx) => {
      await lockBetDraw(tx, net.networkId, pair.gameId, t.clock.now());
      const answer = operate();
      await untilWaiting(t);
      t.clock.advance(1000);
      expect(await takeBatch(t.app.services, tx, net.networkId, [order])).toMatchObject([
        { ticket: { status: 'open' } },
      ]);
      return { begun: answer };
    });
    succeeded(await begun);
    const [draw] = await t.db.query<{ right: boolean; placed: bigint }>(
      `select max(placed_at) < min(closed_at) and coalesce(min(saved_at) >= min(closed_at), true) as right, count(*) as placed
       from tickets t join draws d on d.id = t.draw_id where t.network_id = $1`,
      [net.networkId],
    );
    expect(draw).toEqual({ right: true, placed: 1n });
  });

  it("is later than a bet dated ahead by another server's clock", async () => {
    succeeded(await t.bet(net.user, { 5: 1 }));
    const ahead = (table: string, column: string): Promise<unknown> =>
      t.db.query(`update ${table} set ${column} = ${column} + interval '3 seconds' where network_id = $1`, [
        net.networkId,
      ]);
    await ahead('tickets', 'placed_at');
    await ahead('transfers', 'at');
    succeeded(await t.call(addResult, { body: { ...pair, result: '3' } }, net.admin));
    expect(
      await t.db.query(
        `select closed_at - placed_at = interval '1 millisecond' as closed, saved_at = closed_at as saved
         from tickets t join draws d on d.id = t.draw_id where t.network_id = $1`,
        [net.networkId],
      ),
    ).toEqual([{ closed: true, saved: true }]);
  });

  it('is judged when a bet holds the draw, not when it arrived', async () => {
    // Betting closes at exactly the time at which the wait ends.
    t.clock.advance(54_000);
    const reply = await whileLocked('select from draws where network_id = $1 for update', () =>
      t.bet(net.user, { 5: 1 }),
    );
    expect(reply.body.code).toBe('BETTING_CLOSED');
  });
});

describe('a draw that reached its draw time while an operation waited', () => {
  it.each([
    ['save', () => t.call(addResult, { body: { ...pair, result: '3' } }, net.admin)],
    ['generate', () => t.call(generateResult, { body: pair }, net.admin)],
    ['void', () => t.call(voidDraw, { body: { ...pair, reason: 'wrong ball' } }, net.admin)],
  ])('refuses to %s', async (_name, operate) => {
    // The wait ends exactly at the draw time.
    t.clock.advance(59_000);
    const reply = await whileLocked<Reply<unknown>>('select from draws where network_id = $1 for update', operate);
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'DRAW_STATE', message: 'That draw is over. The next one is open.' },
    });
  });
});

describe('a movement is dated when it locks its wallets:', () => {
  const wallets = 'select from wallets where network_id = $1 for update';
  const lastMoved = async (): Promise<Date> =>
    (
      await t.db.query<{ at: Date }>('select at from transfers where network_id = $1 order by id desc limit 1', [
        net.networkId,
      ])
    )[0]!.at;
  const takeBack = (from: SignedIn, by: SignedIn) =>
    t.call(
      accountRoutes[from.role].creditAdjust,
      { body: { toUserId: from._id, adjustAmount: 5, transactionType: 'debit', password: PASSWORD } } as never,
      by,
    );
  it.each([
    ['a transfer', () => takeBack(net.user, net.retailer)],
    ['a transfer across the border of a network', () => takeBack(net.admin, net.superadmin)],
    ['a bet', () => t.bet(net.user, { 5: 1 })],
    ['a refund', () => t.call(voidDraw, { body: { ...pair, reason: 'wrong ball' } }, net.admin)],
    ['a settlement', () => t.call(generateResult, { body: pair }, net.admin)],
  ] as [string, () => Promise<Reply<unknown>>][])('%s', async (_name, act) => {
    succeeded(await t.bet(net.user, { 5: 1 }));
    await t.give(net.superadmin, net.superadmin, 10);
    await t.give(net.superadmin, net.admin, 10);
    succeeded(await whileLocked(wallets, act));
    expect(await lastMoved()).toEqual(t.clock.now());
    const [ids] = await t.db.query<{ right: boolean }>(
      `select bool_and(coalesce(date_trunc('milliseconds', finished_at), $1) = $1) as right
       from draws where network_id = $2`,
      [t.clock.now(), net.networkId],
    );
    expect(ids!.right).toBe(true);
  });
});

describe("a network's log", () => {
  const log = (): Promise<{ subject: string; at: Date }[]> =>
    t.db.query('select subject, at from activity where network_id = $1 order by seq desc limit 2', [net.networkId]);

  const edit = () =>
    t.call(accountRoutes.user.update, { params: { id: net.user._id }, body: { note: randomUUID() } }, net.retailer);

  it('does not go back for a command that waited', async () => {
    succeeded(
      await whileLocked(`select from accounts where network_id = $1 and role = 'user' for update`, edit, () =>
        t.create(net.retailer),
      ),
    );
    const [last, before] = await log();
    expect(last!.subject).toContain('Changed note');
    expect(last!.at.getTime()).toBeGreaterThanOrEqual(before!.at.getTime());
    expect(last!.at).toEqual(t.clock.now());
  });

  it("does not go back after another server's fast clock", async () => {
    const ahead = new Date(t.clock.now().getTime() + 60_000);
    const { newId } = t.app.services;
    const entry = { accountId: null, username: 'x', subject: 'ahead', origin: { url: '', method: '', ip: '' } };
    await t.db.transaction((tx) =>
      appendActivity(tx, net.networkId, { clock: { now: () => ahead }, newId: (after) => newId(after) }, [entry]),
    );
    await t.db.query(
      "update activity_heads set last_id = 'ffffffff-0000-7000-8000-000000000000' where network_id = $1",
      [net.networkId],
    );
    succeeded(await edit());
    expect((await log()).map((row) => row.at)).toEqual([ahead, ahead]);
    const [ids] = await t.db.query<{ id: string }>(
      'select id from activity where network_id = $1 order by seq desc limit 1',
      [net.networkId],
    );
    expect(ids!.id > 'ffffffff-0000-7000-8000-000000000000').toBe(true);
  });
});
