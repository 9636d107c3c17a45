import { setOwnLimit } from '@drawhouse/contract/players/protection';
import type { ProtectionLimit } from '@drawhouse/contract/players/protection-names';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import { createKnownUsage } from './known-usage.ts';
import { lostIn, stakedIn } from './own-limits.ts';
import { readUsage } from './usage.ts';
import type { Usage } from './usage.ts';

const GAMES = ['funtargetbingo', 'lucky10fruit'] as const;
const LIMITS = { stakePerDraw: 12, stakePerDay: 60, lossPerDay: 25 } as const;

let t: TestApp;
/** Another server on the same database, which knows nothing of what the first one has seen. */
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

/** What happens: a bet of so many points on one of the games by one of the servers, or something between bets. */
type Step = { game: 0 | 1; stake: number; isOther: boolean } | 'draw' | 'give';

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      game: fc.constantFrom(0, 1),
      stake: fc.integer({ min: 1, max: 8 }),
      isOther: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('draw', 'give') },
);

it('a bet is taken if and only if what was read anew allows it, whichever server takes it and whatever happens between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), async (steps) => {
      const net = await t.network({ credit: 5_000, games: [...GAMES] });
      await t.give(net.superadmin, net.superadmin, 100);
      for (const [limit, value] of Object.entries(LIMITS) as [ProtectionLimit, number][])
        await t.ok(setOwnLimit, { params: { limit }, body: { value } }, net.user);
      for (const one of steps) {
        if (one === 'draw') await t.finishDraw();
        else if (one === 'give') await t.give(net.superadmin, net.user, 1);
        else {
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
              mayLay(read.get(net.user._id)!, one.stake) ? { success: true } : { code: 'OWN_LIMIT' },
            ),
          ]);
        }
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

function mayLay(usage: Usage, points: number): boolean {
  const hundredths = (value: number) => BigInt(value) * 100n;
  const stake = hundredths(points);
  return (
    usage.onDraw + stake <= hundredths(LIMITS.stakePerDraw) &&
    stakedIn(usage, 'day') + stake <= hundredths(LIMITS.stakePerDay) &&
    lostIn(usage, 'day') + stake <= hundredths(LIMITS.lossPerDay)
  );
}

it('what is known holds for one version of the wallet and one day, and of another draw all that is open', () => {
  const known = createKnownUsage();
  const player = { networkId: 1, id: 'player' };
  const moment = { day: '2026-01-31', drawId: 'a', version: 7n };
  const none = { day: 0n, week: 0n, month: 0n };
  known.keep(player, moment, { staked: none, won: none, open: 30n, onDraw: 10n }, 5n);
  expect(known.atMost(player, moment)).toMatchObject({ open: 35n, onDraw: 15n });
  expect(known.atMost(player, { ...moment, drawId: 'b' })).toMatchObject({ open: 35n, onDraw: 35n });
  expect(known.atMost(player, { ...moment, version: 8n })).toBeUndefined();
  expect(known.atMost(player, { ...moment, day: '2026-02-01' })).toBeUndefined();
  expect(known.atMost({ ...player, networkId: 2 }, moment)).toBeUndefined();
});
