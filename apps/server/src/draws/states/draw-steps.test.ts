import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTransactionLimit, runInChunks } from './draw-steps.ts';

const drawsOf = (counts: readonly number[]): { network_id: number; n: number }[] =>
  counts.flatMap((count, network_id) => Array.from({ length: count }, (_, n) => ({ network_id, n })));

it('many draws are split into parts of about a thousand, by whole networks if possible', async () => {
  const counts = fc.array(fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 3_000 })), { maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(counts, async (networks) => {
      const all = drawsOf(networks);
      const parts: (typeof all)[] = [];
      await runInChunks(
        createTransactionLimit(),
        all,
        async (some) => void parts.push([...some]),
        () => {},
      );
      expect(parts.flat()).toEqual(all);
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(2 * 1_200);
      if (Math.max(...networks) > 600) return;
      const begun = parts.map((part) => part[0]!.network_id);
      expect(new Set(begun).size).toBe(begun.length);
      for (const [index, part] of parts.entries())
        expect(part.at(-1)!.network_id).not.toBe(parts[index + 1]?.[0]!.network_id);
    }),
    { numRuns: 60 },
  );
});

it('3,200 draws of 100 networks form three parts, as many as run at once', async () => {
  const sizes: number[] = [];
  await runInChunks(
    createTransactionLimit(),
    drawsOf(Array<number>(100).fill(32)),
    async (some) => void sizes.push(some.length),
    () => {},
  );
  expect(sizes).toEqual([1_088, 1_088, 1_024]);
});
