import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { payCommissions } from '@drawhouse/contract/credit/payouts';
import { adminCommission, pendingCommissions, type PendingCommission } from '@drawhouse/contract/reports/commission';
import { statement } from '@drawhouse/contract/credit/statement';
import { ROLES, STAFF_ROLES, sumPoints } from '@drawhouse/contract/core/primitives';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pointsWords } from '../../activity/append-activity.ts';
import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { runsOf } from '../../../test/test-tier.ts';

let t: TestApp;
let net: Network;
let other: Network;
const COMMISSIONS = { superdistributor: 1.11, distributor: 2.22, retailer: 3.33, user: 4.44 };
const ALL_TIME = { startDate: '2026-01-01T00:00:00.000Z', endDate: '2026-12-31T23:59:59.999Z' };

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 5000, games: ['funtargetbingo', 'lucky10fruit'], commissions: COMMISSIONS });
  other = await t.network({ credit: 5000, commissions: COMMISSIONS });
});
afterAll(() => t.close());

async function earn(stake = 7): Promise<void> {
  for (const { user } of [net, other]) expect((await t.bet(user, { 3: stake })).status).toBe(201);
  await t.finishDraw();
}

const pendingOf = (by: SignedIn, query: object = {}) => t.ok(pendingCommissions.route, { query }, by);

const pay = (by: SignedIn, rows: readonly Pick<PendingCommission, '_id'>[], options: object = {}, key?: string) =>
  t.call(
    payCommissions,
    {
      body: {
        payouts: rows.map((row) => ({
          toUserId: row._id,
          ...('totalCommission' in row && { amount: row.totalCommission as number }),
        })),
        password: PASSWORD,
        ...options,
      },
    },
    { ...by, ...(key !== undefined && { idempotencyKey: key }) },
  );

async function unpaidOf(account: SignedIn): Promise<number> {
  const { data } = await t.ok(
    statement.route,
    { query: { ...ALL_TIME, id: account._id, wallet: 'commission', pageSize: '500' } },
    net.superadmin,
  );
  return sumPoints(data.map(({ credit, debit }) => credit - debit));
}

it('lists unpaid commission below the caller only', async () => {
  await earn();
  for (const role of STAFF_ROLES) {
    const { data, totals, role: about } = await pendingOf(net[role]);
    const below = ROLES.slice(ROLES.indexOf(role) + 1).filter((each) => each in COMMISSIONS);
    const expected = role === 'superadmin' ? [...below, ...below] : below;
    expect(data.map((row) => row.role).sort()).toEqual([...expected].sort());
    expect(about).toBe(role);
    expect(totals.totalCommission).toBe(sumPoints(data.map((row) => row.totalCommission)));
    for (const row of data.filter((each) => each._id === net[each.role]._id)) {
      expect(row.percentage).toBe(COMMISSIONS[row.role as keyof typeof COMMISSIONS]);
      expect(row.totalCommission).toBe(await unpaidOf(net[row.role]));
    }
  }
  expect((await pendingOf(net.admin, { role: 'retailer' })).data.map((row) => row._id)).toEqual([net.retailer._id]);
  expect((await pendingOf(net.retailer, { id: net.retailer._id, role: 'retailer' })).data).toHaveLength(1);
  const about = await pendingOf(net.superadmin, { id: net.distributor._id, role: 'distributor' });
  expect(about.data.map((row) => row.role).sort()).toEqual(['retailer', 'user']);
  const foreign = await t.call(pendingCommissions.route, { query: { id: other.retailer._id } }, net.admin);
  expect(foreign.status).toBe(404);
  const asAnother = await t.call(pendingCommissions.route, { query: { role: 'admin' } }, net.retailer);
  expect(asAnother.body.code).toBe('IDENTITY_MISMATCH');
});

it('pays those it can, explains the rest, and logs each before and after', async () => {
  await earn();
  const { data } = await pendingOf(net.superdistributor);
  const retailer = data.find((row) => row._id === net.retailer._id)!;
  const credit = await t.credit(net.retailer);
  await t.ok(accountRoutes.user.toggleStatus, { params: { userId: net.user._id, action: 'deactivate' } }, net.retailer);
  const reply = await pay(net.superdistributor, [
    retailer,
    { ...data.find((row) => row._id === net.user._id)! },
    { _id: net.distributor._id, totalCommission: 1_000 } as PendingCommission,
    net.superdistributor,
    other.retailer,
  ]);
  expect(reply.body.paid).toBe(retailer.totalCommission);
  expect(reply.body.results.map(({ username, paid, refused }) => [username, paid, refused?.code])).toEqual([
    [net.retailer.username, retailer.totalCommission, undefined],
    [net.user.username, 0, 'TARGET_INACTIVE'],
    [net.distributor.username, 0, 'INSUFFICIENT_CREDIT'],
    [null, 0, 'NOT_FOUND'],
    [null, 0, 'NOT_FOUND'],
  ]);
  expect(await t.credit(net.retailer)).toBe(sumPoints([credit, retailer.totalCommission]));
  const [logged] = await t.db.query<{ subject: string; detail: object }>(
    "select subject, detail from activity where detail ? 'transferId' order by at desc, seq desc limit 1",
  );
  expect(logged).toMatchObject({
    subject: `Paid out ${retailer.totalCommission.toFixed(2)} points of commission to ${net.retailer.username}`,
    detail: {
      changes: [
        {
          what: `Commission of ${net.retailer.username}`,
          before: pointsWords(retailer.totalCommission),
          after: '0.00',
        },
        {
          what: `Credit of ${net.retailer.username}`,
          before: pointsWords(credit),
          after: pointsWords(sumPoints([credit, retailer.totalCommission])),
        },
      ],
    },
  });
  await t.ok(accountRoutes.user.toggleStatus, { params: { userId: net.user._id, action: 'activate' } }, net.retailer);
  net.user = await t.signIn(net.user.username);
  await t.expectBooksToBalance();
});

async function breakPayouts(networks: readonly Network[]): Promise<() => Promise<unknown>> {
  await t.db.query(
    `create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
  );
  await t.db.query(
    `create trigger broken before insert on transfers for each row
     when (new.kind = ${TRANSFER_KINDS.payout} and new.network_id in (${networks.map(({ networkId }) => networkId).join()}))
     execute function broken()`,
  );
  return () => t.db.query('drop function broken cascade');
}

it('pays by network: if one fails others are paid, and repeating pays the rest once', async () => {
  await earn();
  const { data, totals } = await pendingOf(net.superadmin);
  const key = randomUUID();
  const mend = await breakPayouts([other]);
  const first = await pay(net.superadmin, [...data, { _id: randomUUID() }], {}, key);
  await mend();
  expect(first.status).toBe(200);
  const inOther = new Set<string>(ROLES.map((role) => other[role]._id).filter((id) => id !== net.superadmin._id));
  for (const { toUserId, username, paid, refused } of first.body.results) {
    const row = data.find(({ _id }) => _id === toUserId);
    const expected = !row ? 'NOT_FOUND' : inOther.has(toUserId) ? 'INTERNAL' : undefined;
    expect([username, paid, refused?.code]).toEqual([
      row?.username ?? null,
      expected === undefined ? row!.totalCommission : 0,
      expected,
    ]);
  }
  const left = await pendingOf(net.superadmin);
  expect(left.data.map(({ _id }) => _id).sort()).toEqual(
    data
      .map(({ _id }) => _id)
      .filter((id) => inOther.has(id))
      .sort(),
  );

  const again = await pay(net.superadmin, [...data, { _id: randomUUID() }], {}, key);
  expect(again.body.code).toBe('IDEMPOTENCY_CONFLICT');
  const unknown = first.body.results.at(-1)!.toUserId;
  const rest = await pay(net.superadmin, [...data, { _id: unknown }], {}, key);
  expect(rest.headers['idempotent-replayed']).toBeUndefined();
  expect(rest.body.paid).toBe(totals.totalCommission);
  for (const [index, result] of rest.body.results.entries())
    if (!inOther.has(result.toUserId)) expect(result).toEqual(first.body.results[index]);
  expect((await pendingOf(net.superadmin)).data).toEqual([]);

  await earn(1);
  const repeated = await pay(net.superadmin, [...data, { _id: unknown }], {}, key);
  expect([repeated.body, repeated.headers['idempotent-replayed']]).toEqual([rest.body, 'true']);
  await t.db.query('update idempotency_keys set answer = null where network_id = 0 and key = $1', [key]);
  expect((await pay(net.superadmin, [...data, { _id: unknown }], {}, key)).body).toEqual(rest.body);
  await t.expectBooksToBalance();
});

it('fails if every network fails, and can be resent', async () => {
  await earn();
  const { data, totals } = await pendingOf(net.superadmin);
  const key = randomUUID();
  const mend = await breakPayouts([net, other]);
  const failed = await pay(net.superadmin, data, {}, key);
  await mend();
  expect([failed.status, failed.body.code]).toEqual([500, 'INTERNAL']);
  expect((await pendingOf(net.superadmin)).totals).toEqual(totals);
  const reply = await pay(net.superadmin, data, {}, key);
  expect(reply.body.paid).toBe(totals.totalCommission);
  await t.expectBooksToBalance();
});

it('asks for the password, and names each account once', async () => {
  expect((await pay(net.admin, [net.retailer], { password: 'wrong' })).body.code).toBe('WRONG_PASSWORD');
  const twice = await pay(net.admin, [net.retailer, net.retailer]);
  expect([twice.status, twice.body.fields]).toEqual([400, { payouts: 'Name each account once' }]);
  expect((await pay(net.user, [net.retailer])).status).toBe(403);
});

it('pays exactly the unpaid amount, once under concurrent orders', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(...STAFF_ROLES),
      fc.constantFrom(...STAFF_ROLES),
      fc.boolean(),
      async (stake, one, another, sameKey) => {
        await earn(stake);
        const [by, too] = sameKey ? [net[one], net[one]] : [net[one], net[another]];
        const { data, totals } = await pendingOf(by);
        for (const row of data) {
          const of = Object.values(net).find((each) => typeof each === 'object' && each._id === row._id);
          if (of) expect(row.totalCommission).toBe(await unpaidOf(of as SignedIn));
        }
        const key = randomUUID();
        const replies = await Promise.all([pay(by, data, {}, key), pay(too, data, {}, sameKey ? key : randomUUID())]);
        if (sameKey) {
          expect(replies[0].body).toEqual(replies[1].body);
          expect(replies[0].body.paid).toBe(totals.totalCommission);
        } else {
          for (const row of data) {
            const paid = replies.map(({ body }) => body.results.find(({ toUserId }) => toUserId === row._id)!.paid);
            expect(paid.filter((each) => each > 0)).toEqual([row.totalCommission]);
          }
        }
        expect((await pendingOf(by)).data).toEqual([]);
        await earn(1);
        expect((await pay(by, data, {}, key)).body).toEqual(replies[0].body);
      },
    ),
    { numRuns: runsOf(12) },
  );
  await t.expectBooksToBalance();
});

it("reports each game's commission per network, to the hundredth", async () => {
  await t.bet(net.user, { 1: 3 }, { gameId: 'lucky10fruit' });
  await t.finishDraw();
  const report = (by: SignedIn, query: object = {}) =>
    t.ok(adminCommission.route, { query: { ...ALL_TIME, ...query } }, by);
  const { data, summary, account } = await report(net.superadmin);
  expect(account.role).toBe('superadmin');
  expect(data.map(({ username, gameId }) => `${username} ${gameId}`).sort()).toEqual(
    [
      `${net.admin.username} funtargetbingo`,
      `${net.admin.username} lucky10fruit`,
      `${other.admin.username} funtargetbingo`,
    ].sort(),
  );
  const turnover = await t.ok(turnoverReport.route, { query: ALL_TIME }, net.superadmin);
  expect(summary).toEqual({
    totalCommissionPoint: turnover.summary.totalCommission,
    totalBetPoint: turnover.summary.totalPlayPoints,
    totalWonPoint: turnover.summary.totalWinPoints,
  });
  const own = await report(net.admin, { id: net.admin._id, role: 'admin' });
  expect(own.data).toEqual(data.filter(({ adminId }) => adminId === net.admin._id));
  const foreign = await t.call(adminCommission.route, { query: { ...ALL_TIME, id: other.admin._id } }, net.admin);
  expect(foreign.status).toBe(404);
  expect((await t.call(adminCommission.route, { query: ALL_TIME }, net.distributor)).status).toBe(403);
});

it('reports exactly the requested instants, by game', async () => {
  const draws = await t.db.query<{ at: Date; stake: bigint; game: string }>(
    `select d.finished_at as at, t.stake, g.game_key as game from tickets t join draws d on d.id = t.draw_id
     join games g on g.id = d.game_id where t.network_id = $1`,
    [net.networkId],
  );
  const edge = fc.constantFrom(...draws.flatMap(({ at }) => [at.getTime() - 1, at.getTime(), at.getTime() + 1]));
  await fc.assert(
    fc.asyncProperty(edge, edge, async (one, two) => {
      const [from, until] = [Math.min(one, two), Math.max(one, two)];
      const query = { startDate: new Date(from).toISOString(), endDate: new Date(until).toISOString() };
      const { data } = await t.ok(adminCommission.route, { query }, net.admin);
      const expected = new Map<string, number>();
      for (const { at, stake, game } of draws)
        if (at.getTime() >= from && at.getTime() <= until)
          expected.set(game, sumPoints([expected.get(game) ?? 0, Number(stake) / 100]));
      expect(new Map(data.map(({ gameId, totalPoints }) => [gameId, totalPoints]))).toEqual(expected);
    }),
    { numRuns: runsOf(30) },
  );
});
