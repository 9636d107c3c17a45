import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { BEACON_SIGNATURE, beaconName, roundOfDraw } from './beacon-rounds.ts';
import type { Beacon } from './beacon-rounds.ts';
import { deriveSeed, rulesHash, rulesText } from './derive-seed.ts';
import type { DrawnGame } from './derive-seed.ts';
import { acceptedPays, parsePays } from './pays.ts';
import { rulesFor } from './rules.ts';
import type { DrawTerms } from './terms.ts';

/** The version of the rules with which draws open. */
export const RULES_VERSION = 1;

/** A beacon of a published draw, with the round that the draw takes of it. */
export type PublishedBeacon = Beacon & {
  round: number;
  /** Hex; null until the beacon has published it. */
  signature: string | null;
};

/** What is published of a draw of which its seed depends. */
export type PublishedSeed = DrawnGame & {
  drawId: string;
  rulesVersion: number;
  weights: readonly number[];
  /** What each head pays per unit laid, before the booster, by its name. */
  pays: Readonly<Record<string, number>>;
  /** Price of one unit, in points. */
  unitPrice: number;
  resultMode: string;
  manualClaims: boolean;
  closesAt: string;
  /** Hex SHA-256 of the server's seed, and that. */
  commitment: string;
  seed: string | null;
  beacons?: readonly PublishedBeacon[];
};

/** What a draw's seed came to, part by part. */
export type ExaminedSeed = {
  /** The seed, 32 bytes; null if a part of it is not published, or is invalid. */
  seed: Uint8Array | null;
  /** What is wrong with its parts, as far as they are published: sentences. */
  problems: string[];
  /** The text of the rules, and its SHA-256; null if they are invalid. */
  rules: { text: string; hash: string } | null;
};

const BYTES_32 = /^[0-9a-f]{64}$/;

/** Throws RangeError for a draw of rules that are not known here. */
export function requireKnownVersion({ rulesVersion }: Pick<PublishedSeed, 'rulesVersion'>): void {
  if (rulesVersion !== RULES_VERSION)
    throw new RangeError(
      `The draw used version ${rulesVersion} of the rules; this check knows version ${RULES_VERSION}.`,
    );
}

/** The terms that a published draw was opened with. Throws RangeError where they can't be those of its game. */
export function publishedTerms(published: PublishedSeed): DrawTerms {
  const rules = rulesFor({ gameId: published.gameId, family: published.family, digits: published.digits });
  const { resultMode, manualClaims, unitPrice } = published;
  if (!['open', 'two-person', 'generated'].includes(resultMode) || typeof manualClaims !== 'boolean')
    throw new RangeError('The draw does not say how its result comes about, resultMode, or manualClaims.');
  if (!Number.isFinite(unitPrice)) throw new RangeError('The draw does not say what a unit costs, unitPrice.');
  return {
    rules_version: published.rulesVersion,
    unit_price: BigInt(Math.round(unitPrice * 100)),
    pays: acceptedPays(parsePays(rules, published.pays)),
    weights: published.weights,
    result_mode: resultMode as DrawTerms['result_mode'],
    manual_claims: manualClaims,
    beacons: (published.beacons ?? []).map(({ publicKey, genesisTime, period }) => ({
      genesisTime,
      period,
      publicKey,
    })),
  };
}

/** Derives the seed of a published draw (`deriveSeed`). Does not verify the signatures of its beacons (`beaconProblems`). Never throws. */
export function examineSeed(published: PublishedSeed): ExaminedSeed {
  const own = bytesOf(published.seed);
  const beacons = published.beacons ?? [];
  try {
    requireKnownVersion(published);
    const terms = publishedTerms(published);
    const rules = { text: rulesText(published, terms), hash: bytesToHex(rulesHash(published, terms)) };
    const values = beacons.flatMap(({ round, signature }) =>
      signature !== null && BEACON_SIGNATURE.test(signature) ? [{ round, signature: hexToBytes(signature) }] : [],
    );
    const isWhole = own !== null && values.length === beacons.length;
    const parts = { drawId: published.drawId, rulesHash: hexToBytes(rules.hash), beacons: values };
    return {
      seed: isWhole ? deriveSeed({ ...parts, operatorSeed: own }) : null,
      problems: roundProblems(beacons, published.closesAt),
      rules,
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { seed: null, problems: [error.message], rules: null };
  }
}

/** The close fixes the round of each beacon: nobody can choose one whose value suits. */
function roundProblems(beacons: readonly PublishedBeacon[], closesAt: string): string[] {
  return beacons.flatMap((beacon) => {
    const round = roundOfDraw(beacon, Date.parse(closesAt));
    if (round === beacon.round) return [];
    return [`The draw takes round ${beacon.round} of ${beaconName(beacon)}; by its close it has to take ${round}.`];
  });
}

/** The 32 bytes of a hex text; null where it is none. */
function bytesOf(hex: unknown): Uint8Array | null {
  return typeof hex === 'string' && BYTES_32.test(hex.toLowerCase()) ? hexToBytes(hex) : null;
}
