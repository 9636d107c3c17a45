import { randomUUID } from 'node:crypto';
import { listLimits, setLimits, type GameLimits } from '@drawhouse/contract/games/limits';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestApp, type Network, type Reply, type SignedIn } from '../../../test/harness.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';
import { runsOf } from '../../../test/test-tier.ts';

const GAME = 'funtargetbingo';
const CREDIT = 5_000;

let t: TestApp;
let other: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  other = await t.beside();
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: CREDIT, games: [GAME] });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await other.close();
  await t.close();
});

type Limits = Partial<Pick<GameLimits, 'perNumber' | 'perTicket' | 'perPlayer'>>;

async function limit(limits: Limits): Promise<void> {
  const params = { adminId: net.admin._id };
  const { data } = await t.ok(listLimits, { params }, net.admin);
  await t.ok(setLimits, { params, body: { updates: [{ id: data[0]!.id, ...limits }] } }, net.admin);
}

const fieldsOf = ({ body }: Reply<typeof placeBet>): unknown => ({ code: body.code, fields: body.fields });
const refused = (field: string, message: string) => ({ code: 'LIMIT_REACHED', fields: { [field]: message } });
const FULL = 'This number is full for this bet';
const TAKEN = { code: undefined, fields: undefined };

it('refuses a ticket above the ticket limit, whole', async () => {
  await limit({ perTicket: 10 });
  expect(fieldsOf(await t.bet(net.user, { 1: 6, 2: 5 }))).toEqual(
    refused('lines', '10.00 points are the limit per ticket'),
  );
  expect(fieldsOf(await t.bet(net.user, { 1: 5, 2: 5 }))).toEqual(TAKEN);
  expect(await t.credit(net.user)).toBe(CREDIT - 10);
});

it("refuses stakes above the player's limit on one draw, not on the next", async () => {
  await limit({ perPlayer: 10 });
  expect(fieldsOf(await t.bet(net.user, { 1: 7 }))).toEqual(TAKEN);
  expect(fieldsOf(await t.bet(net.user, { 2: 4 }))).toEqual(
    refused('lines', '3.00 points are left to you on this draw'),
  );
  expect(fieldsOf(await other.bet(net.user, { 2: 3 }))).toEqual(TAKEN);
  await t.finishDraw();
  expect(fieldsOf(await t.bet(net.user, { 2: 10 }))).toEqual(TAKEN);
});

it("refuses a line above its number's limit across players, lines and earlier bets", async () => {
  expect(fieldsOf(await t.bet(net.user, { 3: 20 }))).toEqual(TAKEN);
  await limit({ perNumber: 30 });
  expect(fieldsOf(await t.bet(net.user, { 1: 5, 3: 11 }))).toEqual(refused('lines.1', FULL));
  const lines = [
    { drawno: '3', qty: 6 },
    { drawno: '1', qty: 30 },
    { drawno: '3', qty: 5 },
  ];
  const twice = await t.call(placeBet, { body: { gameId: GAME, requestId: randomUUID(), lines } }, net.user);
  expect(fieldsOf(twice)).toEqual(refused('lines.2', FULL));
  expect(fieldsOf(await other.bet(net.user, { 3: 10, 1: 30 }))).toEqual(TAKEN);
  expect(fieldsOf(await t.bet(net.user, { 3: 1 }))).toEqual(refused('lines.0', FULL));
});

it("reveals nothing about others' stakes, also to a player who could not pay", async () => {
  const poor = await t.create(net.retailer);
  await t.give(net.superadmin, net.superadmin, 5);
  await t.give(net.superadmin, poor, 5);
  await limit({ perNumber: 10, perTicket: 8, perPlayer: 9 });
  await t.bet(net.user, { 1: 8 });
  expect((await t.bet(poor, { 1: 9 })).body).toMatchObject({ code: 'INSUFFICIENT_CREDIT' });
  expect((await other.bet(poor, { 1: 6 })).body).not.toHaveProperty('fields');
  expect(fieldsOf(await t.bet(poor, { 1: 5 }))).toEqual(refused('lines.0', FULL));
  expect(fieldsOf(await t.bet(poor, { 1: 3 }))).toEqual(refused('lines.0', FULL));
  expect(fieldsOf(await t.bet(poor, { 1: 2 }))).toEqual(TAKEN);
  expect((await t.bet(poor, { 1: 4 })).body.code).toBe('INSUFFICIENT_CREDIT');
});

it('apply from the next bet when set, changed or removed', async () => {
  await limit({ perNumber: 5, perTicket: 5, perPlayer: 5 });
  expect(fieldsOf(await t.bet(net.user, { 1: 5 }))).toEqual(TAKEN);
  await limit({ perNumber: 1, perTicket: 100, perPlayer: 100 });
  expect(fieldsOf(await other.bet(net.user, { 1: 1 }))).toEqual(refused('lines.0', FULL));
  await limit({ perNumber: null, perTicket: null, perPlayer: null });
  expect(fieldsOf(await other.bet(net.user, { 1: 100 }))).toEqual(TAKEN);
});

it('answers a repeat of the ticket that used a limit up', async () => {
  await limit({ perNumber: 5 });
  const requestId = randomUUID();
  const first = await t.bet(net.user, { 1: 5 }, { requestId });
  expect((await other.bet(net.user, { 1: 5 }, { requestId })).body).toEqual(first.body);
});

it('serializes two servers reading the stakes on a number', async () => {
  const second = await t.create(net.retailer);
  await t.give(net.superadmin, net.superadmin, 100);
  await t.give(net.superadmin, second, 100);
  await limit({ perNumber: 10 });
  let both: Promise<Reply<typeof placeBet>>[] = [];
  await t.db.transaction(async (tx) => {
    await tx.query('select from wallets where network_id = $1 and kind = 5 for update', [net.networkId]);
    both = [t.bet(net.user, { 1: 10 }), other.bet(second, { 1: 10 })];
    await untilWaiting(t, 2);
  });
  const replies = await Promise.all(both);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 422]));
});

it('is exact for concurrent bets of many players on two servers', async () => {
  const players: SignedIn[] = [net.user];
  await t.give(net.superadmin, net.superadmin, 3 * CREDIT);
  for (let n = 0; n < 3; n++) {
    players.push(await t.create(net.retailer));
    await t.give(net.superadmin, players.at(-1)!, CREDIT);
  }
  const limits = fc
    .record({
      perNumber: fc.option(fc.integer({ min: 1, max: 60 })),
      perTicket: fc.option(fc.integer({ min: 5, max: 30 })),
      perPlayer: fc.option(fc.integer({ min: 10, max: 80 })),
    })
    .map(({ perNumber, perTicket, perPlayer }) => ({
      perNumber,
      perTicket: perTicket === null ? null : Math.min(perTicket, perPlayer ?? perTicket),
      perPlayer,
    }));
  const bets = fc.array(
    fc.record({
      player: fc.nat(players.length - 1),
      server: fc.nat(1),
      lines: fc.array(fc.record({ drawno: fc.integer({ min: 0, max: 3 }), qty: fc.integer({ min: 1, max: 12 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    { minLength: 20, maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(limits, bets, async ({ perNumber, perTicket, perPlayer }, laid) => {
      await t.finishDraw();
      await limit({ perNumber, perTicket, perPlayer });
      const replies = await Promise.all(
        laid.map(({ player, server, lines }) =>
          [t, other][server]!.call(
            placeBet,
            { body: { gameId: GAME, requestId: randomUUID(), lines } },
            players[player],
          ),
        ),
      );
      const onNumber = new Map<number, number>();
      const byPlayer = new Map<number, number>();
      const stakeOf = (at: number): number => laid[at]!.lines.reduce((sum, { qty }) => sum + qty, 0);
      for (const [at, { status }] of replies.entries()) {
        if (status !== 201) continue;
        byPlayer.set(laid[at]!.player, (byPlayer.get(laid[at]!.player) ?? 0) + stakeOf(at));
        for (const { drawno, qty } of laid[at]!.lines) onNumber.set(drawno, (onNumber.get(drawno) ?? 0) + qty);
        expect(stakeOf(at)).toBeLessThanOrEqual(perTicket ?? Infinity);
      }
      for (const stake of onNumber.values()) expect(stake).toBeLessThanOrEqual(perNumber ?? Infinity);
      for (const stake of byPlayer.values()) expect(stake).toBeLessThanOrEqual(perPlayer ?? Infinity);
      for (const [at, { status, body }] of replies.entries()) {
        if (status === 201) continue;
        expect(body.code).toBe('LIMIT_REACHED');
        const { player, lines } = laid[at]!;
        const sums = new Map<number, number>();
        for (const { drawno, qty } of lines) sums.set(drawno, (sums.get(drawno) ?? onNumber.get(drawno) ?? 0) + qty);
        const isBeyond =
          stakeOf(at) > (perTicket ?? Infinity) ||
          (byPlayer.get(player) ?? 0) + stakeOf(at) > (perPlayer ?? Infinity) ||
          [...sums.values()].some((sum) => sum > (perNumber ?? Infinity));
        expect(isBeyond).toBe(true);
      }
    }),
    { numRuns: runsOf(12) },
  );
});
