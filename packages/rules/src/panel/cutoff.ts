import type { Hundredths } from '../games/wins.ts';

/**
 * Minimum net of a tier's collection that permits a margin in percent (docs/spec/game-operations.md §9): collection −
 * collection × margin / 100, in hundredths, rounded up.
 */
export function cutoffHundredths(collection: Hundredths, margin: number): Hundredths {
  return collection - (collection * BigInt(margin)) / 100n;
}
