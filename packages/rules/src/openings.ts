import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What a draw was opened as: nothing of it ever changes. */
export interface Opening {
  readonly id: string;
  readonly game_key: string;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly draws_at: Date;
  readonly commitment: Uint8Array;
  readonly terms_id: string;
}

/** The leaf of a draw in the tree of those that opened together: UTF-8 of canonical JSON (docs/fairness.md). */
export function openingLeaf(draw: Opening): Uint8Array {
  return utf8ToBytes(
    // Of texts alone, so that this is canonical.
    JSON.stringify([
      draw.id,
      draw.game_key,
      draw.opens_at.toISOString(),
      draw.closes_at.toISOString(),
      draw.draws_at.toISOString(),
      bytesToHex(draw.commitment),
      draw.terms_id,
    ]),
  );
}

/** So many characters of its id tell of a draw which others opened together with it. */
export const BATCH_DIGITS = 17;
/** Where that end begins. */
export const BATCH_AT = 36 - BATCH_DIGITS;

/** How the id of a draw ends, by which it is known which others opened together with it. */
export function batchOf(drawId: string): string {
  return drawId.slice(BATCH_AT);
}
