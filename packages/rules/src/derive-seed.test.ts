import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveSeed, rulesHash, rulesText } from './derive-seed.ts';
import type { DrawnGame, SeedParts } from './derive-seed.ts';
import type { DrawTerms } from './terms.ts';

const hashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const game: DrawnGame = { gameId: 'funtargetbingo', family: 'numbers', digits: 10 };
const terms: DrawTerms = {
  rules_version: 2,
  unit_price: 100n,
  pays: { number: 900 },
  weights: [750_000_000, 250_000_000, ...Array<number>(18).fill(0)],
  result_mode: 'open',
  manual_claims: false,
};
const parts: SeedParts = {
  drawId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  rulesHash: rulesHash(game, terms),
  operatorSeed: hashOf('operator'),
  keeperSeeds: [],
};
const keepers = [hashOf('keeper 1'), hashOf('keeper 2')];
const randomness = hashOf('randomness');

// Computed from docs/fairness.md in Python, by its hashlib, uuid and json alone.
describe('known answers, by another implementation', () => {
  it('the rules hash of a game with its terms', () => {
    expect(rulesText(game, terms)).toBe(
      `rules:{"digits":10,"family":"numbers","gameId":"funtargetbingo","manualClaims":false,"pays":{"number":900},` +
        `"resultMode":"open","rulesVersion":2,"unitPrice":"100","weights":[750000000,250000000${',0'.repeat(18)}]}`,
    );
    expect(hex(parts.rulesHash)).toBe('74002042be4163d6217f32240e14ad92da71d2ec58481b944bd8c3ddcf9ede63');
  });

  it.each<[string, Partial<SeedParts>, string]>([
    ['kept by the server alone', {}, '7067e827a11b80fa93631378a84f194edd74069c5d6a0777fafa5b5b34b7a2f9'],
    [
      'with a keeper',
      { keeperSeeds: keepers.slice(0, 1) },
      '5bbd71205a968add3674229915cc3c28b67b9f87d348490cbf43d813d3ef5f08',
    ],
    ['with two keepers', { keeperSeeds: keepers }, '80d46f67f5e39c54898b2396f6209a1d88e30aa57d9e2782819464058550828a'],
    [
      'with a keeper and a round',
      { keeperSeeds: keepers.slice(0, 1), beacon: { round: 12_345_678_901, randomness } },
      'cb1f25eabc050284eee12accab37fb2bfb36de2846ba66b4664a5ca89826f8e1',
    ],
    [
      'with a round alone',
      { beacon: { round: 1, randomness } },
      'b148825e506779010e574e529239184c362d8f5c087c1cf04c60f5c243ed9b48',
    ],
  ])('the seed of a draw %s', (_, more, seed) => {
    expect(hex(deriveSeed({ ...parts, ...more }))).toBe(seed);
  });
});

describe('a seed', () => {
  it('is another one as soon as any part is, or the order of the keepers', () => {
    const full: SeedParts = { ...parts, keeperSeeds: keepers, beacon: { round: 7, randomness } };
    const others: SeedParts[] = [
      { ...full, drawId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e' },
      { ...full, rulesHash: rulesHash(game, { ...terms, pays: { number: 901 } }) },
      { ...full, rulesHash: rulesHash({ ...game, gameId: 'lucky10fruit' }, terms) },
      { ...full, operatorSeed: randomness },
      { ...full, keeperSeeds: keepers.toReversed() },
      { ...full, keeperSeeds: [] },
      { ...full, beacon: undefined },
      { ...full, beacon: { round: 8, randomness } },
      { ...full, beacon: { round: 7, randomness: full.operatorSeed } },
    ];
    expect(new Set([full, ...others].map((each) => hex(deriveSeed(each))))).toHaveLength(others.length + 1);
  });

  it('refuses parts that can be none', () => {
    const short = new Uint8Array(31);
    const wrong: Partial<SeedParts>[] = [
      { drawId: 'T1' },
      { drawId: parts.drawId.toUpperCase() },
      { rulesHash: short },
      { operatorSeed: short },
      { keeperSeeds: [short] },
      { beacon: { round: 0, randomness } },
      { beacon: { round: 1.5, randomness } },
      { beacon: { round: 1, randomness: short } },
    ];
    for (const more of wrong) expect(() => deriveSeed({ ...parts, ...more })).toThrow(RangeError);
  });

  it('takes 16 bytes for the id, whatever it is', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        const seeds = [one, other].map((drawId) => hex(deriveSeed({ ...parts, drawId })));
        expect(seeds[0] === seeds[1]).toBe(one === other);
      }),
    );
  });
});
