import { bls12_381 } from '@noble/curves/bls12-381.js';
import { roundPoint } from './verify-beacon.ts';

const { shortSignatures } = bls12_381;

export function newBeaconKey(): Uint8Array {
  return shortSignatures.keygen().secretKey;
}

/** Hex. */
export function beaconPublicKey(secretKey: Uint8Array): string {
  return shortSignatures.getPublicKey(secretKey).toHex();
}

/** Deterministic: a round has exactly one signature. Hex. */
export function signRound(secretKey: Uint8Array, round: number): string {
  return shortSignatures.sign(roundPoint(round), secretKey).toHex();
}
