import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  ROOT_NETWORK,
  TRANSFER_KINDS,
  WALLET_KINDS,
  type WalletKind,
  NOBODY,
} from '@drawhouse/rules/records/ledger-kinds';
import { TestApp, type As, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { passCredit, type Pass } from '../../test/clients/pass-credit.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';
import { runsOf } from '../../test/test-tier.ts';

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0, reserve: 0 });
  other = await t.network({ credit: 0 });
});
afterAll(() => t.close());
afterAll(() => t.expectBooksToBalance());

const transfer = (from: SignedIn, to: SignedIn, points: number, as: As = {}, password = PASSWORD) =>
  t.call(
    accountRoutes[to.role].creditTransfer,
    { body: { toUserId: to._id, transferAmount: points, password, note: 'by hand' } },
    { ...from, ...as },
  );
const adjust = (from: SignedIn, to: SignedIn, points: number, transactionType: 'credit' | 'debit', as: As = {}) =>
  t.call(
    accountRoutes[to.role].creditAdjust,
    { body: { toUserId: to._id, adjustAmount: points, password: PASSWORD, transactionType } },
    { ...from, ...as },
  );
const toggle = (by: SignedIn, account: SignedIn, action: 'activate' | 'deactivate') =>
  t.ok(accountRoutes[account.role].toggleStatus, { params: { userId: account._id, action } }, by);

async function balances(...of: SignedIn[]): Promise<number[]> {
  const rows = await t.db.query<{ owner_id: string; balance: bigint }>(
    `select owner_id, balance from wallets where kind = ${WALLET_KINDS.credit}`,
  );
  const byOwner = new Map(rows.map((row) => [row.owner_id, Number(row.balance) / 100]));
  return of.map((account) => byOwner.get(account._id)!);
}
const wallet = async (kind: WalletKind, owner: string, network: number): Promise<number> => {
  const [row] = await t.db.query<{ balance: bigint }>(
    'select balance from wallets where kind = $1 and owner_id = $2 and network_id = $3',
    [WALLET_KINDS[kind], owner, network],
  );
  return Number(row!.balance) / 100;
};
async function deadlocks(): Promise<bigint> {
  // Statistics flush per connection: occupy all five simultaneously.
  let waiting = 0;
  const all = Promise.withResolvers<void>();
  const flush = (): Promise<unknown> =>
    t.db.transaction(async (tx) => {
      await tx.query('select pg_stat_force_next_flush()');
      if (++waiting === 5) all.resolve();
      await all.promise;
    });
  await Promise.all(Array.from({ length: 5 }, flush));
  const [row] = await t.db.query<{ n: bigint }>(
    'select deadlocks as n from pg_stat_database where datname = current_database()',
  );
  return row!.n;
}
const transfersCount = async (): Promise<bigint> =>
  (await t.db.query<{ n: bigint }>('select count(*) as n from transfers'))[0]!.n;

async function settleAll(): Promise<void> {
  for (const each of [net, other]) {
    for (const role of ROLES.slice(1)) {
      const [has] = await balances(each[role]);
      if (has! > 0)
        await t.ok(
          accountRoutes[role].creditAdjust,
          { body: { toUserId: each[role]._id, adjustAmount: has!, password: PASSWORD, transactionType: 'debit' } },
          net.superadmin,
        );
    }
  }
  const [root] = await balances(net.superadmin);
  if (root! > 0) expect((await adjust(net.superadmin, net.superadmin, root!, 'debit')).status).toBe(200);
}
afterEach(settleAll);

describe('credit down and back up the chain', () => {
  it('passes level by level, and back the same way', async () => {
    const chain = ROLES.map((role) => net[role]);
    await adjust(net.superadmin, net.superadmin, 100.25, 'credit');
    for (const [index, to] of chain.entries()) {
      if (index === 0) continue;
      const reply = await transfer(chain[index - 1]!, to, 100.25);
      expect(reply).toMatchObject({ status: 200, body: { receiverWallet: 100.25, senderWallet: 0 } });
      expect(reply.body.data).toEqual([
        expect.objectContaining({ _id: to._id, walletBalance: 100.25, wallet: [{ individualCredit: 100.25 }] }),
      ]);
      expect(await t.ok(loadCredit, { query: {} }, to)).toMatchObject({
        data: [{ _id: to._id, walletBalance: 100.25 }],
      });
      await t.expectBooksToBalance();
    }
    expect(await balances(...chain)).toEqual([0, 0, 0, 0, 0, 100.25]);
    for (const [index, by] of [...chain.slice(0, -1).entries()].toReversed()) {
      const reply = await adjust(by, chain[index + 1]!, 100.25, 'debit');
      expect(reply).toMatchObject({ status: 200, body: { receiverWallet: 0, senderWallet: 100.25 } });
      await t.expectBooksToBalance();
    }
    expect(await balances(...chain)).toEqual([100.25, 0, 0, 0, 0, 0]);
  });

  it.each(ROLES.slice(1))('crosses between the superadmin and a %s by both boundary wallets', async (role) => {
    const owner = net.admin._id;
    const { networkId } = net;
    const borderAtRoot = await wallet('boundary', owner, ROOT_NETWORK);
    await adjust(net.superadmin, net.superadmin, 50, 'credit');
    expect((await transfer(net.superadmin, net[role], 30)).body).toMatchObject({
      receiverWallet: 30,
      senderWallet: 20,
    });
    expect(await wallet('boundary', owner, ROOT_NETWORK)).toBe(borderAtRoot + 30);
    expect(await wallet('boundary', owner, networkId)).toBe(-borderAtRoot - 30);
    await t.expectBooksToBalance();
    expect((await adjust(net.superadmin, net[role], 10, 'credit')).body).toMatchObject({
      receiverWallet: 40,
      senderWallet: 10,
    });
    expect((await adjust(net.superadmin, net[role], 40, 'debit')).body).toMatchObject({
      receiverWallet: 0,
      senderWallet: 50,
    });
    expect(await wallet('boundary', owner, ROOT_NETWORK)).toBe(borderAtRoot);
    expect(await wallet('boundary', owner, networkId)).toBe(0 - borderAtRoot);
  });

  it('is one row within a network, two with one reference across its border', async () => {
    await adjust(net.superadmin, net.superadmin, 10, 'credit');
    const across = await transfer(net.superadmin, net.admin, 10);
    const rows = await t.db.query<object>(
      `select network_id, amount, kind, actor_id, note, reference from transfers
       where reference = (select reference from transfers where id = $1) order by network_id`,
      [across.body.transferId],
    );
    const row = {
      amount: 1000n,
      kind: TRANSFER_KINDS.give,
      actor_id: net.superadmin._id,
      note: 'by hand',
      reference: expect.any(String),
    };
    expect(rows).toEqual([
      { ...row, network_id: ROOT_NETWORK },
      { ...row, network_id: net.networkId },
    ]);
    const within = await transfer(net.admin, net.retailer, 10);
    const [single] = await t.db.query(
      'select kind, amount, reference, from_balance, to_balance, from_version, to_version from transfers where id = $1',
      [within.body.transferId],
    );
    expect(single).toEqual({
      kind: TRANSFER_KINDS.give,
      amount: 1000n,
      reference: null,
      from_balance: 0n,
      to_balance: 1000n,
      from_version: expect.any(BigInt),
      to_version: expect.any(BigInt),
    });
  });

  it('is exact to the hundredth', async () => {
    await adjust(net.superadmin, net.superadmin, 100, 'credit');
    await transfer(net.superadmin, net.admin, 10);
    let cents = 1000;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1, 7, 10, 29, 3, 33), async (part) => {
        expect((await transfer(net.superadmin, net.admin, part / 100)).status).toBe(200);
        cents += part;
        expect(await balances(net.superadmin, net.admin)).toEqual([(10_000 - cents) / 100, cents / 100]);
      }),
      { numRuns: runsOf(15) },
    );
  });
});

describe('the source of credit', () => {
  it('is a superadmin adjusting itself, against the issuance wallet', async () => {
    const before = await wallet('issuance', NOBODY, ROOT_NETWORK);
    expect((await adjust(net.superadmin, net.superadmin, 70, 'credit')).body).toMatchObject({
      receiverWallet: 70,
      senderWallet: 70,
    });
    expect(await wallet('issuance', NOBODY, ROOT_NETWORK)).toBe(before - 70);
    expect((await adjust(net.superadmin, net.superadmin, 30, 'debit')).body).toMatchObject({
      receiverWallet: 40,
      senderWallet: 40,
    });
    expect(await wallet('issuance', NOBODY, ROOT_NETWORK)).toBe(before - 40);
    expect((await adjust(net.superadmin, net.superadmin, 40.01, 'debit')).body.code).toBe('INSUFFICIENT_CREDIT');
  });

  it('refuses anything else', async () => {
    const count = await transfersCount();
    expect((await transfer(net.superadmin, net.superadmin, 10)).status).toBe(403);
    for (const role of ROLES.slice(1)) {
      expect((await adjust(net[role], net[role], 10, 'credit')).status).toBe(403);
      expect((await transfer(net[role], net[role], 10)).status).toBe(403);
    }
    expect(await transfersCount()).toBe(count);
  });
});

describe('total credit', () => {
  it('never exceeds the largest amount, however often issued', async () => {
    const most = 90_071_992_547_409.91;
    const had = await t.credit(net.superadmin);
    expect(await adjust(net.superadmin, net.superadmin, most, 'credit')).toMatchObject({ status: 200 });
    expect(await adjust(net.superadmin, net.superadmin, most, 'credit')).toMatchObject({
      status: 400,
      body: { fields: { adjustAmount: expect.stringContaining('in circulation') } },
    });
    expect((await adjust(net.superadmin, net.superadmin, most, 'debit')).status).toBe(200);
    expect(await t.credit(net.superadmin)).toBe(had);
  });
});

describe('a wallet', () => {
  it.each<[string, Role, Role]>([
    ['across the border', 'superadmin', 'retailer'],
    ['within the network', 'admin', 'user'],
  ])('never goes below zero, %s', async (_where, from, to) => {
    await adjust(net.superadmin, net.superadmin, 20, 'credit');
    if (from !== 'superadmin') await transfer(net.superadmin, net[from], 20);
    await transfer(net[from], net[to], 10);
    const count = await transfersCount();
    for (const reply of [
      await transfer(net[from], net[to], 10.01),
      await adjust(net[from], net[to], 10.01, 'credit'),
      await adjust(net[from], net[to], 10.01, 'debit'),
      await transfer(net[from], net[to], 90_000_000_000_000),
    ])
      expect(reply).toMatchObject({ status: 422, body: { code: 'INSUFFICIENT_CREDIT' } });
    expect(await balances(net[from], net[to])).toEqual([10, 10]);
    expect(await transfersCount()).toBe(count);
  });

  it('pays out no more than it holds under concurrency', async () => {
    await adjust(net.superadmin, net.superadmin, 10, 'credit');
    await transfer(net.superadmin, net.admin, 10);
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_unused, n) =>
        transfer(net.admin, n % 2 ? net.user : net.retailer, 1, { ip: `10.0.1.${n}` }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(10);
    expect(replies.filter((reply) => reply.body.code === 'INSUFFICIENT_CREDIT')).toHaveLength(20);
    const [admin, user, retailer] = await balances(net.admin, net.user, net.retailer);
    expect([admin, user! + retailer!]).toEqual([0, 10]);
  });
});

describe('an inactive account', () => {
  it('receives nothing while it or an ancestor is inactive; its credit can be taken back', async () => {
    await adjust(net.superadmin, net.superadmin, 100, 'credit');
    await transfer(net.superadmin, net.retailer, 10);
    for (const off of [net.retailer, net.distributor, net.admin]) {
      await toggle(net.superadmin, off, 'deactivate');
      expect((await transfer(net.superadmin, net.retailer, 5)).body).toMatchObject({ code: 'TARGET_INACTIVE' });
      expect((await adjust(net.superadmin, net.retailer, 5, 'credit')).body).toMatchObject({ code: 'TARGET_INACTIVE' });
      expect(await balances(net.retailer)).toEqual([10]);
      await toggle(net.superadmin, off, 'activate');
    }
    await toggle(net.superadmin, net.retailer, 'deactivate');
    expect((await adjust(net.superadmin, net.retailer, 10, 'debit')).status).toBe(200);
    expect(await balances(net.retailer)).toEqual([0]);
    await toggle(net.superadmin, net.retailer, 'activate');
    for (const role of ROLES.slice(1)) Object.assign(net[role], await t.signIn(net[role].username));
  });
});

describe('an account deactivated during a call', () => {
  it('no longer moves credit or creates accounts', async () => {
    const chain = await t.network({ credit: 10 });
    const answers = await t.db.transaction(async (tx) => {
      const lockedIds = [chain.user._id, chain.distributor._id];
      await tx.query('select from accounts where id = any($1::uuid[]) for update', [lockedIds]);
      const body = {
        username: 'too-late',
        password: PASSWORD,
        commission: 0,
        note: 'add notes',
        refId: chain.distributor._id,
      };
      const calls = [
        adjust(chain.superdistributor, chain.user, 1, 'debit'),
        t.call(accountRoutes.retailer.create, { body }, chain.superdistributor),
      ];
      await untilWaiting(t, 2);
      await toggle(chain.superadmin, chain.superdistributor, 'deactivate');
      return { calls };
    });
    for (const answer of await Promise.all(answers.calls))
      expect(answer).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    await toggle(chain.superadmin, chain.superdistributor, 'activate');
    expect(await t.credit(await t.signIn(chain.user.username))).toBe(10);
  });
});

describe('an Idempotency-Key', () => {
  const once = { status: 200, body: { receiverWallet: 10, senderWallet: 90 } };

  it('merges five identical concurrent requests into one with one answer', async () => {
    await adjust(net.superadmin, net.superadmin, 100, 'credit');
    const idempotencyKey = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => transfer(net.superadmin, net.admin, 17, { idempotencyKey })),
    );
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 200, body: { receiverWallet: 17, senderWallet: 83 } });
      expect(reply.body).toEqual(replies[0]!.body);
    }
    expect(await balances(net.superadmin, net.admin)).toEqual([83, 17]);
    const logged = await t.db.query('select from activity where subject = $1', [
      `Gave 17.00 points to ${net.admin.username}`,
    ]);
    expect(logged).toHaveLength(1);
  });

  it('repeats the first answer much later, whatever happened since', async () => {
    await adjust(net.superadmin, net.superadmin, 100, 'credit');
    const idempotencyKey = randomUUID();
    const first = await transfer(net.superadmin, net.admin, 10, { idempotencyKey });
    await transfer(net.superadmin, net.admin, 20);
    t.clock.advance(400 * 24 * 60 * 60_000);
    for (const each of [net, other])
      for (const role of ROLES) Object.assign(each[role], await t.signIn(each[role].username));
    expect((await transfer(net.superadmin, net.admin, 10, { idempotencyKey })).body).toEqual(first.body);
    expect(await balances(net.superadmin, net.admin)).toEqual([70, 30]);
  });

  it('marks a repeated answer, even if its account is gone', async () => {
    await adjust(net.superadmin, net.superadmin, 100, 'credit');
    const gone = { ...net.user, ...(await t.make(net.retailer)) };
    const idempotencyKey = randomUUID();
    const first = await transfer(net.superadmin, gone, 10, { idempotencyKey });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    await t.ok(accountRoutes.user.remove, { params: { id: gone._id } }, net.retailer);
    const again = await transfer(net.superadmin, gone, 10, { idempotencyKey });
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('is refused for any different request', async () => {
    await adjust(net.superadmin, net.superadmin, 100, 'credit');
    const idempotencyKey = randomUUID();
    expect(await transfer(net.superadmin, net.admin, 10, { idempotencyKey })).toMatchObject(once);
    const others = [
      await transfer(net.superadmin, net.admin, 10.01, { idempotencyKey }),
      await transfer(net.superadmin, net.retailer, 10, { idempotencyKey }),
      await transfer(net.superadmin, other.admin, 10, { idempotencyKey }),
      await adjust(net.superadmin, net.admin, 10, 'debit', { idempotencyKey }),
    ];
    for (const reply of others) expect(reply).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } });
    expect(await balances(net.superadmin, net.admin)).toEqual([90, 10]);
  });

  it('belongs to one account', async () => {
    await adjust(net.superadmin, net.superadmin, 100, 'credit');
    const idempotencyKey = randomUUID();
    await transfer(net.superadmin, net.admin, 10, { idempotencyKey });
    expect((await transfer(net.admin, net.retailer, 10, { idempotencyKey })).status).toBe(200);
    expect(await balances(net.admin, net.retailer)).toEqual([0, 10]);
  });

  it('stays free for a later success if the transfer is refused', async () => {
    const idempotencyKey = randomUUID();
    expect((await transfer(net.superadmin, net.admin, 10, { idempotencyKey })).body.code).toBe('INSUFFICIENT_CREDIT');
    await adjust(net.superadmin, net.superadmin, 100, 'credit');
    expect(await transfer(net.superadmin, net.admin, 10, { idempotencyKey })).toMatchObject(once);
  });

  it('still requires the password and stores none', async () => {
    await adjust(net.superadmin, net.superadmin, 100, 'credit');
    const idempotencyKey = randomUUID();
    await transfer(net.superadmin, net.admin, 10, { idempotencyKey });
    expect((await transfer(net.superadmin, net.admin, 10, { idempotencyKey }, 'not the password')).status).toBe(403);
    const kept = await t.db.query('select * from idempotency_keys where key = $1', [idempotencyKey]);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(PASSWORD);
  });
});

describe('concurrent transfers', () => {
  it('in opposite directions succeed within a network and across its border', async () => {
    await adjust(net.superadmin, net.superadmin, 1000, 'credit');
    for (const each of [net.admin, net.retailer, net.user, other.admin, other.user])
      await transfer(net.superadmin, each, 100);
    const { superadmin, admin, retailer, user } = net;
    const orders = Array.from({ length: 10 }, (_unused, n) => {
      const as = { ip: `10.0.2.${n}` };
      return [
        () => transfer(admin, retailer, 1, as),
        () => adjust(admin, retailer, 1, 'debit', as),
        () => transfer(retailer, user, 1, as),
        () => adjust(admin, user, 1, 'debit', as),
        () => transfer(superadmin, user, 1, as),
        () => adjust(superadmin, user, 1, 'debit', as),
        () => transfer(superadmin, other.user, 1, as),
        () => adjust(other.admin, other.user, 1, 'debit', as),
        () => adjust(superadmin, other.admin, 1, 'debit', as),
      ];
    }).flat();
    const replies = await Promise.all(orders.map((order) => order()));
    expect(replies.map((reply) => reply.body.code ?? reply.status)).toEqual(orders.map(() => 200));
    expect(await balances(superadmin, admin, retailer, user, other.admin, other.user)).toEqual([
      500, 110, 90, 100, 100, 100,
    ]);
  });

  it('never deadlock, whatever their wallet order', async () => {
    // Password hashing would serialize these calls.
    const owners = [net.admin, net.distributor, net.retailer, net.user];
    await adjust(net.superadmin, net.superadmin, 400, 'credit');
    for (const owner of owners) await transfer(net.superadmin, owner, 100);
    const before = await deadlocks();
    const ring = (from: number, step: number): Pass[] =>
      [0, 1, 2].map((n) => ({
        from: owners[(from + n * step) % 4]!._id,
        to: owners[(from + (n + 1) * step) % 4]!._id,
        amount: 100,
      }));
    await Promise.all(
      Array.from({ length: 200 }, (_unused, n) =>
        passCredit(t, net.networkId, t.app.services, ring(n % 4, n % 2 ? 1 : 3)),
      ),
    );
    expect(await deadlocks()).toBe(before);
    expect((await balances(...owners)).reduce((sum, balance) => sum + balance, 0)).toBe(400);
  });

  it('always keep the books balanced', async () => {
    await adjust(net.superadmin, net.superadmin, 50, 'credit');
    const roles = fc.constantFrom(...ROLES.slice(1));
    const step = fc.record({
      by: fc.constantFrom(...ROLES),
      to: roles,
      points: fc.integer({ min: 1, max: 30 }),
      back: fc.boolean(),
    });
    let ip = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        const replies = await Promise.all(
          steps.map(({ by, to, points, back }) =>
            adjust(net[by], net[to], points, back ? 'debit' : 'credit', { ip: `10.1.0.${++ip}` }),
          ),
        );
        for (const reply of replies) expect([200, 403, 404, 422]).toContain(reply.status);
        const all = await balances(...ROLES.map((role) => net[role]));
        expect(all.every((balance) => balance >= 0)).toBe(true);
        expect(all.reduce((sum, balance) => sum + balance, 0)).toBe(50);
      }),
      { numRuns: runsOf(15) },
    );
    await t.expectBooksToBalance();
  });
});
