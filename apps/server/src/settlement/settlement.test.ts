import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult, fairDraw, playerState, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { MAX_PAY, MAX_UNIT_PRICE } from '@drawhouse/rules/games/pays';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { earnCommission, winHundredths } from '@drawhouse/rules/games/wins';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  TRANSFER_KINDS,
  WALLET_KINDS,
  type TransferKind,
  type WalletKind,
} from '@drawhouse/rules/records/ledger-kinds';
import { linesOf } from '@drawhouse/rules/games/ticket-lines';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { holdLocks } from '../../test/statements/hold-table.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';
import { runsOf } from '../../test/test-tier.ts';

const GAME = 'triplefun';
const rules = rulesFor({ gameId: GAME, family: 'triple', digits: 1000 });
/** Hundredths of a percent. */
const PERCENT = { superdistributor: 1.25, distributor: 2.5, retailer: 3.33, user: 0.07 };

let t: TestApp;
let net: Network;
let players: SignedIn[];

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0, reserve: 900_000_000_000_000, games: [GAME], commissions: PERCENT });
  await t.ok(
    accountRoutes.admin.update,
    { params: { id: net.admin._id }, body: { commissionCeiling: 60 } },
    net.superadmin,
  );
  const generous = await t.create(net.admin, { role: 'user', refId: net.retailer._id, commission: 40 });
  players = [net.user, await t.create(net.retailer), generous];
  for (const player of players) await t.give(net.admin, player, 1_000_000_000_000);
  for (let times = 0; times < 4; times++)
    await t.ok(addBalance, { body: { gameId: GAME, adminId: net.admin._id, balance: 90_000_000_000_000 } }, net.admin);
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

async function openWith(pays: Record<string, number> | null, unitPrice: number): Promise<void> {
  const { data } = await t.ok(gameList.route, { query: {} }, net.superadmin);
  const params = { id: data.find((game) => game.gameId === GAME)!._id };
  await t.ok(changeGame, { params, body: { pays, unitPrice } }, net.superadmin);
  await t.finishDraw();
}

interface Line {
  head: string;
  drawno: string;
  qty: number;
}

const lay = (player: SignedIn, lines: readonly Line[]) =>
  t.ok(placeBet, { body: { gameId: GAME, requestId: randomUUID(), lines: [...lines] } }, player);

const declare = (result: string, boosterValue = 1) =>
  t.ok(addResult, { body: { gameId: GAME, adminId: net.admin._id, result, boosterValue } }, net.admin);

const balances = async (kind: WalletKind): Promise<Map<string, bigint>> =>
  new Map(
    (
      await t.db.query<{ owner_id: string; balance: bigint }>(
        'select owner_id, balance from wallets where network_id = $1 and kind = $2',
        [net.networkId, WALLET_KINDS[kind]],
      )
    ).map((row) => [row.owner_id, row.balance]),
  );

const counted = async (kind: TransferKind): Promise<number> =>
  (await t.db.query('select from transfers where network_id = $1 and kind = $2', [net.networkId, TRANSFER_KINDS[kind]]))
    .length;

const statusOf = async (drawId: string): Promise<unknown> =>
  (await t.db.query('select status from draws where id = $1', [drawId]))[0]!.status;

const hundredths = fc.integer({ min: 1, max: 100_000 }).map((n) => n / 100);

it('pays what the rules say, for any bets, price, pay and booster', async () => {
  const line = fc.record({
    pick: fc.constantFrom(['triple', '123'], ['double', '23'], ['single', '3'], ['single', '4'], ['triple', '124']),
    qty: fc.integer({ min: 1, max: 1_000_000 }),
  });
  const ticket = fc.record({
    player: fc.integer({ min: 0, max: 2 }),
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  });
  const draw = fc.record({
    tickets: fc.array(ticket, { minLength: 1, maxLength: 8 }),
    pays: fc.record({
      triple: hundredths.map((pay) => 1 + pay),
      double: hundredths.map((pay) => 1 + pay),
      single: hundredths.map((pay) => 1 + pay),
    }),
    unitPrice: fc.integer({ min: 1, max: 333 }).map((n) => n / 100),
    booster: fc.integer({ min: 1, max: 20 }),
  });
  const remainders = new Map<string, bigint>();
  await fc.assert(
    fc.asyncProperty(draw, async ({ tickets, pays, unitPrice, booster }) => {
      const rounded = Object.fromEntries(
        Object.entries(pays).map(([head, pay]) => [head, Math.round(pay * 100) / 100]),
      );
      await openWith(rounded, unitPrice);
      const laid = [];
      for (const { player, lines } of tickets)
        laid.push(
          (
            await lay(
              players[player]!,
              lines.map(({ pick: [head, drawno], qty }) => ({ head, drawno, qty })),
            )
          ).ticket,
        );
      const [creditBefore, commissionBefore] = [await balances('credit'), await balances('commission')];
      await declare('123', booster);
      await t.finishDraw();

      const rows = await t.db.query<{ id: string; account_id: string; lines: string; stake: bigint; win: bigint }>(
        `select t.id, t.account_id, t.lines, t.stake, coalesce(w.win, 0) as win from tickets t
         left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id where t.draw_id = $1`,
        [laid[0]!.drawId],
      );
      const price = BigInt(Math.round(unitPrice * 100));
      const won = new Map<string, bigint>();
      const staked = new Map<string, bigint>();
      for (const { account_id, lines, stake, win } of rows) {
        let due = 0n;
        for (const { key, qty } of linesOf(lines)) {
          const winning = rules.winningBets({ drawno: '123' }).find((bet) => bet.key === key);
          if (winning)
            due += winHundredths({
              unitPrice: price,
              qty,
              payHundredths: Math.round(rounded[winning.head]! * 100),
              booster,
            });
        }
        expect(win).toBe(due);
        won.set(account_id, (won.get(account_id) ?? 0n) + win);
        staked.set(account_id, (staked.get(account_id) ?? 0n) + stake);
      }
      const [credit, commission] = [await balances('credit'), await balances('commission')];
      const earned = new Map<string, bigint>();
      for (const [index, player] of players.entries()) {
        const stake = staked.get(player._id);
        expect(credit.get(player._id)! - creditBefore.get(player._id)!).toBe(won.get(player._id) ?? 0n);
        if (stake === undefined) continue;
        const chain = { ...PERCENT, user: [PERCENT.user, 0, 40][index]! };
        for (const [role, percent] of Object.entries(chain)) {
          const id = role === 'user' ? player._id : net[role as keyof typeof PERCENT]._id;
          const { paid, remainder } = earnCommission(remainders.get(id) ?? 0n, stake, Math.round(percent * 100));
          remainders.set(id, remainder);
          earned.set(id, (earned.get(id) ?? 0n) + paid);
        }
      }
      for (const [id, balance] of commission) expect(balance - commissionBefore.get(id)!).toBe(earned.get(id) ?? 0n);
      await t.expectBooksToBalance();
    }),
    { numRuns: runsOf(12) },
  );
});

describe('the largest amounts', () => {
  const million = (drawno = '123'): Line => ({ head: 'triple', drawno, qty: 1_000_000 });
  const most = Array.from({ length: 4 }, () => million());
  const pays = { triple: MAX_PAY / 100, double: 1, single: 1 };
  /** 10^6 units at 100 points on 4 lines, pay 10,000, booster 20. */
  const WIN = 8_000_000_000_000_000n;

  it('are limited at betting: the worst result pays at most 2^53 hundredths in total', async () => {
    await openWith(pays, MAX_UNIT_PRICE / 100);
    const refusal = async (player: SignedIn, lines: readonly Line[]) => {
      const body = { gameId: GAME, requestId: randomUUID(), lines: [...lines] };
      const reply = await t.call(placeBet, { body }, player);
      return [reply.status, reply.body.code, (reply.body as { fields?: unknown }).fields];
    };
    const full = [422, 'LIMIT_REACHED', { lines: 'This draw is full for this bet' }];
    const before = await balances('credit');
    expect(await refusal(players[0]!, [...most, million()])).toEqual(full);
    expect(await balances('credit')).toEqual(before);
    await lay(players[0]!, most);
    expect(await refusal(players[1]!, [million()])).toEqual(full);
    await lay(players[1]!, [million('124')]);
    await lay(players[1]!, [{ head: 'triple', drawno: '123', qty: 503_599 }]);
    expect((await refusal(players[1]!, [{ head: 'triple', drawno: '123', qty: 1 }]))[1]).toBe('LIMIT_REACHED');
    const bodies = ['125', '126', '126', '126', '126', '126'].map((drawno) => [million(drawno)]);
    const replies = await Promise.all(bodies.map((lines) => refusal(players[2]!, lines)));
    expect(replies.filter(([status]) => status === 201)).toHaveLength(5);
    expect(replies.filter(([, code]) => code === 'LIMIT_REACHED')).toHaveLength(1);
    await declare('123', 20);
    const { drawId } = (await lastTicket()) as { drawId: string };
    await t.finishDraw();
    expect(await statusOf(drawId)).toBe('settled');
  });

  const lastTicket = async () =>
    (
      await t.db.query('select draw_id as "drawId" from tickets where network_id = $1 order by id desc limit 1', [
        net.networkId,
      ])
    )[0];

  it('are paid to the hundredth', async () => {
    await openWith(pays, MAX_UNIT_PRICE / 100);
    const { ticket } = await lay(players[1]!, most);
    await declare('123', 20);
    const before = await balances('credit');
    await t.finishDraw();
    expect(await t.db.query('select win from ticket_wins where ticket_id = $1', [ticket._id])).toEqual([{ win: WIN }]);
    expect((await balances('credit')).get(players[1]!._id)! - before.get(players[1]!._id)!).toBe(WIN);
    const lines = [{ head: 'single', drawno: '4', qty: 1 }];
    const { ticket: next } = await lay(players[0]!, lines);
    await t.finishDraw();
    expect(await statusOf(next.drawId)).toBe('settled');
  });

  it('void a draw whose wins exceed the books, with the reason', async () => {
    const before = await balances('credit');
    const laid = [await lay(players[0]!, most)];
    const { drawId } = laid[0]!.ticket;
    const refunds = await counted('refund');
    await declare('123', 20);
    const [[table, balance]] = [...(await balances('table'))] as [[string, bigint]];
    const setTable = (to: bigint) =>
      t.db.query('update wallets set balance = $3 where network_id = $1 and owner_id = $2 and kind = $4', [
        net.networkId,
        table,
        to,
        WALLET_KINDS.table,
      ]);
    await setTable(-(2n ** 63n) + 1n);
    await t.finishDraw();
    await setTable(balance);
    expect(await statusOf(drawId)).toBe('void');
    expect(await counted('refund')).toBe(refunds + laid.length);
    expect(await balances('credit')).toEqual(before);
    const [told] = await t.db.query<{ subject: string }>(
      `select subject from activity where network_id = $1 and detail ->> 'drawId' = $2 order by seq desc limit 1`,
      [net.networkId, drawId],
    );
    expect(told!.subject).toMatch(/^Voided Triple Fun, draw \d+: its wins exceed what the books can hold$/);
    const published = await t.ok(fairDraw, { params: { drawId } });
    expect(published).toMatchObject({ status: 'void', voidCause: 'wins', result: null });
    expect(published.seed).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('during settlement', () => {
  const line = (drawno: string): Line => ({ head: 'single', drawno, qty: 10 });

  /** Blocks settlement on the first player's credit wallet. */
  async function settleWaiting(act: () => void | Promise<void>): Promise<void> {
    const wallet = 'select from wallets where owner_id = $1 and kind = $2 for update';
    const letGo = await holdLocks(t.database.ownerUrl, wallet, [players[0]!._id, WALLET_KINDS.credit]);
    let settling: Promise<unknown> | undefined;
    try {
      settling = t.finishDraw();
      await untilWaiting(t);
      await act();
    } finally {
      await letGo();
    }
    await settling;
  }

  beforeAll(() => openWith(null, 1));

  it.each([
    ['ticket_wins', 'insert', 'true'],
    ['player_settlements', 'insert', 'true'],
    ['rollups', 'insert or update', 'true'],
    ['transfers', 'insert', `new.kind = ${TRANSFER_KINDS.win}`],
    ['transfers', 'insert', `new.kind = ${TRANSFER_KINDS.commission}`],
    ['transfers', 'insert', `new.kind = ${TRANSFER_KINDS.collect}`],
    ['wallets', 'update', `new.kind = ${WALLET_KINDS.credit}`],
    ['wallets', 'update', `new.kind = ${WALLET_KINDS.escrow}`],
    ['draw_settlements', 'insert', 'true'],
    ['draws', 'update', `new.status = 'settled'`],
  ])('a crash at %s (%s, %s) undoes everything, and a retry completes it once', async (table, when, which) => {
    const { ticket } = await lay(players[0]!, [line('3'), line('5')]);
    await lay(players[1]!, [line('4')]);
    await declare('123');
    const before = await balances('credit');
    await t.db.query(
      `create or replace function crash() returns trigger language plpgsql as $$ begin raise 'the power is gone'; end $$;
       create trigger crash before ${when} on ${table} for each row when (${which}) execute function crash()`,
    );
    await expect(t.finishDraw()).rejects.toThrow('the power is gone');
    expect(await statusOf(ticket.drawId)).toBe('drawn');
    expect(await balances('credit')).toEqual(before);
    for (const written of ['ticket_wins', 'player_settlements', 'draw_settlements'])
      expect(await t.db.query(`select from ${written} where draw_id = $1`, [ticket.drawId])).toEqual([]);
    await t.db.query(`drop trigger crash on ${table}`);
    const wins = await counted('win');
    await Promise.all([t.app.tick(), t.app.tick()]);
    await t.app.tick();
    expect(await statusOf(ticket.drawId)).toBe('settled');
    expect(await counted('win')).toBe(wins + 1);
    expect((await balances('credit')).get(players[0]!._id)! - before.get(players[0]!._id)!).toBe(9_000n);
  });

  it.each([
    ['transfers', 'insert', `new.kind = ${TRANSFER_KINDS.refund}`],
    ['wallets', 'update', `new.kind = ${WALLET_KINDS.escrow}`],
    ['wallets', 'update', `new.kind = ${WALLET_KINDS.credit}`],
    ['draws', 'update', `new.status = 'void'`],
  ])('a crash at %s (%s, %s) leaves a draw to be voided unchanged', async (table, when, which) => {
    const untouched = await balances('credit');
    const { ticket } = await lay(players[0]!, [line('3')]);
    await lay(players[0]!, [line('4')]);
    await lay(players[1]!, [line('4')]);
    const before = await balances('credit');
    const refunds = await counted('refund');
    const body = { gameId: GAME, adminId: net.admin._id, reason: 'a test' };
    await t.db.query(
      `create or replace function crash() returns trigger language plpgsql as $$ begin raise 'the power is gone'; end $$;
       create trigger crash before ${when} on ${table} for each row when (${which}) execute function crash()`,
    );
    expect((await t.call(voidDraw, { body }, net.admin)).status).toBe(500);
    expect(await statusOf(ticket.drawId)).toBe('open');
    expect(await balances('credit')).toEqual(before);
    await t.db.query(`drop trigger crash on ${table}`);
    const replies = await Promise.all([1, 2, 3].map(() => t.call(voidDraw, { body }, net.admin)));
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await counted('refund')).toBe(refunds + 3);
    expect(await balances('credit')).toEqual(untouched);
    await t.finishDraw();
    expect(await counted('refund')).toBe(refunds + 3);
  });

  it('players without wins bet on the next draw, whose escrow is unlocked', async () => {
    await lay(players[0]!, [line('3')]);
    await declare('123');
    await settleWaiting(async () => {
      const next = () => t.ok(playerState, { query: { gameId: GAME } }, players[1]);
      await expect.poll(async () => (await next()).draw?.status).toBe('open');
      await lay(players[1]!, [line('4')]);
    });
    await t.finishDraw();
  });

  it('a starting quarter hour counts all of it', async () => {
    const { ticket } = await lay(players[0]!, [line('3')]);
    await declare('123');
    await settleWaiting(() => t.clock.advance(15 * 60_000));
    const [settled] = await t.db.query<{ settled_at: Date }>(
      'select settled_at from draw_settlements where draw_id = $1',
      [ticket.drawId],
    );
    expect(settled!.settled_at).toEqual(t.clock.now());
    await t.finishDraw();
  });
});
