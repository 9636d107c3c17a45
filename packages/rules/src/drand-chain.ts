// The chains of drand and their times, without what checks their signatures (drand.ts), which is large.

const SECOND_MS = 1_000;

/** How a chain signs: on which group its signatures lie, and whether each covers the one before. */
export const SCHEMES = {
  'bls-unchained-g1-rfc9380': { isOnG1: true, isChained: false },
  'pedersen-bls-unchained': { isOnG1: false, isChained: false },
  'pedersen-bls-chained': { isOnG1: false, isChained: true },
} as const;

/** The names of drand's schemes that are known here. */
export type DrandScheme = keyof typeof SCHEMES;

/** A chain of rounds, as its `/info` tells of it. */
export interface DrandChain {
  /** What the chain is known by: SHA-256 of all of this but the scheme, 64 hex digits. */
  readonly hash: string;
  readonly publicKey: string;
  /** Seconds between rounds. */
  readonly period: number;
  /** When round 1 was, seconds of Unix time. */
  readonly genesisTime: number;
  readonly groupHash: string;
  readonly scheme: DrandScheme;
  readonly beaconId: string;
}

/** Of quicknet, from which all else of it is known to be right. */
const QUICKNET_HASH = '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971';

/** The League of Entropy's quicknet: a round each 3 seconds since August 2023. */
export const QUICKNET: DrandChain = {
  hash: QUICKNET_HASH,
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  period: 3,
  genesisTime: 1_692_803_367,
  groupHash: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
  scheme: 'bls-unchained-g1-rfc9380',
  beaconId: 'quicknet',
};

/** Whether a chain is of drand, by its hash: only of the League of Entropy's that are unchained is that known here. Of any other one somebody may have the key, and know all its rounds before. */
export function isDrand(hash: string): boolean {
  return hash === QUICKNET_HASH;
}

/** What people are told whose rounds those of a chain are; of one that is not known its hash belongs beside it. */
export function chainName(hash: string): string {
  return isDrand(hash) ? 'drand' : 'a chain that this program does not know';
}

/** When a round is known, milliseconds of Unix time. */
export function roundTimeMs({ genesisTime, period }: DrandChain, round: number): number {
  return (genesisTime + (round - 1) * period) * SECOND_MS;
}

/** The first round of a chain that is known after a time, in milliseconds of Unix time: at that time nobody knows it. */
export function firstRoundAfter({ genesisTime, period }: DrandChain, timeMs: number): number {
  return Math.max(1, Math.floor((timeMs / SECOND_MS - genesisTime) / period) + 2);
}
