import { IN_MASSES } from '@drawhouse/rules/records/ledger-kinds';
import { statement, statementSummary, type Statement } from '@drawhouse/contract/credit/statement';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import {
  payCommission,
  MOVEMENT_KINDS,
  type Movement,
  type MovementKind,
  type StatementKind,
} from '@drawhouse/contract/credit/credit';
import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { parseCsv, readXlsx } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKind, sumKinds } from './movement-kinds.ts';
import { requireWallet } from './movements.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { passCredit } from '../../test/clients/pass-credit.ts';
import { runsOf } from '../../test/test-tier.ts';

const SEED = randomInt(2 ** 31);
const KINDS = Object.keys(MOVEMENT_KINDS) as MovementKind[];

let t: TestApp;
let net: Network;
let startMs: number;
let endMs: number;

interface Query {
  id?: string;
  wallet?: 'credit' | 'commission' | 'winnings';
  startDate: string;
  endDate: string;
}
const between = (fromMs: number, toMs: number): Query => ({
  startDate: new Date(fromMs).toISOString(),
  endDate: new Date(toMs).toISOString(),
});
const whole = (): Query => between(startMs, endMs);
const read = (query: object, by: SignedIn = net.admin): Promise<Statement> =>
  t.ok(statement.route, { query: { pageSize: '500', ...query } as never }, by);

async function pagesOf(query: object, pageSize: string, direction: 'older' | 'newer'): Promise<Movement[]> {
  let page = await read({ ...query, pageSize, ...(direction === 'newer' && { after: '0' }) });
  let rows = page.data;
  for (let cursor = page[direction]; cursor !== null; cursor = page[direction]) {
    page = await read({ ...query, pageSize, [direction === 'older' ? 'before' : 'after']: cursor });
    rows = direction === 'older' ? [...rows, ...page.data] : [...page.data, ...rows];
  }
  return rows;
}

beforeAll(async () => {
  t = await TestApp.start();
  startMs = t.clock.now().getTime();
  net = await t.network({ credit: 5000, commissions: { superdistributor: 3, distributor: 4, retailer: 8, user: 5 } });
  const pair = { gameId: 'funtargetbingo', adminId: net.admin._id };
  console.log(`kinds of movements: seed ${SEED}`);
  const rounds = fc.sample(
    fc.record({
      bets: fc.array(fc.tuple(fc.nat({ max: 9 }), fc.integer({ min: 1, max: 20 })), { maxLength: 4 }),
      given: fc.nat({ max: 2 }),
      taken: fc.boolean(),
      isVoid: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    }),
    { numRuns: runsOf(12), seed: SEED },
  );
  for (const [index, { bets, given, taken, isVoid }] of rounds.entries()) {
    for (const [number, quantity] of bets) {
      t.clock.advance(10);
      await t.bet(net.user, { [number]: quantity });
    }
    if (index === 0) await t.bet(net.user, { 7: 1 });
    for (let n = 0; n < given; n++) await t.give(net.superadmin, net.user, 1.25).catch(() => undefined);
    if (taken || index === 1) {
      const body = { toUserId: net.user._id, adjustAmount: 2.5, transactionType: 'debit' as const, password: PASSWORD };
      await t.ok(accountRoutes.user.creditAdjust, { body }, net.retailer);
    }
    if (isVoid && index > 0) await t.ok(voidDraw, { body: { ...pair, reason: 'for the test' } }, net.admin);
    else await t.ok(addResult, { body: { ...pair, result: '7' } }, net.admin);
    await t.finishDraw();
    t.clock.advance(1000);
  }
  await t.ok(payCommission, { body: { toUserId: net.retailer._id, password: PASSWORD } }, net.admin);
  endMs = t.clock.now().getTime();
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

it('leaves the kinds of masses out of the indexes for the rest', async () => {
  const names = ['transfers_from_kind', 'transfers_id', 'transfers_to_kind'];
  const rows = await t.db.query<{ name: string; kinds: string }>(
    `select indexrelid::regclass::text as name, pg_get_expr(indpred, indrelid) as kinds from pg_index
     where indexrelid::regclass::text = any($1) order by name`,
    [names],
  );
  const listed = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number).toSorted((a, b) => a - b);
  expect(rows.map(({ name, kinds }) => [name, listed(kinds)])).toEqual(names.map((name) => [name, listed(IN_MASSES)]));
});

describe("the summary of a wallet's movements", () => {
  it('adds up by kind, and in total to the balance', async () => {
    const subjects = [
      { id: net.user._id, wallet: 'credit' },
      { id: net.user._id, wallet: 'winnings' },
      { id: net.user._id, wallet: 'commission' },
      { id: net.retailer._id, wallet: 'credit' },
      { id: net.retailer._id, wallet: 'commission' },
      { id: net.superdistributor._id, wallet: 'commission' },
      { id: net.admin._id, wallet: 'credit' },
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...subjects),
        fc.integer({ min: startMs - 1000, max: endMs }),
        fc.nat({ max: endMs - startMs }),
        async (subject, fromMs, lengthMs) => {
          const query = { ...subject, ...between(fromMs, fromMs + lengthMs) };
          const { data, opening, closing } = await read(query);
          const sums = await t.ok(statementSummary, { query }, net.admin);
          const credit = sumPoints(data.map((row) => row.credit));
          const debit = sumPoints(data.map((row) => row.debit));
          expect(sums).toMatchObject({ opening, closing, credit, debit, movements: data.length });
          expect(sumPoints([opening, credit, -debit])).toBe(closing);
          const byHand = KINDS.flatMap((kind) => {
            const rows = data.filter((row) => row.kind === kind);
            return rows.length === 0
              ? []
              : [
                  {
                    kind,
                    count: rows.length,
                    credit: sumPoints(rows.map((row) => row.credit)),
                    debit: sumPoints(rows.map((row) => row.debit)),
                  },
                ];
          });
          const inOrder = (kinds: readonly { kind: StatementKind }[]) =>
            kinds.toSorted((a, b) => KINDS.indexOf(a.kind as MovementKind) - KINDS.indexOf(b.kind as MovementKind));
          expect(inOrder(sums.kinds)).toEqual(byHand);
          expect(sums.balances.map(({ balance }) => balance)).toEqual(data.map(({ balance }) => balance).toReversed());
        },
      ),
      { numRuns: runsOf(60), seed: SEED, examples: subjects.map((subject) => [subject, startMs, endMs - startMs]) },
    );
  });

  it('covers every kind that occurs', async () => {
    const { kinds } = await t.ok(statementSummary, { query: { ...whole(), id: net.user._id } }, net.retailer);
    expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['stake', 'win', 'credit', 'debit']));
  });

  it('is omitted, and says so, above a number of movements', async () => {
    const { id, networkId } = { id: net.user._id, networkId: net.networkId };
    const wallet = { ...(await requireWallet(t.db, networkId, `credit:${id}`)), masses: ['stake', 'win'] as const };
    const range = { from: 1n, past: 10_000n };
    const sums = await sumKinds(t.db, wallet, range, { opening: 0n, closing: 0n, mostSummed: 0n });
    const [stake, win] = sums;
    expect([stake, win]).toMatchObject([
      { kind: 'stake', into: 0n, outOf: undefined },
      { kind: 'win', into: undefined, outOf: 0n },
    ]);
  });

  it('is not found outside the subtree', async () => {
    const query = { ...whole(), id: net.distributor._id };
    expect((await t.call(statementSummary, { query }, net.retailer)).status).toBe(404);
    const backwards = { startDate: whole().endDate, endDate: whole().startDate };
    expect((await t.call(statementSummary, { query: backwards }, net.retailer)).status).toBe(400);
    const winnings = { ...whole(), wallet: 'winnings' as const };
    expect((await t.call(statementSummary, { query: winnings }, net.retailer)).status).toBe(400);
  });

  it('has a curve of at most 200 points ending at the closing balance', async () => {
    const busy = await t.make(net.retailer);
    const before = t.clock.now().getTime();
    for (let n = 0; n < 3; n++) await t.give(net.superadmin, net.superadmin, 1000);
    await t.give(net.superadmin, net.retailer, 1000);
    const passes = Array.from({ length: 450 }, () => ({ from: net.retailer._id, to: busy._id, amount: 100 }));
    await passCredit(t, net.networkId, t.app.services, passes);
    const query = { id: busy._id, ...between(before, t.clock.now().getTime()) };
    const { balances, closing, movements } = await t.ok(statementSummary, { query }, net.admin);
    expect([balances.length, balances.at(-1)!.balance, closing, movements]).toEqual([200, 450, 450, 450]);
    expect(balances.map(({ balance }) => balance)).toEqual(
      balances.map(({ balance }) => balance).toSorted((a, b) => a - b),
    );
  });
});

describe('a statement filtered by kind', () => {
  it('lists exactly those, page by page in both directions', async () => {
    for (const id of [net.user._id, net.retailer._id]) {
      const all = (await read({ ...whole(), id })).data;
      for (const kind of KINDS) {
        const expected = all.filter((row) => row.kind === kind);
        const query = { ...whole(), id, kind };
        expect((await read(query)).total).toBe(expected.length);
        if (expected.length === 0) continue;
        expect(await pagesOf(query, '7', 'older')).toEqual(expected);
        expect(await pagesOf(query, '7', 'newer')).toEqual(expected);
      }
    }
  });

  it('links a bet and its win to the ticket', async () => {
    const { data } = await read({ ...whole(), id: net.user._id });
    const { data: own } = await t.ok(playerTickets, { query: { pageSize: '500' } }, net.user);
    const numbers = new Set(own.map(({ ticketId }) => ticketId));
    const stakes = data.filter(({ kind }) => kind === 'stake');
    expect(new Set(stakes.map(({ ticket }) => ticket))).toEqual(numbers);
    for (const row of data)
      expect(['stake', 'win', 'refund'].includes(row.kind) ? numbers.has(row.ticket!) : row.ticket === null).toBe(true);
  });

  it("searches draws' movements in bounded steps and continues", async () => {
    const found = await requireWallet(t.db, net.networkId, `credit:${net.user._id}`);
    const wallet = { ...found, masses: ['stake', 'win'] as const };
    const range = { from: 1n, past: 8n };
    const first = await readKind(t.db, wallet, 'win', range, { limit: 50, fromEnd: true, look: 2n });
    expect(first.range).toEqual({ from: 6n, past: 8n });
    const oldest = await readKind(t.db, wallet, 'win', range, { limit: 50, fromEnd: false, look: 3n });
    expect(oldest.range).toEqual({ from: 1n, past: 4n });
    const few = await readKind(t.db, wallet, 'give', range, { limit: 50, fromEnd: true, look: 2n });
    expect(few.range).toEqual(range);
    expect(few.movements.length).toBeGreaterThan(0);
  });

  it('exports them with ticket numbers and names the kind', async () => {
    const { data } = await read({ ...whole(), id: net.user._id, kind: 'stake' });
    const search = new URLSearchParams({ ...whole(), id: net.user._id, kind: 'stake' }).toString();
    const csv = await t.send('GET', `/api/credit/statement/csv?${search}`, net.admin);
    const [head, , ...rows] = parseCsv(csv.body as unknown as string);
    expect(head!.slice(1, 3)).toEqual(['Type', 'Ticket']);
    expect(rows.slice(0, -1).map((row) => row[2])).toEqual(data.map(({ ticket }) => ticket).toReversed());
    const xlsx = await t.app.http.inject({
      url: `/api/credit/statement/xlsx?${search}`,
      headers: { authorization: `Bearer ${net.admin.token}` },
    });
    const { properties } = await readXlsx(xlsx.rawPayload);
    expect(properties!.custom).toMatchObject({ Type: 'Bet', Rows: data.length });
  });
});
