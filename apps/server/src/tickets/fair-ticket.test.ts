import { addBalance } from '@drawhouse/contract/games/game-pair';
import { fairDraw, playerState, voidDraw } from '@drawhouse/contract/draws/draws';
import { fairTicket, placeBet, type Ticket } from '@drawhouse/contract/tickets/tickets';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { examineReceipt, readReceipt } from '@drawhouse/rules/fair/tree/receipt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PART_TICKETS } from './prove/ticket-tree.ts';
import { TestApp, type Network } from '../../test/harness.ts';

type Receipt = RouteAnswer<typeof fairTicket>;

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500, games: ['funtargetbingo', 'lottery3d'] });
  other = await t.network({ credit: 10 });
});
afterAll(() => t.close());

const gameId = 'funtargetbingo';
const receiptOf = (ticketId: string, by = net.user): Promise<Receipt> => t.ok(fairTicket, { params: { ticketId } }, by);
const publicly = (drawId: string) => t.ok(fairDraw, { params: { drawId } });
const bet = async (units: Record<number, number>): Promise<Ticket> => (await t.bet(net.user, units)).body.ticket;
const running = async (): Promise<string> => (await t.ok(playerState, { query: { gameId } }, net.user)).draw!._id;
const outcome = async (receipt: Receipt): Promise<string> =>
  examineReceipt(readReceipt(JSON.parse(JSON.stringify(receipt))), await publicly(receipt.drawId)).outcome;

it('has the digest while the draw is open, and the path once closed', async () => {
  const tickets = [await bet({ 7: 2, 3: 1 }), await bet({ 1: 5 }), await bet({ 1: 5 })];
  const [{ _id, drawId, digest, ticketId }] = tickets as [Ticket, ...Ticket[]];
  const open = await receiptOf(_id);
  expect(open).toMatchObject({ _id, ticketId, drawId, gameId, digest, drawStatus: 'open', stake: '300' });
  expect(open.lines).toEqual([
    ['3', 1],
    ['7', 2],
  ]);
  expect(open).toMatchObject({ index: null, size: null, path: null, root: null });
  expect(open.message).toContain('still open');
  expect(await outcome(open)).toBe('open');

  t.clock.advance(56_000);
  await t.app.tick();
  const { ticketRoot } = await publicly(drawId);
  for (const [index, ticket] of tickets.entries()) {
    const closed = await receiptOf(ticket._id);
    expect(closed).toMatchObject({ drawStatus: 'closed', index, size: 3, root: ticketRoot });
    expect(closed).not.toHaveProperty('message');
    expect(await outcome(closed)).toBe('in');
  }
  const closed = await receiptOf(_id);
  await t.finishDraw();
  expect(await receiptOf(_id)).toEqual({ ...closed, drawStatus: 'settled' });
  expect(await outcome(open)).toBe('early');
});

it('is for the player and accounts above, by id or number, and nobody else', async () => {
  await t.finishDraw();
  const { _id, ticketId } = await bet({ 4: 1 });
  const whole = await receiptOf(_id);
  const sibling = await t.create(net.retailer);
  for (const name of [_id, _id.toUpperCase(), ticketId, ticketId.toLowerCase()]) {
    for (const by of [net.user, net.retailer, net.distributor, net.superdistributor, net.admin, net.superadmin])
      expect(await receiptOf(name, by)).toEqual(whole);
    for (const by of [sibling, other.user, other.admin, other.retailer])
      expect((await t.call(fairTicket, { params: { ticketId: name } }, by)).body).toMatchObject({ code: 'NOT_FOUND' });
  }
  expect((await t.send('GET', `/api/fair/ticket/${_id}`)).status).toBe(401);
  const unknown = await t.call(fairTicket, { params: { ticketId: 'ZZZZ-ZZZZ-ZZZZ' } }, net.user);
  expect(unknown).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND', message: expect.stringContaining('No such ticket') },
  });
  for (const wrong of [
    '7',
    ticketId.slice(0, -1),
    `${ticketId}0`,
    ticketId.replaceAll('-', ''),
    ticketId.replace(/.$/, 'U'),
    _id.slice(0, -1),
  ])
    expect((await t.call(fairTicket, { params: { ticketId: wrong } }, net.user)).body).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { ticketId: expect.stringContaining('Enter the id of a ticket') },
    });
});

it("proves a void draw's ticket, with bets of any game", async () => {
  await t.finishDraw();
  await t.ok(addBalance, { body: { gameId: 'lottery3d', adminId: net.admin._id, balance: 1_000 } }, net.admin);
  const lines = [
    { head: 'spbox', drawno: '321', qty: 2 },
    { head: 'ap', drawno: '12', qty: 1 },
  ];
  const { ticket } = await t.ok(placeBet, { body: { gameId: 'lottery3d', requestId: 'r', lines } }, net.user);
  await t.ok(voidDraw, { body: { gameId: 'lottery3d', adminId: net.admin._id, reason: 'Called off' } }, net.admin);
  const receipt = await receiptOf(ticket._id);
  expect(receipt).toMatchObject({ drawStatus: 'void', index: 0, size: 1, path: [] });
  expect(receipt.lines).toEqual([
    ['ap:12', 1],
    ['spbox:123', 2],
  ]);
  expect(await outcome(receipt)).toBe('in');
});

it('finds the path in a draw of many parts, also concurrently', async () => {
  const drawId = await running();
  const tickets = [await bet({ 2: 1 })];
  await t.db.query(
    `insert into tickets (network_id, id, draw_id, account_id, request, request_hash, lines, stake, digest, placed_at)
     select network_id, (left(id::text, 24) || lpad(to_hex(i), 12, '0'))::uuid, draw_id, account_id, gen_random_uuid(),
       gen_random_uuid(), lines,
            stake, sha256(convert_to(i::text, 'UTF8')), placed_at
     from tickets, generate_series(1, $2) as i where draw_id = $1`,
    [drawId, 2 * PART_TICKETS],
  );
  tickets.push(await bet({ 2: 1 }));
  t.clock.advance(56_000);
  await t.app.tick();
  const size = 2 * PART_TICKETS + 2;
  const receipts = await Promise.all(tickets.flatMap(({ _id }) => [receiptOf(_id), receiptOf(_id, net.retailer)]));
  for (const receipt of receipts) {
    expect(receipt).toMatchObject({ drawId, size });
    expect(await outcome(receipt)).toBe('in');
  }
  expect(receipts.at(-1)!.index).toBe(size - 1);
});
