import type { Pays } from '@drawhouse/rules/pays';
import { canonicalJson } from '../activity/canonical-json.ts';
import { nameUuid } from '../db/name-uuid.ts';

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
}

/**
 * The id of terms follows from what they are: it is that of their canonical JSON, the price as text (`nameUuid` of `terms:{"pays":…,
 * "rulesVersion":…,"unitPrice":"100","weights":[…]}`). So terms are stored once, need no look-up, and can't be changed under their id.
 */
export function termsId({ pays, rules_version, unit_price, weights }: DrawTerms): string {
  const content = { pays, rulesVersion: rules_version, unitPrice: String(unit_price), weights };
  return nameUuid(`terms:${canonicalJson(content)}`);
}
