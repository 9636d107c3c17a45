import { canonicalJson } from './canonical-json.ts';
import type { DrandChain } from './drand-chain.ts';
import type { Pays } from './pays.ts';

/** A keeper of seeds as a draw names it: its name, and its Ed25519 public key in 64 hex digits. */
export interface NamedKeeper {
  readonly name: string;
  readonly publicKey: string;
}

/** What a draw's seed comes from beside the server's own. */
export interface KeptBy {
  /** In the order of their seeds. */
  readonly keepers: readonly NamedKeeper[];
  /** The chain of which one round is a part of the seed; null where none is. */
  readonly beacon: DrandChain | null;
}

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
  /** Who keeps a part of its seed beside the server; left out, or null, where nobody does. */
  kept?: KeptBy | null;
}

/** What of terms goes into texts that are hashed, by its public names: prices and pays in hundredths, the price as text. */
export function termsFields({ pays, rules_version, unit_price, weights, result_mode, manual_claims, kept }: DrawTerms) {
  return {
    pays,
    rulesVersion: rules_version,
    unitPrice: String(unit_price),
    weights,
    resultMode: result_mode,
    manualClaims: manual_claims,
    // Terms of draws that the server keeps alone have the texts that they always had.
    ...(kept && { kept }),
  };
}

/**
 * The name of terms, from which their id follows (`nameUuid`): their canonical JSON, the price as text, `terms:{"manualClaims":…,"pays":…,
 * "resultMode":…,"rulesVersion":…,"unitPrice":"100","weights":[…]}`, with `kept` before `manualClaims` where others keep a part of the seed.
 */
export function termsName(terms: DrawTerms): string {
  return `terms:${canonicalJson(termsFields(terms))}`;
}
