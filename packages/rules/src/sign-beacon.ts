import { bls12_381 } from '@noble/curves/bls12-381.js';
import { roundPoint } from './verify-beacon.ts';

const { shortSignatures } = bls12_381;

/** A new random secret key of a beacon, 32 bytes. */
export function newBeaconKey(): Uint8Array {
  return shortSignatures.keygen().secretKey;
}

/** The public key of a beacon, in hex. */
export function beaconPublicKey(secretKey: Uint8Array): string {
  return shortSignatures.getPublicKey(secretKey).toHex();
}

/** The one signature of a round by a beacon's key, in hex. */
export function signRound(secretKey: Uint8Array, round: number): string {
  return shortSignatures.sign(roundPoint(round), secretKey).toHex();
}
