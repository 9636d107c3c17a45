import type { ErrorCode } from '@drawhouse/contract/core/errors';
import { roleBelow, type Role } from '@drawhouse/contract/core/primitives';
import { earnCommission } from '@drawhouse/rules/games/wins';
import fc from 'fast-check';

export type Step =
  | { do: 'create'; parent: number; percent: number }
  | { do: 'move'; by: number; to: number; amount: number; how: 'transfer' | 'credit' | 'debit'; again: boolean }
  | { do: 'issue'; amount: number; how: 'credit' | 'debit' }
  | { do: 'toggle'; target: number; active: boolean }
  | { do: 'delete'; target: number }
  | { do: 'payout'; target: number }
  | { do: 'bet'; player: number; digit: number; qty: number }
  | { do: 'declare'; digit: number; booster: number }
  | { do: 'settle' }
  | { do: 'void' };

const account = fc.nat({ max: 11 });
const anyAmount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 6_000 }) },
  fc.integer({ min: 1, max: 90_000 }),
);

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), parent: account, percent: fc.nat({ max: 8 }) }),
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      by: account,
      to: account,
      amount: anyAmount,
      how: fc.constantFrom('transfer', 'credit', 'debit'),
      again: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('issue' as const), amount: anyAmount, how: fc.constantFrom('credit', 'debit') }),
  fc.record({ do: fc.constant('toggle' as const), target: account, active: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), target: account }),
  fc.record({ do: fc.constant('payout' as const), target: account }),
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('bet' as const),
      player: fc.nat({ max: 3 }),
      digit: fc.nat({ max: 9 }),
      qty: fc.integer({ min: 1, max: 30 }),
    }),
  },
  fc.record({
    do: fc.constant('declare' as const),
    digit: fc.nat({ max: 9 }),
    booster: fc.integer({ min: 1, max: 3 }),
  }),
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
  fc.constant({ do: 'void' as const }),
);

export type Answer = 'ok' | ErrorCode;

interface ModelAccount {
  readonly role: Role;
  readonly parent: number;
  readonly percent: number;
  active: boolean;
  deleted: boolean;
  credit: bigint;
  commission: bigint;
  /** In 1/10,000 of a hundredth. */
  remainder: bigint;
}

interface ModelTicket {
  readonly player: number;
  readonly digit: number;
  readonly stake: bigint;
}

/** Limits commissions along a chain, in percent. */
const CEILING = 20;
const POINT = 100n;
/** Per unit in the ten-number family. Source: domain, section 3. */
const PAYS = 9n;

export class LedgerModel {
  readonly accounts: ModelAccount[] = [];
  table = 0n;
  escrow = 0n;
  issued = 0n;
  tickets: ModelTicket[] = [];
  cover = 0n;

  add(role: Role, parent: number, percent: number): number {
    return (
      this.accounts.push({
        role,
        parent,
        percent,
        active: true,
        deleted: false,
        credit: 0n,
        commission: 0n,
        remainder: 0n,
      }) - 1
    );
  }

  pick(index: number): number {
    return index % this.accounts.length;
  }

  pickPlayer(index: number): number | undefined {
    const players = this.accounts.flatMap(({ role }, at) => (role === 'user' ? [at] : []));
    return players[index % players.length];
  }

  chainOf(index: number): number[] {
    return index < 0 ? [] : [...this.chainOf(this.accounts[index]!.parent), index];
  }

  isActive(index: number): boolean {
    return this.chainOf(index).every((at) => this.accounts[at]!.active && !this.accounts[at]!.deleted);
  }

  #isBelow(above: number, index: number): boolean {
    return this.chainOf(index).includes(above) && !this.accounts[index]!.deleted;
  }

  create(parent: number, percent: number): Answer {
    const above = this.accounts[parent]!;
    const role = roleBelow(above.role);
    if (role === null) return 'NOT_ALLOWED';
    if (above.deleted) return 'NOT_FOUND';
    const earners = this.chainOf(parent).filter((at) => !['superadmin', 'admin'].includes(this.accounts[at]!.role));
    const sum = earners.reduce((total, at) => total + this.accounts[at]!.percent, role === 'admin' ? 0 : percent);
    if (sum > CEILING) return 'COMMISSION_LIMIT';
    this.add(role, parent, percent);
    return 'ok';
  }

  move(by: number, to: number, amount: bigint, how: 'transfer' | 'credit' | 'debit'): Answer {
    if (!this.#isBelow(by, to)) return 'NOT_FOUND';
    if (by === to) return by === 0 && how !== 'transfer' ? this.issue(amount, how) : 'NOT_ALLOWED';
    if (!this.isActive(by)) return 'SESSION_ENDED';
    if (how !== 'debit' && !this.isActive(to)) return 'TARGET_INACTIVE';
    const [from, into] = how === 'debit' ? [to, by] : [by, to];
    if (this.accounts[from]!.credit < amount) return 'INSUFFICIENT_CREDIT';
    this.accounts[from]!.credit -= amount;
    this.accounts[into]!.credit += amount;
    return 'ok';
  }

  issue(amount: bigint, how: 'credit' | 'debit'): Answer {
    const top = this.accounts[0]!;
    if (how === 'debit' && top.credit < amount) return 'INSUFFICIENT_CREDIT';
    const signed = how === 'debit' ? -amount : amount;
    top.credit += signed;
    this.issued += signed;
    return 'ok';
  }

  toggle(target: number, active: boolean): Answer {
    if (target === 0 || this.accounts[target]!.deleted) return 'NOT_FOUND';
    this.accounts[target]!.active = active;
    return 'ok';
  }

  delete(target: number): Answer {
    const gone = this.accounts[target]!;
    if (target === 0 || gone.deleted) return 'NOT_FOUND';
    if (this.accounts.some(({ parent, deleted }) => parent === target && !deleted)) return 'HAS_CHILDREN';
    const table = gone.role === 'admin' ? this.table : 0n;
    const left = gone.credit + gone.commission + table;
    if (left < 0n) return 'INSUFFICIENT_CREDIT';
    if (this.tickets.some(({ player }) => player === target)) return 'HAS_OPEN_TICKETS';
    this.accounts[gone.parent]!.credit += left;
    if (gone.role === 'admin') this.table = 0n;
    Object.assign(gone, { credit: 0n, commission: 0n, deleted: true });
    return 'ok';
  }

  payout(target: number): Answer {
    const paid = this.accounts[target]!;
    if (target === 0 || paid.deleted) return 'NOT_FOUND';
    if (!this.isActive(target)) return 'TARGET_INACTIVE';
    if (paid.commission === 0n) return 'RULE_REFUSED';
    paid.credit += paid.commission;
    paid.commission = 0n;
    return 'ok';
  }

  bet(player: number, digit: number, qty: number, draw: string | undefined): Answer {
    if (!this.isActive(player)) return 'ACCOUNT_INACTIVE';
    if (draw === undefined) return 'GAME_UNAVAILABLE';
    if (draw !== 'open') return 'BETTING_CLOSED';
    const stake = BigInt(qty) * POINT;
    if (this.accounts[player]!.credit < stake) return 'INSUFFICIENT_CREDIT';
    this.accounts[player]!.credit -= stake;
    this.escrow += stake;
    this.tickets.push({ player, digit, stake });
    return 'ok';
  }

  /** Takes the table's shortfall from the admin's credit. */
  declare(digit: number, booster: number): Answer {
    let lacks = 0n;
    const shares = new Map<number, bigint>();
    for (const { player, digit: on, stake } of this.tickets) {
      lacks += (on === digit ? stake * PAYS * BigInt(booster) : 0n) - stake;
      for (const at of this.chainOf(player).slice(2))
        shares.set(at, (shares.get(at) ?? 0n) + stake * BigInt(this.accounts[at]!.percent * 100));
    }
    for (const share of shares.values()) lacks += (share + 9_999n) / 10_000n;
    const spare = this.table - this.cover;
    const cover = lacks > 0n && lacks > spare ? lacks - (spare > 0n ? spare : 0n) : 0n;
    const moved = cover - this.cover;
    if (this.accounts[1]!.credit < moved) return 'NOT_COVERED';
    this.#coverBy(moved);
    return 'ok';
  }

  #coverBy(amount: bigint): void {
    this.accounts[1]!.credit -= amount;
    this.table += amount;
    this.cover += amount;
  }

  settle(result: number, booster: number): void {
    const staked = new Map<number, bigint>();
    for (const { player, digit, stake } of this.tickets) {
      this.escrow -= stake;
      this.table += stake;
      staked.set(player, (staked.get(player) ?? 0n) + stake);
      const win = digit === result ? stake * PAYS * BigInt(booster) : 0n;
      this.table -= win;
      this.accounts[player]!.credit += win;
    }
    for (const [player, stake] of staked)
      for (const at of this.chainOf(player).slice(2)) {
        const earner = this.accounts[at]!;
        const { paid, remainder } = earnCommission(earner.remainder, stake, earner.percent * 100);
        earner.remainder = remainder;
        this.table -= paid;
        earner.commission += paid;
      }
    this.tickets = [];
    this.cover = 0n;
  }

  void(): void {
    this.#coverBy(-this.cover);
    for (const { player, stake } of this.tickets) {
      this.escrow -= stake;
      this.accounts[player]!.credit += stake;
    }
    this.tickets = [];
  }
}
