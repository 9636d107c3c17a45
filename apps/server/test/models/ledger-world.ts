import { ownerOf, type Actor } from '../../src/accounts/authority.ts';
import { randomUUID } from 'node:crypto';
import { roleBelow, type Role } from '@drawhouse/contract/core/primitives';
import { createAccount } from '../../src/accounts/change/create-account.ts';
import { deleteAccount } from '../../src/accounts/change/delete-account.ts';
import { toggleAccounts } from '../../src/accounts/change/account-actions.ts';
import { lockTargets } from '../../src/accounts/change/lock-target.ts';
import { updateAccount } from '../../src/accounts/change/update-account.ts';
import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { hashPassword } from '../../src/auth/passwords/password.ts';
import { endSessionsBelow } from '../../src/auth/sessions/sessions.ts';
import { payCommission, type CommissionPayout } from '../../src/credit/pay-commissions.ts';
import { transferCredit, type CreditResult } from '../../src/credit/transfer-credit.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import type { Services } from '../../src/platform/services.ts';
import { createDrawMachine, type DrawMachine } from '../../src/settlement/draw-machine.ts';
import { voidRunning } from '../../src/settlement/operate-draw.ts';
import { saveResult } from '../../src/settlement/save-result.ts';
import { createSeedVault } from '../../src/draws/seed/seeds.ts';
import { assignGames } from '../../src/games/catalogue/built-in-games.ts';
import { CallError } from '../../src/platform/http/http-errors.ts';
import type { Call } from '../../src/platform/http/handler.ts';
import { inKinds, kindName } from '../../src/platform/db/sql/sql.ts';
import { balanceOf, ISSUANCE, type WalletName } from '../../src/ledger/wallets.ts';
import { endKeysBelow } from '../../src/api-keys/api-keys.sql.ts';
import { createBetLanes, type BetLanes } from '../../src/tickets/place/lanes/bet-lanes.ts';
import type { PlacedBet } from '../../src/tickets/place/judge-bets.ts';
import { hasOpenTickets } from '../../src/tickets/tickets.sql.ts';
import { PASSWORD } from '../test-password.ts';
import type { TestApp } from '../harness.ts';
import type { Answer } from './ledger-model.ts';

const GAME = 'funtargetbingo';

const NO_CHANGE = {
  passwordHash: undefined,
  commission: undefined,
  commissionCeiling: undefined,
  note: undefined,
  refId: undefined,
  userStatus: undefined,
  games: undefined,
  dailyLimit: undefined,
  tokenSessions: undefined,
  factorRoles: undefined,
  passwordFirst: undefined,
  rememberDevices: undefined,
};

export interface Draw {
  readonly id: string;
  readonly status: string;
  readonly result: { drawno: string } | null;
  readonly booster: number | null;
  readonly cover: bigint | null;
}

export interface Balances {
  readonly credit: bigint[];
  readonly commission: bigint[];
  readonly table: bigint;
  readonly escrow: bigint;
  readonly issuance: bigint;
}

/** A real network, driven through the commands behind the calls. Account 0 is the superadmin, 1 the admin. */
export class LedgerWorld {
  readonly accounts: Actor[];
  readonly #t: TestApp;
  readonly #services: Services;
  readonly #machine: DrawMachine;
  readonly #lanes: BetLanes;
  readonly #hash: string;

  private constructor(t: TestApp, superadmin: Actor, hash: string) {
    this.#t = t;
    this.#hash = hash;
    this.#services = t.app.services;
    // Saves and voids only; the server's own machine settles.
    this.#machine = createDrawMachine(this.#services, createSeedVault('5a'.repeat(32)));
    this.#lanes = createBetLanes(this.#services, () => {}, { waitMaxMs: Infinity });
    this.accounts = [superadmin];
  }

  static async start(t: TestApp): Promise<LedgerWorld> {
    const [row] = await t.db.query<{ id: string; username: string }>(
      "select id, username from accounts where role = 'superadmin'",
    );
    const superadmin = ownerOf({ ...row!, role: 'superadmin', networkId: ROOT_NETWORK, chain: [row!.id] });
    return new LedgerWorld(t, superadmin, await hashPassword(PASSWORD));
  }

  get networkId(): number {
    return this.accounts[1]!.networkId;
  }

  #call(by: number, idempotencyKey?: string): Call<Actor> {
    const origin = { url: '/model', method: 'POST', ip: '127.0.0.1', userAgent: 'model' };
    return {
      actor: this.accounts[by]!,
      sessionId: '',
      origin,
      header: () => undefined,
      idempotencyKey,
      token: undefined,
      apiKey: undefined,
      charge: () => {},
      aborted: new AbortController().signal,
      device: undefined,
      setDeviceCookie: () => {},
      setSessionCookie: () => {},
      markRepeated: () => {},
    };
  }

  readonly #endSessions = (tx: Tx, accountId: string, reach: 'itself' | 'subtree'): Promise<void> =>
    endSessionsBelow(this.#services, tx, accountId, reach);

  readonly #ends = { endSessionsBelow: this.#endSessions, endApiKeys: endKeysBelow };

  create(parent: number, percent: number): Promise<Answer> {
    const above = this.accounts[parent]!;
    const role: Role | null = roleBelow(above.role);
    return outcomeOf(async () => {
      const account = await createAccount(
        this.#services,
        this.#call(0),
        {
          role: role ?? 'superadmin',
          username: `m-${randomUUID().slice(0, 23)}`,
          passwordHash: this.#hash,
          commission: percent,
          note: 'model',
          active: true,
          refId: above.id,
          games: role === 'admin' ? [GAME] : undefined,
        },
        assignGames,
      );
      const { _id: id, username } = account;
      const [{ networkId } = { networkId: 0 }] = await this.#t.db.query<{ networkId: number }>(
        'select network_id as "networkId" from accounts where id = $1',
        [id],
      );
      this.accounts.push(ownerOf({ id, username, role: role!, networkId, chain: [...above.chain, id] }));
      if (role === 'admin') await this.#coverAllBets(id);
    });
  }

  /** The model has no table line and takes every affordable bet. */
  async #coverAllBets(adminId: string): Promise<void> {
    const change = { ...NO_CHANGE, tableLine: 1_000_000_000 };
    const nothing = (): never => {
      throw new Error('A table line changes nothing else.');
    };
    const hooks = { ...this.#ends, announceMove: nothing, hasPlayed: nothing, setGames: nothing };
    await updateAccount(this.#services, this.#call(0), { id: adminId, role: 'admin' }, change, hooks);
  }

  transfer(
    by: number,
    to: number,
    amount: bigint,
    how: 'transfer' | 'credit' | 'debit',
    key: string,
  ): Promise<CreditResult> {
    const { id: targetId, role: targetRole } = this.accounts[to]!;
    const direction = how === 'debit' ? 'takeBack' : 'give';
    const order = { targetId, targetRole, amount, direction, mayIssue: how !== 'transfer' } as const;
    return transferCredit(this.#services, this.#call(by, key), { ...order, password: PASSWORD, note: undefined });
  }

  toggle(target: number, active: boolean): Promise<Answer> {
    const call = this.#call(0);
    const lock = (tx: Tx) => lockTargets(tx, call.actor, [this.accounts[target]!.id]);
    return outcomeOf(() => toggleAccounts(this.#services, call, active, lock, this.#ends));
  }

  delete(target: number): Promise<Answer> {
    const { id, role } = this.accounts[target]!;
    return outcomeOf(() =>
      deleteAccount(this.#services, this.#call(0), { id, role }, { ...this.#ends, hasOpenTickets }),
    );
  }

  pay(target: number, key: string): Promise<CommissionPayout> {
    const order = { targetId: this.accounts[target]!.id, amount: undefined, password: PASSWORD, note: undefined };
    return payCommission(this.#services, this.#call(0, key), order);
  }

  payout(target: number): Promise<Answer> {
    return outcomeOf(() => this.pay(target, randomUUID()));
  }

  async isDeleted(index: number): Promise<boolean> {
    const [row] = await this.#t.db.query<{ deleted: boolean }>(
      'select deleted_at is not null as deleted from accounts where id = $1',
      [this.accounts[index]!.id],
    );
    return row!.deleted;
  }

  place(player: number, digit: number, qty: number, requestId: string): Promise<PlacedBet> {
    const bettor = { actor: this.accounts[player]!, sessionId: undefined, ip: '127.0.0.1' };
    const lines = [{ drawno: digit, qty }];
    return this.#lanes.place({ ...bettor, gameKey: GAME, drawId: undefined, requestId, lines });
  }

  bet(player: number, digit: number, qty: number): Promise<Answer> {
    return outcomeOf(() => this.place(player, digit, qty, randomUUID()));
  }

  get #pair(): { gameId: string; adminId: string } {
    return { gameId: GAME, adminId: this.accounts[1]!.id };
  }

  declare(digit: number, booster: number): Promise<Answer> {
    const declared = { ...this.#pair, result: String(digit), boosterValue: booster };
    return outcomeOf(() => saveResult(this.#machine, this.#call(0), declared));
  }

  void(): Promise<Answer> {
    return outcomeOf(() => voidRunning(this.#machine, this.#call(0), { ...this.#pair, reason: 'model' }));
  }

  draws(): Promise<Draw[]> {
    return this.#t.db.query<Draw>(
      'select id, status, result, booster, cover from draws where network_id = $1 order by opens_at desc',
      [this.networkId],
    );
  }

  async draw(): Promise<Draw | undefined> {
    const [draw] = await this.#t.db.query<Draw>(
      'select id, status, result, booster, cover from draws where network_id = $1 and draws_at > $2',
      [this.networkId, this.#t.clock.now()],
    );
    return draw;
  }

  async conclude(): Promise<void> {
    await this.#t.finishDraw();
  }

  async retire(): Promise<void> {
    await this.#t.byHand('update accounts set active = false where id = $1', [this.accounts[1]!.id]);
  }

  async rootBalances(): Promise<{ credit: bigint; issuance: bigint }> {
    const of = (name: WalletName): Promise<bigint> => balanceOf(this.#t.db, ROOT_NETWORK, name);
    return { credit: await of(`credit:${this.accounts[0]!.id}`), issuance: await of(ISSUANCE) };
  }

  async balances(): Promise<Balances> {
    const rows = await this.#t.db.query<{ owner_id: string; kind: string; balance: bigint }>(
      `select owner_id, ${kindName(WALLET_KINDS, 'kind').text} as kind, balance from wallets
       where network_id = $1 or (network_id = $2 and kind = ${WALLET_KINDS.issuance}) or (network_id = $2 and owner_id = $3)`,
      [this.networkId, ROOT_NETWORK, this.accounts[0]!.id],
    );
    const sumOf = (kind: string, owner?: string): bigint =>
      rows
        .filter((row) => row.kind === kind && (owner === undefined || row.owner_id === owner))
        .reduce((sum, row) => sum + row.balance, 0n);
    return {
      credit: this.accounts.map(({ id }) => sumOf('credit', id)),
      commission: this.accounts.map(({ id }) => sumOf('commission', id)),
      table: sumOf('table'),
      escrow: sumOf('escrow'),
      issuance: sumOf('issuance'),
    };
  }

  async problems(): Promise<string[]> {
    const rows = await this.#t.db.query<{ problem: string }>(
      `with mine as (select * from wallets where network_id = $1),
       moved as (select w.id, coalesce((select sum(amount) from transfers t where t.network_id = $1 and t.to_wallet = w.id), 0)
                            - coalesce((select sum(amount) from transfers t where t.network_id = $1 and t.from_wallet = w.id), 0) as amount
                 from mine w)
       select format('%s has %s, its transfers come to %s', w.kind, w.balance, m.amount) as problem
         from mine w join moved m using (id) where w.balance <> m.amount
       union all select format('the network sums to %s', sum(balance)) from mine having sum(balance) <> 0
       union all select format('the border sums to %s', sum(balance)) from wallets
         where kind = ${WALLET_KINDS.boundary} and owner_id = $2 having sum(balance) <> 0
       union all select format('%s is below zero: %s', kind, balance) from mine
         where balance < 0 and kind not in ${inKinds(WALLET_KINDS, 'boundary', 'table').text}
       union all select format('version %s of wallet %s is there %s times', s.version, w.id, count(s.version)) from mine w
         cross join lateral generate_series(1, w.version) as v (version)
         left join (select from_wallet as wallet, from_version as version from transfers where network_id = $1
                    union all select to_wallet, to_version from transfers where network_id = $1) as s
           on s.wallet = w.id and s.version = v.version
         group by w.id, v.version, s.version having count(s.version) <> 1`,
      [this.networkId, this.accounts[1]!.id],
    );
    return rows.map((row) => row.problem);
  }
}

async function outcomeOf(act: () => Promise<unknown>): Promise<Answer> {
  try {
    await act();
    return 'ok';
  } catch (error) {
    if (error instanceof CallError) return error.code;
    throw error;
  }
}
