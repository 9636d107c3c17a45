import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT_NETWORK, WALLET_KINDS, type WalletKind, MAY_BE_NEGATIVE } from '@drawhouse/rules/records/ledger-kinds';
import { requireWallet, historyIn, versionSince } from './movements.ts';
import { openNetwork, openWallets, type WalletName } from './wallets.ts';
import { TestApp, type Network } from '../../test/harness.ts';
import { passCredit } from '../../test/clients/pass-credit.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ poolSize: 8 });
  net = await t.network({ credit: 100 });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

async function historyOf(networkId: number, name: WalletName): Promise<{ version: bigint; balance: bigint }[]> {
  const { walletId } = await requireWallet(t.db, networkId, name);
  return t.db.query(
    `select from_version as version, from_balance as balance from transfers where network_id = $1 and from_wallet = $2
     union all select to_version, to_balance from transfers where network_id = $1 and to_wallet = $2 order by version`,
    [networkId, walletId],
  );
}

const upTo = (count: number): bigint[] => Array.from({ length: count }, (_, index) => BigInt(index + 1));

it("concurrent opposite transfers number a wallet's versions without gaps, each balance following the last", async () => {
  const players = await Promise.all([1, 2, 3].map(() => t.make(net.retailer)));
  const ids = players.map((player) => player._id);
  const before = (await historyOf(net.networkId, `credit:${net.user._id}`)).length;
  await passCredit(
    t,
    net.networkId,
    t.app.services,
    ids.map((to) => ({ from: net.user._id, to, amount: 1000 })),
  );
  const turns = Array.from({ length: 60 }, (_, n) => {
    const [one, two] = [ids[n % 3]!, ids[(n + 1 + (n % 2)) % 3]!];
    const there = { from: one, to: two, amount: 1 + (n % 7) };
    return passCredit(t, net.networkId, t.app.services, [there, { from: two, to: one, amount: 1 }, there]);
  });
  await Promise.all(turns);

  let sides = 0;
  for (const id of ids) {
    const history = await historyOf(net.networkId, `credit:${id}`);
    expect(history.map((row) => row.version)).toEqual(upTo(history.length));
    const [wallet] = await t.db.query<{ version: bigint; balance: bigint }>(
      `select version, balance from wallets where owner_id = $1 and kind = ${WALLET_KINDS.credit}`,
      [id],
    );
    expect(history.at(-1)).toEqual(wallet);
    sides += history.length;
  }
  expect(sides).toBe(3 + 60 * 3 * 2);
  expect(await historyOf(net.networkId, `credit:${net.user._id}`)).toHaveLength(before + 3);
});

it('both halves of a border transfer have one version', async () => {
  await t.give(net.superadmin, net.superadmin, 50);
  await Promise.all(
    [net.admin, net.retailer, net.user, net.admin].map((account, n) => t.give(net.superadmin, account, n + 1)),
  );
  const border = `boundary:${net.admin._id}` as const;
  const [outside, inside] = [await historyOf(ROOT_NETWORK, border), await historyOf(net.networkId, border)];
  expect(outside.map((row) => row.version)).toEqual(upTo(outside.length));
  expect(inside).toEqual(outside.map(({ version, balance }) => ({ version, balance: -balance })));
});

it('concurrently opened wallets are numbered without gaps, and existing ones stay', async () => {
  const ids = Array.from({ length: 12 }, () => t.app.services.newId());
  const networkId = await t.db.transaction((tx) => openNetwork(tx, ids[0]!));
  await Promise.all(
    ids.map((id) =>
      t.db.transaction((tx) => openWallets(tx, networkId, [`credit:${id}`, `table:${ids[1]!}`, `commission:${id}`])),
    ),
  );
  const rows = await t.db.query<{ id: number }>('select id from wallets where network_id = $1 order by id', [
    networkId,
  ]);
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  await t.db.query('delete from wallets where network_id = $1', [networkId]);
  await t.db.query('delete from networks where id = $1', [networkId]);
  await t.byHand("delete from pending_changes where of_table = 'networks'");
});

it('an instant keeps its place in a growing history, even after a wrong clock', async () => {
  const { _id: id } = await t.make(net.retailer);
  const startMs = t.clock.now().getTime();
  const make = async (...minutes: number[]): Promise<void> => {
    for (const minute of minutes) {
      const clock = { now: () => new Date(startMs + minute * 60_000) };
      const services = { clock, newId: t.app.services.newId };
      await passCredit(t, net.networkId, services, [{ from: net.user._id, to: id, amount: 1 }]);
    }
  };
  const wallet = await requireWallet(t.db, net.networkId, `credit:${id}`);
  const place = (minute: number): Promise<bigint> => versionSince(t.db, wallet, new Date(startMs + minute * 60_000));
  expect(await place(0)).toBe(1n);
  await make(1, 2, 3, 30, 31, 4, 5, 6);
  expect(await Promise.all([0, 1, 2, 3, 32].map(place))).toEqual([1n, 1n, 2n, 3n, 9n]);
  // The clock error yields two crossings; results must stay at one.
  const first = await Promise.all([4, 5, 6, 20].map(place));
  await make(33, 34, 35, 36, 37, 38, 39, 40, 41, 42);
  expect(await Promise.all([4, 5, 6, 20].map(place))).toEqual(first);
  expect(await place(43)).toBe(19n);
  const { from, past } = await historyIn(t.db, wallet, {
    from: new Date(startMs),
    until: new Date(startMs + 43 * 60_000),
  });
  expect([from, past]).toEqual([1n, 19n]);
});

it('the database allows negative balances for the same wallet kinds as the ledger', async () => {
  const below = (kind: WalletKind): Promise<unknown> =>
    t.db.transaction(async (tx) => {
      await tx.query(
        `insert into wallets (network_id, id, owner_id, kind, balance) values (${ROOT_NETWORK}, 4711, gen_random_uuid(), $1, -1)`,
        [WALLET_KINDS[kind]],
      );
      await tx.query('delete from wallets where id = 4711');
    });
  for (const kind of Object.keys(WALLET_KINDS) as WalletKind[])
    if (MAY_BE_NEGATIVE.has(kind)) await below(kind);
    else await expect(below(kind)).rejects.toThrow('wallets_check');
});
