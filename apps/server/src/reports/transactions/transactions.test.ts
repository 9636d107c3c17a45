import { activityLog } from '@drawhouse/contract/activity/activity';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { payCommission } from '@drawhouse/contract/credit/credit';
import { voidDraw } from '@drawhouse/contract/draws/draws';
import { betList } from '@drawhouse/contract/reports/bet-list';
import { END } from '@drawhouse/contract/core/list';
import { findAllUsers } from '@drawhouse/contract/reports/report-users';
import { transactionReport, type Transaction } from '@drawhouse/contract/reports/transactions';
import { ROLES, STAFF_ROLES, sumPoints } from '@drawhouse/contract/core/primitives';
import { statement } from '@drawhouse/contract/credit/statement';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { isOfSubtree, transfersOfFew, transfersOfNetworks } from './transactions.sql.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { runsOf } from '../../../test/test-tier.ts';

let t: TestApp;
let net: Network;
let other: Network;
const GAME = 'funtargetbingo';
const DAY = { startDate: '2026-03-10T00:00:00.000Z', endDate: '2026-03-10T23:59:59.999Z' };

const report = (by: SignedIn, query: object = {}) =>
  t.ok(transactionReport.route, { query: { ...DAY, pageSize: '500', ...query } }, by);
const inWords = ({ user, recipient, credit, debit, message }: Transaction): unknown[] => [
  user.name,
  recipient.name,
  credit - debit,
  message,
];

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500, commissions: { retailer: 10 } });
  other = await t.network({ credit: 500 });
});
afterAll(() => t.close());

it("shows each transfer's sender, receiver and purpose", async () => {
  const since = t.clock.now();
  t.clock.advance(1000);
  const take = {
    toUserId: net.user._id,
    adjustAmount: 20,
    transactionType: 'debit',
    password: PASSWORD,
    note: 'Too much',
  };
  await t.ok(accountRoutes.user.creditAdjust, { body: take as never }, net.retailer);
  t.clock.advance(1000);
  const { body } = await t.bet(net.user, { 1: 10 });
  await t.finishDraw();
  await t.ok(payCommission, { body: { toUserId: net.retailer._id, password: PASSWORD } }, net.admin);
  await t.bet(net.user, { 2: 5 });
  await t.ok(voidDraw, { body: { gameId: GAME, adminId: net.admin._id, reason: 'A test' } }, net.admin);
  const query = { startDate: since.toISOString() };
  const rows = (await report(net.admin, query)).data.filter(({ createdAt }) => createdAt > since.toISOString());
  const player = net.user.username;
  const descriptions = rows.map(inWords);
  for (const expected of [
    [player, net.retailer.username, -20, `Credit taken back by ${net.retailer.username}: Too much`],
    [player, 'Fun Target Bingo', -10, `Bet on Fun Target Bingo, ticket ${body.ticket.ticketId}`],
    ['Fun Target Bingo', net.retailer.username, 1, 'Commission earned on Fun Target Bingo'],
    [net.retailer.username, net.retailer.username, 1, `Commission paid out by ${net.admin.username}`],
    ['Fun Target Bingo', player, 5, expect.stringMatching(/^Stake refunded on Fun Target Bingo, ticket /)],
  ])
    expect(descriptions).toContainEqual(expected);
  expect(rows.find(({ kind }) => kind === 'stake')).toMatchObject({
    ticketId: expect.any(String),
    status: 'completed',
    user: { id: net.user._id, role: 'user' },
    recipient: { id: null, role: null },
  });
  expect(rows.map(({ createdAt }) => createdAt)).toEqual(
    rows
      .map(({ createdAt }) => createdAt)
      .sort()
      .toReversed(),
  );
  expect((await report(net.admin, { type: 'payout' })).data.map(({ kind }) => kind)).toEqual(['payout']);
  const between = (await report(net.admin, { ...query, type: 'between' })).data;
  expect(new Set(between.map(({ kind }) => kind))).toEqual(new Set(['credit', 'debit']));
  const [payout] = (await report(net.retailer, { type: 'payout' })).data;
  expect(payout!.message).toBe('Commission paid out by Admin');
});

it("matches an account's statements, from its side", async () => {
  for (const role of ROLES.slice(1)) {
    const account = net[role];
    const { data, account: about } = await report(net.superadmin, { id: account._id });
    expect(about).toMatchObject({ id: account._id, role });
    const wallets = role === 'user' ? (['credit', 'winnings'] as const) : (['credit', 'commission'] as const);
    let count = 0;
    let sum = 0;
    const seen = new Set<string>();
    for (const wallet of wallets) {
      const { data: movements } = await t.ok(
        statement.route,
        { query: { ...DAY, id: account._id, wallet, pageSize: '500' } },
        net.superadmin,
      );
      for (const { _id, kind, credit, debit } of movements) {
        if (seen.has(_id)) continue;
        seen.add(_id);
        count++;
        sum = sumPoints([sum, kind === 'payout' ? Math.max(credit, debit) : credit - debit]);
      }
    }
    expect([role, data.length, sumPoints(data.map(({ credit, debit }) => credit - debit))]).toEqual([role, count, sum]);
    expect(new Set(data.map(({ _id }) => _id))).toEqual(seen);
  }
});

it('shows each role transfers in its subtree, none of other networks', async () => {
  const all = (await report(net.superadmin)).data;
  expect(all.some(({ recipient }) => recipient.id === other.user._id)).toBe(true);
  const chains = new Map(
    (await t.db.query<{ id: string; chain: string[] }>('select id, chain from accounts')).map(({ id, chain }) => [
      id,
      chain,
    ]),
  );
  for (const role of STAFF_ROLES) {
    const { data, total, totalIsMore } = await report(net[role]);
    const expected = all.filter(({ user, recipient }) =>
      [user.id, recipient.id].some((id) => id !== null && chains.get(id)!.includes(net[role]._id)),
    );
    expect(data.map(({ _id }) => _id)).toEqual(expected.map(({ _id }) => _id));
    expect([total, totalIsMore]).toEqual([expected.length, false]);
  }
  for (const [by, about] of [
    [net.admin, other.user],
    [net.retailer, net.distributor],
  ] as const)
    expect((await t.call(transactionReport.route, { query: { ...DAY, id: about._id } }, by)).status).toBe(404);
  expect((await t.call(transactionReport.route, { query: { currentid: net.user._id } }, net.admin)).status).toBe(403);
  expect((await t.call(transactionReport.route, { query: {} }, net.user)).status).toBe(403);
});

it('covers one day, by default today', async () => {
  const today = (await t.ok(transactionReport.route, { query: { pageSize: '500' } }, net.admin)).data;
  expect(today.length).toBeGreaterThan(5);
  t.clock.advance(86_400_000);
  net.admin = await t.signIn(net.admin.username);
  const on = async (date?: string) =>
    (await t.ok(transactionReport.route, { query: { pageSize: '500', ...(date && { date }) } }, net.admin)).data;
  expect(await on()).toEqual([]);
  expect((await on('2026-03-10')).map(({ _id }) => _id)).toEqual(today.map(({ _id }) => _id));
});

it('pages through simultaneous transfers without gaps or duplicates', async () => {
  net.admin = await t.signIn(net.admin.username);
  const whole = (await report(net.admin)).data.map(({ _id }) => _id);
  for (const id of [undefined, net.user._id]) {
    const expected = id === undefined ? whole : (await report(net.admin, { id })).data.map(({ _id }) => _id);
    const ids: string[] = [];
    for (let before: string | null | undefined; before !== null;) {
      const page = await report(net.admin, {
        pageSize: '3',
        ...(before !== undefined && { before }),
        ...(id && { id }),
      });
      ids.push(...page.data.map(({ _id }) => _id));
      before = page.older;
    }
    expect(ids).toEqual(expected);
  }
});

it('refuses both a before and an after position, like every keyset list', async () => {
  const both = { ...DAY, before: END, after: END };
  for (const { route } of [transactionReport, betList, activityLog, statement])
    expect(await t.call(route, { query: both }, net.admin)).toMatchObject({
      status: 400,
      body: { fields: { before: 'Send before or after, not both', after: 'Send before or after, not both' } },
    });
});

it('finds selectable accounts', async () => {
  const { data } = await t.ok(findAllUsers.route, { query: { search: net.user.username } }, net.admin);
  expect(data).toEqual([{ _id: net.user._id, username: net.user.username, role: 'user' }]);
  const below = await t.ok(findAllUsers.route, { query: { id: net.distributor._id, role: 'distributor' } }, net.admin);
  expect(below.data.map(({ role }) => role).sort()).toEqual(['distributor', 'retailer', 'user']);
});

it('uses the server day containing an instant', async () => {
  const ofDay = async (date: string) =>
    (await t.ok(transactionReport.route, { query: { date, pageSize: '500' } }, net.admin)).data.map(({ _id }) => _id);
  const whole = await ofDay('2026-03-10');
  expect(whole.length).toBeGreaterThan(0);
  expect(await ofDay('2026-03-09T18:30:00.000Z')).toEqual(whole);
  expect(await ofDay('2026-03-10T18:29:59.999Z')).toEqual(whole);
  expect(await ofDay('2026-03-09T18:29:59.999Z')).toEqual([]);
  expect(await ofDay('2026-03-10T18:30:00.000Z')).toEqual([]);
});

it('finds transfers of few wallets by history, equal to a scan of the day', async () => {
  const instants = (
    await t.db.query<{ at: Date }>('select distinct at from transfers where network_id = $1 order by at', [
      net.networkId,
    ])
  ).flatMap(({ at }) => [-1, 0, 1].map((ms) => new Date(at.getTime() + ms)));
  const idsOf = async (from: Sql): Promise<string[]> =>
    (await t.db.query<{ id: string }>(sql`select t.id from ${from} t`)).map(({ id }) => id).sort();
  const all = {
    where: sql`true`,
    beyond: sql`true`,
    to: undefined,
    order: sql``,
    isOrdered: false,
    limit: 1_000,
    isDescending: true,
    nextTo: undefined,
  };
  const pick = fc.integer({ min: 0, max: instants.length - 1 });
  await fc.assert(
    fc.asyncProperty(pick, pick, fc.constantFrom(...ROLES.slice(2)), async (one, two, role) => {
      const { _id: id } = net[role];
      const { networkId } = net;
      const period = { from: instants[Math.min(one, two)]!, until: instants[Math.max(one, two)]! };
      const few = await transfersOfFew(t.db, { id, networkId }, period);
      const looked = transfersOfNetworks([networkId], isOfSubtree(id, networkId), period, all);
      expect(await idsOf(few!)).toEqual(await idsOf(looked));
    }),
    { numRuns: runsOf(60) },
  );
});

it('works equally for a subtree with very many wallets', async () => {
  net.retailer = await t.signIn(net.retailer.username);
  const before = await report(net.retailer);
  await t.db.query(
    `with made as (
       insert into accounts (id, parent_id, network_id, commission, active, role, username, unique_id, password_hash,
         note, chain, created_at)
       select m.id, a.parent_id, a.network_id, 0, true, a.role, 'many-' || m.n, 'many-' || m.n, '', '', a.chain[:5] || m.id, a.created_at
       from accounts a, (select n, gen_random_uuid() as id from generate_series(1, 400) n) m where a.id = $1
         returning id, network_id, unique_id
     )
     insert into wallets (network_id, id, owner_id, kind, version) select network_id, 100000 + substr(unique_id, 6)::int, id, 1,
      1 from made`,
    [net.user._id],
  );
  expect(
    await transfersOfFew(
      t.db,
      { id: net.retailer._id, networkId: net.networkId },
      { from: new Date(0), until: t.clock.now() },
    ),
  ).toBe(undefined);
  expect(await report(net.retailer)).toEqual(before);
});
