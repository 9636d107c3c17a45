import { QUICKNET } from '@drawhouse/rules/drand-chain';
import { sha256 } from '@noble/hashes/sha2.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { expect, it } from 'vitest';
import { keptProblems } from './kept-report.ts';
import type { AnsweredDraw } from './read-draw.ts';

/** A round of quicknet as it was recorded (ideal-lab5/idn-sdk, the benchmarks of its randomness beacon). */
const ROUND_1000 = 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39';

const withBeacon = (beacon: object): AnsweredDraw =>
  ({ keepers: [], beacon: { ...QUICKNET, round: 1000, signature: ROUND_1000, ...beacon } }) as unknown as AnsweredDraw;

/** The signature of round 1000 by a key of one's own, as quicknet signs. */
function signedByOneself(): { publicKey: string; signature: string } {
  const { shortSignatures: onG1 } = bls12_381;
  const { secretKey, publicKey } = onG1.keygen();
  const round = new DataView(new ArrayBuffer(8));
  round.setBigUint64(0, 1000n);
  const message = onG1.hash(sha256(new Uint8Array(round.buffer)), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_');
  return { publicKey: publicKey.toHex(), signature: onG1.sign(message, secretKey).toHex() };
}

it('believes the chain that its hash stands for, and no signature of another one', () => {
  expect(keptProblems(withBeacon({}))).toEqual([]);
  const { publicKey, signature } = signedByOneself();
  expect(keptProblems(withBeacon({ signature }))).toEqual(['The signature of round 1000 is not that of the chain.']);
  expect(keptProblems(withBeacon({ publicKey, signature }))).toEqual([
    expect.stringMatching(/^The chain of drand can't be the one that is named: hash is 52db9ba7/),
  ]);
});
