import { deriveSeed, rulesHash } from '@drawhouse/rules/derive-seed';
import type { FamilyName } from '@drawhouse/rules/catalogue';
import type { DrawTerms } from '@drawhouse/rules/terms';
import { LRUCache } from 'lru-cache';

/** What of a draw its seed depends on, beside the seeds: its game and its terms. */
export interface SeededDraw extends DrawTerms {
  readonly id: string;
  readonly game_key: string;
  readonly family: FamilyName;
  readonly digits: number;
}

/** By game and terms: draws of one game have the same for long. */
const hashes = new LRUCache<string, Uint8Array>({ max: 5_000 });

/**
 * The seed of a draw, 32 bytes: in version 1 of the rules the one that the server committed to, since version 2 the one derived from it
 * (`deriveSeed`). With `termsId`, the id of its terms, the rules hash is cached for all draws of these terms.
 */
export function seedOfDraw(draw: SeededDraw, own: Buffer, termsId?: string): Buffer {
  if (draw.rules_version < 2) return own;
  return Buffer.from(deriveSeed({ drawId: draw.id, rulesHash: rulesHashOf(draw, termsId), operatorSeed: own }));
}

function rulesHashOf(draw: SeededDraw, termsId: string | undefined): Uint8Array {
  const { game_key: gameId, family, digits } = draw;
  const key = termsId && `${termsId} ${digits} ${family} ${gameId}`;
  const known = key === undefined ? undefined : hashes.get(key);
  if (known) return known;
  const made = rulesHash({ gameId, family, digits }, draw);
  if (key !== undefined) hashes.set(key, made);
  return made;
}
