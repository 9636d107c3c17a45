import { paysOf } from '@drawhouse/rules/games/pays';
import { RULES_VERSION } from '@drawhouse/rules/fair/published-seed';
import { LRUCache } from 'lru-cache';
import { termsName, type DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import type { Beacon } from '@drawhouse/rules/fair/beacon-rounds';
import type { Queryable } from '../platform/db/database.ts';
import { nameUuid } from '../platform/db/sql/uuids.ts';
import { rulesOf, type GameRow, type PairRow } from '../games/games.sql.ts';
import { oddsOf } from '../games/percentages/read-percentages.ts';
import { sql } from '../platform/db/sql/sql.ts';

/** A content hash: terms are stored once, need no lookup and cannot change under their id. */
function termsId(terms: DrawTerms): string {
  return nameUuid(termsName(terms));
}

export function areTermsOf(id: string, terms: DrawTerms): boolean {
  return termsId(terms) === id;
}

/** Covers several thousand combinations of game and win percentage. */
const MAX_TERMS = 5_000;

interface OpeningTerms {
  readonly terms_id: string;
  readonly terms: DrawTerms;
}

const toOpen = new LRUCache<string, OpeningTerms>({ max: MAX_TERMS });

export function termsToOpen(
  pair: GameRow & Pick<PairRow, 'win_percentage'>,
  beacons: readonly Beacon[] | null = null,
  isOutside: boolean = false,
): OpeningTerms {
  const { game_key, family, digits, pays, unit_price, win_percentage, result_mode, manual_claims } = pair;
  const price = String(unit_price);
  const key = JSON.stringify([
    game_key,
    family,
    digits,
    pays,
    price,
    win_percentage,
    result_mode,
    manual_claims,
    beacons,
    isOutside,
  ]);
  const same = toOpen.get(key);
  if (same) return same;
  const rules = rulesOf(pair);
  const terms: DrawTerms = {
    rules_version: RULES_VERSION,
    unit_price,
    pays: paysOf(rules),
    weights: oddsOf(isOutside ? { ...pair, win_percentage: null } : pair).weights,
    result_mode: isOutside ? 'outside' : result_mode,
    manual_claims,
    beacons,
  };
  const newTerms = { terms_id: termsId(terms), terms };
  toOpen.set(key, newTerms);
  return newTerms;
}

export const TERMS = 'id, rules_version, unit_price, pays, weights, result_mode, manual_claims, beacons';

/** Content-derived ids are valid for every database. */
const cache = new LRUCache<string, DrawTerms>({ max: MAX_TERMS });

export async function readTerms(on: Queryable, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, DrawTerms>> {
  const found = new Map<string, DrawTerms>();
  const unknown: string[] = [];
  for (const id of ids) {
    const terms = cache.get(id);
    if (terms) found.set(id, terms);
    else unknown.push(id);
  }
  if (unknown.length > 0) {
    const rows = await on.query<DrawTerms & { id: string }>(
      sql`select ${sql.raw(TERMS)} from draw_terms where id = any(${unknown}::uuid[])`.named('terms-read'),
    );
    for (const { id, ...terms } of rows) {
      cache.set(id, terms);
      found.set(id, terms);
    }
  }
  return found;
}
