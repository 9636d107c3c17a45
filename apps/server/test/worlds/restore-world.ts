import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { drillBackup, exportBackup, importBackup, listBackups, undoRestore } from '@drawhouse/contract/backup/backups';
import { deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { payCommission } from '@drawhouse/contract/credit/credit';
import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { ROLES, roleBelow, type Role } from '@drawhouse/contract/core/primitives';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { setPercentages } from '@drawhouse/contract/games/percentages';
import { FIRST_SUPERADMIN } from '../../src/compose/first-start.ts';
import { PASSWORD } from '../test-password.ts';
import type { Network, SignedIn, TestApp } from '../harness.ts';
import { digestsOf } from '../tampering/table-rows.ts';
import { CLEARING_ORDER } from '@drawhouse/contract/clearing/clearing-texts';

export const anyStep = fc.record({
  do: fc.oneof(
    { weight: 5, arbitrary: fc.constant('bet' as const) },
    { weight: 3, arbitrary: fc.constantFrom('draw' as const, 'give' as const, 'take' as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        ...([
          'create',
          'delete',
          'toggle',
          'move',
          'percentage',
          'limit',
          'table',
          'declare',
          'void',
          'games',
          'payout',
          'commission',
          'day',
        ] as const),
      ),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'back up' as const,
        'restore' as const,
        'undo' as const,
        'drill' as const,
        'clear' as const,
      ),
    },
  ),
  byRoot: fc.boolean(),
  whom: fc.nat(20),
  amount: fc.integer({ min: 1, max: 30 }),
});
export type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

export const GAMES = ['funtargetbingo', 'luckycard12'];

interface Found {
  readonly _id: string;
  readonly username: string;
  readonly role: Role;
}

/** Steps may be refused, but must not fail. */
export class RestoreWorld {
  readonly #t: TestApp;
  readonly #admin: Network['admin'];
  readonly #bystander: Network;

  constructor(t: TestApp, net: Network, bystander: Network) {
    this.#t = t;
    this.#admin = net.admin;
    this.#bystander = bystander;
  }

  async accounts(): Promise<Found[]> {
    return this.#t.db.query<Found & Record<string, unknown>>(
      `select a.id as _id, a.username, a.role from accounts a join networks n on n.id = a.network_id
       where n.admin_id = $1 and a.deleted_at is null order by a.created_at, a.id`,
      [this.#admin._id],
    );
  }

  async #as(username: string): Promise<SignedIn | undefined> {
    return this.#t.signIn(username).catch(() => undefined);
  }

  async take(step: Step): Promise<void> {
    const { whom, amount, byRoot } = step;
    const all = await this.accounts();
    const target = all[whom % all.length]!;
    const by = await this.#as(byRoot ? FIRST_SUPERADMIN : this.#admin.username);
    if (!by) return;
    const routes = accountRoutes[target.role];
    const pair = { gameId: GAMES[0]!, adminId: this.#admin._id };
    switch (step.do) {
      case 'bet': {
        const player = all.find(({ role }) => role === 'user');
        const signedIn = player && (await this.#as(player.username));
        if (signedIn) await this.#t.bet(signedIn, { [whom % 10]: amount });
        return;
      }
      case 'draw':
        return this.#t.finishDraw();
      case 'day':
        this.#t.clock.advance(86_400_000);
        return this.#t.app.tick();
      case 'give':
      case 'take': {
        if (target._id === by._id) return;
        const body = { toUserId: target._id, transferAmount: amount, password: PASSWORD };
        if (step.do === 'give') return this.#sent(this.#t.call(routes.creditTransfer, { body }, by));
        return this.#sent(
          this.#t.call(
            routes.creditAdjust,
            {
              body: { toUserId: target._id, adjustAmount: amount, transactionType: 'debit', password: PASSWORD },
            } as never,
            by,
          ),
        );
      }
      case 'create': {
        const parent = target.role === 'user' ? all.find(({ role }) => role === 'retailer') : target;
        if (!parent) return;
        const role = roleBelow(parent.role)!;
        const body = {
          username: `m${randomInt(2 ** 40)}`,
          password: PASSWORD,
          commission: 0,
          note: 'n',
          refId: parent._id,
          role,
        };
        return this.#sent(this.#t.call(accountRoutes[role].create, { body }, by));
      }
      case 'delete':
        return target.role === 'admin'
          ? undefined
          : this.#sent(this.#t.call(routes.remove, { params: { id: target._id } }, by));
      case 'toggle': {
        if (target.role === 'admin') return;
        const action = amount % 2 === 0 ? 'activate' : 'deactivate';
        return this.#sent(this.#t.call(routes.toggleStatus, { params: { userId: target._id, action } }, by));
      }
      case 'move': {
        const above = all.filter(({ role }) => ROLES.indexOf(role) === ROLES.indexOf(target.role) - 1);
        if (target.role === 'admin' || above.length === 0) return;
        const refId = above[amount % above.length]!._id;
        return this.#sent(this.#t.call(routes.update, { params: { id: target._id }, body: { refId } }, by));
      }
      case 'commission': {
        if (target._id === by._id) return;
        return this.#sent(
          this.#t.call(routes.update, { params: { id: target._id }, body: { commission: amount / 10 } }, by),
        );
      }
      case 'games':
        if (!byRoot) return;
        return this.#sent(
          this.#t.call(
            accountRoutes.admin.update,
            { params: { id: this.#admin._id }, body: { games: GAMES.slice(0, 1 + (amount % 2)) } },
            by,
          ),
        );
      case 'percentage':
      case 'limit': {
        const { data } = await this.#t.ok(listLimits, { params: { adminId: this.#admin._id } }, by);
        const { id } = data[whom % data.length]!;
        if (step.do === 'limit')
          return this.#sent(
            this.#t.call(
              setLimits,
              {
                params: { adminId: this.#admin._id },
                body: { updates: [{ id, perTicket: amount > 20 ? null : 500 + amount }] },
              },
              by,
            ),
          );
        return this.#sent(
          this.#t.call(
            setPercentages,
            { params: { id: by._id }, body: { updates: [{ id, winpercentage: amount > 20 ? 0 : 90 + amount }] } },
            by,
          ),
        );
      }
      case 'table':
        return this.#sent(
          this.#t.call(
            addBalance,
            { body: amount > 25 ? { ...pair, type: 'remove' } : { ...pair, balance: amount } },
            by,
          ),
        );
      case 'declare':
        return this.#sent(
          this.#t.call(addResult, { body: { ...pair, result: String(whom % 10), boosterValue: 1 } }, by),
        );
      case 'void':
        return this.#sent(this.#t.call(voidDraw, { body: { ...pair, reason: 'a step' } }, by));
      case 'payout':
        return this.#sent(this.#t.call(payCommission, { body: { toUserId: target._id, password: PASSWORD } }, by));
      case 'back up':
      case 'restore':
      case 'undo':
      case 'drill':
      case 'clear':
        return this.#backUps(step);
    }
  }

  async #backUps({ do: does, whom, amount }: Step): Promise<void> {
    if (does === 'clear') {
      // Clearing needs closed, summed days; one sum per tick.
      this.#t.clock.advance(2 * 86_400_000);
      for (let tick = 0; tick < 6; tick++) await this.#t.app.tick();
    }
    const admin = await this.#as(this.#admin.username);
    if (!admin) return;
    const elsewhere = await digestsOf(this.#t.db, this.#bystander.networkId);
    const { folders } = await this.#t.ok(listBackups, {}, admin);
    const folder = folders[whom % folders.length];
    let changesBooks = false;
    if (does === 'back up') await this.#sent(this.#t.call(exportBackup, {}, admin));
    else if (does === 'clear') {
      const models = CLEARING_ORDER.filter((_, index) => ((amount * 37 + whom) >> index) % 2 === 1);
      const body = {
        startDate: '2026-03-01',
        endDate: '2026-12-31',
        models: models.length > 0 ? models : [...CLEARING_ORDER],
      };
      changesBooks = await this.#isDone(this.#t.call(deleteRecords, { body }, admin));
    } else if (does === 'undo') changesBooks = await this.#isDone(this.#t.call(undoRestore, { body: {} }, admin));
    else if (folder !== undefined && does === 'restore')
      changesBooks = await this.#isDone(this.#t.call(importBackup, { query: { folder } }, admin));
    else if (folder !== undefined) {
      const { body } = await this.#t.call(drillBackup, { body: { folder } }, admin);
      if (body.code !== undefined) expect(body.message).toContain('the superadmin took back');
      else expect(body.problems).toEqual([]);
    }
    expect(await digestsOf(this.#t.db, this.#bystander.networkId)).toEqual(elsewhere);
    // Unchanged books are audited at the end.
    if (changesBooks) await this.#t.expectBooksToBalance();
  }

  async #sent(reply: Promise<{ status: number; body: unknown }>): Promise<void> {
    await this.#isDone(reply);
  }

  async #isDone(reply: Promise<{ status: number; body: unknown }>): Promise<boolean> {
    const { status, body } = await reply;
    expect({ status, isKnown: status < 500, body }).toMatchObject({ isKnown: true });
    // Restores may be refused only for lack of credit.
    expect(JSON.stringify(body)).not.toContain('can’t be restored');
    return status === 200;
  }
}
