import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutoffHundredths } from './cutoff.ts';

it("is the margin's remainder of the collection", () => {
  expect(cutoffHundredths(100_000n, 30)).toBe(70_000n);
  expect(cutoffHundredths(100_000n, 0)).toBe(100_000n);
  expect(cutoffHundredths(100_000n, 100)).toBe(0n);
  expect(cutoffHundredths(0n, 30)).toBe(0n);
  expect(cutoffHundredths(5n, 30)).toBe(4n);
});

it('is the smallest net in hundredths that passes', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), fc.integer({ min: 0, max: 100 }), (collection, margin) => {
      const passes = (net: bigint) => net * 100n >= collection * 100n - collection * BigInt(margin);
      const cutoff = cutoffHundredths(collection, margin);
      expect(passes(cutoff)).toBe(true);
      expect(passes(cutoff - 1n)).toBe(false);
    }),
  );
});
