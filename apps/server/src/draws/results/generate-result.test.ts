import { createHash } from 'node:crypto';
import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { paysOf } from '@drawhouse/rules/games/pays';
import { rulesFor } from '@drawhouse/rules/games/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPreparedResults, type Drawable, type PreparedResults } from './generate-result.ts';
import { createSeedVault, type SeedVault } from '../seed/seeds.ts';

const vault = createSeedVault('0123456789abcdef'.repeat(4));
const CLOSE = new Date('2026-03-10T10:00:55Z');
const CLOCK = { now: () => CLOSE };
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function closed(id: string, game: (typeof BUILT_IN_GAMES)[number], seed: Buffer): Drawable {
  const { gameId, family, digits } = game;
  const rules = rulesFor(game);
  const weights = Array.from({ length: rules.maxBooster }, (_, index) => (index === 0 ? 1_000_000_000 : 0));
  return {
    network_id: 1,
    id,
    game_key: gameId,
    family,
    digits,
    closes_at: CLOSE,
    root_sealed_at: null,
    beacon_signatures: null,
    commitment: sha256(seed),
    sealed_seed: vault.seal(seed, { id, closes_at: CLOSE }),
    terms_id: 'terms',
    own: {
      rules_version: 1,
      unit_price: 100n,
      pays: paysOf(rules),
      weights,
      result_mode: 'open',
      manual_claims: false,
    },
  };
}

function counting(): SeedVault & { readonly unsealed: () => number } {
  let count = 0;
  return {
    ...vault,
    unseal(sealed, of) {
      count++;
      return vault.unseal(sealed, of);
    },
    unsealed: () => count,
  };
}

const draws = fc.uniqueArray(fc.uuid({ version: 7 }), { minLength: 1, maxLength: 100 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc
        .record({
          game: fc.constantFrom(...BUILT_IN_GAMES),
          seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
        })
        .map(({ game, seed }) => closed(id, game, Buffer.from(seed))),
    ),
  ),
);

describe('results prepared after the close', () => {
  it('equal those computed at the draw time, and are used once', async () => {
    await fc.assert(
      fc.asyncProperty(draws, async (some) => {
        const counted = counting();
        const [results, plain] = [createPreparedResults(counted, CLOCK), createPreparedResults(vault, CLOCK)];
        results.prepare(some);
        await expect.poll(() => counted.unsealed()).toBe(some.length);
        const both = (of: PreparedResults) => some.map((draw) => of.resultOf({ ...draw }));
        expect(both(results)).toEqual(both(plain));
        expect(counted.unsealed(), 'each from what was prepared').toBe(some.length);
        both(results);
        expect(counted.unsealed(), 'nothing is kept for longer').toBe(2 * some.length);
      }),
      { numRuns: 20 },
    );
  });

  const [game, other] = BUILT_IN_GAMES;
  const draw = closed('0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d', game!, Buffer.alloc(32, 7));
  const seed = Buffer.alloc(32, 8);
  const changes: Record<string, Partial<Drawable>> = {
    'another seed': { commitment: sha256(seed), sealed_seed: vault.seal(seed, draw) },
    'a commitment that its seed does not have': { commitment: sha256(seed) },
    'another close, for which the seed is not valid': { closes_at: new Date(CLOSE.getTime() - 1) },
    'no seed': { sealed_seed: null },
    'other terms': { terms_id: 'others' },
    'another game': { game_key: other!.gameId },
  };
  it.each(Object.entries(changes))('are discarded for a draw that has %s meanwhile', async (_what, change) => {
    const counted = counting();
    const results = createPreparedResults(counted, CLOCK);
    results.prepare([draw]);
    await expect.poll(() => counted.unsealed()).toBe(1);
    const changed = { ...draw, ...change };
    expect(results.resultOf(changed)).toEqual(createPreparedResults(vault, CLOCK).resultOf(changed));
    expect(counted.unsealed()).toBe(changed.sealed_seed ? 2 : 1);
  });

  it('are not prepared before the close, when the seed stays sealed', () => {
    const counted = counting();
    const results = createPreparedResults(counted, { now: () => new Date(CLOSE.getTime() - 1) });
    expect(results.resultOf(draw)).toBeUndefined();
    expect(counted.unsealed()).toBe(0);
  });
});
