import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatBundle } from './entry-bundles.ts';
import { nodeHashes, putLeaf } from './on-node-hashes.ts';
import { TILE_WIDTH } from './tile-paths.ts';
import { WaitingEntries } from './waiting-entries.ts';

/** Entries that each are another one, of any length up to some hundred bytes. */
const entries = (first: number, count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, nth) =>
    new TextEncoder().encode(`${first + nth}${'x'.repeat(((first + nth) * 37) % 400)}`),
  );

it('has the bundles and nodes of what waits, however often it was written before', () => {
  fc.assert(
    fc.property(fc.nat(TILE_WIDTH - 1), fc.array(fc.nat(700), { maxLength: 5 }), (open, batches) => {
      const all = entries(0, open);
      const waiting = new WaitingEntries(all, putLeaf);
      for (const count of batches) {
        const [added, firstIndex] = [entries(all.length, count), Math.floor(all.length / TILE_WIDTH)];
        for (const entry of added) waiting.add(entry);
        all.push(...added);
        expect(waiting.size).toBe(count);
        expect(Buffer.from(waiting.nodes)).toEqual(Buffer.concat(added.map(nodeHashes.leaf)));
        const expected = [];
        for (let from = firstIndex * TILE_WIDTH; from < all.length; from += TILE_WIDTH) {
          const some = all.slice(from, from + TILE_WIDTH);
          expected.push({ level: 'entries', index: from / TILE_WIDTH, width: some.length, bytes: formatBundle(some) });
        }
        const bundles = waiting.bundles(firstIndex).map((tile) => ({ ...tile, bytes: tile.bytes.slice() }));
        expect(bundles).toEqual(expected);
        waiting.written();
      }
    }),
    { numRuns: 30 },
  );
});

it('refuses an entry that is too long for a bundle, and has the others', () => {
  const waiting = new WaitingEntries([], putLeaf);
  waiting.add(Uint8Array.of(1));
  expect(() => waiting.add(new Uint8Array(65_536))).toThrow('at most 65535 bytes');
  waiting.add(Uint8Array.of(2));
  expect(waiting.size).toBe(2);
  expect(waiting.bundles(0)[0]!.bytes).toEqual(formatBundle([Uint8Array.of(1), Uint8Array.of(2)]));
});
