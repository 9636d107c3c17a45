import { claimWin, printTicket } from '@drawhouse/contract/tickets/tickets';
import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { ticketPage } from '@drawhouse/contract/reports/object-pages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { setManualClaims } from '../../../test/tampering/claimed-wins.ts';

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ games: ['funtargetbingo', 'fruit12'] });
  other = await t.network();
});
afterAll(() => t.close());

const page = (by: SignedIn, ticketId: string) => t.ok(ticketPage, { params: { ticketId } }, by);

it('follows a ticket from bet to payment', async () => {
  const { body } = await t.bet(net.user, { 5: 2, 7: 1 });
  const { _id: id, ticketId } = body.ticket;
  expect(await page(net.retailer, ticketId)).toMatchObject({
    ticket: { _id: id, status: 'open', winpoints: null },
    lines: [{ drawno: '5' }, { drawno: '7' }],
    undoneAt: null,
    above: [],
    movements: [{ kind: 'stake', debit: 3, ticketId, from: { name: net.user.username, wallet: 'credit' } }],
    paid: null,
    log: [],
  });
  const pair = { adminId: net.admin._id, gameId: 'funtargetbingo' };
  await t.ok(addResult, { body: { ...pair, result: '5', boosterValue: 2 } }, net.admin);
  await t.finishDraw();
  const paidAt = t.clock.now().toISOString();
  const settled = await page(net.admin, id);
  expect(settled).toMatchObject({
    ticket: { status: 'settled', winpoints: 36, resultText: '5' },
    above: ['superdistributor', 'distributor', 'retailer'].map((role) => ({ role })),
    movements: [{ kind: 'stake' }, { kind: 'win', credit: 36, createdAt: paidAt, actor: null }],
    paid: { at: paidAt, by: null },
  });
  expect(settled.log.map(({ subject }) => subject)).toContainEqual(expect.stringContaining('5'));
  const [stake, win] = settled.movements;
  expect(win!.to.before! - stake!.from.after!).toBe(0);
  expect((await page(net.retailer, id)).log).toEqual([]);
});

it('says who claimed a win, and shows prints', async () => {
  await setManualClaims(t, net.superadmin, { gameId: 'fruit12', manualClaims: 'yes' });
  await t.finishDraw();
  const { body } = await t.bet(net.user, { 3: 1 }, { gameId: 'fruit12' });
  const { _id: id, ticketId } = body.ticket;
  await t.ok(printTicket, { params: { ticketId } }, net.user);
  const pair = { adminId: net.admin._id, gameId: 'fruit12' };
  await t.ok(addResult, { body: { ...pair, result: '3', boosterValue: 1 } }, net.admin);
  await t.finishDraw();
  expect(await page(net.retailer, id)).toMatchObject({
    ticket: { winpoints: 10, claimdate: null },
    movements: [{ kind: 'stake' }, { kind: 'win', to: { wallet: 'winnings' } }],
    paid: null,
  });
  t.clock.advance(60_000);
  await t.ok(claimWin, { body: { ticketId } }, net.user);
  const claimed = await page(net.retailer, id);
  expect(claimed).toMatchObject({
    movements: [{ kind: 'stake' }, { kind: 'win' }, { kind: 'claim', to: { wallet: 'credit' } }],
    paid: { at: t.clock.now().toISOString(), by: { name: net.user.username } },
  });
  expect(claimed.log.map(({ subject }) => subject)).toEqual([
    expect.stringContaining('Printed'),
    `Claimed the win of ticket ${ticketId}, 10.00 points`,
  ]);
});

it('shows the refund of a void draw', async () => {
  await t.finishDraw();
  const { body } = await t.bet(net.user, { 1: 4 });
  const reason = 'The wheel was stuck';
  await t.ok(voidDraw, { body: { adminId: net.admin._id, gameId: 'funtargetbingo', reason } }, net.admin);
  const voided = await page(net.admin, body.ticket._id);
  expect(voided).toMatchObject({
    ticket: { status: 'void', voidCause: 'operator' },
    movements: [
      { kind: 'stake', debit: 4 },
      { kind: 'refund', credit: 4 },
    ],
    paid: { by: null },
  });
  expect(voided.log.at(-1)!.username).toBe(net.admin.username);
});

it('is not found outside the subtree', async () => {
  await t.finishDraw();
  const { body } = await t.bet(net.user, { 1: 1 });
  const sibling = await t.create(net.distributor);
  const params = { ticketId: body.ticket.ticketId };
  for (const by of [sibling, other.admin, other.retailer])
    expect((await t.call(ticketPage, { params }, by)).status).toBe(404);
  expect((await t.call(ticketPage, { params }, net.user)).status).toBe(403);
  expect((await t.call(ticketPage, { params: { ticketId: 'nonsense' } }, net.admin)).body).toMatchObject({
    fields: { ticketId: expect.any(String) },
  });
});
