import { confirmOwnLimit, setOwnLimit, setPlayerLimit, takeBreak } from '@drawhouse/contract/players/protection';
import { LOOSER_AFTER_MS } from '@drawhouse/rules/records/limits-in-force';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import { runsOf } from '../../test/test-tier.ts';
import { createPlayerCache, allowanceAt, useAllowance, type CachedPlayer } from './player-cache.ts';
import { lostIn, stakedIn } from './own-limits.ts';
import { readUsage, type Usage } from './usage.ts';

const GAMES = ['funtargetbingo', 'lucky10fruit'] as const;
const LIMITS = { stakePerDraw: 12, stakePerDay: 60, lossPerDay: 25 } as const;

let t: TestApp;
let other: TestApp;

beforeAll(async () => {
  t = await TestApp.start();
  other = await t.beside();
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await other.close();
  await t.close();
});

type LimitName = keyof typeof LIMITS;

type Step =
  | { game: 0 | 1; stake: number; isOther: boolean }
  | { limit: LimitName; value: number | null; isOther: boolean }
  | 'draw'
  | 'give';

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      game: fc.constantFrom(0, 1),
      stake: fc.integer({ min: 1, max: 8 }),
      isOther: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      limit: fc.constantFrom(...(Object.keys(LIMITS) as LimitName[])),
      value: fc.option(fc.integer({ min: 4, max: 40 })),
      isOther: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('draw', 'give') },
);

it('a bet is accepted exactly if fresh data allows it, on any server, whatever happens between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), async (steps) => {
      const net = await t.network({ credit: 5_000, games: [...GAMES] });
      await t.give(net.superadmin, net.superadmin, 100);
      for (const [limit, value] of Object.entries(LIMITS) as [LimitName, number][])
        await t.ok(setOwnLimit, { params: { limit }, body: { value } }, net.user);
      const managers: Partial<Record<LimitName, number | null>> = {};
      for (const one of steps) {
        if (one === 'draw') await t.finishDraw();
        else if (one === 'give') await t.give(net.superadmin, net.user, 1);
        else if ('limit' in one) {
          const params = { playerId: net.user._id, limit: one.limit };
          await (one.isOther ? other : t).ok(setPlayerLimit, { params, body: { value: one.value } }, net.retailer);
          managers[one.limit] = one.value;
        } else {
          const gameId = GAMES[one.game];
          const [draw] = await t.db.query<{ id: string }>(
            `select d.id from draws d join games g on g.id = d.game_id
             where d.network_id = $1 and g.game_key = $2 and d.status = 'open'`,
            [net.networkId, gameId],
          );
          const today = { at: t.clock.now(), timeZone: t.app.services.timeZone };
          const read = await readUsage(t.db, net.networkId, [net.user._id], today, draw!.id);
          const bet = await (one.isOther ? other : t).bet(net.user, { 1: one.stake }, { gameId });
          expect([one, bet.body]).toEqual([
            one,
            expect.objectContaining(
              mayLay(read.get(net.user._id)!, managers, one.stake) ? { success: true } : { code: 'OWN_LIMIT' },
            ),
          ]);
        }
      }
    }),
    { numRuns: runsOf(6), endOnFailure: true },
  );
});

function mayLay(usage: Usage, managers: Partial<Record<LimitName, number | null>>, points: number): boolean {
  const stake = BigInt(points) * 100n;
  const limitOf = (name: LimitName): bigint => BigInt(Math.min(LIMITS[name], managers[name] ?? Infinity)) * 100n;
  return (
    usage.onDraw + stake <= limitOf('stakePerDraw') &&
    stakedIn(usage, 'day') + stake <= limitOf('stakePerDay') &&
    lostIn(usage, 'day') + stake <= limitOf('lossPerDay')
  );
}

it("another server's changes apply to the next bet, timed ones from their time", async () => {
  const net = await t.network({ credit: 5_000, games: [...GAMES] });
  let { user } = net;
  const codeOf = async (points: number): Promise<string | undefined> => {
    const { status, body } = await t.bet(user, { 1: points });
    return status === 201 ? 'taken' : body.code;
  };
  const pass = async (ms: number): Promise<void> => {
    t.clock.advance(ms);
    await t.app.tick();
    user = await t.signIn(net.user.username);
  };
  const params = { limit: 'stakePerDraw' } as const;
  const own = (value: number) => other.ok(setOwnLimit, { params, body: { value } }, user);

  expect(await codeOf(1)).toBe('taken');
  await own(5);
  expect([await codeOf(5), await codeOf(4)]).toEqual(['OWN_LIMIT', 'taken']);
  await t.finishDraw();
  await own(50);
  expect([await codeOf(6), await codeOf(5)]).toEqual(['OWN_LIMIT', 'taken']);
  await pass(LOOSER_AFTER_MS);
  expect(await codeOf(6)).toBe('OWN_LIMIT');
  await other.ok(confirmOwnLimit, { params }, user);
  expect(await codeOf(6)).toBe('taken');
  const { data } = await other.ok(takeBreak, { body: { length: '1 day' } }, user);
  expect(await codeOf(1)).toBe('ON_BREAK');
  const leftMs = Date.parse(data.breakUntil!) - t.clock.now().getTime();
  await pass(leftMs - 1);
  expect(await codeOf(1)).toBe('ON_BREAK');
  await pass(1);
  expect(await codeOf(1)).toBe('taken');
});

const NO_LIMIT = { sums: [], minutesPerDay: null, breakUntil: null, excludedUntil: null };

it("a player's cache is keyed by change number and network", () => {
  const known = createPlayerCache();
  const player = { networkId: 1, id: 'player' };
  known.learn(player, 3, NO_LIMIT);
  expect(known.find(player, 3)).toMatchObject({ standing: NO_LIMIT });
  expect(known.find(player, 4)).toBeUndefined();
  expect(known.find({ ...player, networkId: 2 }, 3)).toBeUndefined();
});

it('the cached remainder is valid until the next stake, within one day; another draw counts all open stakes', () => {
  const moment = { day: '2026-01-31', drawId: 'a' };
  const known: CachedPlayer = { networkId: 1, changes: 3, standing: NO_LIMIT };
  useAllowance(known, { ...moment, staked: 7n, left: 30n, elsewhere: 10n }, 5n, 8n);
  const { room } = known;
  expect(allowanceAt(room, moment, 8n)).toEqual({ ...moment, staked: 8n, left: 25n, elsewhere: 5n });
  expect(allowanceAt(room, { ...moment, drawId: 'b' }, 8n)).toMatchObject({ drawId: 'b', left: 5n, elsewhere: 5n });
  expect(allowanceAt(room, moment, 7n)).toBeUndefined();
  expect(allowanceAt(room, { ...moment, day: '2026-02-01' }, 8n)).toBeUndefined();
  expect(allowanceAt(undefined, moment, 8n)).toBeUndefined();
});
