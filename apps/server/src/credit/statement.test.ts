import { statement, type Statement } from '@drawhouse/contract/credit/statement';
import { randomInt } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { payCommission, type Movement } from '@drawhouse/contract/credit/credit';
import { addResult } from '@drawhouse/contract/draws/draws';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import fc from 'fast-check';
import { parseCsv, readXlsx } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUuid7 } from '../platform/db/sql/uuids.ts';
import { RESERVE, TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { passCredit } from '../../test/clients/pass-credit.ts';
import { runsOf } from '../../test/test-tier.ts';

const SKEW_MS = 700;

let t: TestApp;
let net: Network;
let start: Date;

const read = async (by: SignedIn, query: { id?: string; [field: string]: unknown } = {}): Promise<Statement> =>
  t.ok(
    statement.route,
    { query: { startDate: start.toISOString(), endDate: t.clock.now().toISOString(), ...query } },
    by,
  );
const brief = ({ kind, counterpart, credit, debit, balance }: Movement): unknown[] => [
  kind,
  counterpart,
  credit - debit,
  balance,
];

beforeAll(async () => {
  t = await TestApp.start();
  start = t.clock.now();
  net = await t.network({ credit: 100, commissions: { retailer: 10, user: 5 } });
  await t.bet(net.user, { 7: 10 });
  const pair = { gameId: 'funtargetbingo', adminId: net.admin._id };
  await t.ok(addResult, { body: { ...pair, result: '7' } }, net.admin);
  await t.finishDraw();
  const taken = { toUserId: net.user._id, adjustAmount: 20, transactionType: 'debit' as const, password: PASSWORD };
  t.clock.advance(1000);
  await t.ok(accountRoutes.user.creditAdjust, { body: { ...taken, note: '=1+1' } }, net.retailer);
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

describe('a statement', () => {
  it("lists a player's movements with counterpart and balance", async () => {
    const own = await read(net.user);
    expect(own).toMatchObject({
      account: { _id: net.user._id, username: net.user.username, role: 'user' },
      opening: 0,
      closing: 160,
      total: 4,
      older: null,
      newer: null,
    });
    expect(own.data.map(brief).map(([kind, other, ...rest]) => [kind, String(other), ...rest])).toEqual([
      ['debit', net.retailer.username, -20, 160],
      ['win', expect.stringMatching(/fun target/i), 90, 180],
      ['stake', expect.stringMatching(/fun target/i), -10, 90],
      ['credit', net.retailer.username, 100, 100],
    ]);
    expect(own.data[0]).toMatchObject({
      note: '=1+1',
      actor: net.retailer.username,
      counterpartId: null,
      counterpartRole: 'retailer',
    });
    expect(own.data[1]!.actor).toBeNull();
  });

  it('names recipients beyond the border to a superadmin, and theirs names it', async () => {
    await t.give(net.superadmin, net.superadmin, 50);
    await t.give(net.superadmin, net.retailer, 30);
    const take = { toUserId: net.retailer._id, adjustAmount: 5, transactionType: 'debit' as const, password: PASSWORD };
    await t.ok(accountRoutes.retailer.creditAdjust, { body: take }, net.superadmin);
    const own = await read(net.superadmin);
    expect(own.data.map(brief)).toEqual([
      ['debit', net.retailer.username, 5, 25],
      ['credit', net.retailer.username, -30, 20],
      ['issue', 'Issuance', 50, 50],
      ['credit', net.admin.username, -100 - RESERVE, 0],
      ['issue', 'Issuance', 100 + RESERVE, 100 + RESERVE],
    ]);
    expect(own.data[0]!.counterpartId).toBe(net.retailer._id);
    const theirs = await read(net.admin, { id: net.retailer._id });
    expect(theirs.data.slice(0, 2).map(brief)).toEqual([
      ['debit', net.superadmin.username, -5, 45],
      ['credit', net.superadmin.username, 30, 50],
    ]);
    expect((await read(net.retailer)).data[0]).toMatchObject({ counterpart: 'Superadmin', actor: 'Superadmin' });
    expect(theirs.data[0]!.counterpartId).toBeNull();
  });

  it('lists earnings of the commission wallet', async () => {
    const earned = await read(net.admin, { id: net.retailer._id, wallet: 'commission' });
    expect(earned.data.map(brief)).toEqual([['commission', expect.stringMatching(/fun target/i), 1, 1]]);
  });

  it('pages in both directions without gaps or duplicates', async () => {
    for (let n = 0; n < 7; n++) {
      t.clock.advance(10);
      await t.give(net.retailer, net.user, 1);
    }
    const whole = await read(net.retailer);
    expect(whole.data.length).toBeGreaterThan(7);
    for (const pageSize of ['1', '3', '50']) {
      const pages: Statement[] = [await read(net.retailer, { pageSize })];
      for (let older = pages[0]!.older; older; older = pages.at(-1)!.older)
        pages.push(await read(net.retailer, { pageSize, before: older }));
      expect(pages.flatMap((page) => page.data)).toEqual(whole.data);
      const back: Statement[] = [pages.at(-1)!];
      for (let newer = back[0]!.newer; newer; newer = back[0]!.newer)
        back.unshift(await read(net.retailer, { pageSize, after: newer }));
      expect(back.flatMap((page) => page.data)).toEqual(whole.data);
      for (const page of [...pages, ...back]) {
        const { opening, closing, total } = page;
        expect({ opening, closing, total }).toEqual({ opening: 0, closing: whole.closing, total: whole.data.length });
      }
    }
  });

  it('is not found outside the subtree, and refuses an inverted range', async () => {
    const query = { startDate: start.toISOString(), endDate: t.clock.now().toISOString() };
    for (const [by, id] of [
      [net.user, net.retailer._id],
      [net.retailer, net.distributor._id],
    ] as const) {
      expect((await t.call(statement.route, { query: { ...query, id } }, by)).status).toBe(404);
      expect((await t.call(statement.files[1]!.route, { query: { ...query, id } }, by)).status).toBe(404);
    }
    const backwards = { startDate: query.endDate, endDate: query.startDate };
    expect((await t.call(statement.route, { query: backwards }, net.user)).body).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { endDate: expect.any(String) },
    });
  });

  it('is correct again once a fast clock is corrected', async () => {
    const late = await t.make(net.retailer);
    const wrongClock = { now: () => new Date(t.clock.now().getTime() + 3 * 24 * 60 * 60_000) };
    const stamp = { clock: wrongClock, newId: createUuid7(wrongClock) };
    await passCredit(t, net.networkId, stamp, [{ from: net.retailer._id, to: late._id, amount: 100 }]);
    for (let n = 0; n < 3; n++) {
      t.clock.advance(10);
      await t.ok(
        accountRoutes.user.creditTransfer,
        { body: { toUserId: late._id, transferAmount: 2, password: PASSWORD } },
        net.retailer,
      );
    }
    const today = await read(net.retailer, { id: late._id });
    expect([today.opening, today.closing, today.total]).toEqual([0, 7, 4]);
    const middle = t.clock.now().getTime();
    t.clock.advance(10);
    await t.give(net.retailer, { ...net.user, _id: late._id }, 3);
    const parts = [
      await read(net.retailer, { id: late._id, endDate: new Date(middle).toISOString() }),
      await read(net.retailer, { id: late._id, startDate: new Date(middle + 1).toISOString() }),
    ];
    expect(parts[0]!.closing).toBe(parts[1]!.opening);
    expect([parts[1]!.closing, parts[0]!.total + parts[1]!.total]).toEqual([10, 5]);
    const other = await t.create(net.superadmin, { role: 'admin' });
    await t.give(net.superadmin, other, 1);
    expect((await read(other)).closing).toBe(1);
  });

  it('before the first movement is empty', async () => {
    for (const year of ['1969', '0001']) {
      const query = { startDate: `${year}-12-31T00:00:00.000Z`, endDate: `${year}-12-31T23:59:59.999Z` };
      expect(await t.ok(statement.route, { query }, net.user)).toMatchObject({ opening: 0, closing: 0, data: [] });
    }
    const past = await read(net.user, { after: '999999999999999' });
    expect(past.data).toEqual([]);
  });

  it('names only accounts below the viewer or its parent, also after a move', async () => {
    const first = await t.create(net.superdistributor);
    const second = await t.create(net.superdistributor);
    const moved = await t.create(first);
    await t.give(net.superadmin, net.superadmin, 10);
    await t.give(net.superadmin, first, 10);
    const gift = { toUserId: moved._id, transferAmount: 5, password: PASSWORD, note: 'between us' };
    await t.ok(accountRoutes.retailer.creditTransfer, { body: gift }, first);
    expect((await read(moved)).data[0]).toMatchObject({ counterpart: first.username, note: 'between us' });
    await t.ok(
      accountRoutes.retailer.update,
      { params: { id: moved._id }, body: { refId: second._id } },
      net.superdistributor,
    );
    expect((await read(second, { id: moved._id })).data[0]).toMatchObject({
      counterpart: 'Distributor',
      counterpartId: null,
      actor: 'Distributor',
      note: null,
    });
    expect((await read(net.superdistributor, { id: moved._id })).data[0]).toMatchObject({
      counterpart: first.username,
      counterpartId: first._id,
      note: 'between us',
    });
  });

  it('opens with its previous closing balance: opening + movements = closing', async () => {
    const owner = await t.make(net.retailer);
    const rich = net.retailer._id;
    await t.give(net.superadmin, net.superadmin, 1000);
    await t.give(net.superadmin, net.retailer, 1000);
    const base = t.clock.now().getTime() + 1000;
    const servers = [0, -SKEW_MS].map((skewMs) => ({ nowMs: base + skewMs, newId: (): string => '' }));
    for (const server of servers) server.newId = createUuid7({ now: () => new Date(server.nowMs) });
    const seed = randomInt(2 ** 31);
    console.log(`statements: seed ${seed}`);
    const steps = fc.sample(
      fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 1 }), fc.boolean(), fc.integer({ min: 1, max: 99 })),
      { numRuns: runsOf(60), seed },
    );
    let balance = 0;
    for (const [pauseMs, which, into, amount] of steps) {
      for (const server of servers) server.nowMs += pauseMs;
      const from = into || balance < amount ? rich : owner._id;
      balance += from === rich ? amount : -amount;
      const server = servers[which]!;
      const stamp = { clock: { now: () => new Date(server.nowMs) }, newId: server.newId };
      await passCredit(t, net.networkId, stamp, [{ from, to: from === rich ? owner._id : rich, amount }]);
    }
    const lastMs = servers[0]!.nowMs;
    t.clock.set(new Date(lastMs + 1000));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: base - 2000, max: lastMs + 500 }),
        fc.nat({ max: lastMs + 2000 - base }),
        async (fromMs, lengthMs) => {
          const query = {
            id: owner._id,
            startDate: new Date(fromMs).toISOString(),
            endDate: new Date(fromMs + lengthMs).toISOString(),
          };
          const { opening, closing, data, total } = await read(net.retailer, {
            ...query,
            pageSize: '500',
          });
          expect(total).toBe(data.length);
          const moved = data.map((row) => row.credit - row.debit);
          expect(sumPoints([opening, ...moved])).toBe(closing);
          let running = opening;
          for (const row of data.toReversed()) {
            running = sumPoints([running, row.credit, -row.debit]);
            expect(row.balance).toBe(running);
            const offMs = Math.max(fromMs - Date.parse(row.at), Date.parse(row.at) - fromMs - lengthMs);
            expect(offMs).toBeLessThanOrEqual(SKEW_MS);
          }
          const before = await read(net.retailer, {
            id: owner._id,
            startDate: start.toISOString(),
            endDate: new Date(fromMs - 1).toISOString(),
          });
          expect(before.closing).toBe(opening);
        },
      ),
      { numRuns: runsOf(60), seed },
    );
  });
});

describe('a statement export', () => {
  const query = (): { startDate: string; endDate: string } => ({
    startDate: start.toISOString(),
    endDate: t.clock.now().toISOString(),
  });

  it('has a row per movement, oldest first, between opening and closing balance', async () => {
    const shown = await read(net.user, { pageSize: '500' });
    const file = async (format: 'xlsx' | 'csv') => {
      const search = new URLSearchParams(query()).toString();
      return t.app.http.inject({
        url: `/api/credit/statement/${format}?${search}`,
        headers: { authorization: `Bearer ${net.user.token}` },
      });
    };
    const xlsx = await file('xlsx');
    expect(xlsx.headers['content-disposition']).toBe(`attachment; filename="Statement-${net.user.username}.xlsx"`);
    const {
      sheets: [sheet],
      properties,
    } = await readXlsx(xlsx.rawPayload);
    expect(properties).toMatchObject({
      title: 'Statement',
      custom: {
        Account: `${net.user.username} (user)`,
        Wallet: 'Credit',
        'Sorted by': 'Date & Time, ascending',
        Rows: shown.total,
      },
    });
    expect(sheet!.rows[0]).toEqual([
      'Date & Time (Asia/Kolkata)',
      'Type',
      'Ticket',
      'Counterpart',
      'By',
      'Note',
      'Credit',
      'Debit',
      'Balance',
    ]);
    expect(sheet!.rows[1]).toEqual(expect.arrayContaining(['Opening balance', 0]));
    expect(sheet!.rows.at(-1)).toEqual(expect.arrayContaining(['Closing balance', shown.closing]));
    expect(sheet!.rows.slice(2, -1).map((row) => row.at(-1))).toEqual(
      shown.data.map((row) => row.balance).toReversed(),
    );

    const elsewhere = new URLSearchParams({ ...query(), timeZone: 'America/Sao_Paulo' }).toString();
    const there = await t.send('GET', `/api/credit/statement/csv?${elsewhere}`, net.user);
    const [titles, opening] = parseCsv(there.body as unknown as string);
    expect([titles![0], opening![0]]).toEqual(['Date & Time (America/Sao_Paulo)', '2026-03-10 07:00:00']);

    const csv = await file('csv');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const rows = parseCsv(csv.body);
    expect(rows).toHaveLength(sheet!.rows.length);
    // Formula-like notes must be exported as text.
    expect(rows.flat()).toContain("'=1+1");
    expect(rows.flat()).not.toContain('=1+1');
  });

  it('has each of thousands of movements once, in order', async () => {
    const owner = await t.make(net.retailer);
    const amounts = Array.from({ length: 2100 }, (_, n) => n + 1);
    await t.give(net.superadmin, net.superadmin, 30_000);
    await t.give(net.superadmin, net.retailer, 30_000);
    t.clock.advance(1000);
    await passCredit(
      t,
      net.networkId,
      t.app.services,
      amounts.map((amount) => ({ from: net.retailer._id, to: owner._id, amount })),
    );
    const reply = await t.send(
      'GET',
      `/api/credit/statement/csv?${new URLSearchParams({ ...query(), id: owner._id }).toString()}`,
      net.retailer,
    );
    expect(Number(reply.headers['x-total-rows'])).toBe(2102);
    const rows = parseCsv(reply.body as unknown as string);
    expect(rows.slice(2, -1).map((row) => Math.round(Number(row[6]) * 100))).toEqual(amounts);
    let sum = 0;
    const balances = amounts.map((amount) => (sum += amount));
    expect(rows.slice(2, -1).map((row) => Math.round(Number(row.at(-1)) * 100))).toEqual(balances);
  });
});

describe('a commission payout', () => {
  const pay = (by: SignedIn, target: { _id: string }, body: object = {}, idempotencyKey?: string) =>
    t.call(
      payCommission,
      { body: { toUserId: target._id, password: PASSWORD, ...body } },
      { ...by, ...(idempotencyKey !== undefined && { idempotencyKey }) },
    );

  it('moves pending commission to credit, once', async () => {
    const before = await t.credit(net.retailer);
    const part = await pay(net.distributor, net.retailer, { amount: 0.4, note: 'March' }, 'payout-1');
    expect(part.body).toMatchObject({ message: 'Commission payout successful!', paid: 0.4, commissionPoint: 0.6 });
    expect((await pay(net.distributor, net.retailer, { amount: 0.4, note: 'March' }, 'payout-1')).body).toEqual(
      part.body,
    );
    expect((await pay(net.distributor, net.retailer, { amount: 0.61 })).body.code).toBe('INSUFFICIENT_CREDIT');
    expect((await pay(net.admin, net.retailer)).body).toMatchObject({ paid: 0.6, commissionPoint: 0 });
    expect(await t.credit(net.retailer)).toBe(sumPoints([before, 1]));
    expect((await pay(net.admin, net.retailer)).body.code).toBe('RULE_REFUSED');
    const { data } = await read(net.retailer);
    expect(data.slice(0, 2).map(brief)).toEqual([
      ['payout', 'Commission', 0.6, sumPoints([before, 1])],
      ['payout', 'Commission', 0.4, sumPoints([before, 0.4])],
    ]);
    expect(data[1]).toMatchObject({ note: 'March', actor: net.distributor.username });
  });

  it('is for managers of active accounts, with their password', async () => {
    expect((await pay(net.retailer, net.retailer)).status).toBe(404);
    expect((await pay(net.user, net.user)).status).toBe(403);
    expect((await pay(net.retailer, net.user, { password: 'something else' })).body.code).toBe('WRONG_PASSWORD');
    const toggle = (action: 'activate' | 'deactivate') =>
      t.ok(accountRoutes.user.toggleStatus, { params: { userId: net.user._id, action } }, net.retailer);
    await toggle('deactivate');
    expect((await pay(net.retailer, net.user)).body.code).toBe('TARGET_INACTIVE');
    await toggle('activate');
    expect((await pay(net.retailer, net.user)).body).toMatchObject({ paid: 0.5 });
  });
});
