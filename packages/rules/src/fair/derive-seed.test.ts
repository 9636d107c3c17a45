import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveSeed, rulesHash, rulesText, type BeaconValue, type DrawnGame, type SeedParts } from './derive-seed.ts';
import type { DrawTerms } from './draw-terms.ts';

const hashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const game: DrawnGame = { gameId: 'funtargetbingo', family: 'numbers', digits: 10 };
const terms: DrawTerms = {
  rules_version: 1,
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
};

const value = (round: number): BeaconValue => ({ round, signature: hashOf(`signature ${round}`) });

// Computed from docs/fairness.md in Python, with only hashlib, uuid and json.
describe('known answers of another implementation', () => {
  it('match the rules hash of a game with its terms', () => {
    expect(rulesText(game, terms)).toBe(
      `rules:{"digits":10,"family":"numbers","gameId":"funtargetbingo","manualClaims":false,"pays":{"number":900},` +
        `"resultMode":"open","rulesVersion":1,"unitPrice":"100","weights":[750000000,250000000${',0'.repeat(18)}]}`,
    );
    expect(hex(parts.rulesHash)).toBe('b2dcec528ca67a0c38a0a7727f6e21faca27d0e6fb186a91b975d2581d3ddb26');
  });

  it('match the seed of a draw without a beacon', () => {
    expect(hex(deriveSeed(parts))).toBe('e3631bff404337deecb8d1e064801263978725244594d4eb34c2d987c3e0710f');
  });

  it('match the seed of a draw with beacons', () => {
    const expected = (values: readonly BeaconValue[]): string =>
      createHash('sha256')
        .update('drawhouse draw seed v1\n')
        .update(Buffer.from(parts.drawId.replaceAll('-', ''), 'hex'))
        .update(parts.rulesHash)
        .update(parts.operatorSeed)
        .update(
          Buffer.concat(
            values.flatMap(({ round, signature }) => [
              Buffer.from(round.toString(16).padStart(16, '0'), 'hex'),
              createHash('sha256').update(signature).digest(),
            ]),
          ),
        )
        .digest('hex');
    for (const values of [[value(12_345_678_901)], [value(1), value(2)]])
      expect(hex(deriveSeed({ ...parts, beacons: values }))).toBe(expected(values));
  });
});

describe('a seed', () => {
  it('changes with any of its parts', () => {
    const others: SeedParts[] = [
      { ...parts, drawId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e' },
      { ...parts, rulesHash: rulesHash(game, { ...terms, pays: { number: 901 } }) },
      { ...parts, rulesHash: rulesHash({ ...game, gameId: 'lucky10fruit' }, terms) },
      { ...parts, operatorSeed: hashOf('another') },
      { ...parts, beacons: [value(7)] },
      { ...parts, beacons: [{ ...value(7), round: 8 }] },
      { ...parts, beacons: [{ ...value(8), round: 7 }] },
      { ...parts, beacons: [value(7), value(8)] },
      { ...parts, beacons: [value(8), value(7)] },
    ];
    expect(new Set([parts, ...others].map((each) => hex(deriveSeed(each))))).toHaveLength(others.length + 1);
  });

  it('rejects impossible parts', () => {
    const short = new Uint8Array(31);
    const wrong: Partial<SeedParts>[] = [
      { drawId: 'T1' },
      { drawId: parts.drawId.toUpperCase() },
      { rulesHash: short },
      { operatorSeed: short },
      { beacons: [value(0)] },
      { beacons: [value(1.5)] },
    ];
    for (const more of wrong) expect(() => deriveSeed({ ...parts, ...more })).toThrow(RangeError);
  });

  it('encodes any id in 16 bytes', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        const seeds = [one, other].map((drawId) => hex(deriveSeed({ ...parts, drawId })));
        expect(seeds[0] === seeds[1]).toBe(one === other);
      }),
    );
  });
});
