import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawIdAt, inFolder, NOON, rootFor, TODAY } from './keeper-sample.ts';
import { journalHeader, readJournal, ReleaseJournal } from './release-journal.ts';
import type { JournalEntry } from './release-journal.ts';

const HEADER = journalHeader(TODAY, rootFor('day'));
const SIZE = 1_000;

const entryOf = (index: number): JournalEntry => ({
  index,
  drawId: drawIdAt(NOON, index),
  closesAt: new Date(NOON).toISOString(),
  commitment: rootFor(`seed ${index}`),
  tickets: index * 3,
  ticketRoot: rootFor(`${index}`),
  releasedAt: new Date(NOON + index).toISOString(),
  operatorSignature: 'ab'.repeat(64),
});

function open(file: string, atLeastBytes = 0): Promise<ReleaseJournal> {
  const throwIt = (error: Error): void => {
    throw error;
  };
  return ReleaseJournal.open(file, HEADER, { size: SIZE, atLeastBytes }, throwIt);
}

/** A journal with these releases, and what it has in bytes. */
async function written(dir: string, indexes: readonly number[]): Promise<{ file: string; bytes: Buffer }> {
  const file = join(dir, 'day.releases');
  await writeFile(file, HEADER);
  const journal = await open(file);
  for (const index of indexes) journal.add(entryOf(index));
  await Promise.all(indexes.map((index) => journal.durable(index)));
  await journal.close();
  return { file, bytes: await readFile(file) };
}

/** What a journal on this file knows of each index. */
async function known(file: string): Promise<number[]> {
  const journal = await open(file);
  const found = Array.from({ length: SIZE }, (_, index) => index).filter((index) => journal.find(index) !== undefined);
  for (const index of found) {
    expect(journal.find(index)).toEqual(entryOf(index));
    expect(journal.placeOf(entryOf(index).drawId)).toBe(index);
  }
  await journal.close();
  return found;
}

describe('the journal of a day', () => {
  it('has after any cut exactly the lines that are whole, and goes on from there', () =>
    inFolder(async (dir) => {
      const { file, bytes } = await written(dir, [5, 3, 999, 0]);
      const ends = [...bytes.keys()].filter((at) => bytes[at] === 0x0a).map((at) => at + 1);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: HEADER.length, max: bytes.length }), async (cut) => {
          await writeFile(file, bytes.subarray(0, cut));
          const whole = ends.filter((end) => end <= cut).length - 1;
          const journal = await open(file);
          journal.add(entryOf(7));
          await journal.durable(7);
          await journal.close();
          expect(await known(file)).toEqual([...[5, 3, 999, 0].slice(0, whole), 7].toSorted((a, b) => a - b));
        }),
        { numRuns: 40 },
      );
    }));

  it('takes what stands behind the last whole line for unfinished, zeros too, and nothing that had been written for good', () =>
    inFolder(async (dir) => {
      const { file, bytes } = await written(dir, [1, 2]);
      for (const torn of ['[3,"0190', '\0'.repeat(300), 'x\n']) {
        await writeFile(file, bytes);
        await appendFile(file, torn);
        expect(await known(file)).toEqual([1, 2]);
        expect(await readFile(file)).toEqual(bytes);
      }
      await truncate(file, bytes.length - 1);
      await expect(open(file, bytes.length)).rejects.toThrow(/has lost releases/);
      expect(await known(file)).toEqual([1]);
    }));

  it('is refused where a line before the last is another one, one is missing, or the day is another', () =>
    inFolder(async (dir) => {
      const { file, bytes } = await written(dir, [1, 2, 3]);
      const lines = bytes.toString().split('\n');
      const changed = [
        lines.with(1, lines[1]!.replace('"', "'")),
        lines.with(2, lines[2]!.replace('[2,', '[4,')),
        lines.toSpliced(1, 1),
        lines.with(2, lines[1]!),
      ];
      for (const each of changed) {
        await writeFile(file, each.join('\n'));
        await expect(open(file)).rejects.toThrow(/damaged/);
      }
      const other = journalHeader('2026-11-27', rootFor('day'));
      expect(() => readJournal(bytes, other, file)).toThrow(/does not begin as/);
    }));

  it('writes many at once, in the order in which they came, and finds each before and after', () =>
    inFolder(async (dir) => {
      const file = join(dir, 'day.releases');
      await writeFile(file, HEADER);
      const journal = await open(file);
      const indexes = Array.from({ length: SIZE }, (_, at) => (at * 7) % SIZE);
      const all = indexes.map((index) => {
        journal.add(entryOf(index));
        expect(journal.find(index)).toEqual(entryOf(index));
        return journal.durable(index);
      });
      await Promise.all(all);
      expect(journal.bytes).toBe((await readFile(file)).length);
      await journal.close();
      const { entries } = readJournal(await readFile(file), HEADER, file);
      expect(entries.map(({ entry }) => entry.index)).toEqual(indexes);
      expect(await known(file)).toHaveLength(SIZE);
    }));
});
