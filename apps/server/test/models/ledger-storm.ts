import { randomUUID } from 'node:crypto';
import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import fc from 'fast-check';
import { expect } from 'vitest';
import { CallError } from '../../src/platform/http/http-errors.ts';
import type { TestApp } from '../harness.ts';
import { LedgerModel } from './ledger-model.ts';
import { LedgerWorld } from './ledger-world.ts';

const TRIES = 60;

const account = fc.integer({ min: 1, max: 6 });
export const anyRequest = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      by: fc.integer({ min: 0, max: 4 }),
      to: account,
      amount: fc.integer({ min: 1, max: 3_000 }),
      how: fc.constantFrom('transfer', 'credit', 'debit'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('bet' as const),
      player: fc.constantFrom(5, 6),
      digit: fc.nat({ max: 9 }),
      qty: fc.integer({ min: 1, max: 9 }),
    }),
  },
  fc.record({
    do: fc.constant('issue' as const),
    amount: fc.integer({ min: 1, max: 3_000 }),
    how: fc.constantFrom('credit', 'debit'),
  }),
  fc.record({ do: fc.constant('payout' as const), target: account }),
  fc.record({ do: fc.constant('toggle' as const), target: fc.integer({ min: 2, max: 6 }), active: fc.boolean() }),
  fc.record({ do: fc.constant('create' as const), parent: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    do: fc.constant('declare' as const),
    digit: fc.nat({ max: 9 }),
    booster: fc.integer({ min: 1, max: 3 }),
  }),
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
  fc.constant({ do: 'void' as const }),
  fc.constant({ do: 'delete' as const }),
);
export type Request = typeof anyRequest extends fc.Arbitrary<infer R> ? R : never;
/** Retries like a client after connection loss; null if a rule refused it. */
async function answered<T>(send: () => Promise<T>): Promise<T | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await send();
    } catch (error) {
      if (error instanceof CallError && error.code !== 'NOT_READY') return null;
    }
  }
  throw new Error(`No answer in ${TRIES} tries.`);
}

/** Second player; may be deleted. */
const MORTAL = 6;

export class Storm {
  readonly world: LedgerWorld;
  readonly model = new LedgerModel();
  readonly #bets: { player: number; digit: number; stake: bigint; drawId: string }[] = [];
  readonly repeats: (() => Promise<void>)[] = [];

  private constructor(world: LedgerWorld) {
    this.world = world;
  }

  static async begin(t: TestApp): Promise<Storm> {
    const storm = new Storm(await LedgerWorld.start(t));
    const { world, model } = storm;
    model.add('superadmin', -1, 0);
    for (const [percent, parent] of [0, 1, 2, 3, 4, 4].entries()) {
      expect(await world.create(parent, percent)).toBe('ok');
      expect(model.create(parent, percent)).toBe('ok');
    }
    await t.app.tick();
    await world.transfer(0, 0, 60_000n, 'credit', randomUUID());
    for (let to = 1; to <= 6; to++) await world.transfer(0, to, 10_000n, 'credit', randomUUID());
    const { credit, issuance } = await world.balances();
    for (const [index, balance] of credit.entries()) model.accounts[index]!.credit = balance;
    model.issued = -issuance;
    return storm;
  }

  async play(request: Request): Promise<void> {
    const { world, model } = this;
    const key = randomUUID();
    switch (request.do) {
      case 'bet': {
        const { player, digit, qty } = request;
        const send = () => world.place(player, digit, qty, key);
        const first = await answered(send);
        if (!first) return;
        const stake = BigInt(qty) * 100n;
        model.accounts[player]!.credit -= stake;
        model.escrow += stake;
        this.#bets.push({ player, digit, stake, drawId: first.ticket.drawId });
        this.repeats.push(async () => expect((await send()).ticket._id).toBe(first.ticket._id));
        return;
      }
      case 'move':
        return this.#transfer(request.by, request.to, BigInt(request.amount), request.how, key);
      case 'issue':
        return this.#transfer(0, 0, BigInt(request.amount), request.how, key);
      case 'payout': {
        const send = () => world.pay(request.target, key);
        const first = await answered(send);
        if (!first) return;
        const paid = hundredthsOf(first.paid)!;
        model.accounts[request.target]!.commission -= paid;
        model.accounts[request.target]!.credit += paid;
        this.repeats.push(async () => expect((await send()).transferId).toBe(first.transferId));
        return;
      }
      case 'toggle':
        return void (await answered(() => world.toggle(request.target, request.active)));
      case 'create':
        return void (await answered(() => world.create(request.parent, 0)));
      case 'declare':
        return void (await answered(() => world.declare(request.digit, request.booster)));
      case 'void':
        return void (await answered(() => world.void()));
      case 'delete':
        return void (await answered(() => world.delete(MORTAL)));
      case 'settle':
        return void (await answered(() => world.conclude()));
    }
  }

  async #transfer(
    by: number,
    to: number,
    amount: bigint,
    how: 'transfer' | 'credit' | 'debit',
    key: string,
  ): Promise<void> {
    if (by === to && by !== 0) return;
    const send = () => this.world.transfer(by, to, amount, how, key);
    const first = await answered(send);
    if (!first) return;
    const signed = how === 'debit' ? -amount : amount;
    const accounts = this.model.accounts;
    accounts[to]!.credit += signed;
    if (by === to) this.model.issued += signed;
    else accounts[by]!.credit -= signed;
    this.repeats.push(async () => expect((await send()).transferId).toBe(first.transferId));
  }

  async end(): Promise<void> {
    const { world, model } = this;
    // The pool notices killed idle connections only on use.
    for (let target = 1; target <= 6; target++) await answered(() => world.toggle(target, true));
    await world.conclude();
    for (const { id, status, result, booster, cover } of await world.draws()) {
      model.tickets = this.#bets.filter(({ drawId }) => drawId === id);
      model.accounts[1]!.credit -= cover ?? 0n;
      model.table += cover ?? 0n;
      if (status === 'settled') model.settle(Number(result!.drawno), booster!);
      else if (status === 'void') model.void();
    }
    if (await world.isDeleted(MORTAL)) {
      const gone = model.accounts[MORTAL]!;
      model.accounts[gone.parent]!.credit += gone.credit + gone.commission;
      Object.assign(gone, { credit: 0n, commission: 0n });
    }
  }

  async compare(): Promise<void> {
    const { accounts, table, escrow, issued } = this.model;
    const { credit, commission, ...sums } = await this.world.balances();
    expect({ ...sums, credit: credit.slice(0, 7), commission: commission.slice(0, 7) }).toEqual({
      credit: accounts.map((one) => one.credit),
      commission: accounts.map((one) => one.commission),
      table,
      escrow,
      issuance: -issued,
    });
    expect(await this.world.problems()).toEqual([]);
  }
}
