import { deriveSeed, rulesHash } from '@drawhouse/rules/derive-seed';
import type { SeedParts } from '@drawhouse/rules/derive-seed';
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

/** What others have kept of a draw's seed, once it is known. */
export type KeptParts = Pick<SeedParts, 'keeperSeeds' | 'beacon'>;

/** Nobody else keeps anything of it. */
const SELF_KEPT: KeptParts = { keeperSeeds: [] };

/** By game and terms: draws of one game have the same for long. */
const hashes = new LRUCache<string, Uint8Array>({ max: 5_000 });

/**
 * The seed of a draw, 32 bytes: by version 1 of the rules, with which it may have opened before the server was brought up to date, the one that the
 * server committed to; since version 2 what is derived from that with its rules and what others have kept (`deriveSeed`). `termsId` is the id of its terms where that
 * is at hand: then its rules are hashed once for all draws that have them.
 */
export function seedOfDraw(draw: SeededDraw, own: Buffer, kept: KeptParts = SELF_KEPT, termsId?: string): Buffer {
  if (draw.rules_version < 2) return own;
  return Buffer.from(
    deriveSeed({ drawId: draw.id, rulesHash: rulesHashOf(draw, termsId), operatorSeed: own, ...kept }),
  );
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
