import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { BEACON_SIGNATURE, beaconName, roundOfDraw, type Beacon } from './beacon-rounds.ts';
import { deriveSeed, rulesHash, rulesText, type DrawnGame } from './derive-seed.ts';
import { acceptedPays, parsePays } from '../games/pays.ts';
import { rulesFor } from '../games/rules.ts';
import type { DrawTerms } from './draw-terms.ts';

export const RULES_VERSION = 1;

export type PublishedBeacon = Beacon & {
  round: number;
  /** Hex. */
  signature: string | null;
};

export type PublishedSeed = DrawnGame & {
  drawId: string;
  rulesVersion: number;
  weights: readonly number[];
  /** Pay per unit by head, before the booster. */
  pays: Readonly<Record<string, number>>;
  unitPrice: number;
  resultMode: string;
  manualClaims: boolean;
  closesAt: string;
  /** Hex. */
  commitment: string;
  seed: string | null;
  beacons?: readonly PublishedBeacon[];
};

export type ExaminedSeed = {
  /** 32 bytes. Null if a part is unpublished or invalid. */
  seed: Uint8Array | null;
  problems: string[];
  rules: { text: string; hash: string } | null;
};

const BYTES_32 = /^[0-9a-f]{64}$/;

export function requireSupportedVersion({ rulesVersion }: Pick<PublishedSeed, 'rulesVersion'>): void {
  if (rulesVersion !== RULES_VERSION)
    throw new RangeError(
      `The draw used version ${rulesVersion} of the rules; this check knows version ${RULES_VERSION}.`,
    );
}

export function publishedTerms(published: PublishedSeed): DrawTerms {
  const rules = rulesFor({ gameId: published.gameId, family: published.family, digits: published.digits });
  const { resultMode, manualClaims, unitPrice } = published;
  if (!['open', 'two-person', 'generated', 'outside'].includes(resultMode) || typeof manualClaims !== 'boolean')
    throw new RangeError('The draw does not state its resultMode and manualClaims.');
  if (!Number.isFinite(unitPrice)) throw new RangeError('The draw does not state its unitPrice.');
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

/** Skips beacon signatures (`beaconProblems`). Never throws. */
export function examineSeed(published: PublishedSeed): ExaminedSeed {
  const own = bytesOf(published.seed);
  const beacons = published.beacons ?? [];
  try {
    requireSupportedVersion(published);
    const terms = publishedTerms(published);
    const rules = { text: rulesText(published, terms), hash: bytesToHex(rulesHash(published, terms)) };
    const values = beacons.flatMap(({ round, signature }) =>
      signature !== null && BEACON_SIGNATURE.test(signature) ? [{ round, signature: hexToBytes(signature) }] : [],
    );
    const isComplete = own !== null && values.length === beacons.length;
    const parts = { drawId: published.drawId, rulesHash: hexToBytes(rules.hash), beacons: values };
    return {
      seed: isComplete ? deriveSeed({ ...parts, operatorSeed: own }) : null,
      problems: roundProblems(beacons, published.closesAt),
      rules,
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { seed: null, problems: [error.message], rules: null };
  }
}

/** The close time determines each round, so the operator cannot pick a favorable one. */
function roundProblems(beacons: readonly PublishedBeacon[], closesAt: string): string[] {
  return beacons.flatMap((beacon) => {
    const round = roundOfDraw(beacon, Date.parse(closesAt));
    if (round === beacon.round) return [];
    return [`The draw uses round ${beacon.round} of ${beaconName(beacon)}; by its close it must use ${round}.`];
  });
}

function bytesOf(hex: unknown): Uint8Array | null {
  return typeof hex === 'string' && BYTES_32.test(hex.toLowerCase()) ? hexToBytes(hex) : null;
}
