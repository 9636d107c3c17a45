import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { reverseTransfer } from '@drawhouse/contract/credit/credit';
import { statement, statementSummary } from '@drawhouse/contract/credit/statement';
import { fairDraw } from '@drawhouse/contract/draws/draws';
import { NO_DRAW } from '@drawhouse/contract/core/errors';
import { liveFrequencies, liveResult } from '@drawhouse/contract/live/live-results';
import { accountOverview } from '@drawhouse/contract/reports/account-overview';
import { betList, ticketDetails } from '@drawhouse/contract/reports/bet-list';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { betOfRequest, fairTicket, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { dayWords } from '@drawhouse/rules/time/zone-days';
import { clearWithin, DAYS, playHistory, takenBack, type ClearingWorld } from '../../test/worlds/clearing-world.ts';
import { TestApp, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { drawTotals } from '../tickets/tickets.sql.ts';
import { CLEARING_ORDER } from '@drawhouse/contract/clearing/clearing-texts';

const [FIRST, TODAY] = [DAYS.first, DAYS.today].map((day) => dayWords(new Date(day), 'UTC'));
let t: TestApp;
let world: ClearingWorld;
let before: Awaited<ReturnType<typeof read>>;
const PERIOD = { startDate: '2026-03-09T18:30:00.000Z', endDate: '2026-03-13T18:29:59.999Z' };
const BETS = { unnamed: { requestId: 'once', lines: { 5: 1 } }, named: { requestId: 'twice', lines: { 6: 1 } } };
let drawId: string;
let emptyDrawId: string;
let ticketId: string;
let sumsOfCleared: Awaited<ReturnType<typeof drawTotals>>;

beforeAll(async () => {
  t = await TestApp.start();
  world = await playHistory(t);
  const { net } = world;
  const { body } = await t.bet(net.user, BETS.unnamed.lines, BETS.unnamed);
  ({ drawId, _id: ticketId } = body.ticket);
  await t.bet(net.user, BETS.named.lines, { ...BETS.named, drawId });
  await t.finishDraw();
  await t.finishDraw();
  [{ id: emptyDrawId }] = (await t.db.query<{ id: string }>(
    `select id from draws where network_id = $1 and ticket_count = 0 and status = 'settled' order by id desc limit 1`,
    [net.networkId],
  )) as [{ id: string }];
  t.clock.advance(86_400_000);
  for (let times = 0; times < 5; times++) await t.app.tick();
  const { networkId: _, ...accounts } = net;
  for (const account of Object.values(accounts)) Object.assign(account, await t.signIn(account.username));
  Object.assign(world.other.admin, await t.signIn(world.other.admin.username));
  before = await read();
  await takenBack(t, async (tx) => {
    await clearWithin(t, tx, { net, models: ['ticket'], endDate: DAYS.today });
    sumsOfCleared = await drawTotals(tx, { network_id: net.networkId, id: drawId });
  });
  const body2 = { startDate: DAYS.first, endDate: DAYS.today, models: [...CLEARING_ORDER] };
  await t.ok(deleteRecords, { body: body2 }, net.admin);
});
afterAll(() => t.close());

async function read() {
  const { net } = world;
  const turnover = async (by: SignedIn, period: object) =>
    (await t.ok(turnoverReport.route, { query: { ...period } }, by)).summary;
  return {
    turnover: await turnover(net.admin, PERIOD),
    children: (await t.ok(turnoverReport.route, { query: { ...PERIOD, id: net.retailer._id } }, net.admin)).data
      .map(({ username: _, ...figures }) => figures)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    result: await t.call(
      liveResult,
      { query: { gameId: 'funtargetbingo', adminId: net.admin._id, drawId } },
      net.admin,
    ),
    statement: await t.ok(statement.route, { query: { ...PERIOD } }, net.user),
    summary: await t.ok(statementSummary, { query: { ...PERIOD } }, net.user),
  };
}

describe('after clearing', () => {
  it('daily turnover is unchanged', async () => {
    const after = await read();
    expect(after.turnover).toEqual(before.turnover);
    expect(after.children).toEqual(before.children);
  });

  it('turnover by parts of an hour adds up, each quarter counted where it starts', async () => {
    const { net } = world;
    const sum = async (startDate: string, endDate: string): Promise<number> =>
      (await t.ok(turnoverReport.route, { query: { startDate, endDate } }, net.admin)).summary.totalPlayPoints;
    const whole = await sum('2026-03-10T10:00:00.000Z', '2026-03-10T10:59:59.999Z');
    const parts = [
      await sum('2026-03-10T10:00:00.000Z', '2026-03-10T10:01:29.999Z'),
      await sum('2026-03-10T10:01:30.000Z', '2026-03-10T10:07:59.999Z'),
      await sum('2026-03-10T10:08:00.000Z', '2026-03-10T10:59:59.999Z'),
    ];
    expect(whole).toBeGreaterThan(0);
    expect(parts).toEqual([whole, 0, 0]);
  });

  it("a draw's totals are unchanged while it exists, even without its tickets", async () => {
    const { net } = world;
    expect(before.result.body).toMatchObject({ players: 1, staked: 3 });
    expect(sumsOfCleared).toMatchObject({ players: 1, stake: 300n });
    const query = { gameId: 'funtargetbingo', adminId: net.admin._id, drawId };
    expect((await t.call(liveResult, { query }, net.admin)).body.code).toBe('NOT_FOUND');
  });

  it('a statement has one line for the cleared part and adds up by page and in summary', async () => {
    const { net } = world;
    const { data, opening, closing, total } = await t.ok(statement.route, { query: PERIOD }, net.user);
    expect([opening, closing]).toEqual([before.statement.opening, before.statement.closing]);
    expect(data.map(({ kind }) => kind)).toContain('cleared');
    let balance = closing;
    for (const row of data) {
      expect(row.balance).toBe(balance);
      balance = Math.round((balance - row.credit + row.debit) * 100) / 100;
    }
    expect(balance).toBe(opening);
    expect(total).toBe(data.length);
    const paged = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await t.ok(
        statement.route,
        { query: { ...PERIOD, pageSize: '1', ...(cursor ? { before: cursor } : { page: '1' }) } as never },
        net.user,
      );
      paged.push(...page.data);
      cursor = page.older;
    }
    expect(paged).toEqual(data);
    const sums = await t.ok(statementSummary, { query: PERIOD }, net.user);
    expect(sums).toMatchObject({ credit: before.summary.credit, debit: before.summary.debit, opening, closing });
    const cleared = data.filter(({ kind }) => kind === 'cleared');
    expect(sums.kinds.find(({ kind }) => kind === 'cleared')).toMatchObject({
      credit: cleared.reduce((sum, { credit }) => sum + credit, 0),
    });
  });

  it('a statement of one cleared day says so', async () => {
    const query = { startDate: '2026-03-10T18:30:00.000Z', endDate: '2026-03-11T18:29:59.999Z' };
    const { data, opening, closing } = await t.ok(statement.route, { query }, world.net.user);
    const moved = data.reduce((sum, { credit, debit }) => sum + credit - debit, 0);
    expect(opening + moved).toBeCloseTo(closing, 2);
    expect(data[0]).toMatchObject({
      kind: 'cleared',
      counterpart: expect.stringMatching(/^\d+ movements$/),
      note: expect.stringMatching(/^2026-03-1\d to 2026-03-13$/),
    });
    const csv = await t.send(
      'GET',
      `/api/credit/statement/csv?${new URLSearchParams(query).toString()}`,
      world.net.user,
    );
    expect(csv.body as unknown as string).toContain('History cleared');
  });

  it('lists name the missing part of their period', async () => {
    const { net } = world;
    const note = (what: string) => `Cleared history is not listed: ${what}, from ${FIRST} to ${TODAY}.`;
    expect((await t.ok(betList.route, { query: PERIOD }, net.retailer)).cleared).toBe(note('Tickets'));
    expect((await t.ok(transactionReport.route, { query: PERIOD }, net.admin)).cleared).toBe(
      note('Player movements, Credit transfers, Commission movements'),
    );
    expect((await t.ok(activityLog.route, { query: PERIOD }, net.admin)).cleared).toBe(
      note('Saved results, Past settings, Activity log'),
    );
    expect((await t.ok(accountOverview, { query: { ...PERIOD, id: net.retailer._id } }, net.admin)).cleared).toBe(
      note('Credit transfers'),
    );
    const later = { startDate: '2026-03-13T18:30:00.000Z', endDate: '2026-03-14T18:29:59.999Z' };
    expect((await t.ok(betList.route, { query: later }, net.retailer)).cleared).toBeNull();
    expect((await t.ok(betList.route, { query: PERIOD }, world.other.admin)).cleared).toBeNull();
  });

  it('remaining bets are listed, before cleared ones of other draws', async () => {
    const { net, unclaimed } = world;
    const { data } = await t.ok(betList.route, { query: { ...PERIOD, gameId: 'funtargetbingo' } }, net.admin);
    expect(data.map((row) => row._id)).toEqual([unclaimed]);
    expect((await t.ok(playerTickets, { query: {} }, net.user)).data.map((row) => row._id)).toEqual([unclaimed]);
  });

  it('cleared tickets and proofs are reported as cleared', async () => {
    const { net } = world;
    const cleared = `Tickets from ${FIRST} to ${TODAY} were cleared on 14 Mar 2026.`;
    for (const by of [net.user, net.admin])
      expect((await t.call(fairTicket, { params: { ticketId } }, by)).body).toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining(cleared),
      });
    expect((await t.call(ticketDetails, { query: { ticketId } }, net.admin)).body.message).toContain(cleared);
    expect((await t.call(fairTicket, { params: { ticketId } }, world.other.admin)).body.message).not.toContain(
      'cleared',
    );
    const history = `the history from ${FIRST} to ${TODAY}, on 14 Mar 2026.`;
    const proof = async (id: string) => (await t.call(fairDraw, { params: { drawId: id } })).body.message;
    expect(await proof(drawId)).toBe(`The proof of this draw was cleared with ${history}`);
    expect(await proof(emptyDrawId)).toBe(`${NO_DRAW} If there was one, its proof was cleared with ${history}`);
    expect(await proof('0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d')).toBe(NO_DRAW);
  });

  it('a request with a cleared ticket creates no other', async () => {
    const { net } = world;
    const tickets = 'select count(*) from tickets';
    const count = await t.db.query(tickets);
    expect((await t.bet(net.user, BETS.unnamed.lines, BETS.unnamed)).body).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
      message: 'This request was already processed, and its ticket has since been cleared. No new bet was placed.',
    });
    expect((await t.bet(net.user, BETS.named.lines, { ...BETS.named, drawId })).body.code).toBe('BETTING_CLOSED');
    const asked = await t.call(betOfRequest, { params: { requestId: BETS.unnamed.requestId } }, net.user);
    expect(asked.body).toMatchObject({
      code: 'NOT_FOUND',
      message: 'This request already made a ticket, which has since been cleared.',
    });
    expect(await t.db.query(tickets)).toEqual(count);
  });

  it('accounts with play stay in place, and no cleared names remain', async () => {
    const { net } = world;
    const other = await t.create(net.distributor);
    const change = { params: { id: net.user._id }, body: { refId: other._id } };
    expect((await t.call(accountRoutes.user.update, change, net.admin)).body.code).toBe('RULE_REFUSED');
    const names = await t.db.query<{ username: string; note: string }>(
      'select username, note, password_hash from accounts where network_id = $1 and deleted_at is not null',
      [net.networkId],
    );
    expect(names).toHaveLength(3);
    for (const row of names)
      expect(row).toEqual({
        username: expect.stringMatching(/^cleared account [UR]\w{6}$/),
        note: '',
        password_hash: '',
      });
  });

  it('outcome counts start from then on', async () => {
    const { net } = world;
    const query = { gameId: 'funtargetbingo', adminId: net.admin._id };
    const { draws } = await t.ok(liveFrequencies, { query }, net.admin);
    const [later] = await t.db.query<{ count: bigint }>(
      `select count(*) from draws d join games g on g.id = d.game_id where network_id = $1 and d.status = 'settled'
       and draws_at >= '2026-03-13T18:30:00Z'
         and g.game_key = 'funtargetbingo'`,
      [net.networkId],
    );
    expect(draws).toBe(Number(later!.count));
  });

  it('everything continues: bets, draws, credit and audit', async () => {
    const { net } = world;
    await t.bet(net.user, { 3: 1 });
    await t.finishDraw();
    await t.give(net.retailer, net.user, 0.01);
    await t.expectBooksToBalance();
  });
});

describe('a credit transfer before cleared history', () => {
  it('cannot be reversed, since a reversal may have been cleared', async () => {
    const { net } = world;
    const [kept] = await t.db.query<{ id: string }>(
      `select t.id from transfers t where t.network_id = $1 and t.kind = ${TRANSFER_KINDS.give} and exists (
         select from wallet_gaps g where g.network_id = $1 and g.wallet_id = t.to_wallet and g.last_version > t.to_version) limit 1`,
      [net.networkId],
    );
    const body = { transferId: kept!.id, password: PASSWORD };
    expect(await t.call(reverseTransfer, { body }, net.superadmin)).toMatchObject({
      status: 422,
      body: { code: 'RULE_REFUSED', message: expect.stringContaining("was cleared, so it can't be reversed") },
    });
  });
});
