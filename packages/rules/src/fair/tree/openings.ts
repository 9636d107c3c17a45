import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export interface Opening {
  readonly id: string;
  readonly game_key: string;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly draws_at: Date;
  readonly commitment: Uint8Array;
  readonly terms_id: string;
}

/** Canonical JSON in UTF-8 (docs/fairness.md). */
export function openingLeaf(draw: Opening): Uint8Array {
  return utf8ToBytes(
    // Strings only, hence canonical.
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

export const BATCH_DIGITS = 17;
export const BATCH_AT = 36 - BATCH_DIGITS;

/** Draws opened together share it. */
export function batchOf(drawId: string): string {
  return drawId.slice(BATCH_AT);
}
