import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { deriveSeed, rulesHash, rulesText } from './derive-seed.ts';
import type { DrawnGame } from './derive-seed.ts';
import { firstRoundAfter } from './drand-chain.ts';
import type { DrandChain } from './drand-chain.ts';
import { rootByPath } from './merkle.ts';
import { acceptedPays, parsePays, paysOf } from './pays.ts';
import { rulesFor } from './rules.ts';
import type { DrawTerms, KeptBy, NamedKeeper } from './terms.ts';

/** The version of the rules with which draws open. Up to version 1 a draw's seed is the one that the server committed to; from 2 on it is derived (`deriveSeed`). */
export const RULES_VERSION = 2;

/** What is published of a keeper's part in a draw. All hex is in lower case. */
export type PublishedKeeper = NamedKeeper & {
  /** The day of UTC whose seed it is, and which of that day's. */
  day: string;
  index: number;
  /** How many seeds the day has, the root of the tree over their commitments, and the keeper's signature of the three. */
  size: number;
  root: string;
  daySignature: string;
  /** SHA-256 of the seed, and the nodes that lead from it to the root. */
  commitment: string;
  path: readonly string[];
  /** The close of betting that it is asked to sign for, which is fixed when the draw opens; of a fair draw it is the draw's own. */
  closesAt: string;
  /** Null until the draw is settled, and where the keeper was never asked or has not answered. */
  seed: string | null;
  /** When it released the seed, by its own clock; with the seed. */
  releasedAt: string | null;
  /** The keeper's signature of the release: with it the keeper says for which close and which tickets, and when. */
  signature: string | null;
};

/** What is published of the drand round that a draw takes. */
export type PublishedBeacon = DrandChain & {
  round: number;
  /** The chain's signature of the round, whose SHA-256 is the randomness; null until it is known. */
  signature: string | null;
};

/** What is published of a draw of which its seed depends. */
export type PublishedSeed = DrawnGame & {
  drawId: string;
  rulesVersion: number;
  weights: readonly number[];
  /** What each head pays per unit laid, before the booster, by its name. */
  pays?: Readonly<Record<string, number>>;
  /** Price of one unit, in points. */
  unitPrice?: number;
  resultMode?: string;
  manualClaims?: boolean;
  closesAt?: string;
  /** Hex SHA-256 of the server's seed, and that. */
  commitment: string;
  seed: string | null;
  keepers?: readonly PublishedKeeper[];
  beacon?: PublishedBeacon | null;
};

/** What a draw's seed came to, part by part. */
export type ExaminedSeed = {
  /** The seed, 32 bytes; null where a part of it is not published, or can be none. */
  seed: Uint8Array | null;
  /** What is wrong with its parts, as far as they are published: sentences. */
  problems: string[];
  /** The text of the rules, and its SHA-256; null for version 1, of whose seed they are no part, and where it can't be made. */
  rules: { text: string; hash: string } | null;
  /** Of each keeper: the SHA-256 of its seed, null while it is not published, and the root to which its commitment leads. */
  keepers: { computed: string | null; root: string | null }[];
  /** The round that the draw has to take, and its randomness, null while it is not published; null without a beacon. */
  beacon: { round: number | null; randomness: string | null } | null;
};

const BYTES_32 = /^[0-9a-f]{64}$/;

/** Who keeps a part of a published draw's seed beside the server; null where nobody does. */
function keptBy({ keepers = [], beacon = null }: PublishedSeed): KeptBy | null {
  if (keepers.length === 0 && beacon === null) return null;
  return {
    keepers: keepers.map(({ name, publicKey }) => ({ name, publicKey })),
    beacon: beacon && chainOf(beacon),
  };
}

/** Throws RangeError for a draw of rules that are not known here. */
export function requireKnownVersion({ rulesVersion }: Pick<PublishedSeed, 'rulesVersion'>): void {
  if (rulesVersion !== 1 && rulesVersion !== RULES_VERSION)
    throw new RangeError(
      `The draw used version ${rulesVersion} of the rules; this check knows the versions 1 and ${RULES_VERSION}.`,
    );
}

/** The chain alone, without the round of a draw. */
function chainOf({ hash, publicKey, period, genesisTime, groupHash, scheme, beaconId }: DrandChain): DrandChain {
  return { hash, publicKey, period, genesisTime, groupHash, scheme, beaconId };
}

/** The terms that a published draw was opened with. Throws RangeError where they can't be those of its game. */
export function publishedTerms(published: PublishedSeed): DrawTerms {
  const rules = rulesFor({ gameId: published.gameId, family: published.family, digits: published.digits });
  const { resultMode, manualClaims, unitPrice = NaN } = published;
  if (!['open', 'two-person', 'generated'].includes(String(resultMode)) || typeof manualClaims !== 'boolean')
    throw new RangeError('The draw does not say how its result comes about, resultMode, or manualClaims.');
  if (!Number.isFinite(unitPrice)) throw new RangeError('The draw does not say what a unit costs, unitPrice.');
  return {
    rules_version: published.rulesVersion,
    unit_price: BigInt(Math.round(unitPrice * 100)),
    pays: published.pays === undefined ? paysOf(rules) : acceptedPays(parsePays(rules, published.pays)),
    weights: published.weights,
    result_mode: resultMode as DrawTerms['result_mode'],
    manual_claims: manualClaims,
    kept: keptBy(published),
  };
}

/**
 * The seed of a published draw: of version 1 the server's own, of later ones what is derived from that and all other parts, each of which is held
 * against what was published of it before. Signatures are not looked at here (`examineKeepers`). Never throws.
 */
export function examineSeed(published: PublishedSeed): ExaminedSeed {
  const own = bytesOf(published.seed);
  if (published.rulesVersion === 1) return { seed: own, problems: [], rules: null, keepers: [], beacon: null };
  const problems: string[] = [];
  const keepers = (published.keepers ?? []).map((keeper) => examineKeeper(keeper, problems));
  const beacon = published.beacon ? examineBeacon(published.beacon, published.closesAt, problems) : null;
  let rules: ExaminedSeed['rules'] = null;
  let seed: Uint8Array | null = null;
  try {
    requireKnownVersion(published);
    const terms = publishedTerms(published);
    rules = { text: rulesText(published, terms), hash: bytesToHex(rulesHash(published, terms)) };
    const seeds = (published.keepers ?? []).map((keeper) => bytesOf(keeper.seed));
    const isWhole = own !== null && !seeds.includes(null) && (beacon === null || beacon.randomness !== null);
    if (isWhole)
      seed = deriveSeed({
        drawId: published.drawId,
        rulesHash: hexToBytes(rules.hash),
        operatorSeed: own,
        keeperSeeds: seeds as Uint8Array[],
        beacon: beacon ? { round: published.beacon!.round, randomness: hexToBytes(beacon.randomness!) } : undefined,
      });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problems.push(error.message);
  }
  return { seed, problems, rules, keepers, beacon };
}

function examineKeeper(keeper: PublishedKeeper, problems: string[]): ExaminedSeed['keepers'][number] {
  const { name, index, size, path } = keeper;
  const leaf = bytesOf(keeper.commitment);
  const nodes = Array.isArray(path) ? path.map(bytesOf) : [null];
  const found = leaf && !nodes.includes(null) && rootByPath({ leaf, index, size, path: nodes as Uint8Array[] });
  const root = found ? bytesToHex(found) : null;
  if (root === null || root !== keeper.root)
    problems.push(`The commitment of ${name} does not lead to the root that it published of ${keeper.day}.`);
  const seed = bytesOf(keeper.seed);
  if (!seed) {
    if (keeper.seed !== null) problems.push(`The seed of ${name} is not 32 bytes in hex.`);
    return { computed: null, root };
  }
  const computed = bytesToHex(sha256(seed));
  if (computed !== keeper.commitment) problems.push(`The seed of ${name} is not the one that it committed to.`);
  return { computed, root };
}

function examineBeacon(
  beacon: PublishedBeacon,
  closesAt: string | undefined,
  problems: string[],
): NonNullable<ExaminedSeed['beacon']> {
  const closesMs = Date.parse(String(closesAt));
  const round = Number.isNaN(closesMs) ? null : firstRoundAfter(beacon, closesMs);
  if (round !== beacon.round)
    problems.push(`The draw takes round ${beacon.round}; the first one after betting closes is ${round ?? 'unknown'}.`);
  const { signature } = beacon;
  if (signature === null) return { round, randomness: null };
  if (!/^(?:[0-9a-f]{96}|[0-9a-f]{192})$/.test(signature)) {
    problems.push('The signature of the round is not 48 or 96 bytes in hex.');
    return { round, randomness: null };
  }
  return { round, randomness: bytesToHex(sha256(hexToBytes(signature))) };
}

/** The 32 bytes of a hex text; null where it is none. */
function bytesOf(hex: unknown): Uint8Array | null {
  return typeof hex === 'string' && BYTES_32.test(hex.toLowerCase()) ? hexToBytes(hex) : null;
}
