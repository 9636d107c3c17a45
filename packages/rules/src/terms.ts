import type { Beacon } from './beacon-rounds.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Pays } from './pays.ts';

/** What a draw is opened with and keeps, whatever becomes of its game. */
export interface DrawTerms {
  /** Version of the rules. */
  rules_version: number;
  /** Price of one unit, in hundredths of a point. */
  unit_price: bigint;
  /** What each head pays, in hundredths per unit. */
  pays: Pays;
  /** Weights of the boosters 1, 2, …; they sum to 10^9. */
  weights: readonly number[];
  /** How its result comes about. */
  result_mode: 'open' | 'two-person' | 'generated';
  /** Whether its wins wait until the player claims them. */
  manual_claims: boolean;
  /** The beacons whose rounds are part of its seed, in their order; left out or null without any. */
  beacons?: readonly Beacon[] | null;
}

/** What of terms goes into texts that are hashed, by its public names: prices and pays in hundredths, the price as text. */
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
 * The name of terms, from which their id follows (`nameUuid`): their canonical JSON, the price as text, `terms:{"manualClaims":…,"pays":…,
 * "resultMode":…,"rulesVersion":…,"unitPrice":"100","weights":[…]}`, with `beacons` first if there are any.
 */
export function termsName(terms: DrawTerms): string {
  return `terms:${canonicalJson(termsFields(terms))}`;
}
