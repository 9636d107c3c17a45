import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { BEACON_KEY, BEACON_SIGNATURE, beaconName } from './beacon-rounds.ts';
import type { PublishedBeacon } from './published-seed.ts';

const { shortSignatures } = bls12_381;
/** RFC 9380 suite for BLS signatures on G1, as in drand. */
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';

/** Hashes the SHA-256 of the round (8 bytes, big-endian) to G1. */
function roundPoint(round: number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round));
  return shortSignatures.hash(sha256(bytes), DOMAIN);
}

/** Takes hex. Needs about 20 ms. A round has exactly one valid signature. */
export function isRoundSignature(publicKey: string, round: number, signature: string): boolean {
  if (!Number.isSafeInteger(round) || round < 1 || !BEACON_KEY.test(publicKey) || !BEACON_SIGNATURE.test(signature))
    return false;
  try {
    return shortSignatures.verify(hexToBytes(signature), roundPoint(round), hexToBytes(publicKey));
  } catch {
    // Not a curve point, or not canonical.
    return false;
  }
}

export function beaconProblems(beacons: readonly PublishedBeacon[] = []): string[] {
  return beacons
    .filter(({ publicKey, round, signature }) => signature !== null && !isRoundSignature(publicKey, round, signature))
    .map((beacon) => `The signature of round ${beacon.round} does not match ${beaconName(beacon)}.`);
}

export function newBeaconKey(): Uint8Array {
  return shortSignatures.keygen().secretKey;
}

/** Hex. */
export function beaconPublicKey(secretKey: Uint8Array): string {
  return shortSignatures.getPublicKey(secretKey).toHex();
}

export function signRound(secretKey: Uint8Array, round: number): string {
  return shortSignatures.sign(roundPoint(round), secretKey).toHex();
}
