import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstRoundAfter, QUICKNET, roundTimeMs } from './drand-chain.ts';
import { chainHash, examineRound, readChain, readRound, verifiedRandomness } from './drand.ts';
import type { DrandChain } from './drand-chain.ts';
import type { DrandRound } from './drand.ts';

const hex = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('hex');

/** As https://api.drand.sh/52db9ba7…/info answers (drand/tlock-js, src/drand/defaults.ts). */
const INFO = {
  public_key: QUICKNET.publicKey,
  period: 3,
  genesis_time: 1_692_803_367,
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  groupHash: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
  schemeID: 'bls-unchained-g1-rfc9380',
  metadata: { beaconID: 'quicknet' },
};

/** Rounds of quicknet as they were recorded (ideal-lab5/idn-sdk, the benchmarks of its randomness beacon). */
const QUICKNET_ROUNDS: readonly DrandRound[] = [
  {
    round: 1000,
    signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
  },
  {
    round: 1001,
    signature: 'b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41',
  },
  {
    round: 1002,
    signature: 'ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e',
  },
  {
    round: 1006,
    signature: '820251ae1f3f819ec339ea2c80c8f44c5fc9b5ce42c75685e33af39ff9a8809359cd1b7539158f73fcece916cca85ded',
  },
];

/** The League of Entropy's first chain, and a round of it (noislabs/drand-verify, src/verify.rs). */
const DEFAULT_CHAIN = readChain({
  public_key: '868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31',
  period: 30,
  genesis_time: 1_595_431_050,
  hash: '8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce',
  groupHash: '176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a',
  schemeID: 'pedersen-bls-chained',
  metadata: { beaconID: 'default' },
});
const ROUND_72785: DrandRound = {
  round: 72_785,
  signature:
    '82f5d3d2de4db19d40a6980e8aa37842a0e55d1df06bd68bddc8d60002e8e959eb9cfa368b3c1b77d18f02a54fe047b80f0989315f83b12a74fd8679c4f12aae86eaf6ab5690b34f1fddd50ee3cc6f6cdf59e95526d5a5d82aaa84fa6f181e42',
  previousSignature:
    'a609e19a03c2fcc559e8dae14900aaefe517cb55c840f6e69bc8e4f66c8d18e8a609685d9917efbfb0c37f058c2de88f13d297c7e19e0ab24813079efe57a182554ff054c7638153f9b26a60e7111f71a0ff63d9571704905d3ca6df0b031747',
};

/** A testnet without chaining, and a round of it (noislabs/drand-verify, src/verify.rs). */
const UNCHAINED: DrandChain = {
  ...DEFAULT_CHAIN,
  publicKey: '8200fc249deb0148eb918d6e213980c5d01acd7fc251900d9260136da3b54836ce125172399ddc69c4e3e11429b62c11',
  scheme: 'pedersen-bls-unchained',
};
const ROUND_223344: DrandRound = {
  round: 223_344,
  signature:
    '94f6b85df7cce7237e8e7df66d794ddad092de5d8bb6a791b97e905aa89852e506ac36a792eba7021e22eebf34891f8914bf9a8dd9233ea0a4c5ca00ef8404999f899073dd2eade61fe54077fee8168f83dcb61a758b6883b38904054e64a433',
};

/** Another chain of quicknet's scheme, and a round of it with its randomness (drand/drand-client, test/beacon-verification.test.ts). */
const WALKTHROUGH: DrandChain = {
  ...QUICKNET,
  publicKey:
    '81d320f220ee9c79e60e19dedc838c31e3ab919b15481e9feb52f643628c4f6a13fdc52129493875a818109d767272ca0541cbcdcea9335f2870d781b39b845ba8cbd44fdfe4967781cf72ca5917fc9398bcf97ca0548ed5a709016c4b1ff0f3',
};
const ROUND_38: DrandRound = {
  round: 38,
  signature: '95c93585c513ebbcb4777ff15599b3140e5ec0295faa0e483f3deadd88fa6d43f0d3703e3a4ce106e8fd6c6987f32126',
};

describe('a recorded round', () => {
  it('of quicknet has the randomness that was published', () => {
    const found = QUICKNET_ROUNDS.map((round) => hex(verifiedRandomness(QUICKNET, round)));
    expect(found.slice(0, 3)).toEqual([
      'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
      'b0a591ad1b9002cfc372ac6e30abd3da8d3088d4caae026961743474fb94235f',
      '339d3f0e702ed27d36966c6ee85a2bc762a24e178e7e5c835d9b5a7509cb920c',
    ]);
    expect(found[3]).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, DrandChain, DrandRound]>([
    ["another chain of quicknet's scheme", WALKTHROUGH, ROUND_38],
    ['the first chain, each of whose signatures covers the one before', DEFAULT_CHAIN, ROUND_72785],
    ['a testnet without that', UNCHAINED, ROUND_223344],
  ])('of %s verifies, and under nothing else', (_, chain, round) => {
    const randomness = createHash('sha256').update(Buffer.from(round.signature, 'hex')).digest('hex');
    expect(hex(verifiedRandomness(chain, round))).toBe(randomness);
    expect(verifiedRandomness(chain, { ...round, round: round.round + 1 })).toBeNull();
  });

  it('is none of another round, chain or signature, nor in any other form', () => {
    const [first, second, , last] = QUICKNET_ROUNDS as [DrandRound, DrandRound, DrandRound, DrandRound];
    const wrong: [DrandChain, DrandRound][] = [
      [QUICKNET, { ...first, round: 1001 }],
      [QUICKNET, { ...first, signature: second.signature }],
      [QUICKNET, { ...first, signature: first.signature.replace(/9$/, '8') }],
      [QUICKNET, { ...first, signature: first.signature.toUpperCase() }],
      [QUICKNET, { ...first, signature: first.signature.slice(2) }],
      [QUICKNET, { ...first, signature: `c0${'00'.repeat(47)}` }],
      [QUICKNET, { ...first, signature: '' }],
      [QUICKNET, { ...first, round: 1000.5 }],
      [QUICKNET, { ...last, signature: beyondTheField(last.signature) }],
      [WALKTHROUGH, first],
      [DEFAULT_CHAIN, first],
      [{ ...QUICKNET, scheme: 'pedersen-bls-unchained' }, first],
      [DEFAULT_CHAIN, { ...ROUND_72785, previousSignature: undefined }],
      [DEFAULT_CHAIN, { ...ROUND_72785, previousSignature: ROUND_223344.signature }],
    ];
    for (const [chain, round] of wrong) expect(verifiedRandomness(chain, round)).toBeNull();
  });
});

/** The same point with the field's prime added to its x: it would have another hash, so it must not pass. */
function beyondTheField(signature: string): string {
  const prime = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
  const flags = 0x80n << 376n;
  const x = BigInt(`0x${signature}`) - flags;
  expect(x + prime < 1n << 381n).toBe(true);
  return (x + prime + flags).toString(16);
}

describe('a chain', () => {
  it('is known by its hash: what its /info tells is quicknet, and nothing of it can be another', () => {
    expect(readChain(INFO)).toEqual(QUICKNET);
    expect(chainHash(QUICKNET)).toBe(QUICKNET.hash);
    const others: [object, RegExp][] = [
      [{ period: 30 }, /^hash is 52db.*, but that of what it tells is/],
      [{ genesis_time: 1_692_803_366 }, /^hash is/],
      [{ public_key: WALKTHROUGH.publicKey }, /^hash is/],
      [{ metadata: { beaconID: 'fastnet' } }, /^hash is/],
      [{ public_key: DEFAULT_CHAIN.publicKey }, /^public_key must be 192 hex digits/],
      [{ schemeID: 'bls-unchained-on-g1' }, /^schemeID must be one of/],
      [{ groupHash: 7 }, /^hash and groupHash/],
      [{ period: 0 }, /^period and genesis_time/],
    ];
    for (const [more, message] of others) expect(() => readChain({ ...INFO, ...more })).toThrow(message);
    expect(() => readChain(null)).toThrow(RangeError);
  });

  it('has a first round after each time, known strictly after it and none before', () => {
    expect(roundTimeMs(QUICKNET, 1_000)).toBe(1_692_806_364_000);
    expect(firstRoundAfter(QUICKNET, 1_692_806_364_000)).toBe(1_001);
    expect(firstRoundAfter(QUICKNET, 1_692_806_363_999)).toBe(1_000);
    fc.assert(
      fc.property(
        fc.constantFrom(QUICKNET, DEFAULT_CHAIN),
        fc.integer({ min: 0, max: 4_102_444_800_000 }),
        (chain, timeMs) => {
          const round = firstRoundAfter(chain, timeMs);
          expect(roundTimeMs(chain, round)).toBeGreaterThan(timeMs);
          if (round > 1) expect(roundTimeMs(chain, round - 1)).toBeLessThanOrEqual(timeMs);
        },
      ),
    );
  });
});

describe('the round that a draw names', () => {
  const [{ round, signature }] = QUICKNET_ROUNDS as [DrandRound];
  const beacon = { ...QUICKNET, round, signature };

  it('has nothing wrong where it is signed by the chain of the hash, or is not there yet', () => {
    expect(examineRound(beacon)).toEqual([]);
    expect(examineRound({ ...beacon, signature: null })).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ['another round', { round: 1_001 }, /^The signature of round 1001 is not/],
    ['a text that is no signature', { signature: 'x' }, /^The signature of round 1000 is not/],
    ['the key of whoever likes, under the hash of a known chain', { publicKey: WALKTHROUGH.publicKey }, /hash is/],
    ['a scheme that is none', { scheme: 'constructor' }, /schemeID must be/],
    ['a time that is none', { genesisTime: 1.5 }, /genesis_time/],
  ])('is wrong with %s', (_, changed, problem) => {
    expect(examineRound({ ...beacon, ...changed })).toEqual([expect.stringMatching(problem)]);
  });
});

describe('what a relay answers', () => {
  it('is read as a round, or refused with the field', () => {
    const [{ round, signature }] = QUICKNET_ROUNDS as [DrandRound];
    expect(readRound({ round, signature, randomness: 'anything' })).toEqual({ round, signature });
    expect(readRound({ round, signature, previous_signature: 'ab' })).toEqual({
      round,
      signature,
      previousSignature: 'ab',
    });
    const wrong: [unknown, RegExp][] = [
      [null, /JSON object/],
      [{ round: 0, signature }, /^round /],
      [{ round: '1', signature }, /^round /],
      [{ round, signature: 'xy' }, /^signature /],
      [{ round, signature, previous_signature: null }, /^previous_signature /],
    ];
    for (const [json, message] of wrong) expect(() => readRound(json)).toThrow(message);
  });
});
