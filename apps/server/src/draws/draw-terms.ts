import type { Pays } from '@drawhouse/rules/pays';
import { paysOf } from '@drawhouse/rules/pays';
import { LRUCache } from 'lru-cache';
import { canonicalJson } from '../activity/canonical-json.ts';
import type { Queryable } from '../db/database.ts';
import { nameUuid } from '../db/name-uuid.ts';
import { rulesOf } from '../games/games.sql.ts';
import type { GameRow, PairRow } from '../games/games.sql.ts';
import { oddsOf } from '../games/read-percentages.ts';

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
  /** How its result comes about; null in terms of draws that were finished before this was one of them. */
  result_mode: GameRow['result_mode'] | null;
  /** Whether its wins wait until the player claims them; null in the same terms. */
  manual_claims: boolean | null;
}

/**
 * The id of terms follows from what they are: it is that of their canonical JSON, the price as text (`nameUuid` of `terms:{"manualClaims":…,
 * "pays":…,"resultMode":…,"rulesVersion":…,"unitPrice":"100","weights":[…]}`; what is null is left out). So terms are stored once, need no
 * look-up, and can't be changed under their id.
 */
export function termsId({ pays, rules_version, unit_price, weights, result_mode, manual_claims }: DrawTerms): string {
  const content = {
    pays,
    rulesVersion: rules_version,
    unitPrice: String(unit_price),
    weights,
    resultMode: result_mode ?? undefined,
    manualClaims: manual_claims ?? undefined,
  };
  return nameUuid(`terms:${canonicalJson(content)}`);
}

/** How many terms are kept at hand: those of some thousand pairs of games and win percentages. */
const MOST_KNOWN = 5_000;

/** What a draw that opens has of its terms. */
interface OpeningTerms {
  readonly terms_id: string;
  readonly terms: DrawTerms;
}

/** By what they follow from. */
const toOpen = new LRUCache<string, OpeningTerms>({ max: MOST_KNOWN });

/** The terms with which a draw of a pair opens now. */
export function termsToOpen(pair: PairRow): OpeningTerms {
  const { game_key, family, digits, pays, unit_price, win_percentage, result_mode, manual_claims } = pair;
  const price = String(unit_price);
  const key = JSON.stringify([game_key, family, digits, pays, price, win_percentage, result_mode, manual_claims]);
  const same = toOpen.get(key);
  if (same) return same;
  const rules = rulesOf(pair);
  const terms: DrawTerms = {
    rules_version: rules.version,
    unit_price,
    pays: paysOf(rules),
    weights: oddsOf(pair).weights,
    result_mode,
    manual_claims,
  };
  const made = { terms_id: termsId(terms), terms };
  toOpen.set(key, made);
  return made;
}

/** The columns of {@link DrawTerms} with their id. */
export const TERMS = 'id, rules_version, unit_price, pays, weights, result_mode, manual_claims';

/** By their id, under which nothing can change: whoever has read them, on whatever database, has read the same. */
const known = new LRUCache<string, DrawTerms>({ max: MOST_KNOWN });

/** The terms with these ids. What was read is kept at hand. */
export async function readTerms(on: Queryable, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, DrawTerms>> {
  const found = new Map<string, DrawTerms>();
  const unknown: string[] = [];
  for (const id of ids) {
    const terms = known.get(id);
    if (terms) found.set(id, terms);
    else unknown.push(id);
  }
  if (unknown.length > 0) {
    const rows = await on.query<DrawTerms & { id: string }>(
      `select ${TERMS} from draw_terms where id = any($1::uuid[])`,
      [unknown],
      'terms-read',
    );
    for (const { id, ...terms } of rows) {
      known.set(id, terms);
      found.set(id, terms);
    }
  }
  return found;
}
