import { fairDraw } from '@drawhouse/contract/draws/draws';
import { fairPaper, playerTicketOf, printTicket, type Ticket } from '@drawhouse/contract/tickets/tickets';
import { rootByPath } from '@drawhouse/rules/fair/tree/merkle';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { UNKNOWN_ID } from '../../../test/routes/contract-routes.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { eachNth } from '../../../test/test-tier.ts';
import { auditAfter } from '../../../test/tampering/tampered.ts';

let t: TestApp;
let net: Network;
let ticket: Ticket;

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 100 });
  ({ ticket } = (await t.bet(net.user, { 1: 1, 7: 2 })).body);
});
afterEach(() => t.expectBooksToBalance());
afterAll(() => t.close());

const print = (name = ticket.ticketId, by: SignedIn = net.user) =>
  t.call(printTicket, { params: { ticketId: name } }, by);
const paper = (given: Partial<Record<'drawId' | 'ticketId' | 'digest', string>> = {}, by?: SignedIn) => {
  const { drawId, ticketId, digest } = ticket;
  return t.call(fairPaper, { params: { drawId, ticketId, digest, ...given } }, by);
};
const firstPrint = async () =>
  (await t.ok(playerTicketOf, { params: { ticketId: ticket._id } }, net.user)).ticket.firstPrintedAt;

it('the first print is the original, later ones are copies on any device, and logged', async () => {
  expect(await firstPrint()).toBeNull();
  const originalAt = t.clock.now().toISOString();
  expect((await print()).body).toMatchObject({ printedAt: originalAt, originalAt: null });
  t.clock.advance(60_000);
  const printedAt = t.clock.now().toISOString();
  const elsewhere = await t.signIn(net.user.username);
  expect((await print(ticket._id, elsewhere)).body).toMatchObject({ printedAt, originalAt });
  expect(await firstPrint()).toBe(originalAt);
  const logRows = await t.db.query<{ subject: string }>(
    `select subject from activity where network_id = $1 and subject like 'Printed%' order by seq`,
    [net.networkId],
  );
  expect(logRows.map((row) => row.subject)).toEqual([
    `Printed ticket ${ticket.ticketId}`,
    `Printed a copy of ticket ${ticket.ticketId}`,
  ]);
});

it('concurrent prints yield one original', async () => {
  const replies = await Promise.all(Array.from({ length: 5 }, () => print()));
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200));
  expect(replies.filter(({ body }) => body.originalAt === null)).toHaveLength(1);
});

it("printing another's ticket is refused", async () => {
  const other = await t.create(net.retailer);
  expect((await print(ticket._id, other)).body).toMatchObject({
    code: 'NOT_FOUND',
    message: 'You have no such ticket.',
  });
  expect((await print(ticket._id, net.retailer)).status).toBe(403);
});

it('a paper ticket proves it was in its draw without revealing the player', async () => {
  const early = await paper();
  expect(early.body).toMatchObject({ index: null, size: null, path: null, drawId: ticket.drawId });
  expect(early.body.message).toMatch(/^Betting on this draw is still open/);
  for (let count = 0; count < 4; count++) await t.bet(net.user, { 3: 1 });
  await t.finishDraw();

  const { status, body } = await paper({
    ticketId: ticket.ticketId.toLowerCase(),
    digest: ticket.digest.toUpperCase(),
  });
  expect(status).toBe(200);
  const { ticketRoot } = await t.ok(fairDraw, { params: { drawId: ticket.drawId } });
  const inclusion = {
    leaf: Buffer.from(ticket.digest, 'hex'),
    index: body.index!,
    size: body.size!,
    path: body.path!.map((node) => Buffer.from(node, 'hex')),
  };
  expect(Buffer.from(rootByPath(inclusion)!).toString('hex')).toBe(ticketRoot);
  expect(Object.keys(body).toSorted()).toEqual(
    ['success', 'digest', 'drawId', 'index', 'path', 'size', 'ticketId', 'undoneAt'].toSorted(),
  );
  expect(JSON.stringify(body)).not.toContain(net.user._id);
  expect((await paper({}, net.superadmin)).body).toEqual((await paper()).body);
});

it('a wrong number, digest or draw is not found, without telling which', async () => {
  const second = (await t.bet(net.user, { 3: 1 })).body.ticket;
  await t.finishDraw();
  const later = (await t.bet(net.user, { 3: 1 })).body.ticket;
  const wrong = [
    { digest: second.digest },
    { ticketId: second.ticketId },
    { ticketId: '0G7X-9K2M-41QZ' },
    { drawId: later.drawId },
    { drawId: UNKNOWN_ID },
    { digest: '0f'.repeat(32) },
  ];
  for (const given of wrong) {
    const { status, body } = await paper(given);
    expect([status, body.message]).toEqual([
      404,
      'This draw has no ticket with this number and receipt digest, or its tickets were cleared.',
    ]);
  }
  const bad = await paper({ digest: 'not hex' });
  expect([bad.status, bad.body.fields]).toEqual([400, { digest: 'Enter the 64 hex digits of the receipt digest' }]);
});

it.each(
  eachNth(3, [
    [
      'a print that is gone',
      'delete from ticket_prints where nth = 2',
      /print 2 of ticket .*, named in row .* is gone/,
    ],
    ['an original that is gone', 'delete from ticket_prints where nth = 1', /print 2 of ticket .* out of order/],
    [
      'a print of no ticket',
      'update ticket_prints set ticket_id = gen_random_uuid() where nth = 1',
      /print 1 of ticket .* has no ticket/,
    ],
  ]),
)('the audit detects %s', async (_what, sql, expected) => {
  await print();
  await print();
  expect(await auditAfter(t, sql)).toContainEqual(expect.stringMatching(expected));
});
