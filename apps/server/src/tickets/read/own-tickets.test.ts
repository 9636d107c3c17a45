import { randomUUID } from 'node:crypto';
import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import {
  claimWin,
  placeBet,
  playerTicketOf,
  playerTickets,
  TICKETS_SHOWN_DAYS,
} from '@drawhouse/contract/tickets/tickets';
import type { RouteInput } from '@drawhouse/contract/core/route';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

const GAME = 'funtargetbingo';
const OTHER_GAME = 'luckycard12';
const DAY_MS = 86_400_000;

let t: TestApp;
let net: Network;
const made: Record<'won' | 'lost' | 'void' | 'open' | 'other', string> = {
  won: '',
  lost: '',
  void: '',
  open: '',
  other: '',
};
const laidAt: Record<string, Date> = {};

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500, games: [GAME, OTHER_GAME, 'lottery3d'] });
  const pair = { gameId: GAME, adminId: net.admin._id };
  await t.finishDraw();
  made.won = await lay({ 7: 2, 8: 1 });
  made.lost = await lay({ 3: 4 });
  await t.ok(addResult, { body: { ...pair, result: '7', boosterValue: 3 } }, net.admin);
  await t.finishDraw();
  made.void = await lay({ 1: 5 });
  await t.ok(voidDraw, { body: { ...pair, reason: 'Wrong ball' } }, net.admin);
  await t.finishDraw();
  made.other = await lay({ 1: 1 }, OTHER_GAME);
  t.clock.advance(1_000);
  made.open = await lay({ 9: 1 });
  t.clock.advance(1_000);
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

async function lay(lines: Record<string, number>, gameId: string = GAME, player: SignedIn = net.user): Promise<string> {
  const { body } = await t.bet(player, lines, { gameId });
  laidAt[body.ticket._id] = t.clock.now();
  return body.ticket._id;
}

type Query = NonNullable<RouteInput<typeof playerTickets>['query']>;
const list = (query: Query = {}, by: SignedIn = net.user) => t.ok(playerTickets, { query }, by);
const idsOf = async (query: Query = {}): Promise<string[]> => (await list(query)).data.map(({ _id }) => _id);

it('lists own tickets, newest first, with game and draw, and the result once settled', async () => {
  const { data, total, next } = await list();
  expect(data.map(({ _id }) => _id)).toEqual([made.open, made.other, made.void, made.lost, made.won]);
  expect({ total, next }).toEqual({ total: 5, next: null });
  expect(data[4]).toMatchObject({
    gameId: GAME,
    gameName: 'Fun Target Bingo',
    family: 'numbers',
    digits: 10,
    status: 'settled',
    winpoints: 54,
    draw: { status: 'settled', drawno: '7', result: { drawno: '7' }, booster: 3, source: 'declared' },
  });
  const { draw } = data[4]!;
  expect(draw.number).toBe(Math.floor(Date.parse(draw.drawsAt) / 60_000) - 1);
  expect(draw.endedAt).toBe(draw.drawsAt);
  expect(data[2]).toMatchObject({ status: 'void', draw: { status: 'void', drawno: null, result: null, source: null } });
  expect(data[2]!.draw.endedAt).not.toBeNull();
  expect(data[0]!.draw).toMatchObject({ status: 'open', drawno: null, booster: null, endedAt: null });
});

it('hides a merely saved result', async () => {
  await t.ok(
    addResult,
    { body: { gameId: OTHER_GAME, adminId: net.admin._id, result: '1', boosterValue: 2 } },
    net.admin,
  );
  const [ticket] = (await list({ gameId: OTHER_GAME })).data;
  expect(ticket).toMatchObject({
    winpoints: null,
    draw: { status: 'closed', drawno: null, result: null, booster: null, source: null },
  });
  expect((await t.ok(playerTicketOf, { params: { ticketId: made.other } }, net.user)).ticket).toMatchObject({
    lines: [{ drawno: '1', qty: 1, stake: 1, win: null }],
    draw: { drawno: null },
  });
});

it('filters by game, status and period', async () => {
  expect(await idsOf({ gameId: OTHER_GAME })).toEqual([made.other]);
  expect(await idsOf({ gameId: 'nothing' })).toEqual([]);
  for (const status of ['won', 'lost', 'void'] as const) expect(await idsOf({ status })).toEqual([made[status]]);
  expect(await idsOf({ status: 'open' })).toEqual([made.open, made.other]);
  expect(await idsOf({ status: 'open', gameId: GAME })).toEqual([made.open]);
  const [first, last] = [laidAt[made.void]!.toISOString(), laidAt[made.other]!.toISOString()];
  expect(await idsOf({ startDate: first, endDate: last })).toEqual([made.other, made.void]);
  expect(await idsOf({ startDate: last })).toEqual([made.open, made.other]);
  expect(await idsOf({ endDate: first })).toEqual([made.void, made.lost, made.won]);
  expect(await list({ startDate: first, endDate: last, status: 'void' })).toMatchObject({ total: 1 });
});

it('pages from a ticket and marks the end', async () => {
  const seen: string[] = [];
  let before: string | undefined;
  for (let page = 0; page < 3; page++) {
    const { data, next, total } = await list({ pageSize: '2', ...(before !== undefined && { before }) });
    expect(total).toBe(page === 0 ? 5 : undefined);
    seen.push(...data.map(({ _id }) => _id));
    if (page < 2) expect(next).toBe(data.at(-1)!._id);
    else expect(next).toBeNull();
    before = next ?? undefined;
  }
  expect(seen).toEqual([made.open, made.other, made.void, made.lost, made.won]);
  const { next } = await list({ pageSize: '2' });
  const later = await lay({ 2: 1 });
  expect(await idsOf({ pageSize: '2', before: next! })).toEqual([made.void, made.lost]);
  expect((await idsOf({ page: '2', pageSize: '2' }))[0]).toBe(made.other);
  expect(await idsOf({ pageSize: '1' })).toEqual([later]);
});

it('covers at most three months', async () => {
  const back = (days: number): string => new Date(t.clock.now().getTime() - days * DAY_MS).toISOString();
  expect((await list({ startDate: back(TICKETS_SHOWN_DAYS) })).data.length).toBeGreaterThan(4);
  expect(await t.call(playerTickets, { query: { startDate: back(TICKETS_SHOWN_DAYS + 2) } }, net.user)).toMatchObject({
    status: 400,
    body: {
      code: 'INVALID_INPUT',
      fields: { startDate: `Choose at most the last ${TICKETS_SHOWN_DAYS} days` },
    },
  });
});

it('refuses an inverted period', async () => {
  const [later, sooner] = [laidAt[made.open]!.toISOString(), laidAt[made.won]!.toISOString()];
  expect(await t.call(playerTickets, { query: { startDate: later, endDate: sooner } }, net.user)).toMatchObject({
    status: 400,
    body: { fields: { endDate: 'The end is before the start' } },
  });
});

it("shows for one ticket each line's stake and win, payout and claim time", async () => {
  const { ticket } = await t.ok(playerTicketOf, { params: { ticketId: made.won } }, net.user);
  expect(ticket).toMatchObject({
    _id: made.won,
    playpoints: 3,
    winpoints: 54,
    unitPrice: 1,
    pays: { number: 900 },
    manualClaims: 'no',
    lines: [
      { drawno: '7', qty: 2, stake: 2, win: 54 },
      { drawno: '8', qty: 1, stake: 1, win: 0 },
    ],
    draw: { drawno: '7', source: 'declared' },
  });
  expect(ticket.claimedAt).toBe(ticket.draw.endedAt);
  const byNumber = await t.ok(playerTicketOf, { params: { ticketId: ticket.ticketId } }, net.user);
  expect(byNumber.ticket).toEqual(ticket);
  const voided = (await t.ok(playerTicketOf, { params: { ticketId: made.void } }, net.user)).ticket;
  expect(voided).toMatchObject({ winpoints: null, lines: [{ stake: 5, win: null }], draw: { status: 'void' } });
});

it('sums lines of several heads, prices and pays to the ticket', async () => {
  await t.finishDraw();
  const lines = [
    { drawno: '123', head: 'straight', qty: 3 },
    { drawno: '123', head: 'spbox', qty: 2 },
    { drawno: '12', head: 'fp', qty: 1 },
    { drawno: '99', head: 'bp', qty: 4 },
  ];
  const placed = await t.ok(placeBet, { body: { gameId: 'lottery3d', requestId: randomUUID(), lines } }, net.user);
  await t.ok(addResult, { body: { gameId: 'lottery3d', adminId: net.admin._id, result: '123' } }, net.admin);
  await t.finishDraw();
  const { ticket } = await t.ok(playerTicketOf, { params: { ticketId: placed.ticket._id } }, net.user);
  expect(ticket.lines.map(({ win }) => win)).toEqual([2700, 300, 90, 0]);
  expect(ticket.lines.reduce((sum, { win }) => sum + win!, 0)).toBe(ticket.winpoints);
  expect(ticket.lines.reduce((sum, { stake }) => sum + stake, 0)).toBe(ticket.playpoints);
});

it('marks a pending win, and its payment time once claimed', async () => {
  const { data } = await t.ok(gameList.route, { query: {} }, net.superadmin);
  const params = { id: data.find(({ gameId }) => gameId === OTHER_GAME)!._id };
  await t.ok(changeGame, { params, body: { manualClaims: 'yes' } }, net.superadmin);
  await t.finishDraw();
  const ticketId = await lay({ 7: 1 }, OTHER_GAME);
  await t.ok(addResult, { body: { gameId: OTHER_GAME, adminId: net.admin._id, result: '7' } }, net.admin);
  await t.finishDraw();
  const read = async () => (await t.ok(playerTicketOf, { params: { ticketId } }, net.user)).ticket;
  expect(await read()).toMatchObject({ manualClaims: 'yes', winpoints: 10, claimedAt: null });
  t.clock.advance(2_000);
  await t.ok(claimWin, { body: { ticketId } }, net.user);
  expect((await read()).claimedAt).toBe(t.clock.now().toISOString());
});

it('is private to the player, in paging too', async () => {
  const neighbour = await t.create(net.retailer);
  await t.give(net.superadmin, net.superadmin, 20);
  await t.give(net.superadmin, neighbour, 20);
  await t.finishDraw();
  const foreign = await lay({ 1: 1 }, GAME, neighbour);
  for (const ticketId of [foreign, randomUUID(), '0G7X-9K2M-41QZ'])
    expect(await t.call(playerTicketOf, { params: { ticketId } }, net.user)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'You have no such ticket.' },
    });
  expect((await list({}, neighbour)).data.map(({ _id }) => _id)).toEqual([foreign]);
  expect((await list({ before: foreign, pageSize: '1' })).data[0]!._id).not.toBe(foreign);
  expect(await t.call(playerTicketOf, { params: { ticketId: made.won } }, net.retailer)).toMatchObject({ status: 403 });
});
