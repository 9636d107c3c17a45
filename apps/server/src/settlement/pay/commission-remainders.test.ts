import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { COMMISSION_PARTS } from '@drawhouse/rules/games/wins';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { finishAfter, holdPieces, releasePieces } from '../../../test/statements/held-pieces.ts';
import { runsOf } from '../../../test/test-tier.ts';

const GAMES = ['funtargetbingo', 'funtargetfullbhav'] as const;
const COLUMNS = {
  superdistributor: 'super_commission',
  distributor: 'dist_commission',
  retailer: 'retail_commission',
  user: 'user_commission',
} as const;
type Earner = keyof typeof COLUMNS;

let t: TestApp;
const inPieces = new Map<number, TestApp>();

beforeAll(async () => {
  t = await TestApp.start({ poolSize: 8 });
  for (const players of [1, 2, 4])
    inPieces.set(players, await t.beside({ pieceSizes: { wholeUpTo: 0, players, tickets: 1_000 } }));
  await holdPieces(t);
});
afterEach(() => releasePieces(t));
afterAll(async () => {
  await t.expectBooksToBalance();
  for (const server of inPieces.values()) await server.close();
  await t.close();
});

class EarningNetwork {
  readonly net: Network;
  readonly players: readonly SignedIn[];
  readonly earners: readonly SignedIn[];
  readonly #chains = new Map<string, readonly string[]>();
  readonly #rates = new Map<string, number>();
  readonly exact = new Map<string, bigint>();

  constructor(net: Network, retailers: readonly SignedIn[], players: readonly SignedIn[]) {
    this.net = net;
    this.players = players;
    this.earners = [net.superdistributor, net.distributor, ...retailers, ...players];
    const above = [net.superdistributor._id, net.distributor._id];
    for (const [nth, { _id: id }] of players.entries())
      this.#chains.set(id, [...above, retailers[nth % retailers.length]!._id, id]);
  }

  static async make(): Promise<EarningNetwork> {
    const net = await t.network({ credit: 0, games: [...GAMES] });
    const retailers = [net.retailer, await t.create(net.distributor)];
    const players = [net.user];
    while (players.length < 6) players.push(await t.create(retailers[players.length % 2]!));
    await t.give(net.superadmin, net.superadmin, 1_000_000);
    for (const player of players) await t.give(net.superadmin, player, 100_000);
    const made = new EarningNetwork(net, retailers, players);
    await t.finishDraw();
    return made;
  }

  /** Sessions expire as the clock advances. */
  async signIn(): Promise<void> {
    for (const account of [this.net.superadmin, ...this.players])
      Object.assign(account, await t.signIn(account.username));
  }

  /** Hundredths of a percent, effective from the next draw. A rate above a limit stays unchanged. */
  async setRate(of: SignedIn, rate: number): Promise<void> {
    const { superadmin } = this.net;
    const change = { params: { id: of._id }, body: { commission: rate / 100 } };
    const { status, body } = await t.call(accountRoutes[of.role].update, change, superadmin);
    if (status === 200) this.#rates.set(of._id, rate);
    else if (body['code'] !== 'COMMISSION_LIMIT') throw new Error(JSON.stringify(body));
  }

  earn(player: SignedIn, points: number): void {
    for (const id of this.#chains.get(player._id)!) {
      const exact = BigInt(points) * 100n * BigInt(this.#rates.get(id) ?? 0);
      this.exact.set(id, (this.exact.get(id) ?? 0n) + exact);
    }
  }

  async found(): Promise<object[]> {
    const found = [];
    for (const { _id: id, role } of this.earners) {
      const column = COLUMNS[role as Earner];
      const [row] = await t.db.query<{ balance: bigint; remainder: number; settled: bigint; reported: bigint }>(
        `select w.balance, w.remainder,
                (select coalesce(sum(p.${column}), 0)::bigint from player_settlements p join accounts a on a.id = p.account_id
                 where a.chain @> array[$2]::uuid[]) as settled,
                (select coalesce(sum(r.${column}), 0)::bigint from rollups r where r.account_id = $2 and r.grain = 'day') as reported
         from wallets w where w.network_id = $1 and w.owner_id = $2 and w.kind = $3`,
        [this.net.networkId, id, WALLET_KINDS.commission],
      );
      found.push({ role, ...row });
    }
    return found;
  }

  floors(): object[] {
    return this.earners.map(({ _id: id, role }) => {
      const exact = this.exact.get(id) ?? 0n;
      const paid = exact / COMMISSION_PARTS;
      return { role, balance: paid, remainder: Number(exact % COMMISSION_PARTS), settled: paid, reported: paid };
    });
  }
}

it('pays the floor of all earnings, at any rates and piece sizes, wherever a piece is killed', async () => {
  const index = (count: number) => fc.integer({ min: 0, max: count - 1 });
  const draw = fc.record({
    bets: fc.array(fc.record({ player: index(6), points: fc.integer({ min: 1, max: 60 }) }), {
      minLength: 1,
      maxLength: 8,
    }),
    rates: fc.array(fc.record({ earner: index(10), rate: fc.integer({ min: 0, max: 500 }) }), { maxLength: 3 }),
    /** Players per piece; null settles the draw whole. */
    piece: fc.constantFrom(1, 2, 4, null),
    killed: fc.array(index(3), { maxLength: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(draw, { minLength: 1, maxLength: 4 }), async (draws) => {
      const network = await EarningNetwork.make();
      for (const { bets, rates, piece, killed } of draws) {
        await network.signIn();
        const server = piece === null ? t : inPieces.get(piece)!;
        for (const { player, points } of bets) {
          await t.bet(network.players[player]!, { 3: points });
          network.earn(network.players[player]!, points);
        }
        for (const { earner, rate } of rates) await network.setRate(network.earners[earner]!, rate);
        const pieces = piece === null ? 0 : Math.ceil(new Set(bets.map(({ player }) => player)).size / piece);
        for (const after of killed.filter((each) => each < pieces).toSorted((a, b) => a - b)) {
          await t.db.query('delete from held_after');
          await finishAfter(server, after);
        }
        await releasePieces(t);
        await server.finishDraw();
        expect(await network.found()).toEqual(network.floors());
      }
    }),
    { numRuns: runsOf(3) },
  );
});

describe('small stakes', () => {
  it('earn as much as one stake of their sum, without empty transfers', async () => {
    const network = await EarningNetwork.make();
    const { net } = network;
    await network.setRate(net.distributor, 90);
    await t.finishDraw();
    // 36 bets of 1 point at 0.9 %.
    for (const bets of [1, 6, 6, 6, 6, 6, 5]) {
      for (const player of network.players.slice(0, bets)) {
        await t.bet(player, { 3: 1 });
        network.earn(player, 1);
      }
      await t.finishDraw();
    }
    expect(await network.found()).toEqual(network.floors());
    const amounts = await t.db.query<{ amount: bigint }>(
      `select amount from transfers t join wallets w on w.network_id = t.network_id and w.id = t.to_wallet
       where t.network_id = $1 and t.kind = $2 and w.owner_id = $3 order by t.to_version`,
      [net.networkId, TRANSFER_KINDS.commission, net.distributor._id],
    );
    expect(amounts.map(({ amount }) => Number(amount))).toEqual([6, 5, 6, 5, 5, 5]);
    const kept = await t.db.query(
      'select nth, before, after from settled_remainders where account_id = $1 order by nth limit 2',
      [net.distributor._id],
    );
    expect(kept).toEqual([
      { nth: 1, before: 0, after: 9_000 },
      { nth: 2, before: 9_000, after: 3_000 },
    ]);
  });

  it('credit a hundredth to the stake that completes it, in account order', async () => {
    const network = await EarningNetwork.make();
    await network.setRate(network.net.superdistributor, 40);
    await t.finishDraw();
    for (const player of network.players) {
      await t.bet(player, { 3: 1 });
      network.earn(player, 1);
    }
    await t.finishDraw();
    const rows = await t.db.query<{ earned: bigint }>(
      'select super_commission as earned from player_settlements where network_id = $1 order by account_id',
      [network.net.networkId],
    );
    expect(rows.map(({ earned }) => Number(earned))).toEqual([0, 0, 1, 0, 1, 0]);
    expect(await network.found()).toEqual(network.floors());
  });
});

it('counts each stake once when several servers settle two games', async () => {
  const network = await EarningNetwork.make();
  for (const [nth, earner] of network.earners.entries()) await network.setRate(earner, 33 + nth);
  await t.finishDraw();
  const servers = [t, ...inPieces.values()];
  for (let round = 0; round < 3; round++) {
    for (const [nth, player] of network.players.entries())
      for (const game of GAMES) {
        await t.bet(player, { 3: nth + 1 }, { gameId: game });
        network.earn(player, nth + 1);
      }
    t.clock.advance(60_000);
    await Promise.all(servers.map((server) => server.app.tick()));
    await t.app.tick();
    expect(await network.found()).toEqual(network.floors());
  }
});
