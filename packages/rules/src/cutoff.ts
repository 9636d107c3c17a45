import type { Hundredths } from './wins.ts';

/**
 * What has to be left of a tier's collection, in hundredths of a point, where a margin of it in per cent may be paid: collection − collection ×
 * margin / 100 (section 9 of the games specification). Where that has more than two decimals, the next hundredth above: no net in
 * hundredths lies between.
 */
export function cutoffHundredths(collection: Hundredths, margin: number): Hundredths {
  return collection - (collection * BigInt(margin)) / 100n;
}
