import { childRoutes } from '@drawhouse/contract/accounts/account-children';
import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import type { RouteInput } from '@drawhouse/contract/core/route';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

type Target = Pick<SignedIn, '_id' | 'role'>;
type Change = RouteInput<(typeof accountRoutes)['admin']['update']>['body'];

let t: TestApp;
let net: Network;
let nextNumber = 0;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 0, commissions: { superdistributor: 6, distributor: 5, retailer: 4, user: 3 } });
});

const update = (by: SignedIn, target: Target, body: Change) =>
  t.call(accountRoutes[target.role].update, { params: { id: target._id }, body }, by);
const commissionOf = async ({ _id, role }: Target): Promise<number> =>
  (await t.ok(accountRoutes[role].get, { params: { id: _id } }, net.superadmin)).data.commission;
const newPlayer = (commission: number) => ({
  username: `p-${++nextNumber}`,
  password: PASSWORD,
  commission,
  note: 'A',
});
const refused = (fields: Record<string, unknown>) => ({ status: 422, body: { code: 'COMMISSION_LIMIT', fields } });

describe("a commission above the parent's", () => {
  it('is refused at every way to create an account', async () => {
    const text = `At most 4 %, the commission of ${net.retailer.username}, unless an admin sets it`;
    const { _id } = net.retailer;
    for (const body of [newPlayer(90), { ...newPlayer(90), commission: undefined, commissionAmount: 90 }]) {
      expect(await t.call(accountRoutes.user.create, { body }, net.retailer)).toMatchObject(
        refused({ commission: text }),
      );
      expect(await t.call(childRoutes.retailer.create, { params: { id: _id }, body }, net.retailer)).toMatchObject(
        refused({ commission: text }),
      );
    }
    const below = { ...newPlayer(4.01), refId: _id };
    for (const by of [net.distributor, net.superdistributor])
      expect(await t.call(accountRoutes.user.create, { body: below }, by)).toMatchObject(refused({ commission: text }));
    expect((await t.call(accountRoutes.user.create, { body: newPlayer(4) }, net.retailer)).status).toBe(201);
  });

  it('is refused at every way to edit one', async () => {
    const params = { id: net.retailer._id, childId: net.user._id };
    const child = { params, body: { commission: 4.01 } };
    expect(await t.call(childRoutes.retailer.update, child, net.retailer)).toMatchObject(
      refused({ commission: expect.stringContaining('At most 4 %') }),
    );
    expect(await update(net.distributor, net.user, { commission: 4.01 })).toMatchObject(
      refused({ commission: expect.stringContaining('At most 4 %') }),
    );
    expect(await commissionOf(net.user)).toBe(3);
  });

  it('is accepted from an admin or superadmin, and kept by a repeating edit', async () => {
    expect((await update(net.admin, net.user, { commission: 4.5 })).status).toBe(200);
    expect((await update(net.superadmin, net.user, { commission: 5 })).status).toBe(200);
    expect((await update(net.retailer, net.user, { commission: 5, note: 'the same' })).status).toBe(200);
    expect((await update(net.distributor, net.retailer, { commission: 1 })).status).toBe(200);
    expect((await update(net.retailer, net.user, { commission: 1 })).status).toBe(200);
    expect((await update(net.retailer, net.user, { commission: 5 })).status).toBe(422);
  });
});

describe('a commission exemption', () => {
  const granted = async (): Promise<string[]> => {
    const rows = await t.db.query<{ role: string }>(
      'select role from accounts where network_id = $1 and commission_granted order by cardinality(chain)',
      [net.networkId],
    );
    return rows.map(({ role }) => role);
  };

  it("exists only if an admin's rate exceeds the parent’s", async () => {
    await t.ok(accountRoutes.user.create, { body: { ...newPlayer(3), refId: net.retailer._id } }, net.admin);
    expect((await update(net.admin, net.user, { commission: 4 })).status).toBe(200);
    expect(await granted()).toEqual([]);
    expect((await update(net.admin, net.user, { commission: 4.5 })).status).toBe(200);
    expect(await granted()).toEqual(['user']);
    expect((await update(net.admin, net.user, { commission: 4 })).status).toBe(200);
    expect(await update(net.distributor, net.retailer, { commission: 3.5 })).toMatchObject(
      refused({ commission: expect.stringContaining(net.user.username) }),
    );
  });

  it.each([
    ['its rate is lowered', () => update(net.admin, net.user, { commission: 2 })],
    ['its parent has as much', () => update(net.admin, net.retailer, { commission: 4.25 })],
  ])('ends once %s', async (_, end) => {
    expect((await update(net.admin, net.user, { commission: 4.25 })).status).toBe(200);
    expect((await end()).status).toBe(200);
    expect(await granted()).toEqual([]);
    await t.expectBooksToBalance();
  });

  it('ends when moved below a parent with as much', async () => {
    const { _id: refId } = await t.make(net.distributor, { commission: 4.25 });
    expect((await update(net.admin, net.user, { commission: 4.25 })).status).toBe(200);
    expect((await update(net.admin, net.user, { refId })).status).toBe(200);
    expect(await granted()).toEqual([]);
  });
});

describe("lowering a parent's commission", () => {
  it("below its children's is refused and names them", async () => {
    await update(net.retailer, net.user, { commission: 1 });
    const names: string[] = [];
    for (let n = 0; n < 5; n++) names.push((await t.make(net.retailer, { commission: 2 })).username);
    for (const by of [net.distributor, net.admin])
      expect(await update(by, net.retailer, { commission: 1.5 })).toMatchObject(
        refused({
          commission: `Accounts below have more than 1.5 %: ${names.slice(0, 3).join(', ')} and 2 more. Lower theirs first`,
        }),
      );
    expect(await commissionOf(net.retailer)).toBe(4);
    expect((await update(net.distributor, net.retailer, { commission: 2 })).status).toBe(200);
  });

  it('ignores deleted children and admin-set commissions', async () => {
    const gone = await t.make(net.retailer, { commission: 2 });
    await t.ok(accountRoutes.user.remove, { params: { id: gone._id } }, net.retailer);
    expect((await update(net.admin, net.user, { commission: 4.5 })).status).toBe(200);
    expect((await update(net.distributor, net.retailer, { commission: 1 })).status).toBe(200);
    expect(await commissionOf(net.user)).toBe(4.5);
  });
});

describe('the highest commission chain through an account', () => {
  const read = async ({ _id, role }: Target, by: SignedIn) =>
    (await t.ok(accountRoutes[role].get, { params: { id: _id } }, by)).data.highestChain?.commission;

  it('sums the rates of existing accounts', async () => {
    const other = await t.make(net.distributor, { commission: 1 });
    expect((await update(net.admin, net.user, { commission: 5 })).status).toBe(200);
    expect(await Promise.all([net.admin, net.retailer, net.user, other].map((of) => read(of, net.admin)))).toEqual([
      20, 20, 20, 12,
    ]);
    await t.ok(accountRoutes.user.remove, { params: { id: net.user._id } }, net.admin);
    expect(await read(net.admin, net.superadmin)).toBe(15);
  });

  it('is hidden below the admin', async () => {
    expect(await read(net.retailer, net.distributor)).toBeUndefined();
    expect(await read(net.user, net.user)).toBeUndefined();
  });
});

describe('the commission ceiling', () => {
  it('limits the sum of levels 3 to 6, to the hundredth', async () => {
    expect(await update(net.admin, net.user, { commission: 5.01 })).toMatchObject(
      refused({ commission: expect.stringContaining("0.01 % above the network's ceiling of 20 %") }),
    );
    expect((await update(net.admin, net.user, { commission: 5 })).status).toBe(200);
    expect((await update(net.superadmin, net.admin, { commission: 100 })).status).toBe(200);
  });

  it('names the accounts whose chain exceeds it', async () => {
    await update(net.admin, net.user, { commission: 5 });
    const other = await t.make(net.admin, { role: 'user', refId: net.retailer._id, commission: 5 });
    const names = [net.user.username, other.username].sort().join(', ');
    expect(await update(net.admin, net.distributor, { commission: 6 })).toMatchObject(
      refused({ commission: expect.stringContaining(`Chains above it: ${names}. `) }),
    );
  });

  it('hides figures from viewers of only part of the chain', async () => {
    expect((await update(net.admin, net.retailer, { commission: 6 })).status).toBe(200);
    for (const by of [net.retailer, net.distributor]) {
      const { status, body } = await update(by, net.user, { commission: 4 });
      expect([status, body.code]).toEqual([422, 'COMMISSION_LIMIT']);
      expect(JSON.stringify([body.message, body.fields])).not.toMatch(/\d %/);
    }
  });

  it('is set by the superadmin, on admins only', async () => {
    const ceilingOf = async (by: SignedIn): Promise<number | undefined> =>
      (await t.ok(accountRoutes.admin.get, { params: { id: net.admin._id } }, by)).data.commissionCeiling;
    expect(await ceilingOf(net.admin)).toBe(20);
    expect((await update(net.superadmin, net.admin, { commissionCeiling: 30.5 })).status).toBe(200);
    expect(await ceilingOf(net.superadmin)).toBe(30.5);
    expect((await update(net.admin, net.user, { commission: 15.5 })).status).toBe(200);
    expect((await update(net.admin, net.admin, { commissionCeiling: 50 })).status).toBe(403);
    for (const target of [net.superdistributor, net.distributor, net.retailer, net.user])
      for (const by of [net.admin, net.superadmin])
        expect(await update(by, target, { commissionCeiling: 50 })).toMatchObject({
          status: 400,
          body: { fields: { commissionCeiling: 'Only admins have a commission ceiling' } },
        });
    for (const commissionCeiling of [-1, 100.01, 1.005, '20'])
      expect(await update(net.superadmin, net.admin, { commissionCeiling } as Change)).toMatchObject({
        status: 400,
        body: { fields: { commissionCeiling: expect.any(String) } },
      });
    expect(await ceilingOf(net.admin)).toBe(30.5);
  });

  it('can be set on a new admin and applies from its first account', async () => {
    const admin = await t.create(net.superadmin, { role: 'admin', commissionCeiling: 2 });
    expect(admin.account.commissionCeiling).toBe(2);
    const body = newPlayer(2.01);
    expect(await t.call(accountRoutes.superdistributor.create, { body }, admin)).toMatchObject(
      refused({ commission: expect.stringContaining('ceiling of 2 %') }),
    );
  });

  it('cannot fall below a chain, which it names', async () => {
    expect(await update(net.superadmin, net.admin, { commissionCeiling: 14.99 })).toMatchObject(
      refused({
        commissionCeiling: expect.stringContaining(`Chains above it: ${net.retailer.username}. Lower theirs first`),
      }),
    );
    expect(await update(net.superadmin, net.admin, { commissionCeiling: 17.99 })).toMatchObject(
      refused({
        commissionCeiling: expect.stringContaining(`Chains above it: ${net.user.username}. Lower theirs first`),
      }),
    );
    expect((await update(net.superadmin, net.admin, { commissionCeiling: 18 })).status).toBe(200);
  });

  it('holds when edits of one chain race', async () => {
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all([
        update(net.admin, net.distributor, { commission: 7 }),
        update(net.admin, net.retailer, { commission: 6 }),
        update(net.superadmin, net.admin, { commissionCeiling: 18 }),
      ]);
      expect(replies.map(({ status }) => status)).toContain(422);
      await update(net.superadmin, net.admin, { commissionCeiling: 20 });
      await update(net.admin, net.distributor, { commission: 5 });
      await update(net.admin, net.retailer, { commission: 4 });
    }
  });
});

describe('moving an account', () => {
  const asTarget = ({ _id, role }: Account): Target => ({ _id, role });

  it('below a parent with less commission is refused and names both', async () => {
    const poor = await t.make(net.distributor, { commission: 1 });
    const player = await t.make(net.retailer, { commission: 2 });
    const text = `${player.username} earns 2 %, more than the 1 % of ${poor.username}. Lower it first`;
    for (const by of [net.distributor, net.admin])
      expect(await update(by, asTarget(player), { refId: poor._id })).toMatchObject(refused({ refId: text }));
    expect((await update(net.distributor, asTarget(player), { refId: poor._id, commission: 1 })).status).toBe(200);
  });

  it('into a full chain is refused and names the accounts below', async () => {
    const dear = await t.make(net.admin, { commission: 9 });
    expect(await update(net.admin, net.distributor, { refId: dear._id })).toMatchObject(
      refused({ refId: expect.stringContaining(`Chains above it: ${net.user.username}. `) }),
    );
    expect((await update(net.superadmin, net.admin, { commissionCeiling: 21 })).status).toBe(200);
    expect((await update(net.admin, net.distributor, { refId: dear._id })).status).toBe(200);
  });
});
