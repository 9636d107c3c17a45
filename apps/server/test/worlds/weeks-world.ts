import { randomUUID } from 'node:crypto';
import { exportBackup, importBackup, undoRestore } from '@drawhouse/contract/backup/backups';
import { deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { CLEARING_ORDER } from '@drawhouse/contract/clearing/clearing-texts';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { payCommission } from '@drawhouse/contract/credit/credit';
import { hundredthsIn } from '@drawhouse/contract/core/primitives';
import { makeStandingOrder } from '@drawhouse/contract/standing-orders/standing-orders';
import { addWeekNote, closeWeeks } from '@drawhouse/contract/weeks/close-weeks';
import { recordPayment, reversePayment } from '@drawhouse/contract/weeks/week-payments';
import { setWeekTerms } from '@drawhouse/contract/weeks/week-terms';
import { weekDays, weekSheet } from '@drawhouse/contract/weeks/week-sheet';
import { addDays, dayOf } from '@drawhouse/rules/time/zone-days';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Network, SignedIn, TestApp } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';

const STAFF = ['admin', 'superdistributor', 'distributor', 'retailer'] as const;
const PAIRS = [
  ['admin', 'superdistributor'],
  ['superdistributor', 'distributor'],
  ['distributor', 'retailer'],
] as const;

export const anyStep = fc.record({
  do: fc.constantFrom(
    ...(['bet', 'bet', 'give', 'past', 'take', 'pay', 'pay', 'reverse', 'terms', 'commission', 'day', 'day'] as const),
    ...(['close', 'close', 'back up', 'restore', 'undo', 'clear', 'dispute', 'answer', 'answer', 'order'] as const),
  ),
  pair: fc.integer({ min: 0, max: 2 }),
  amount: fc.integer({ min: 1, max: 900 }),
  choice: fc.integer({ min: 0, max: 5 }),
});
export type WeekStep = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

interface Terms {
  readonly from: string;
  readonly share: number | null;
  readonly withWeek: boolean;
}

/** By child: what was there before the last clearing. */
interface Facts {
  readonly moved: ReadonlyMap<string, Moved>;
  readonly played: ReadonlyMap<string, Played>;
}

interface Moved {
  readonly key: string;
  readonly at: Date;
  readonly kind: number;
  readonly amount: bigint;
  readonly into: boolean;
  readonly own: boolean;
  readonly out: boolean;
}

interface Played {
  readonly key: string;
  readonly at: Date;
  readonly net: bigint;
  readonly earned: bigint;
}

function withKeys<T extends { readonly key: string }>(rows: readonly T[], cleared: ReadonlyMap<string, T> = new Map()) {
  return new Map([...cleared, ...rows.map((row) => [row.key, row] as const)]);
}

/** Random acts on the weeks of one network, each allowed to be refused. */
export class WeeksWorld {
  readonly #t: TestApp;
  readonly #net: Network;
  readonly #terms = new Map<string, Terms[]>();
  readonly #closed: { child: string; day: string; sheet: unknown }[] = [];
  readonly #payments: string[] = [];
  /** Days of open weeks with a dispute, by child. */
  readonly #disputes = new Map<string, Set<string>>();
  #cleared = new Map<string, Facts>();
  #beside = new Map<string, Facts>();
  #backup: { readonly folder: string; readonly cleared: ReadonlyMap<string, Facts> } | undefined;

  constructor(t: TestApp, net: Network) {
    this.#t = t;
    this.#net = net;
  }

  get #zone(): string {
    return this.#t.app.services.timeZone;
  }

  async #signInAgain(): Promise<void> {
    for (const role of [...STAFF, 'superadmin', 'user'] as const)
      Object.assign(this.#net[role], await this.#t.signIn(this.#net[role].username));
  }

  async take({ do: what, pair, amount, choice }: WeekStep): Promise<void> {
    const [parent, child] = PAIRS[pair]!.map((role) => this.#net[role]) as [SignedIn, SignedIn];
    switch (what) {
      case 'bet':
        await this.#t.bet(this.#net.user, { [choice]: (amount % 7) + 1 });
        return this.#t.finishDraw();
      case 'give':
      case 'past': {
        const by = what === 'past' ? this.#net.admin : parent;
        if (by === child) return;
        const body = { toUserId: child._id, transferAmount: amount / 100, password: PASSWORD };
        await this.#t.call(accountRoutes[child.role].creditTransfer, { body }, by);
        return;
      }
      case 'take': {
        const body = { toUserId: child._id, adjustAmount: 1, transactionType: 'debit' as const, password: PASSWORD };
        await this.#t.call(accountRoutes[child.role].creditAdjust, { body }, parent);
        return;
      }
      case 'pay': {
        const direction = choice % 2 === 0 ? 'in' : 'out';
        const body = { accountId: child._id, direction, sum: amount / 100, method: 'cash' } as const;
        this.#payments.push((await this.#t.ok(recordPayment, { body }, parent)).paymentId);
        return;
      }
      case 'reverse': {
        const paymentId = this.#payments[amount % Math.max(1, this.#payments.length)];
        if (paymentId !== undefined) await this.#t.call(reversePayment, { body: { paymentId } }, this.#net.admin);
        return;
      }
      case 'terms':
        return this.#setTerms(parent, child, amount, choice);
      case 'commission':
        await this.#t.call(payCommission, { body: { toUserId: child._id, password: PASSWORD } }, parent);
        return;
      case 'day':
        this.#t.clock.advance(86_400_000);
        await this.#t.app.tick();
        return this.#signInAgain();
      case 'close':
        return this.#close(parent, child, choice);
      case 'dispute': {
        const day = await this.#lastWeek(parent);
        if ((await this.#sheet(child, child, day)).sheet!.closed) return;
        const body = { day, kind: 'dispute', about: 'play', note: 'Too much' } as const;
        await this.#t.ok(addWeekNote, { body }, child);
        this.#disputesOf(child).add(day);
        return;
      }
      case 'answer':
        for (const day of this.#disputesOf(child)) {
          const body = { accountId: child._id, day, kind: 'answer', note: 'See the tickets' } as const;
          await this.#t.ok(addWeekNote, { body }, parent);
          this.#disputesOf(child).delete(day);
        }
        return;
      case 'order':
        return this.#order(parent, child, amount, choice);
      case 'back up':
        this.#backup = {
          folder: (await this.#t.ok(exportBackup, {}, this.#net.admin)).folder,
          cleared: new Map(this.#cleared),
        };
        return;
      case 'restore':
        if (!this.#backup) return;
        this.#t.clock.advance(1000);
        await this.#t.ok(importBackup, { query: { folder: this.#backup.folder } }, this.#net.admin);
        this.#beside = this.#cleared;
        this.#cleared = new Map(this.#backup.cleared);
        return this.#signInAgain();
      case 'undo':
        this.#t.clock.advance(1000);
        if ((await this.#t.call(undoRestore, { body: {} }, this.#net.admin)).status !== 200) return;
        [this.#cleared, this.#beside] = [this.#beside, this.#cleared];
        return this.#signInAgain();
      case 'clear':
        return this.#clear();
    }
  }

  /** Steps between admin and superdistributor; credit and closings between all pairs. */
  async takeEach(...steps: readonly WeekStep['do'][]): Promise<void> {
    for (const step of steps)
      for (const pair of step === 'give' || step === 'close' ? PAIRS.keys() : [0])
        await this.take({ do: step, pair, amount: 100, choice: 1 });
  }

  /** Moves credit and plays in the last minutes of the week, compares, and ends a draw at midnight. */
  async finishWeek(): Promise<void> {
    await this.#signInAgain();
    const { week } = await this.#t.ok(weekSheet.route, { query: {} }, this.#net.admin);
    this.#t.clock.set(new Date(Date.parse(week.endDate) - 61_000));
    await this.#t.app.tick();
    await this.#signInAgain();
    await this.takeEach('give', 'bet');
    await this.check();
    await this.takeEach('bet');
  }

  async #setTerms(parent: SignedIn, child: SignedIn, amount: number, choice: number): Promise<void> {
    const share = choice < 2 ? null : amount / 10;
    const commission: 'week' | 'atOnce' = choice % 2 === 0 ? 'week' : 'atOnce';
    const body = { accounts: [child._id], share, commission };
    const { from } = (await this.#t.ok(setWeekTerms, { body }, parent)).results[0]!;
    const terms = this.#terms.get(child._id) ?? [];
    this.#terms.set(child._id, [
      ...terms,
      { from, share: share === null ? null : Math.round(share * 100), withWeek: commission === 'week' },
    ]);
  }

  #disputesOf({ _id }: SignedIn): Set<string> {
    const days = this.#disputes.get(_id) ?? new Set();
    this.#disputes.set(_id, days);
    return days;
  }

  async #lastWeek(by: SignedIn): Promise<string> {
    return addDays((await this.#t.ok(weekSheet.route, { query: {} }, by)).week.from, -7);
  }

  /** Temporary credit or a refill, which run automatically on later days. */
  async #order(parent: SignedIn, child: SignedIn, amount: number, choice: number): Promise<void> {
    const takeBackAt = new Date(this.#t.clock.now().getTime() + (choice + 1) * 86_400_000).toISOString();
    const terms =
      choice % 2 === 0
        ? { kind: 'temporary' as const, takeBackAt }
        : { kind: 'refill' as const, clock: '06:00', weekdays: [1, 4] };
    const body = { ...terms, accountId: child._id, sum: amount / 10, password: PASSWORD };
    await this.#t.call(makeStandingOrder, { body }, { ...parent, idempotencyKey: randomUUID() });
  }

  async #close(parent: SignedIn, child: SignedIn, choice: number): Promise<void> {
    const day = await this.#lastWeek(parent);
    const row = (await this.#t.ok(weekSheet.route, { query: { day } }, parent)).data.find(
      ({ id }) => id === child._id,
    )!;
    const line = { accountId: child._id, expectedBalance: row.balance };
    const owed = Math.abs(row.balance);
    const payment = { direction: row.balance < 0 ? 'out' : 'in', sum: owed, method: 'bank' } as const;
    const body = {
      day,
      lines: [choice % 2 === 0 && owed > 0 ? { ...line, payment } : line],
      credit: (['stay', 'stay', 'stay', 'stay', 'refill', 'back'] as const)[choice]!,
      refillTo: 300,
      password: PASSWORD,
    };
    const reply = await this.#t.call(closeWeeks, { body }, { ...parent, idempotencyKey: randomUUID() });
    if (reply.status === 200) {
      const closed = await this.#sheet(parent, child, day);
      // Weeks before the account's sheets began are never closed with later ones.
      expect([...this.#disputesOf(child)].filter((disputed) => disputed >= closed.sheet!.since!)).toEqual([]);
      this.#closed.push({ child: child._id, day, sheet: closed });
    } else expect(['RULE_REFUSED', 'INSUFFICIENT_CREDIT']).toContain(reply.body.code);
  }

  async #clear(): Promise<void> {
    const facts = new Map<string, Facts>();
    for (const [, below] of PAIRS) {
      const child = this.#net[below];
      const { moved, played } = await this.#facts(child);
      // Sheets that begin later in this week leave out the credit of days cleared before.
      const hasBegun = (await this.#sheet(child, child)).sheet!.since !== null;
      facts.set(child._id, { played, moved: hasBegun ? moved : new Map() });
    }
    const body = {
      startDate: '2026-03-01',
      endDate: dayOf(this.#t.clock.now(), this.#zone),
      models: [...CLEARING_ORDER],
    };
    const { status, body: answer } = await this.#t.call(deleteRecords, { body }, this.#net.admin);
    if (status === 200) this.#cleared = facts;
    else expect(['RULE_REFUSED', 'INVALID_INPUT']).toContain(answer.code);
  }

  async #sheet(by: SignedIn, child: SignedIn | { _id: string }, day?: string) {
    const query = { id: child._id, ...(day !== undefined && { day }) };
    const { data, totals, sheet, week } = await this.#t.ok(weekDays.route, { query }, by);
    return { data, totals, sheet, from: week.from };
  }

  /** Sheets with raw rows, both sides with each other, and closed weeks with what they were. */
  async check(): Promise<void> {
    for (const [above, below] of PAIRS) {
      const [parent, child] = [this.#net[above], this.#net[below]];
      const seen = await this.#sheet(parent, child);
      expect(await this.#sheet(child, child)).toEqual(seen);
      const row = (await this.#t.ok(weekSheet.route, { query: {} }, parent)).data.find(({ id }) => id === child._id)!;
      expect(row.balance).toBe(seen.sheet!.balance);
      if (row.since !== null) expect(hundredthsIn(row.balance)).toBe(await this.#expected(child, row.since));
    }
    for (const { child, day, sheet } of this.#closed)
      expect(await this.#sheet(this.#net.admin, { _id: child }, day)).toEqual(sheet);
    await this.#t.expectBooksToBalanceNow();
  }

  async #facts(child: SignedIn): Promise<Facts> {
    const moved = await this.#t.db.query<Moved & Record<string, unknown>>(
      `select t.id as key, t.at, t.kind, t.amount, b.chain @> array[$1::uuid] as into, coalesce(b.id = $1, false) as own,
         coalesce(a.chain @> array[$1::uuid], false) as out
       from transfers t join wallets wa on wa.network_id = t.network_id and wa.id = t.from_wallet
       join wallets wb on wb.network_id = t.network_id and wb.id = t.to_wallet
       left join accounts a on a.id = wa.owner_id and wa.kind <> 7 left join accounts b on b.id = wb.owner_id and wb.kind <> 7
       where t.network_id = (select network_id from accounts where id = $1) and t.kind in (3, 4, 12, 13)`,
      [child._id],
    );
    const played = await this.#t.db.query<Played & Record<string, unknown>>(
      `select concat(p.draw_id, p.account_id) as key, s.settled_at as at,
         p.stake - p.win - p.super_commission - p.dist_commission - p.retail_commission - p.user_commission as net,
         p.${{ superdistributor: 'super', distributor: 'dist', retailer: 'retail' }[child.role as 'retailer']}_commission as earned
       from player_settlements p join draw_settlements s on s.network_id = p.network_id and s.draw_id = p.draw_id
       join accounts a on a.id = p.account_id
       where p.network_id = (select network_id from accounts where id = $1) and a.chain @> array[$1::uuid]`,
      [child._id],
    );
    const cleared = this.#cleared.get(child._id);
    return { moved: withKeys(moved, cleared?.moved), played: withKeys(played, cleared?.played) };
  }

  async #expected(child: SignedIn, since: string): Promise<bigint> {
    const facts = await this.#facts(child);
    const [moved, played] = [[...facts.moved.values()], [...facts.played.values()]];
    const paid = await this.#t.db.query<{ at: Date; amount: bigint; incoming: boolean }>(
      `select at, amount, incoming from week_payments
       where account_id = $1 and network_id = (select network_id from accounts where id = $1)`,
      [child._id],
    );
    const weekIndex = (at: Date) =>
      Math.floor((Date.parse(dayOf(at, this.#zone)) - Date.parse(since)) / (7 * 86_400_000));
    const last = weekIndex(this.#t.clock.now());
    let balance = 0n;
    for (let week = 0; week <= last; week++) {
      const first = addDays(since, 7 * week);
      const terms = (this.#terms.get(child._id) ?? []).filter(({ from }) => from <= first);
      const { share, withWeek } = terms.toSorted((a, b) => (a.from < b.from ? -1 : 1)).at(-1) ?? {
        share: null,
        withWeek: false,
      };
      const inWeek = ({ at }: { at: Date }) => weekIndex(at) === week;
      const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n);
      const crossed = moved.filter(inWeek).filter(({ kind, into, out }) => kind !== 12 && into !== out);
      const credit = sum(crossed.map(({ amount, into }) => (into ? amount : -amount)));
      const net = sum(played.filter(inWeek).map((each) => each.net));
      const rounded =
        (share === null ? 0n : net < 0n ? -1n : 1n) *
        (((net < 0n ? -net : net) * BigInt(share ?? 0) + 5000n) / 10_000n);
      balance += share === null ? credit : rounded;
      if (withWeek) {
        balance -= sum(played.filter(inWeek).map(({ earned }) => earned));
        balance += sum(
          moved
            .filter(inWeek)
            .filter(({ kind, own }) => kind === 12 && own)
            .map(({ amount }) => amount),
        );
      }
      balance += sum(paid.filter(inWeek).map(({ amount, incoming }) => (incoming ? -amount : amount)));
    }
    return balance;
  }
}
