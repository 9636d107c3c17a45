import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { fairDraw, voidDraw, playerState } from '@drawhouse/contract/draws/draws';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { ticketDigest } from '@drawhouse/rules/fair/fair';
import { treeRoot } from '@drawhouse/rules/fair/tree/merkle';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 100, games: ['funtargetbingo', 'fruit12'] });
});
afterEach(() => t.expectBooksToBalance());
afterAll(() => t.close());

const codes = (replies: { status: number; body: { code?: string } }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) counts[body.code ?? status] = (counts[body.code ?? status] ?? 0) + 1;
  return counts;
};

describe('many concurrent bets', () => {
  it('takes exactly as many as the credit covers', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => t.bet(net.user, { 5: 1 })));
    expect(codes(replies)).toEqual({ 201: 100, INSUFFICIENT_CREDIT: 100 });
    expect(await t.credit(net.user)).toBe(0);
    expect(await t.db.query('select count(*) from tickets where network_id = $1', [net.networkId])).toEqual([
      { count: 100n },
    ]);
  });

  it('judges each bet alone: a wrong one does not affect others', async () => {
    const replies = await Promise.all([
      t.bet(net.user, { 5: 1 }),
      t.bet(net.user, { 99: 1 }),
      t.bet(net.user, { 5: 1 }, { gameId: 'nosuchgame' }),
      t.bet(net.user, { 5: 101 }),
      t.bet(net.user, { 6: 2 }, { gameId: 'fruit12' }),
    ]);
    expect(codes(replies)).toEqual({ 201: 2, INVALID_INPUT: 1, GAME_UNAVAILABLE: 1, INSUFFICIENT_CREDIT: 1 });
    expect(await t.credit(net.user)).toBe(97);
  });

  it('answers a repeated request with the first ticket, also concurrently', async () => {
    const requestId = randomUUID();
    const replies = await Promise.all(Array.from({ length: 5 }, () => t.bet(net.user, { 5: 10 }, { requestId })));
    replies.push(await t.bet(net.user, { 5: 10 }, { requestId }));
    expect(new Set(replies.map(({ body: { ticket } }) => `${ticket._id} ${ticket.digest}`)).size).toBe(1);
    expect(await t.credit(net.user)).toBe(90);
    expect((await t.bet(net.user, { 5: 11 }, { requestId })).body.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('answers with one ticket when two servers get a request simultaneously', async () => {
    const second = await t.beside();
    for (let round = 0; round < 5; round++) {
      const requestId = randomUUID();
      const [here, there] = await Promise.all([
        t.bet(net.user, { 1: 1 }, { requestId }),
        second.bet(net.user, { 1: 1 }, { requestId }),
      ]);
      expect([here.status, there.status]).toEqual([201, 201]);
      expect(there.body).toMatchObject({ ticket: here.body.ticket });
    }
    expect(await t.credit(net.user)).toBe(95);
    await second.close();
  });

  async function withoutWallet<T>({ _id: id }: SignedIn, act: () => Promise<T>): Promise<T> {
    const rename = (from: number, to: number): Promise<unknown> =>
      t.db.query('update wallets set kind = $3 where owner_id = $1 and kind = $2', [id, from, to]);
    await rename(WALLET_KINDS.credit, 99);
    const done = await act();
    await rename(99, WALLET_KINDS.credit);
    return done;
  }

  it('keeps a database error of one bet from affecting others', async () => {
    const other = await t.create(net.retailer);
    const replies = await withoutWallet(other, () =>
      Promise.all([t.bet(net.user, { 5: 1 }), t.bet(other, { 5: 1 }), t.bet(net.user, { 5: 1 })]),
    );
    expect(replies.map((reply) => reply.status)).toEqual([201, 503, 201]);
  });

  it('explains a failure that no rule caused', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
    const second = await t.beside({ logger });
    expect((await withoutWallet(net.user, () => second.bet(net.user, { 1: 1 }))).status).toBe(503);
    expect(lines).toEqual([expect.stringContaining('a bet could not be taken')]);
    await second.close();
  });
});

describe('refuses a bet without changes', () => {
  const refused = async (reply: ReturnType<TestApp['bet']>, code: string): Promise<void> => {
    expect((await reply).body).toMatchObject({ success: false, code });
    expect(await t.db.query('select count(*) from tickets where network_id = $1', [net.networkId])).toEqual([
      { count: 0n },
    ]);
    expect(
      await t.db.query(`select count(*) from transfers where kind = ${TRANSFER_KINDS.stake} and network_id = $1`, [
        net.networkId,
      ]),
    ).toEqual([{ count: 0n }]);
  };

  it('after the draw closed by the clock', async () => {
    t.clock.advance(55_000);
    await refused(t.bet(net.user, { 5: 1 }), 'BETTING_CLOSED');
  });

  it('on an earlier draw', async () => {
    const { draw } = await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user);
    await t.finishDraw();
    await refused(t.bet(net.user, { 5: 1 }, { drawId: draw!._id }), 'BETTING_CLOSED');
  });

  it('on an unknown or unassigned game', async () => {
    await refused(t.bet(net.user, { 5: 1 }, { gameId: 'nosuchgame' }), 'GAME_UNAVAILABLE');
    await refused(t.bet(net.user, { 5: 1 }, { gameId: 'pingpong1' }), 'GAME_UNAVAILABLE');
  });

  it("on another network's game", async () => {
    await t.create(net.superadmin, { role: 'admin', games: ['pingpong1'] });
    await t.app.tick();
    await refused(t.bet(net.user, { 5: 1 }, { gameId: 'pingpong1' }), 'GAME_UNAVAILABLE');
  });

  it('with too little credit, even if one of its lines would be covered', async () => {
    await refused(t.bet(net.user, { 5: 100, 6: 1 }), 'INSUFFICIENT_CREDIT');
  });

  it('if anyone in the chain is inactive', async () => {
    const action = { params: { userId: net.distributor._id, action: 'deactivate' as const } };
    // Ending sessions is not enough: this bet is past the session check and waits for the wallet.
    const { bet } = await t.db.transaction(async (tx) => {
      await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
      const late = t.bet(net.user, { 5: 1 });
      await untilWaiting(t);
      await t.ok(accountRoutes.distributor.toggleStatus, action, net.admin);
      return { bet: late };
    });
    await refused(bet, 'ACCOUNT_INACTIVE');
    await refused(t.bet(net.user, { 5: 1 }), 'SESSION_ENDED');
  });
});

describe('the end of a draw', () => {
  it('publishes the root over exactly its tickets', async () => {
    const { draw } = await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user);
    const bets = [await t.bet(net.user, { 1: 2, 0: 1 }), await t.bet(net.user, { 9: 3 })];
    await t.bet(net.user, { 4: 1 }, { gameId: 'fruit12' });
    t.clock.advance(56_000);
    await t.app.tick();
    const published = await t.ok(fairDraw, { params: { drawId: draw!._id } });
    const digests = bets.map(({ body: { ticket } }) =>
      ticketDigest({
        ticketId: ticket._id,
        drawId: ticket.drawId,
        lines: ticket.lines.map(({ drawno, qty }) => ({ key: drawno, qty })),
        stake: BigInt(ticket.playpoints * 100),
      }),
    );
    expect(published).toMatchObject({ status: 'closed', tickets: 2, seed: null });
    const receipts = digests.map((digest) => Buffer.from(digest).toString('hex'));
    expect(bets.map(({ body }) => body.ticket.digest)).toEqual(receipts);
    const { data } = await t.ok(playerTickets, { query: { gameId: 'funtargetbingo', pageSize: '2' } }, net.user);
    expect(data.map(({ digest }) => digest)).toEqual(receipts.toReversed());
    expect(published.ticketRoot).toBe(Buffer.from(treeRoot(digests)).toString('hex'));
  });

  it('refunds every stake once when void, outside all reports', async () => {
    await t.bet(net.user, { 5: 40 });
    await t.bet(net.user, { 6: 20 });
    const body = { gameId: 'funtargetbingo', adminId: net.admin._id, reason: 'wrong ball' };
    await t.ok(voidDraw, { body }, net.admin);
    expect(await t.credit(net.user)).toBe(100);
    expect((await t.call(voidDraw, { body }, net.admin)).body.code).toBe('DRAW_STATE');
    await t.finishDraw();
    expect(await t.credit(net.user)).toBe(100);
    expect(await t.db.query('select count(*) from rollups where network_id = $1', [net.networkId])).toEqual([
      { count: 0n },
    ]);
  });

  it('settles once with several servers', async () => {
    await t.bet(net.user, Object.fromEntries(Array.from({ length: 10 }, (_, number) => [number, 1])));
    t.clock.advance(60_000);
    await Promise.all([t.app.tick(), t.app.tick(), t.app.tick()]);
    expect(await t.credit(net.user)).toBe(99);
    expect(
      await t.db.query(`select count(*) from transfers where kind = ${TRANSFER_KINDS.win} and network_id = $1`, [
        net.networkId,
      ]),
    ).toEqual([{ count: 1n }]);
  });

  it('settles a draw left drawn by a crash, and repeats nothing undone', async () => {
    await t.bet(net.user, Object.fromEntries(Array.from({ length: 10 }, (_, number) => [number, 1])));
    t.clock.advance(60_000);
    await t.db.query(
      `create function crash() returns trigger language plpgsql as $$ begin raise 'the power is gone'; end $$;
       create trigger crash before insert on rollups for each row execute function crash()`,
    );
    await expect(t.app.tick()).rejects.toThrow('the power is gone');
    expect(
      await t.db.query(
        'select status from draws where network_id = $1 and draws_at <= $2 and game_id = (select id from games where ' +
          "game_key = 'funtargetbingo')",
        [net.networkId, t.clock.now()],
      ),
    ).toEqual([{ status: 'drawn' }]);
    expect(await t.credit(net.user)).toBe(90);
    await t.db.query('drop trigger crash on rollups; drop function crash');
    await t.app.tick();
    expect(await t.credit(net.user)).toBe(99);
  });
});
