// Beacons and the times of their rounds, without the signature check (verify-beacon.ts), which needs a large library.

const SECOND_MS = 1_000;
/** Between the close of betting and the round of a draw: the ticket root is sealed and co-signed in this time. */
const SEALING_MS = 3_000;

/** A beacon as the terms of a draw name it: a source that signs round numbers by drand's scheme `bls-unchained-g1-rfc9380`. */
export interface Beacon {
  /** BLS12-381 key on G2, 192 hex digits in lower case. */
  readonly publicKey: string;
  /** Time of round 1, in seconds of Unix time. */
  readonly genesisTime: number;
  /** Seconds between rounds. */
  readonly period: number;
}

/** drand's quicknet, of the League of Entropy: a round every three seconds since August 2023. */
export const QUICKNET: Beacon = {
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisTime: 1_692_803_367,
  period: 3,
};

/** A public key of a beacon in hex. */
export const BEACON_KEY = /^[0-9a-f]{192}$/;
/** A signature of a round in hex: a compressed point on G1. */
export const BEACON_SIGNATURE = /^[0-9a-f]{96}$/;

/** The time of a round, in milliseconds of Unix time: its beacon publishes nothing of it before. */
export function roundTimeMs({ genesisTime, period }: Beacon, round: number): number {
  return (genesisTime + (round - 1) * period) * SECOND_MS;
}

/** The round that a draw takes: the first whose time is at least three seconds after betting's scheduled close. */
export function roundOfDraw({ genesisTime, period }: Beacon, closesMs: number): number {
  return Math.max(1, Math.ceil(((closesMs + SEALING_MS) / SECOND_MS - genesisTime) / period) + 1);
}

/** Name of a beacon for people: drand, or the first digits of its key. */
export function beaconName({ publicKey }: Pick<Beacon, 'publicKey'>): string {
  return publicKey === QUICKNET.publicKey ? 'drand quicknet' : `the beacon ${publicKey.slice(0, 16)}…`;
}
