import type { Beacon } from './beacon-rounds.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Pays } from '../games/pays.ts';

/** Fixed at opening. */
export interface DrawTerms {
  rules_version: number;
  unit_price: bigint;
  pays: Pays;
  /** Weights of booster 1, 2 …, sum 10^9. */
  weights: readonly number[];
  /** `outside`: a public lottery decides. */
  result_mode: 'open' | 'two-person' | 'generated' | 'outside';
  manual_claims: boolean;
  beacons?: readonly Beacon[] | null;
}

/** Returns the fields as hashed, under public names. Prices and pays in hundredths, price as text. */
export function termsFields({
  pays,
  rules_version,
  unit_price,
  weights,
  result_mode,
  manual_claims,
  beacons,
}: DrawTerms) {
  return {
    pays,
    rulesVersion: rules_version,
    unitPrice: String(unit_price),
    weights,
    resultMode: result_mode,
    manualClaims: manual_claims,
    ...(beacons && beacons.length > 0 && { beacons }),
  };
}

/**
 * Name whose `nameUuid` is the terms id: canonical JSON, `terms:{"manualClaims":…,"pays":…,
 * "resultMode":…,"rulesVersion":…,"unitPrice":"100","weights":[…]}`, with `beacons` first if present.
 */
export function termsName(terms: DrawTerms): string {
  return `terms:${canonicalJson(termsFields(terms))}`;
}
