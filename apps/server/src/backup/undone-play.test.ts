import { exportBackup, importBackup, undoRestore } from '@drawhouse/contract/backup/backups';
import { statement } from '@drawhouse/contract/credit/statement';
import { fairDraw } from '@drawhouse/contract/draws/draws';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import {
  betOfRequest,
  claimWin,
  fairPaper,
  fairTicket,
  playerTicketOf,
  playerTickets,
  printTicket,
  type Ticket,
} from '@drawhouse/contract/tickets/tickets';
import { betList, ticketDetails } from '@drawhouse/contract/reports/bet-list';
import { rootByPath } from '@drawhouse/rules/fair/tree/merkle';
import { dayWords } from '@drawhouse/rules/time/zone-days';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { reportOn } from '../../../../tools/check-draw/draw-report.ts';

let t: TestApp;
let net: Network;
let restoredAt: string;
const placed: Record<string, Ticket> = {};
type Page = RouteAnswer<typeof fairDraw>;
const before: Record<string, { page: Page; own: RouteAnswer<typeof playerTicketOf>['ticket'] }> = {};

async function bet(requestId: string, number: number): Promise<void> {
  const { body } = await t.bet(net.user, { [number]: 2 }, { requestId });
  placed[requestId] = body.ticket;
}
const pageOf = (drawId: string): Promise<Page> => t.ok(fairDraw, { params: { drawId } });
const ticketOf = async (requestId: string): Promise<Ticket> =>
  (await t.ok(betOfRequest, { params: { requestId } }, net.user)).ticket;
const ownOf = async (requestId: string) =>
  (await t.ok(playerTicketOf, { params: { ticketId: placed[requestId]!._id } }, net.user)).ticket;
const listed = async (query: Record<string, unknown>): Promise<RouteAnswer<typeof playerTickets>> =>
  t.ok(playerTickets, { query }, net.user);
const signIn = async (): Promise<void> => {
  for (const role of ['admin', 'user'] as const) Object.assign(net[role], await t.signIn(net[role].username));
};

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100 });
  await bet('on both', 1);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await bet('later', 2);
  await t.finishDraw();
  await bet('next draw', 3);
  await t.finishDraw();
  await bet('open', 4);
  for (const requestId of Object.keys(placed))
    before[requestId] = { page: await pageOf(placed[requestId]!.drawId), own: await ownOf(requestId) };
  await t.ok(importBackup, { query: { folder } }, net.admin);
  restoredAt = t.clock.now().toISOString();
  await signIn();
});
afterAll(() => t.close());

it('shows a draw as it was, and when it was undone', async () => {
  for (const requestId of ['on both', 'later', 'next draw', 'open']) {
    const { page } = before[requestId]!;
    const now = await pageOf(page.drawId);
    expect(now.undone).toMatchObject({ at: restoredAt });
    expect({ ...now, undone: null }).toEqual(page);
  }
  const report = reportOn((await pageOf(placed['next draw']!.drawId)) as never);
  expect(report.code).toBe(0);
  expect(report.lines.join('\n')).toContain(`undone by a restore on ${restoredAt.slice(0, 10)}`);
});

it("shows another network's draw despite a forged tombstone id", async () => {
  const theirs = await t.network({ credit: 10 });
  const { drawId } = (await t.bet(theirs.user, { 1: 1 })).body.ticket;
  const page = await pageOf(drawId);
  await t.byHand(
    `insert into undone_draws select * from json_populate_record(null::undone_draws,
       (select row_to_json(u)::jsonb || jsonb_build_object('id', $1::uuid) from undone_draws u where id = $2)::json)`,
    [drawId, placed['next draw']!.drawId],
  );
  expect(await pageOf(drawId)).toEqual(page);
  await t.byHand('delete from undone_draws where id = $1', [drawId]);
});

it('proves a ticket was in it, with the receipt or the paper', async () => {
  for (const requestId of ['on both', 'later', 'next draw']) {
    const { _id: ticketId, drawId, digest } = placed[requestId]!;
    const receipt = await t.ok(fairTicket, { params: { ticketId } }, net.user);
    const paper = await t.ok(fairPaper, { params: { drawId, ticketId, digest } });
    const { page } = before[requestId]!;
    expect(page.ticketRoot).not.toBeNull();
    for (const { index, size, path, undoneAt } of [receipt, paper]) {
      const root = rootByPath({
        leaf: Buffer.from(digest, 'hex'),
        index: index!,
        size: size!,
        path: path!.map((node) => Buffer.from(node, 'hex')),
      });
      expect(Buffer.from(root!).toString('hex')).toBe(page.ticketRoot);
      expect(undoneAt).toBe(restoredAt);
    }
  }
});

it('answers a request with its ticket and creates no other', async () => {
  const statuses = await Promise.all(
    ['on both', 'later', 'next draw', 'open'].map(async (id) => (await ticketOf(id)).status),
  );
  expect(statuses).toEqual(['void', 'undone', 'undone', 'undone']);
  const { ticket: again, message } = (await t.bet(net.user, { 3: 2 }, { requestId: 'next draw' })).body;
  expect(again).toMatchObject({ _id: placed['next draw']!._id, status: 'undone', undoneAt: restoredAt });
  expect(message).toContain('A restore undid this bet.');
  expect((await t.bet(net.user, { 5: 1 }, { requestId: 'next draw' })).body.code).toBe('IDEMPOTENCY_CONFLICT');
  expect(
    await t.db.query('select from tickets where account_id = $1 and network_id in (select id from networks)', [
      net.user._id,
    ]),
  ).toHaveLength(1);
});

it('shows players their tickets as they were', async () => {
  const own = await ownOf('next draw');
  expect(own).toEqual({ ...before['next draw']!.own, status: 'undone', undoneAt: restoredAt });
  const { data, total } = await listed({});
  expect(data.map(({ _id, status }) => [_id, status])).toEqual([
    [placed['open']!._id, 'undone'],
    [placed['next draw']!._id, 'undone'],
    [placed['later']!._id, 'undone'],
    [placed['on both']!._id, 'void'],
  ]);
  expect(total).toBe(4);
  const pages = await Promise.all([1, 2, 3, 4].map((page) => listed({ page, pageSize: 1 })));
  expect(pages.map((page) => page.data[0]!._id)).toEqual(data.map(({ _id }) => _id));
  const rest = await listed({ before: pages[1]!.next!, pageSize: 5 });
  expect(rest.data).toEqual(data.slice(2));
  expect((await listed({ status: 'undone' })).total).toBe(3);
  expect((await listed({ status: 'void' })).total).toBe(1);
  expect((await listed({ status: 'open' })).total).toBe(0);
});

it('reports missing tickets in the Bet List and shows one by lookup', async () => {
  const query = { startDate: '2026-01-01T00:00:00.000Z', endDate: t.clock.now().toISOString() };
  for (const by of [net.admin, await t.signIn(net.retailer.username)]) {
    const { data, undone } = await t.ok(betList.route, { query }, by);
    expect(data.map(({ _id }) => _id)).toEqual([placed['on both']!._id]);
    expect(undone).toBe(
      `3 tickets of this time were undone by a restore on ${dayWords(new Date(restoredAt), 'UTC')}, and are not ` +
        'listed. You can look up each by its number.',
    );
  }
  expect((await t.ok(betList.route, { query }, net.superadmin)).undone).toMatch(/^3 tickets/);
  const details = (requestId: string, by = net.admin) =>
    t.call(ticketDetails, { query: { ticketId: placed[requestId]!.ticketId } }, by);
  expect((await details('next draw')).body).toMatchObject({
    undoneAt: restoredAt,
    ticket: { _id: placed['next draw']!._id, username: net.user.username, status: 'settled', playpoints: 2 },
    data: [{ drawqty: 2, drawtotal: 2 }],
  });
  expect((await details('on both')).body).toMatchObject({ undoneAt: null, ticket: { status: 'void' } });
  const theirs = await t.network({ credit: 1 });
  expect((await details('next draw', theirs.admin)).status).toBe(404);
  expect((await t.ok(betList.route, { query }, theirs.admin)).undone).toBeNull();
});

it("appears once in the player's statement", async () => {
  const query = { startDate: '2026-01-01T00:00:00.000Z', endDate: t.clock.now().toISOString() };
  const { data, total } = await t.ok(statement.route, { query }, net.user);
  expect(data.map(({ kind, balance }) => [kind, balance])).toEqual([
    ['restored', 100],
    ['refund', 100],
    ['stake', 98],
    ['credit', 100],
  ]);
  expect(data[0]).toMatchObject({
    at: restoredAt,
    credit: 0,
    debit: 0,
    note: expect.stringContaining('no longer count'),
  });
  expect(total).toBe(4);
  const pages = [];
  for (let older: string | undefined | null; older !== null;) {
    const page = await t.ok(
      statement.route,
      { query: { ...query, pageSize: '1', ...(older && { before: older }) } },
      net.user,
    );
    pages.push(...page.data);
    older = page.older;
  }
  expect(pages).toEqual(data);
});

it('prints and claims none', async () => {
  const ticketId = placed['next draw']!._id;
  expect((await t.call(printTicket, { params: { ticketId } }, net.user)).body.message).toContain('undone by a restore');
  expect((await t.call(claimWin, { body: { ticketId } }, net.user)).body.message).toContain('undone by a restore');
});

it('returns with an undo, which undoes later play', async () => {
  net = await t.network({ credit: 100 });
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await bet('first', 1);
  await t.finishDraw();
  const page = await pageOf(placed['first']!.drawId);
  await t.ok(importBackup, { query: { folder } }, net.admin);
  await signIn();
  await t.app.tick();
  expect((await ticketOf('first')).status).toBe('undone');
  await bet('second', 2);
  await t.ok(undoRestore, { body: {} }, net.admin);
  await signIn();
  expect(await pageOf(placed['first']!.drawId)).toEqual(page);
  expect(await ticketOf('first')).toMatchObject({ status: 'settled', undoneAt: null });
  expect(await ticketOf('second')).toMatchObject({ status: 'undone', undoneAt: t.clock.now().toISOString() });
  await t.expectBooksToBalance();
});
