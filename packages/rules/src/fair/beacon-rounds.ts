// Apart from beacon-signature.ts, which needs a large library.

const SECOND_MS = 1_000;
/** Time to seal and co-sign the ticket root between close and round. */
const SEALING_MS = 3_000;

/** Signs round numbers with drand's scheme `bls-unchained-g1-rfc9380`. */
export interface Beacon {
  /** BLS12-381 key on G2, 192 lower-case hex digits. */
  readonly publicKey: string;
  /** Time of round 1, Unix seconds. */
  readonly genesisTime: number;
  /** Seconds between rounds. */
  readonly period: number;
}

/** drand's quicknet (League of Entropy): a round every three seconds since August 2023. */
export const QUICKNET: Beacon = {
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc2' +
    '2b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisTime: 1_692_803_367,
  period: 3,
};

export const BEACON_KEY = /^[0-9a-f]{192}$/;
export const BEACON_SIGNATURE = /^[0-9a-f]{96}$/;

/** Returns Unix milliseconds. The beacon publishes no value earlier. */
export function roundTimeMs({ genesisTime, period }: Beacon, round: number): number {
  return (genesisTime + (round - 1) * period) * SECOND_MS;
}

/** Finds the first round at least three seconds after betting's scheduled close. */
export function roundOfDraw({ genesisTime, period }: Beacon, closesMs: number): number {
  return Math.max(1, Math.ceil(((closesMs + SEALING_MS) / SECOND_MS - genesisTime) / period) + 1);
}

export function beaconName({ publicKey }: Pick<Beacon, 'publicKey'>): string {
  return publicKey === QUICKNET.publicKey ? 'drand quicknet' : `the beacon ${publicKey.slice(0, 16)}…`;
}
