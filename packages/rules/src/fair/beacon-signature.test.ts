import { describe, expect, it } from 'vitest';
import { QUICKNET, roundOfDraw, roundTimeMs } from './beacon-rounds.ts';
import { beaconProblems, beaconPublicKey, isRoundSignature, newBeaconKey, signRound } from './beacon-signature.ts';

/** Published quicknet rounds (ideal-lab5/idn-sdk, randomness beacon benchmarks). */
const PUBLISHED: readonly (readonly [round: number, signature: string])[] = [
  [1000, 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39'],
  [1001, 'b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41'],
  [1002, 'ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e'],
  [1006, '820251ae1f3f819ec339ea2c80c8f44c5fc9b5ce42c75685e33af39ff9a8809359cd1b7539158f73fcece916cca85ded'],
];

describe("a round's signature", () => {
  it('verifies for published quicknet rounds only', () => {
    for (const [round, signature] of PUBLISHED) {
      expect(isRoundSignature(QUICKNET.publicKey, round, signature)).toBe(true);
      expect(isRoundSignature(QUICKNET.publicKey, round + 1, signature)).toBe(false);
    }
  });

  it('fails with another key or after a change', () => {
    const secretKey = newBeaconKey();
    const [publicKey, other] = [beaconPublicKey(secretKey), beaconPublicKey(newBeaconKey())];
    const signature = signRound(secretKey, 7);
    expect(isRoundSignature(publicKey, 7, signature)).toBe(true);
    expect(isRoundSignature(other, 7, signature)).toBe(false);
    expect(isRoundSignature(publicKey, 7, `${signature.slice(0, -1)}${signature.endsWith('0') ? 1 : 0}`)).toBe(false);
    for (const wrong of ['', 'zz', signature.toUpperCase(), signature.slice(2), '00'.repeat(48)])
      expect(isRoundSignature(publicKey, 7, wrong)).toBe(false);
    for (const round of [0, -7, 1.5, Number.NaN]) expect(isRoundSignature(publicKey, round, signature)).toBe(false);
  });

  it('is reported if wrong, and skipped if not published yet', () => {
    const [[round, signature]] = PUBLISHED as [(typeof PUBLISHED)[number]];
    expect(beaconProblems([{ ...QUICKNET, round, signature }])).toEqual([]);
    expect(beaconProblems([{ ...QUICKNET, round, signature: null }])).toEqual([]);
    expect(beaconProblems([{ ...QUICKNET, round: 1002, signature }])).toEqual([
      'The signature of round 1002 does not match drand quicknet.',
    ]);
  });
});

describe("a draw's round", () => {
  it('is the first at least three seconds after the close', () => {
    for (const offset of [0, 1, 999, 1_000, 2_999, 3_000, 4_500, 86_400_123]) {
      const closesMs = QUICKNET.genesisTime * 1_000 + offset;
      const round = roundOfDraw(QUICKNET, closesMs);
      expect(roundTimeMs(QUICKNET, round)).toBeGreaterThanOrEqual(closesMs + 3_000);
      expect(roundTimeMs(QUICKNET, round - 1)).toBeLessThan(closesMs + 3_000);
    }
    expect(roundOfDraw(QUICKNET, 0)).toBe(1);
  });
});
