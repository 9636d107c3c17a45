import { Readable } from 'node:stream';
import { MAX_ENTRY_BYTES } from '@drawhouse/tlog/tiles';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CopiedRows, Copier } from '../../platform/db/sql/copy-rows.ts';
import { readWritten } from './written-records.ts';

function inPieces(lines: readonly string[], cuts: readonly number[]): Copier {
  const all = Buffer.from(lines.join(''));
  const ends = [...new Set(cuts.map((cut) => cut % (all.length + 1))), all.length].toSorted((a, b) => a - b);
  const pieces = ends.map((end, nth) => all.subarray(ends[nth - 1] ?? 0, end)).filter(({ length }) => length > 0);
  return {
    query: async () => [],
    copy: (select) => Readable.from(select.includes('from pinned_settings') ? pieces : []) as CopiedRows,
  };
}

async function entriesOf(on: Copier): Promise<string[]> {
  const found: string[] = [];
  for await (const { entries } of readWritten(on, ''))
    found.push(...entries.map((entry) => Buffer.from(entry).toString()));
  return found;
}

const line = fc.string({ unit: fc.constantFrom('a', 'ñ', '\\', ' ', '号') }).map((value) => `name\t${value}\n`);
const cuts = fc.array(fc.nat(), { maxLength: 12 });

it('each row becomes one record, however chunks are split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), cuts, async (lines, at) => {
      expect(await entriesOf(inPieces(lines, at))).toEqual(lines.map((one) => `pinned_settings 1\n${one}`));
    }),
  );
});

it('an oversized row is recorded by key and hash', async () => {
  const long = `long\t${'x'.repeat(MAX_ENTRY_BYTES)}\n`;
  for (const lines of [
    ['a\t1\n', long, 'b\t2\n'],
    [long, 'b\t2\n'],
  ])
    for (const at of [[], [3], [70_000], [3, 9, 65_000]]) {
      const found = await entriesOf(inPieces(lines, at));
      expect(found.map((entry) => entry.slice(0, 60))).toEqual(
        lines.map((one) =>
          one === long
            ? expect.stringMatching(/^pinned_settings 1 hashed\nlong\t[0-9a-f]{29,}/)
            : `pinned_settings 1\n${one}`,
        ),
      );
    }
});
